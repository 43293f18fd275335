"""Scenarios: runs as files describe them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._maps import as_number, as_yaml, plain
from ._writing import write
from .errors import RobotError
from .robot import Robot, load
from .simulation import run_described

if TYPE_CHECKING:
    from .runs import Run
    from .simulation import Law


class Scenario(Mapping[str, Any]):
    """A run as a file describes it (docs/scenario-files.md): the map of the YAML, read, changed, written and run.

    ``Scenario("run.yaml")``, ``Scenario(text)`` or ``Scenario({"robot": "puma560", "duration": 5, ...})``;
    ``scenario | {"duration": 10}`` is another one with a key changed.
    """

    def __init__(self, source: Union[str, os.PathLike[str], Mapping[str, Any]]) -> None:
        self.folder = Path()
        if isinstance(source, Mapping):
            self._keys: dict[str, Any] = dict(source)
            return
        name = os.fspath(source)
        text = name
        if "\n" not in name and not name.lstrip().startswith("{"):
            self.folder = Path(name).parent
            try:
                text = Path(name).read_text(encoding="utf-8", errors="replace")  # titles and remarks need not be UTF-8
            except OSError as error:
                raise RobotError(f"{name}: {error.strerror or error}") from None
        read = _core.read_yaml(text, name if text is not name else "the text", as_number)
        if not isinstance(read, dict):
            raise RobotError(f"{name if text is not name else 'the text'}: a map of keys is wanted")
        self._keys = read

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __or__(self, other: Mapping[str, Any]) -> Scenario:
        changed = Scenario({**self._keys, **other})
        changed.folder = self.folder
        return changed

    def __repr__(self) -> str:
        return f"Scenario({self._keys!r})"

    @property
    def _robot_file(self) -> Path | None:
        """Where the robot is, if it is in a file of its own."""
        name = str(self._keys.get("robot", ""))
        return self.folder / name if os.path.dirname(name) or os.path.splitext(name)[1] else None

    def robot(self) -> Robot:
        """The robot of the scenario: shipped, or in a file beside it."""
        name = str(self._keys.get("robot", ""))
        if not name:
            raise RobotError("the scenario names no robot")
        gravity = self._keys.get("gravity")
        if isinstance(gravity, list):
            gravity = [_core.expression("gravity", x) if isinstance(x, str) else x for x in gravity]
        return load(self._robot_file or name, base=self._keys.get("base", "fixed"), gravity=gravity)

    def run(self, *, control: Law | None = None, progress: bool | None = None) -> Run:
        """Simulates it; a callable ``control`` takes the place of the file's law, at its ``rate`` if it has one. No
        files are written: what ``output`` asks for is in the run, and :meth:`Run.save` writes what ``npz`` would."""
        told = {key: value for key, value in self._keys.items() if key not in ("robot", "base", "gravity")}
        if "duration" not in told:
            raise RobotError("the scenario has no duration")
        if control is not None:
            law = told.get("control")
            kept = law if isinstance(law, Mapping) else {}
            told["control"] = {"type": "none", **{key: kept[key] for key in ("rate", "saturate") if key in kept}}
        # Files that it names are looked for beside it.
        return run_described(self.robot(), told, control, progress, str(self.folder / "scenario"))

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes it for ``denoc simulate``, as YAML. Files of the robot and of motions are named as seen from there."""
        keys, folder = plain(self._keys, "the scenario"), Path(file).parent
        if self._robot_file is not None:
            keys["robot"] = os.path.relpath(self._robot_file, folder)
        if "motion" in keys:
            self._rename_files(keys["motion"], folder)
        lines = [f"{key}: {as_yaml(value)}\n" for key, value in keys.items()]
        write(file, "".join(lines).encode())

    def _rename_files(self, motion: Any, folder: Path) -> None:
        """Files of a motion, or of those in a sequence, as seen from the folder."""
        if not isinstance(motion, dict):
            return
        if "file" in motion:
            motion["file"] = os.path.relpath(self.folder / str(motion["file"]), folder)
        for each in motion["motions"] if isinstance(motion.get("motions"), list) else ():
            self._rename_files(each, folder)
