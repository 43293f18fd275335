"""Robots from MuJoCo's own objects."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ArgumentError
from ..robot import Robot, load_text

# In the order of mjtJoint; a free joint with an armature is here three that slide and a spherical one.
_TYPES = (("free", "prismatic"), ("spherical",), ("prismatic",), ("revolute",))


def load(model: Any, **options: Any) -> Robot:
    """The robot of a ``mujoco.MjSpec``, or of the ``mujoco.MjModel`` that was loaded last; options as for :func:`denoc.load`.

    MuJoCo writes it as MJCF (a model with six digits), and denoc reads that: q is MuJoCo's qpos, bodies and joints keep
    their names. Meshes are looked for beside the file of the spec; a model no longer knows where its file was. MuJoCo
    remembers the text of one model only: :class:`ArgumentError` where that is another one's.
    """
    if hasattr(model, "to_xml"):
        return load_text(model.to_xml(), os.path.join(model.modelfiledir, "the text"), **options)
    if not hasattr(model, "jnt_qposadr"):
        raise ArgumentError(f"an MjSpec or an MjModel is wanted, not {type(model).__name__}; files are read by denoc.load")
    import mujoco  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.xml"
        try:
            mujoco.mj_saveLastXML(str(file), model)
        except mujoco.FatalError as error:
            raise ArgumentError(f"MuJoCo cannot write this model as MJCF ({error}): pass its MjSpec") from None
        robot = load_text(file.read_text(encoding="utf-8"), "the text", **options)
    if not _is_of(model, robot):
        raise ArgumentError("the MJCF that MuJoCo loaded last is not that of this model: pass its MjSpec, or load it again")
    return robot


def _is_of(model: Any, robot: Robot) -> bool:
    """Whether the two have the same joints (place in q, type, name where there is one) and bodies (the same mass on each)."""
    joints = {joint.q.start: joint for joint in robot.joints}
    for k, kind in enumerate(model.jnt_type):
        joint, name = joints.get(model.jnt_qposadr[k]), model.joint(k).name
        if joint is None or joint.type not in _TYPES[kind] or (name and kind > 0 and joint != name):
            return False
    carried = {str(body): body.mass for body in robot.bodies}
    for body in reversed(robot.bodies):  # children come after their parents
        if body.parent in carried:
            carried[body.parent] += carried[body]
    here = [body for body in robot.bodies if body.mass > 0]
    there = [b for b in range(1, model.nbody) if model.body_mass[b] > 0]
    return (robot.nq, robot.nv, len(here)) == (model.nq, model.nv, len(there)) and all(
        model.body(b).name in ("", body) and np.isclose(carried[body], model.body_subtreemass[b], rtol=1e-4, atol=0)
        for body, b in zip(here, there)
    )
