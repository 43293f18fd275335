"""Robots from MuJoCo's own objects."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ..robot import Robot
from ..robot import load as load_text


def load(model: Any, **options: Any) -> Robot:
    """The robot of a ``mujoco.MjSpec``, or of the ``mujoco.MjModel`` that was loaded last; options as for :func:`denoc.load`.

    MuJoCo writes it as MJCF, and denoc reads that: q is MuJoCo's qpos, bodies and joints keep their names.
    """
    if hasattr(model, "to_xml"):
        return load_text(model.to_xml(), **options)
    import mujoco  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.xml"
        mujoco.mj_saveLastXML(str(file), model)
        return load_text(file.read_text(encoding="utf-8"), **options)
