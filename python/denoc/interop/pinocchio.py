"""States in the order of Pinocchio (``pin``), and back.

Pinocchio numbers joints in an order of its own (by name, among siblings), writes quaternions x y z w, and the twist of a free
joint linear part first; its continuous joints have the cosine and sine of their angle in q; rates and forces of its planar
joints are in the axes of the body, not of x and y, and it reads those of a URDF as if their axis were z. Joints are matched by
name; a free root of denoc is Pinocchio's ``root_joint``. The model must have been built with the same joints (and
``JointModelFreeFlyer`` for ``base="free"``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array, leading_axes, numbers
from ..answers import Joint
from ..errors import ArgumentError
from ..robot import Robot

_ONE = ("revolute", "continuous", "prismatic", "helical")
_ROUNDING = 1e-6  # of lengths that are 1, as for quaternions


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


def _unit(robot: Robot, q: Any) -> Array:
    """q (..., robot.nq), its quaternions of unit length to the last digit. Raises :class:`ArgumentError` where they are not."""
    return robot.integrate(q, np.zeros(robot.nv))


def _angle(joint: Joint, cosine: Array, sine: Array) -> Array:
    """The angle of a joint that Pinocchio has as a point of the unit circle."""
    off = np.abs(np.hypot(cosine, sine) - 1)
    if not (off <= _ROUNDING).all():
        raise ArgumentError(f"q: cosine and sine of joint {joint.name!r} are no point of the unit circle")
    angle: Array = np.arctan2(sine, cosine)
    return angle


def q_to_pinocchio(robot: Robot, model: Any, q: Any) -> Array:
    """q (..., robot.nq) as Pinocchio's (..., model.nq)."""
    pairs = _pairs(robot, model)
    given = _unit(robot, q)
    result = np.empty((*given.shape[:-1], model.nq))
    for joint, other in pairs:
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
    pairs = _pairs(robot, model)
    given = numbers("q", q, model.nq)
    result = np.empty((*given.shape[:-1], robot.nq))
    for joint, other in pairs:
        there = given[..., other.idx_q : other.idx_q + other.nq]
        if joint.type in ("spherical", "free"):
            there = np.concatenate([there[..., :-4], _turned(there[..., -4:], False)], -1)
        elif joint.type == "planar":
            there = np.concatenate([there[..., :2], _angle(joint, there[..., 2:3], there[..., 3:])], -1)
        elif other.nq == 2 and joint.nq == 1:
            there = _angle(joint, there[..., :1], there[..., 1:])
        result[..., joint.q] = there
    return _unit(robot, result)


def _other_axes(x: Array, angle: Array, to_pinocchio: bool) -> Array:
    """Of a planar joint: in the axes of the body from those of x and y, or back."""
    c, s = np.cos(angle), np.sin(angle) if to_pinocchio else -np.sin(angle)
    return np.stack([c * x[..., 0] + s * x[..., 1], c * x[..., 1] - s * x[..., 0], x[..., 2]], -1)


def _rates(robot: Robot, model: Any, name: str, x: Any, q: Any, to_pinocchio: bool) -> Array:
    """Rates or forces (..., nv), joint by joint, in the other's order and axes."""
    pairs = _pairs(robot, model)
    given = numbers(name, x, robot.nv)
    posture = None if q is None else numbers("q", q, robot.nq)
    states = given.shape[:-1] if posture is None else leading_axes((given, posture), (name, "q"))
    given = np.broadcast_to(given, (*states, robot.nv))
    result = np.empty((*states, robot.nv))
    for joint, other in pairs:
        there = slice(other.idx_v, other.idx_v + other.nv)
        source, target = (joint.v, there) if to_pinocchio else (there, joint.v)
        each = given[..., source]
        if joint.type == "free":  # angular part first, or last
            each = each[..., [3, 4, 5, 0, 1, 2]]
        elif joint.type == "planar":
            if posture is None:
                raise ArgumentError(
                    f"joint {joint.name!r} is planar, and Pinocchio has its rates and forces in the axes of the body: give "
                    "q, too (q=...); accelerations are those of a_to_pinocchio and a_from_pinocchio"
                )
            each = _other_axes(each, posture[..., joint.q][..., 2], to_pinocchio)
        result[..., target] = each
    return result


def _turning(robot: Robot, model: Any, v: Array) -> Array:
    """What Pinocchio's accelerations (..., model.nv) of planar joints lack of the change of their rates v (..., model.nv), as the
    axes turn: w x v."""
    result = np.zeros_like(v)
    for joint, other in _pairs(robot, model):
        if joint.type == "planar":
            x, y, w = (v[..., other.idx_v + k] for k in range(3))
            result[..., other.idx_v], result[..., other.idx_v + 1] = -w * y, w * x
    return result


def v_to_pinocchio(robot: Robot, model: Any, v: Any, q: Any = None) -> Array:
    """v or tau (..., robot.nv) as Pinocchio's (..., model.nv); of planar joints at q (..., robot.nq)."""
    return _rates(robot, model, "v", v, q, True)


def v_from_pinocchio(robot: Robot, model: Any, v: Any, q: Any = None) -> Array:
    """Pinocchio's v or tau (..., model.nv) as (..., robot.nv); of planar joints at q (..., robot.nq), denoc's."""
    return _rates(robot, model, "v", v, q, False)


def a_to_pinocchio(robot: Robot, model: Any, q: Any, v: Any, a: Any) -> Array:
    """a (..., robot.nv) at q (..., robot.nq) and v (..., robot.nv) as Pinocchio's (..., model.nv)."""
    turning = _turning(robot, model, v_to_pinocchio(robot, model, v, q))
    result: Array = _rates(robot, model, "a", a, q, True) - turning
    return result


def a_from_pinocchio(robot: Robot, model: Any, q: Any, v: Any, a: Any) -> Array:
    """Pinocchio's a (..., model.nv) as (..., robot.nv), at q (..., robot.nq) and v (..., robot.nv), denoc's."""
    turning = _turning(robot, model, v_to_pinocchio(robot, model, v, q))
    return _rates(robot, model, "a", numbers("a", a, robot.nv) + turning, q, False)
