"""Gradients of torques and accelerations by what they are computed from, for libraries that differentiate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from .._arrays import Array
from .._asking import QUESTIONS
from ..errors import ArgumentError
from ..options import require_known
from ..robot import Robot

Problem = Literal["inverse_dynamics", "forward_dynamics"]
_DERIVATIVES = {"inverse_dynamics": "derivatives", "forward_dynamics": "forward_derivatives"}


def require(robot: Robot, problem: Problem, state: Sequence[Any], how: Mapping[str, Any]) -> None:
    """What is asked for has a value and gradients: states as wide as the robot's, options that both calls take. (Wrenches keep
    their numbers, so that ``wrench_axes`` is none of them.)"""
    taken = (robot.OPTIONS[problem] & robot.OPTIONS[_DERIVATIVES[problem]]) - {"out"}
    require_known(problem, how.keys(), taken, " here")
    for (name, is_posture), x in zip(QUESTIONS[problem].given, state):
        width = robot.nq if is_posture else robot.nv
        if not x.shape or x.shape[-1] != width:
            raise ArgumentError(f"{name} has the shape {tuple(x.shape)}; (..., {width}) is wanted")


def value(robot: Robot, problem: Problem, q: Array, v: Array, x: Array, **how: Any) -> Array:
    """tau or a (..., nv), as the robot's method gives it: x is a or tau."""
    found: Array = getattr(robot, problem)(q, v, x, **how)
    return found


def pullback(
    robot: Robot, problem: Problem, q: Array, v: Array, x: Array, by: Array, **how: Any
) -> tuple[Array, Array, Array]:
    """Gradients of a number by q (..., nq), v and x (..., nv), from its gradient ``by`` tau or a (..., nv)."""
    found = getattr(robot, _DERIVATIVES[problem])(q, v, x, **how)
    of_q, of_v, of_x = (np.einsum("...i,...ij->...j", by, matrix) for matrix in found)
    return by_numbers(robot, q, of_q), of_v, of_x


def by_numbers(robot: Robot, q: Array, tangent: Array) -> Array:
    """A gradient by the numbers in q (..., nq) from that on the tangent space (..., nv).

    Quaternions stay of unit length: along them there is no gradient. p moves to p (1 + d/2), the origin of a free joint
    by R d: so it is 2 p g, and R g.
    """
    result = np.empty(q.shape, tangent.dtype)
    for joint in robot.joints:
        g = tangent[..., joint.v]
        if joint.type not in ("spherical", "free"):
            result[..., joint.q] = g
            continue
        entries, w, xyz = result[..., joint.q], q[..., joint.q][..., -4:-3], q[..., joint.q][..., -3:]
        turn = g[..., :3]
        entries[..., -4] = -2 * (xyz * turn).sum(-1)
        entries[..., -3:] = 2 * (w * turn + np.cross(xyz, turn))
        if joint.type == "free":
            along = np.cross(xyz, g[..., 3:])
            entries[..., :3] = g[..., 3:] + 2 * (w * along + np.cross(xyz, along))
    return result
