"""Runs under given torques, and gradients back through their steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _core
from ._arrays import Array, flag, in_order, numbers, positive, require_result, vector
from .answers import Gradient
from .errors import ArgumentError
from .motions import start_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .robot import Robot


class Rollout:
    """A robot under torques that are held in each of N steps, made by :meth:`Robot.rollout`.

    ``q`` (N + 1, nq), ``v`` (N + 1, nv): the states before the first step and after each; ``t`` (N + 1,), s; ``tau`` (N, nv).
    """

    def __init__(
        self, robot: Robot, q: ArrayLike | Mapping[str, Any], v: ArrayLike, tau: ArrayLike, dt: float, *, forces: bool = True
    ) -> None:
        start = start_of(robot, q), vector("v", v, robot.nv).copy()
        dt, forces = positive("dt", dt), flag("forces", forces)
        self.robot = robot
        self.tau = _rows("tau", tau, robot.nv).copy()
        self._rollout = _core.Rollout(robot._core, forces)
        states = self._rollout.run(*start, self.tau, dt)
        self.q, self.v = (x.reshape(len(self.tau) + 1, n) for x, n in zip(states, (robot.nq, robot.nv)))
        self.t: Array = dt * np.arange(len(self.q))
        self._again = partial(Rollout, robot, *start, self.tau.copy(), dt, forces=forces)  # people may change what they see

    def __reduce__(self) -> tuple[Callable[..., Rollout], tuple[()]]:
        return self._again, ()  # what pickle calls: the same steps

    def gradient(
        self,
        by_q: ArrayLike | None = None,
        by_v: ArrayLike | None = None,
        *,
        parameters: bool = False,
        friction: bool = False,
    ) -> Gradient:
        """Gradients of a cost from its gradients by the states, ``by_q`` and ``by_v`` (N + 1, nv; zero where not given), in one
        pass back through time: see :class:`Gradient`. ``by_q`` is on the tangent space of q: cost at ``integrate(q, d)``, by d.

        They are those of the steps, to the last digit, not of the motion that the steps approach. With ``parameters`` also
        by the robot's parameters, with ``friction`` by those of friction among them.
        """
        parameters, friction = flag("parameters", parameters), flag("friction", friction)
        found = self._rollout.back(self._by("by_q", by_q), self._by("by_v", by_v), parameters or friction, friction)
        require_result("the gradient", *found)
        by_start_q, by_start_v, by_tau, by_parameters = found
        return Gradient(by_start_q, by_start_v, by_tau.reshape(self.tau.shape), by_parameters)

    def _by(self, name: str, given: ArrayLike | None) -> Array:
        wanted = self.v.shape
        if given is None:
            return np.zeros(wanted)
        found = _rows(name, given, wanted[1])
        if found.shape != wanted:
            raise ArgumentError(f"{name} has the shape {found.shape}; {wanted} is wanted, a row for each state")
        return found


def _rows(name: str, given: ArrayLike, width: int) -> Array:
    """(N, width) finite numbers, float64 in C order."""
    found = in_order(numbers(name, given, width))
    if found.ndim != 2:
        raise ArgumentError(f"{name} has the shape {found.shape}; (N, {width}) is wanted")
    if not np.isfinite(found).all():
        raise ArgumentError(f"{name} has entries that are not finite")
    return found
