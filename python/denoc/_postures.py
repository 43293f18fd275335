"""Postures of a robot: on their manifold, within limits, with loops closed; and what loops do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import options
from ._arrays import Array, vector, words
from ._asking import Asked
from .answers import AssemblyDerivatives, ForwardDerivatives, Joint, Mobility, Multipliers
from .errors import ArgumentError, Error

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike


_WITH_QUATERNIONS = ("spherical", "free")  # these have no limits; every coordinate of the others has those of its joint


class Postures(Asked):
    """The calls about q, and about loops."""

    __slots__ = ()

    def neutral(self) -> Array:
        """(nq,): the posture that the file draws, with loops one near it that closes them."""
        q: Array = self._core.neutral()
        return self.assemble(q) if self.has_loops else q

    def random(self, seed: int | None = None) -> Array:
        """(nq,): a posture drawn evenly within the limits of the joints, loops closed; the same for the same seed.

        Where there are no limits: angles in [-pi, pi], displacements in [-1, 1] m, any attitude.
        """
        try:
            rng = np.random.default_rng(seed)
        except (TypeError, ValueError):
            raise ArgumentError(f"seed is {seed!r}; a whole number from 0 on, or None for a new one, is wanted") from None
        if not self.has_loops:
            return self._drawn(rng)
        neutral = self.neutral()
        failure: Error | None = None
        # Loops may not close from anywhere: later draws stay nearer to the neutral posture.
        for reach in np.repeat(0.5 ** np.arange(8), 16):
            far = self.difference(neutral, self._drawn(rng))
            try:
                q = self.assemble(self.integrate(neutral, reach * far))
            except Error as error:
                failure = error
                continue
            if self._is_within_limits(q):
                return q
        raise failure or Error("random: no posture within the limits closes the loops")

    def _drawn(self, rng: np.random.Generator) -> Array:
        q: Array = self._core.neutral()
        for joint in self._joints:
            entries = q[joint.q]
            if joint.type in _WITH_QUATERNIONS:
                attitude = rng.normal(size=4)
                entries[-4:] = attitude / np.linalg.norm(attitude)
                entries[:-4] = rng.uniform(-1, 1, size=len(entries) - 4)
                continue
            slides = {"prismatic": (True,), "cylindrical": (False, True), "planar": (True, True, False)}
            for k, is_slide in enumerate(slides.get(joint.type, (False,) * joint.nq)):
                entries[k] = rng.uniform(*_range(joint, 1.0 if is_slide else np.pi))
        return q

    def _is_within_limits(self, q: Array) -> bool:
        return all(
            joint.limits.lower <= x <= joint.limits.upper
            for joint in self._joints if joint.type not in _WITH_QUATERNIONS
            for x in q[joint.q]
        )

    def assemble(self, q: ArrayLike, **how: Unpack[options.States]) -> Array:
        """A posture (..., nq) near q that closes the loops; of a tree q itself. Raises :class:`NotAssembled`."""
        return self._ask("assemble", (q,), how)

    def mobility(self, q: ArrayLike | None = None) -> Mobility:
        """
        Degrees of freedom of the closed chain at one posture q (nq,), by default a closed one near the neutral one.
        Raises :class:`NotAssembled` where q leaves a loop open.
        """
        return Mobility(*self._core.mobility(self.assemble(self.neutral()) if q is None else vector("q", q, self.nq)))

    def multipliers(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Acting]
    ) -> Multipliers:
        """Forces in the rows of the loops (..., rows; N m, N) while tau (..., nv) moves the robot at q, v."""
        if not self.has_loops:
            raise ArgumentError(f"{self.name} has no loops, and so no multipliers")
        found = self._ask("multipliers", (q, v, tau), how)
        return Multipliers(found[..., :-1], found[..., -1] == 1)

    def loop_wrenches(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Acting]) -> Array:
        """(..., loops, 2, 6): what each loop does to the bodies a and b at its ends while tau (..., nv) moves the robot.

        Moment, then force (N m, N), in the body's own frame about its origin; those of couplings are zero: they act in the
        joints (:meth:`multipliers`).
        """
        found = self._ask("loop_wrenches", (q, v, tau), how)
        return found.reshape(*found.shape[:-2], found.shape[-2] // 2, 2, 6)

    def multiplier_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Linear]
    ) -> ForwardDerivatives:
        """(dq, dv, dtau), (..., rows, nv) each: how the :meth:`multipliers` of the loops change with the tangent coordinates of
        q, with v and with tau. Where they are not unique they are those of the shortest, along changes that keep loops closed.
        """
        if not self.has_loops:
            raise ArgumentError(f"{self.name} has no loops, and so no multipliers")
        return ForwardDerivatives(*self._ask("multiplier_derivatives", (q, v, tau), how))

    def assembly_derivatives(
        self, q: ArrayLike, independent: Sequence[str] | None = None
    ) -> AssemblyDerivatives:
        """How a closed posture q (nq,) follows the joints ``independent``, by default the first that determine it, to the second
        order: see :class:`AssemblyDerivatives`."""
        found = self._core.assembly_derivatives(vector("q", q, self.nq), words("independent", independent or ()))
        return AssemblyDerivatives(tuple(found[0]), *found[1:])

    def integrate(self, q: ArrayLike, d: ArrayLike, **how: Unpack[options.States]) -> Array:
        """q (..., nq) after moving for unit time with the constant rates d (..., nv; rad, m; body twists)."""
        return self._ask("integrate", (q, d), how)

    def difference(self, q: ArrayLike, p: ArrayLike, **how: Unpack[options.States]) -> Array:
        """The d (..., nv; rad, m) that brings q to p: ``integrate(q, difference(q, p))`` is p."""
        return self._ask("difference", (q, p), how)


def _range(joint: Joint, wide: float) -> tuple[float, float]:
    """Where a coordinate is drawn from."""
    lower, upper = joint.limits[:2]
    if np.isinf(lower) and np.isinf(upper):
        return -wide, wide
    if np.isinf(lower):
        return upper - 2 * wide, upper
    if np.isinf(upper):
        return lower, lower + 2 * wide
    return lower, upper
