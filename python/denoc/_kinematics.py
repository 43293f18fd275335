"""Where the bodies of a robot are and how they move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import options
from ._arrays import Array, require_unmasked, vec3, vector
from ._postures import Postures
from .answers import Solution
from .errors import ArgumentError

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike

    from .options import Axes


class Kinematics(Postures):
    """The calls about places and velocities."""

    __slots__ = ()

    def pose(
        self, q: ArrayLike, body: str, point: ArrayLike | None = None, **how: Unpack[options.States]
    ) -> Array:
        """The frame of a body in the world, (..., 4, 4): rotation, and position (m) of its origin or of a point of it.

        ``point`` (3, m) is in the body's own frame.
        """
        return self._ask("pose", (q,), how, body, point)

    def twist(
        self,
        q: ArrayLike,
        v: ArrayLike,
        body: str,
        point: ArrayLike | None = None,
        axes: Axes = "world",
        **how: Unpack[options.States],
    ) -> Array:
        """(..., 6): angular velocity (rad/s) of a body, then velocity (m/s) of its origin or of a point of it.

        ``point`` (3, m) is in the body's own frame; ``axes``: "world", or "body" for those of the body.
        """
        return self._ask("twist", (q, v), how, body, point, axes)

    def jacobian(
        self,
        q: ArrayLike,
        body: str,
        point: ArrayLike | None = None,
        axes: Axes = "world",
        **how: Unpack[options.Tree],
    ) -> Array:
        """J (..., 6, nv) with twist = J v, angular rows first; arguments as for :meth:`twist`. Of the tree (see ``loops``)."""
        return self._ask("jacobian", (q,), how, body, point, axes)

    def jacobian_bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        body: str,
        point: ArrayLike | None = None,
        axes: Axes = "world",
        **how: Unpack[options.States],
    ) -> Array:
        """(..., 6): angular acceleration and acceleration of the point at a = 0 (rad/s^2, m/s^2), without gravity."""
        return self._ask("jacobian_bias", (q, v), how, body, point, axes)

    def inverse_kinematics(
        self,
        body: str,
        pose: ArrayLike,
        *,
        point: ArrayLike | None = None,
        start: ArrayLike | None = None,
    ) -> list[Solution]:
        """Postures that bring a body to a pose (4, 4), or its origin to a position (3,; m) in the world, the nearest to ``start``
        (nq,; neutral by default) first: every one of a 6R arm with a spherical wrist, of other robots the nearest that is found.

        ``point`` (3, m, in the body's own frame) takes the place of its origin. Limits of the joints play no part
        (``within_limits`` of each :class:`Solution` tells). Raises :class:`Unreachable`; :class:`NotCovered` where a loop
        would open.
        """
        require_unmasked("pose", pose)
        where = np.asarray(pose)
        is_position = where.shape == (3,)
        if not is_position and where.shape != (4, 4):
            raise ArgumentError(f"pose has the shape {where.shape}; (4, 4), or (3,) for a position alone, is wanted")
        frame = np.eye(4)
        if is_position:
            frame[:3, 3] = vector("pose", pose, 3)
        else:
            frame[:] = [vector("pose", row, 4) for row in where]
        near = self.neutral() if start is None else vector("start", start, self.nq)
        at = (0.0, 0.0, 0.0) if point is None else vec3("point", point)
        return [Solution(*found) for found in self._core.ik(self._body(body), at, frame, not is_position, near)]

    ik = inverse_kinematics

    def mass_centre(self, q: ArrayLike, **how: Unpack[options.States]) -> Array:
        """(..., 3): the mass centre of the robot in the world, m."""
        return self._ask("mass_centre", (q,), how)

    def mass_centre_jacobian(self, q: ArrayLike, **how: Unpack[options.Tree]) -> Array:
        """(..., 3, nv): velocity of the mass centre (world axes, m/s) = J v; of the tree (see ``loops``)."""
        return self._ask("mass_centre_jacobian", (q,), how)

    def centroidal_momentum_matrix(self, q: ArrayLike, **how: Unpack[options.Tree]) -> Array:
        """A (..., 6, nv): momentum about the mass centre (world axes, angular rows first) = A v; of the tree."""
        return self._ask("centroidal_momentum_matrix", (q,), how)
