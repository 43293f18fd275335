"""Postures of a robot: on their manifold, within limits, with loops closed; and what loops do."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import options
from ._arrays import Array, vector, words
from ._asking import Asked
from .answers import AssemblyDerivatives, ForwardDerivatives, Mobility, Multipliers
from .errors import ArgumentError

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike

_SEED_BITS = 64


class Postures(Asked):
    """The calls about q, and about loops."""

    __slots__ = ()

    def neutral(self) -> Array:
        """(nq,): the posture that the file draws, with loops one near it that closes them."""
        q: Array = self._core.neutral()
        return self.assemble(q) if self.has_loops else q

    def random(self, seed: int | None = None) -> Array:
        """(nq,): a posture drawn evenly within the limits of the joints, loops closed (within them but for rounding then); the same
        for the same seed, and that of ``denoc state --random SEED``.

        Where there are no limits: angles in [-pi, pi], displacements within the length of the robot, any attitude. Raises
        :class:`NotAssembled` where none is found.
        """
        if seed is None:
            seed = secrets.randbits(_SEED_BITS)
        try:
            whole = operator.index(seed)
        except TypeError:
            whole = -1
        if not 0 <= whole < 1 << _SEED_BITS:
            wanted = f"a whole number from 0 on, below 2^{_SEED_BITS}, or None for a new one"
            raise ArgumentError(f"seed is {seed!r}; {wanted}, is wanted")
        return self._core.random(whole)

    def assemble(self, q: ArrayLike, **how: Unpack[options.States]) -> Array:
        """A posture (..., nq) near q that closes the loops; of a tree q itself. Raises :class:`NotAssembled`."""
        return self._ask("assemble", (q,), how)

    def mobility(self, q: ArrayLike | None = None) -> Mobility:
        """Degrees of freedom of the closed chain at one posture q (nq,), by default the neutral one.

        Raises :class:`NotAssembled` where q leaves a loop open.
        """
        return Mobility(*self._core.mobility(self.neutral() if q is None else vector("q", q, self.nq)))

    def multipliers(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Acting]
    ) -> Multipliers:
        """Forces in the rows of the loops (..., rows; N m, N) while tau (..., nv) moves the robot at q, v; of a tree none."""
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
        return ForwardDerivatives(*self._ask("multiplier_derivatives", (q, v, tau), how))

    def assembly_derivatives(
        self, q: ArrayLike, independent: Sequence[str] | None = None
    ) -> AssemblyDerivatives:
        """How a closed posture q (nq,) follows the joints ``independent``, by default the first that determine it, to the second
        order: see :class:`AssemblyDerivatives`."""
        found = self._core.assembly_derivatives(vector("q", q, self.nq), words("independent", () if independent is None else independent))
        return AssemblyDerivatives(tuple(found[0]), *found[1:])

    def integrate(self, q: ArrayLike, d: ArrayLike, **how: Unpack[options.States]) -> Array:
        """q (..., nq) after moving for unit time with the constant rates d (..., nv; rad, m; body twists)."""
        return self._ask("integrate", (q, d), how)

    def difference(self, q: ArrayLike, p: ArrayLike, **how: Unpack[options.States]) -> Array:
        """The d (..., nv; rad, m) that brings q to p: ``integrate(q, difference(q, p))`` is p."""
        return self._ask("difference", (q, p), how)
