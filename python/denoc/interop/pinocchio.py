"""States in the order of Pinocchio (``pin``), and back.

Pinocchio numbers joints in an order of its own (by name, among siblings), writes quaternions x y z w, and the twist of a free joint
linear part first; its continuous joints have the cosine and sine of their angle in q. Joints are matched by name; a free
root of denoc is Pinocchio's ``root_joint``. The model must have been built with the same joints (and ``JointModelFreeFlyer``
for ``base="free"``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array
from ..answers import Joint
from ..errors import ArgumentError
from ..robot import Robot

_ONE = ("revolute", "continuous", "prismatic", "helical")


def _pairs(robot: Robot, model: Any) -> list[tuple[Joint, Any]]:
    """Each joint here, and its like in the model (a ``pinocchio.Model``)."""
    pairs = []
    for joint in robot.joints:
        name = "root_joint" if joint.type == "free" and not model.existJointName(joint.name) else joint.name
        if not model.existJointName(name):
            raise ArgumentError(f"the model of Pinocchio has no joint {name!r}")
        other = model.joints[model.getJointId(name)]
        if other.nv != joint.nv:
            raise ArgumentError(f"joint {name!r} has {joint.nv} degrees of freedom here, {other.nv} in Pinocchio")
        if joint.type not in (*_ONE, "spherical", "free", "planar", "universal"):
            raise ArgumentError(f"joint {name!r} is {joint.type}: Pinocchio has no such joint")
        pairs.append((joint, other))
    if sum(other.nv for _, other in pairs) != model.nv:
        raise ArgumentError(f"the model of Pinocchio has {model.nv} degrees of freedom, the robot {robot.nv}")
    return pairs


def _turned(quaternion: Array, to_pinocchio: bool) -> Array:
    """w x y z to x y z w, or back."""
    return quaternion[..., [1, 2, 3, 0] if to_pinocchio else [3, 0, 1, 2]]


def q_to_pinocchio(robot: Robot, model: Any, q: Any) -> Array:
    """q (..., robot.nq) as Pinocchio's (..., model.nq)."""
    given = np.asarray(q, float)
    result = np.empty((*given.shape[:-1], model.nq))
    for joint, other in _pairs(robot, model):
        here = given[..., joint.q]
        to = slice(other.idx_q, other.idx_q + other.nq)
        if joint.type in ("spherical", "free"):
            here = np.concatenate([here[..., :-4], _turned(here[..., -4:], True)], -1)
        elif joint.type == "planar":  # x, y, cosine, sine
            here = np.concatenate([here[..., :2], np.cos(here[..., 2:]), np.sin(here[..., 2:])], -1)
        elif other.nq == 2 and joint.nq == 1:  # continuous
            here = np.concatenate([np.cos(here), np.sin(here)], -1)
        result[..., to] = here
    return result


def q_from_pinocchio(robot: Robot, model: Any, q: Any) -> Array:
    """Pinocchio's q (..., model.nq) as (..., robot.nq)."""
    given = np.asarray(q, float)
    result = np.empty((*given.shape[:-1], robot.nq))
    for joint, other in _pairs(robot, model):
        there = given[..., other.idx_q : other.idx_q + other.nq]
        if joint.type in ("spherical", "free"):
            there = np.concatenate([there[..., :-4], _turned(there[..., -4:], False)], -1)
        elif joint.type == "planar":
            there = np.concatenate([there[..., :2], np.arctan2(there[..., 3:], there[..., 2:3])], -1)
        elif other.nq == 2 and joint.nq == 1:
            there = np.arctan2(there[..., 1:], there[..., :1])
        result[..., joint.q] = there
    return result


def _swapped(x: Array, joint: Joint) -> Array:
    """A free joint's twist or wrench with its halves changed."""
    return x[..., [3, 4, 5, 0, 1, 2]] if joint.type == "free" else x


def v_to_pinocchio(robot: Robot, model: Any, v: Any) -> Array:
    """v, a or tau (..., robot.nv) as Pinocchio's (..., model.nv)."""
    given = np.asarray(v, float)
    result = np.empty_like(given)
    for joint, other in _pairs(robot, model):
        result[..., other.idx_v : other.idx_v + other.nv] = _swapped(given[..., joint.v], joint)
    return result


def v_from_pinocchio(robot: Robot, model: Any, v: Any) -> Array:
    """Pinocchio's v, a or tau (..., model.nv) as (..., robot.nv)."""
    given = np.asarray(v, float)
    result = np.empty_like(given)
    for joint, other in _pairs(robot, model):
        result[..., joint.v] = _swapped(given[..., other.idx_v : other.idx_v + other.nv], joint)
    return result
