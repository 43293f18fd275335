"""Torques, accelerations, matrices, energies: the dynamics of a robot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import options
from ._arrays import Array, flag, words
from ._asking import Asked
from .answers import (
    BaseParameters,
    Derivatives,
    Energy,
    Factors,
    ForwardDerivatives,
    LinearModel,
    Momentum,
    Parameters,
    Reactions,
    SecondDerivatives,
)

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike


class Dynamics(Asked):
    """The calls about forces."""

    __slots__ = ()

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.DrivenDynamics]
    ) -> Array:
        """tau (..., nv; N m, N) that gives the accelerations a (..., nv; rad/s^2, m/s^2) at q, v.

        The ``driven`` joints give it (default: all, with loops all but those that mimic another; the shortest tau where
        they are more than needed), tau of the others is 0. ``[]``: none of them, and most motions are :class:`NotDriveable`.
        ``method`` names a formulation (:func:`methods`).
        """
        return self._ask("inverse_dynamics", (q, v, a), how)

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Dynamics]
    ) -> Array:
        """The accelerations a (..., nv; rad/s^2, m/s^2) that tau (..., nv; N m, N) gives at q, v; loops stay closed.

        Raises :class:`SingularInertia` where a part of the robot moves without inertia.
        """
        return self._ask("forward_dynamics", (q, v, tau), how)

    def inertia(self, q: ArrayLike, **how: Unpack[options.Inertia]) -> Array:
        """The inertia matrix (..., nv, nv), full and symmetric, rotors included; of the tree (see ``loops``)."""
        return self._ask("inertia", (q,), how)

    rnea = inverse_dynamics
    aba = forward_dynamics
    crba = inertia

    def inertia_inverse(self, q: ArrayLike, **how: Unpack[options.Tree]) -> Array:
        """The inverse of the inertia matrix (..., nv, nv); of the tree (see ``loops``)."""
        return self._ask("inertia_inverse", (q,), how)

    def factors(self, q: ArrayLike, **how: Unpack[options.TreeParts]) -> Factors:
        """The inertia matrix as U diag(D) U^T: U (..., nv, nv), D (..., nv); of the tree (see ``loops``)."""
        found = self._ask("factors", (q,), how)
        return Factors(found[..., :-1, :], found[..., -1, :])

    def bias(self, q: ArrayLike, v: ArrayLike, **how: Unpack[options.Dynamics]) -> Array:
        """tau (..., nv; N m, N) at a = 0: gravity, Coriolis and centrifugal forces; of the tree (see ``loops``)."""
        return self._ask("bias", (q, v), how)

    def gravity(self, q: ArrayLike, **how: Unpack[options.Gravity]) -> Array:
        """tau (..., nv; N m, N) that holds the robot at rest at q, of springs too with ``forces=True``; of the tree."""
        return self._ask("gravity", (q,), how)

    def derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.Derivatives]
    ) -> Derivatives:
        """(dq, dv, da), (..., nv, nv) each: how tau of inverse dynamics changes with the tangent coordinates of q (q +
        d is ``integrate(q, d)``), with v and with a. Wrenches keep their numbers in the axes of the body as it moves;
        with ``wrench_axes="world"`` they are given in the axes of the world, and keep their numbers there. Of the tree
        (see ``loops``). ``out``: (3, ..., nv, nv).
        """
        return Derivatives(*self._ask("derivatives", (q, v, a), how))

    def forward_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Derivatives]
    ) -> ForwardDerivatives:
        """(dq, dv, dtau), (..., nv, nv) each: how a of forward dynamics changes with the tangent coordinates of q, with v
        and with tau; loops stay closed. Wrenches and ``out`` as for :meth:`derivatives`.
        """
        return ForwardDerivatives(*self._ask("forward_derivatives", (q, v, tau), how))

    def second_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, **how: Unpack[options.Derivatives]
    ) -> SecondDerivatives:
        """(dqq, dqv, dqa, dvv), (..., nv, nv) each: second derivatives of ``weights . tau`` (weights: (..., nv)). By q they are
        those of tau at ``integrate(q, d)`` by d, which are symmetric. Of the tree (see ``loops``). ``out``: (4, ..., nv, nv).
        """
        return SecondDerivatives(*self._ask("second_derivatives", (q, v, a, weights), how))

    def second_derivatives_of_each(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.Transmitted]
    ) -> SecondDerivatives:
        """The same of every torque, (..., nv, nv, nv) each, [..., i, j, k] that of tau_i: weights of 1 one after the other, by
        one recursion."""
        found = self._ask("second_derivatives_of_each", (q, v, a), how)
        return SecondDerivatives(*found.reshape(*found.shape[:-2], self.nv, self.nv, self.nv))

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        driven: Sequence[str] | None = None,
        **how: Unpack[options.Linear],
    ) -> LinearModel:
        """The robot near a state q (..., nq), v, tau (..., nv; zero by default) as a linear system: see :class:`LinearModel`.

        Inputs are the ``driven`` joints, by default all but free ones and those that mimic another.
        """
        at_rest = np.zeros(self.nv)
        found = self._ask("linearize", (q, at_rest if v is None else v, at_rest if tau is None else tau), how)
        if driven is None:
            inputs = list(self._core.driven)
        else:
            inputs = [k for name in words("driven", driven) for k in range(self.nv)[self._joint(name).v]]
        n = 2 * self.nv
        return LinearModel(found[..., :n], found[..., n:][..., inputs], tuple(inputs))

    def equilibrium(
        self, q: ArrayLike, tau: ArrayLike | None = None, **how: Unpack[options.Resting]
    ) -> Array:
        """A posture (..., nq) near q (..., nq) where tau (..., nv; zero by default) holds the robot at rest, loops closed.

        On the way wrenches keep their numbers in the axes of their body, or with ``wrench_axes="world"`` those in the axes of the
        world, in which they are given then.
        """
        return self._ask("equilibrium", (q, np.zeros(self.nv) if tau is None else tau), how)

    def passive_accelerations(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, unknown: Sequence[str], **how: Unpack[options.Passive]
    ) -> Array:
        """a (..., nv) with the entries of the joints ``unknown`` solved for: how joints without a drive move while the others
        move as a (..., nv; rad/s^2, m/s^2) says. ``inverse_dynamics(q, v, that, driven=driven)`` then gives the forces.

        Raises :class:`NotDriveable` where nothing determines them.
        """
        return self._ask("passive_accelerations", (q, v, a), how, unknown=unknown)

    def energy(self, q: ArrayLike, v: ArrayLike, **how: Unpack[options.Energy]) -> Energy:
        """(kinetic, potential), J, (...) each: of gravity, zero at the world's origin; of springs too with ``forces=True``."""
        found = self._ask("energy", (q, v), how)
        return Energy(found[..., 0], found[..., 1])

    def momentum(self, q: ArrayLike, v: ArrayLike, **how: Unpack[options.Parts]) -> Momentum:
        """(linear, angular), (..., 3) each, world axes, angular about the world's origin. Rotors behind gears are left out."""
        found = self._ask("momentum", (q, v), how)
        return Momentum(found[..., :3], found[..., 3:])

    def reactions(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.Reactions]) -> Reactions:
        """What every joint transmits in the motion q, v, a: see :class:`Reactions` (N m, N).

        Of a closed chain while the drives give the shortest tau for it, as in :meth:`inverse_dynamics`; others strain
        it otherwise.
        """
        found = self._ask("reactions", (q, v, a), how)
        return Reactions(found[..., 1:, :], found[..., 0, :])

    def reaction_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.Transmitted]
    ) -> Derivatives:
        """(dq, dv, da), (..., bodies + 1, 6, nv) each: how what joints transmit changes with the tangent coordinates of q, with
        v and with a; [..., 0, :, :] is the world's, as in :class:`Reactions`. Of the tree (see ``loops``)."""
        return Derivatives(*self._by_bodies(self._ask("reaction_derivatives", (q, v, a), how)))

    def forward_reaction_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, **how: Unpack[options.Linear]
    ) -> ForwardDerivatives:
        """(dq, dv, dtau), as :meth:`reaction_derivatives`, while the accelerations are those that tau gives; loops stay
        closed."""
        return ForwardDerivatives(*self._by_bodies(self._ask("forward_reaction_derivatives", (q, v, tau), how)))

    def _by_bodies(self, rows: Array) -> Array:
        return rows.reshape(*rows.shape[:-2], rows.shape[-2] // 6, 6, self.nv)

    # What torques are linear in.

    def regressor(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, friction: bool = False, **how: Unpack[options.TreeParts]
    ) -> Array:
        """Y (..., nv, P) with tau = Y pi, pi the :meth:`parameters` (P,): inverse dynamics is linear in them.

        With ``friction`` the columns of viscous and dry friction too. Springs, stops and Stribeck's friction are none of the
        parameters: Y pi is tau with ``forces=False``, or that and the friction. Of the tree (see ``loops``).
        """
        friction = flag("friction", friction)
        found = self._ask("regressor", (q, v, a), how)
        if friction:
            return found
        inertial = 10 * len(self._bodies)  # then rotor, viscous and dry friction of each degree of freedom
        return found[..., np.r_[:inertial, inertial : found.shape[-1] : 3]]

    def parameters(self, *, friction: bool = False) -> Parameters:
        """(names, values) of the P parameters that :meth:`regressor` is about, as the file has them: see :class:`Parameters`."""
        names, values = self._core.parameters(flag("friction", friction))
        return Parameters(tuple(names), values)

    def base_parameters(self, *, friction: bool = False) -> BaseParameters:
        """The groups of parameters that motions can tell apart: see :class:`BaseParameters`. Of the tree, if there are loops."""
        names, independent, relations = self._core.base_parameters(flag("friction", friction))
        return BaseParameters(tuple(names), np.array(independent, int), relations)
