"""What simulations give."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from ._arrays import Array, flag, in_order, require_finite
from ._writing import write
from .errors import ArgumentError, Fault
from .robot import Robot

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


class Event(NamedTuple):
    """A joint with dry friction comes to rest on its surface (``kind`` "stick"), breaks loose ("slip") or turns round
    without having stuck ("turn").

    ``t`` in s; ``joint`` as ``run.names_v`` calls it; ``position`` in rad or m (0 where q is a quaternion).
    """

    t: float
    kind: str
    joint: str
    position: float


# Arrays of a run that has all of them.
_ARRAYS = ("t", "q", "v", "a", "tau", "kinetic", "potential", "input_power", "dissipated_power", "work", "dissipated",
           "multipliers", "reactions", "points", "contacts")  # fmt: skip


class Run:
    """What a simulation gave, sample by sample (N of them).

    ``t`` (N,), s; ``q`` (N, nq); ``v``, ``a``, ``tau`` (N, nv), tau: what the drives give; ``kinetic``, ``potential``
    (N,), J; ``input_power``, ``dissipated_power`` (N,), W, and their integrals ``work``, ``dissipated``, J;
    ``multipliers`` (N, rows of the loops); ``reactions`` (N, 1 + bodies, 6) if asked for, [:, 0] what the world exerts
    on the robot, then as :class:`Reactions`; ``points`` (N, points, 3), m, and ``contacts`` (N, points of the ground,
    3), N, in the world, if asked for; ``events``; ``warnings``, each given as a :class:`RunWarning`, too;
    ``statistics`` of the integrator; ``complete``: it came to its end (where it did not, statistics that only the
    integrator knows are None).
    """

    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array
    kinetic: Array
    potential: Array
    input_power: Array
    dissipated_power: Array
    work: Array
    dissipated: Array
    multipliers: Array

    def __init__(self, robot: Robot, told: Mapping[str, Any], title: str, scenario: str) -> None:
        self.robot = robot
        self.title = title
        self.scenario = scenario
        self.reactions: Array | None = None
        self.points: Array | None = None
        self.contacts: Array | None = None
        self.__dict__.update(told["arrays"])
        self.statistics: dict[str, Any] = told["statistics"]
        self.seconds: float = told["seconds"]
        self.method: str = told["method"]
        self.warnings: list[Fault] = told["warnings"]
        self.complete: bool = told["ending"] == "done"
        self._watched: list[tuple[str, int, float, float, float]] = told["watched"]
        self._touched: list[str] = told["touched"]
        self._events: list[tuple[float, str, int, float]] = told["events"]

    @property
    def names_q(self) -> list[str]:
        """What the entries of q are called: the joint, or "joint.x" where it has several."""
        return [name for name, _ in self.robot._core.names()[0]]

    @property
    def names_v(self) -> list[str]:
        """What the entries of v, a and tau are called."""
        return [name for name, _ in self.robot._core.names()[1]]

    @property
    def names_points(self) -> list[str]:
        """What the points of ``points`` are called."""
        return [name for name, *_ in self._watched]

    @property
    def names_contacts(self) -> list[str]:
        """What the points of ``contacts`` are called: their body, or "body.1", "body.2" where one has several."""
        return list(self._touched)

    @property
    def events(self) -> list[Event]:
        """Where joints with dry friction stuck or slipped, in the order of time."""
        names = self.names_v
        return [Event(t, kind, names[dof], position) for t, kind, dof, position in self._events]

    @property
    def arrays(self) -> dict[str, Array]:
        """All arrays by name, as :meth:`save` writes them."""
        return {name: getattr(self, name) for name in _ARRAYS if getattr(self, name) is not None}

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes the arrays to a file NAME.npz, for ``numpy.load``; a name without an ending gets this one."""
        if Path(file).suffix not in ("", ".npz"):
            raise ArgumentError(f"run.save writes NAME.npz, not {os.fspath(file)!r}; run.to_pandas().to_csv writes a table")
        archive = io.BytesIO()
        np.savez(archive, **self.arrays)  # type: ignore[arg-type]
        name = os.fspath(file)
        write(name if name.endswith(".npz") else f"{name}.npz", archive.getvalue())

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a row for each sample, indexed by t; columns as in trajectory.csv: q.JOINT, v.JOINT, ... Robots
        that call two coordinates the same are refused."""
        for names in (self.names_q, self.names_v):
            if twice := [name for k, name in enumerate(names) if name in names[:k]]:
                raise ArgumentError(f"to_pandas: two coordinates are called {twice[0]!r}, and columns cannot tell them apart")
        import pandas

        columns: dict[str, Array] = {}
        for letter, names in (("q", self.names_q), ("v", self.names_v), ("a", self.names_v), ("tau", self.names_v)):
            array = getattr(self, letter)
            columns.update({f"{letter}.{name}": array[:, k] for k, name in enumerate(names)})
        columns.update(kinetic=self.kinetic, potential=self.potential)
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def plot(self, *what: str) -> Any:
        """Curves over time (matplotlib): "q", "v", "a", "tau", "energy" or "power"; by default q, v, tau (if any
        drive does something), energy.

        Gives the figure.
        """
        from .plotting import plot

        return plot(self, *what)

    def report(self, file: Union[str, os.PathLike[str], None] = None, *, animate: bool = True) -> str:
        """The run as one HTML page that loads nothing: figures, tables, and the robot moving. Written to ``file`` if given."""
        page: str = self.robot._core.report(
            self._contiguous(), self._watched, self.statistics, self._events, self.title, self.scenario, self.method,
            self.seconds, flag("animate", animate), self.complete, [str(each) for each in self.warnings],
        )  # fmt: skip
        if file is not None:
            write(file, page.encode())
        return page

    def film(self) -> str:
        """One HTML page that loads nothing, with the robot moving and nothing else."""
        page: str = self.robot._core.film(self._contiguous(), self._watched)
        return page

    def _contiguous(self) -> dict[str, Array]:
        """The arrays as pages take them: people may have changed them."""
        found = {name: in_order(array) for name, array in self.arrays.items()}
        nq, nv, bodies = self.robot.nq, self.robot.nv, len(self.robot.bodies)
        widths = {"q": (nq,), "v": (nv,), "a": (nv,), "tau": (nv,), "reactions": (1 + bodies, 6),
                  "points": (len(self._watched), 3), "contacts": (len(self._touched), 3)}  # fmt: skip
        for name, array in found.items():
            each = array.shape[1:] if name == "multipliers" else widths.get(name, ())
            if array.shape != (found["t"].size, *each):
                wanted = f"{(found['t'].size, *each)} is wanted, a row for each t"
                raise ArgumentError(f"run.{name} has the shape {array.shape}; {wanted}")
            require_finite(f"run.{name}", array)
        return found

    def show(self) -> Any:
        """The robot moving: in a notebook below the cell, else in the browser."""
        from .viewing import show

        return show(self)

    def _repr_html_(self) -> str:
        from .viewing import frame

        return frame(self.film(), height=480)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        end = "" if self.complete else ", broken off"
        last = self.t[-1] if len(self.t) else 0.0
        doubt = f", warnings: {len(self.warnings)}" if self.warnings else ""
        return f"<Run of {self.robot.name}: {last:.6g} s, {len(self.t)} samples by {self.method}{end}{doubt}>"
