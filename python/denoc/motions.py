"""Motions and control laws by themselves, as scenarios describe them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, finite, in_order, real, require_result, vector
from ._maps import as_json, plain
from ._warning import tell
from .answers import States
from .errors import ArgumentError, Fault, NotAssembled, RunWarning
from .robot import Robot

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def _described(
    robot: Robot, q: ArrayLike | Mapping[str, Any] | None, duration: float | None, **parts: Mapping[str, Any] | None
) -> str:
    """A scenario of which only a part is wanted."""
    told: dict[str, Any] = {key: part for key, part in parts.items() if part is not None}
    told["duration"] = 1.0 if duration is None else duration
    try:
        told["start"] = {"q": robot.neutral() if q is None else q if isinstance(q, Mapping) else vector("q", q, robot.nq)}
    except NotAssembled:  # then the motion has to say where it starts
        pass
    return as_json(plain(told, " and ".join(parts)), indent=1)


class Motion:
    """All joints as functions of time: ``motion(t)`` gives q, v, a at one time or at many. Made by :meth:`Robot.motion`.

    ``duration`` (s): before 0 and after it the robot rests where it is then; ``breaks``: times at which a jumps.
    ``warnings``: what is legal but looks like a mistake, each given as a :class:`RunWarning`, too.
    """

    def __init__(
        self,
        robot: Robot,
        motion: Mapping[str, Any],
        q: ArrayLike | Mapping[str, Any] | None = None,
        duration: float | None = None,
    ) -> None:
        self.robot = robot
        self._told = _described(robot, q, duration, motion=motion)
        self._motion = robot._core.motion(self._told)
        self.duration: float = self._motion.duration
        self.breaks: list[float] = self._motion.breaks
        self.warnings: list[Fault] = self._motion.warnings
        tell(RunWarning, map(str, self.warnings))

    def __reduce__(self) -> tuple[type[Motion], tuple[Any, ...]]:
        told = json.loads(self._told)  # the same again
        return Motion, (self.robot, told["motion"], told.get("start", {}).get("q"), told["duration"])

    def __call__(self, t: ArrayLike) -> States:
        """(q, v, a) at times t (...; s): (..., nq), (..., nv), (..., nv)."""
        times = in_order(real("t", t))
        if not np.isfinite(times).all():
            raise ArgumentError(f"t is {times}; finite numbers are wanted")
        q, v, a = (np.empty((*times.shape, n)) for n in (self.robot.nq, self.robot.nv, self.robot.nv))
        self._motion.at(times, q, v, a)
        require_result("the motion", q, v, a)
        return States(q, v, a)


def start_of(robot: Robot, q: ArrayLike | Mapping[str, Any]) -> Array:
    """(nq,): where a run starts, given as an array or as a map by joint, which is read as those of scenarios are."""
    if not isinstance(q, Mapping):
        return vector("q", q, robot.nq).copy()
    found: Array = Motion(robot, {"type": "hold"}, q)(0).q
    return found


class ControlLaw:
    """What drives ask for: ``law(t, q, v)`` gives tau (nv,). Made by :meth:`Robot.control_law`; it may keep what it saw.

    Limits of the drives and the rate of a sampled law are the run's: a law by itself gives what it asks for, whenever
    asked. ``warnings`` as of a :class:`Motion`. ``wants_rate``: whether it sums from one call to the next, as that of
    type pid does; a simulation then wants a ``rate``, as steps that are tried and taken back would count, too.
    """

    def __init__(
        self,
        robot: Robot,
        control: Mapping[str, Any],
        motion: Mapping[str, Any] | None = None,
        q: ArrayLike | Mapping[str, Any] | None = None,
        duration: float | None = None,
    ) -> None:
        self.robot = robot
        if motion is not None and duration is None:  # a law by itself looks as long as the motion takes, no longer
            duration = robot._core.motion(_described(robot, q, None, motion=motion)).duration
        self._law = robot._core.law(_described(robot, q, duration, control=control, motion=motion))
        self.wants_rate: bool = self._law.wants_rate
        self.warnings: list[Fault] = self._law.warnings
        tell(RunWarning, map(str, self.warnings))

    def __call__(self, t: float, q: ArrayLike, v: ArrayLike) -> Array:
        """tau (nv,; N m, N) at the time t (s) and the state q (nq,), v (nv,)."""
        tau: Array = self._law.torques(finite("t", t), vector("q", q, self.robot.nq), vector("v", v, self.robot.nv))
        require_result("tau", tau)
        return tau
