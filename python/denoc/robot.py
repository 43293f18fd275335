"""Robots, and what can be asked of them at one state or at many."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Literal, NamedTuple, Union

import numpy as np

from . import _core, options
from ._arrays import Array, leading_axes, numbers, one_of, positive, require_out, rows, vec3, vector, words
from .answers import (
    AssemblyDerivatives,
    BaseParameters,
    Body,
    Count,
    Derivatives,
    Energy,
    Factors,
    ForwardDerivatives,
    Joint,
    LinearModel,
    Method,
    Mobility,
    Momentum,
    Multipliers,
    Operations,
    Parameters,
    Reactions,
    SecondDerivatives,
    Solution,
    StepDerivatives,
)
from .errors import ArgumentError, Error, Fault, LeftOut

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike

    from .gradients import Rollout
    from .options import Axes
    from .simulation import ControlLaw, Motion, Run, Simulation

class _Question(NamedTuple):
    """A row of the core's list of questions: its number, the vectors it takes (name, as long as q?), and its options."""

    name: str
    number: int
    given: tuple[tuple[str, bool], ...]
    options: frozenset[str]
    simple: frozenset[str]  # of these, what the core takes without further ado
    feels_forces: bool


def load(
    source: Union[str, os.PathLike[str]],
    *,
    base: Literal["fixed", "free"] = "fixed",
    gravity: ArrayLike | None = None,
    strict: bool = False,
    repair: bool = False,
) -> Robot:
    """A robot: a shipped one by its name, that of a file (URDF, YAML, MJCF), or of the text of a file.

    A file that ends in .xacro is expanded first (by the package xacrodoc). A string with a newline, or one that begins
    with ``<`` or ``{``, is a text. ``base="free"`` carries the root of a URDF by a free joint; ``gravity`` (3, m/s^2, world axes) replaces the file's; ``strict`` refuses what is only doubted
    (``robot.doubts``), ``repair`` moves an impossible inertia to the nearest possible one.

    Raises :class:`RobotError` with everything that is wrong with the file.
    """
    name = os.fspath(source)
    if not isinstance(name, str):
        raise ArgumentError(f"load: a name, a path or a text is wanted, not {type(source).__name__}")
    is_text = "\n" in name or name.lstrip()[:1] in ("<", "{")
    if not name.strip():
        raise ArgumentError("load: the name is empty; a shipped robot, a file or its text is wanted")
    if gravity is not None:
        gravity = vec3("gravity", gravity)
    options = (base, gravity, strict, repair)
    if not is_text and name.endswith(".xacro"):
        return _reload(_expanded(name), f"{name} (expanded)", options)  # lines are those of the expanded text
    return Robot(_core.Core(name, is_text, "the text", *options), options)


def _expanded(file: str) -> str:
    """The URDF that a xacro file stands for."""
    try:
        from xacrodoc import XacroDoc  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise ArgumentError(f"{file}: xacro files are expanded by the package xacrodoc: pip install denoc[xacro]") from None
    return str(XacroDoc.from_file(file).to_urdf_string())


def _reload(text: str, file: str, options: tuple[Any, ...]) -> Robot:
    """What pickle calls."""
    return Robot(_core.Core(text, True, file, *options), options)


def shipped_robots() -> list[str]:
    """The names of the robots that travel with the package."""
    return list(_core.shipped_robots())


def methods() -> dict[str, list[Method]]:
    """Formulations by problem: "inverse", "inertia", "forward"; the first of each is the default."""
    return {problem: [Method(*row) for row in rows] for problem, rows in _core.methods().items()}


@options.tells_its_options
class Robot:
    """A robot with all it has: tree, loops, rotors, forces. Made by :func:`load`; it never changes.

    Any number of threads may ask it at once. It can be copied, pickled, compared and be a key of a dict.

    What most calls have in common:

    ``q`` (..., nq), ``v``, ``a``, ``tau`` (..., nv): arrays or lists; leading axes broadcast against each other and lead
    the result. float32 throughout gives float32, anything else float64.

    ``wrenches``: {body: (..., 6)}, moment then force (N m, N) acting on the body, in its own frame about its origin.

    ``forces``: True adds springs, friction and stops of the file; False leaves them out, and so does None (the default),
    which says so once (:class:`LeftOut`).

    ``loops``: "closed" (default), or "open" for the tree that is left when the loops are cut. What is the tree's alone
    (inertia, bias, gravity, Jacobians) is refused for robots with loops unless "open" is asked for.

    ``out``: an array for the result; ``errors``: "raise", or "nan" for rows without a result; ``threads``: of a call with
    many states, by default as many as the machine has where it pays.
    """

    OPTIONS: ClassVar[dict[str, frozenset[str]]]  # of each method, by its name
    __slots__ = ("_bodies", "_core", "_index", "_is_plain", "_joints", "_options", "_plain", "__weakref__")

    def __init__(self, core: _core.Core, options: tuple[Any, ...]) -> None:
        self._core = core
        self._plain = core.plain  # looked up once: a call at one state takes a microsecond
        self._options = options
        self._joints = tuple(Joint._of(told) for told in core.joints() if told["nq"] > 0)
        self._bodies = tuple(Body._of(told) for told in core.bodies())
        self._index = {str(body): k for k, body in enumerate(self._bodies, 1)}
        self._is_plain = not core.forces  # nothing has to be said about forces

    # What it is.

    @property
    def name(self) -> str:
        """The name in the file."""
        return self._core.name

    @property
    def nq(self) -> int:
        """Numbers in q."""
        return self._core.nq

    @property
    def nv(self) -> int:
        """Numbers in v, a and tau."""
        return self._core.nv

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints that move, in the order of q: names with ``type``, ``q``, ``v``, ``limits``."""
        return self._joints

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies but the world: names with ``parent``, ``joint``, ``mass``, ``com``, ``inertia``."""
        return self._bodies

    @property
    def mass(self) -> float:
        """Of all bodies, kg."""
        return sum(body.mass for body in self._bodies)

    @property
    def gravity_vector(self) -> Array:
        """(3,), m/s^2, world axes."""
        return np.array(self._core.gravity)

    @property
    def has_loops(self) -> bool:
        """Whether joints are cut open (closed again by every call that does not say loops="open")."""
        return self._core.has_loops

    @property
    def forces(self) -> str:
        """What else acts according to the file ("viscous friction, ..."), where ``forces=True``; empty: nothing."""
        return self._core.forces

    @property
    def doubts(self) -> list[Fault]:
        """What is legal in the file but looks like a mistake."""
        return list(self._core.doubts)

    def neutral(self) -> Array:
        """(nq,): the posture that the file draws, with loops the nearest one that closes them."""
        q: Array = self._core.neutral()
        return self.assemble(q) if self.has_loops else q

    def random(self, seed: int | None = None) -> Array:
        """(nq,): a posture drawn evenly within the limits of the joints, loops closed; the same for the same seed.

        Where there are no limits: angles in [-pi, pi], displacements in [-1, 1] m, any attitude.
        """
        rng = np.random.default_rng(seed)
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
            if joint.type in ("spherical", "free"):
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
            joint.limits.lower <= x <= joint.limits.upper for joint in self._joints if joint.nq == 1 for x in q[joint.q]
        )

    # Dynamics.

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[options.DrivenDynamics]
    ) -> Array:
        """tau (..., nv; N m, N) that gives the accelerations a (..., nv; rad/s^2, m/s^2) at q, v.

        With loops the ``driven`` joints give it (default: all but those that mimic another; the shortest tau where they
        are more than needed), tau of the others is 0. ``method`` names a formulation (:func:`methods`).
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
        """(dq, dv, da), (..., nv, nv) each: how tau of inverse dynamics changes with the tangent coordinates of q
        (q + d is ``integrate(q, d)``), with v and with a. Wrenches keep their numbers in the axes of the body as it moves, or
        with ``wrench_axes="world"`` their direction in the world. Of the tree (see ``loops``). ``out``: (3, ..., nv, nv).
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
        """A posture (..., nq) near q (..., nq) where tau (..., nv; zero by default) holds the robot at rest, loops closed."""
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
        """What every joint transmits in the motion q, v, a: see :class:`Reactions` (N m, N)."""
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
        """(dq, dv, dtau), as :meth:`reaction_derivatives`, while the accelerations are those that tau gives; loops stay closed."""
        return ForwardDerivatives(*self._by_bodies(self._ask("forward_reaction_derivatives", (q, v, tau), how)))

    def _by_bodies(self, rows: Array) -> Array:
        return rows.reshape(*rows.shape[:-2], -1, 6, self.nv)

    # What torques are linear in.

    def regressor(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, friction: bool = False, **how: Unpack[options.TreeParts]
    ) -> Array:
        """Y (..., nv, P) with tau = Y pi, pi the :meth:`parameters` (P,): inverse dynamics is linear in them.

        With ``friction`` the columns of viscous and dry friction too. Springs, stops and Stribeck's friction are none of the
        parameters: Y pi is tau with ``forces=False``, or that and the friction. Of the tree (see ``loops``).
        """
        found = self._ask("regressor", (q, v, a), how)
        if friction:
            return found
        inertial = 10 * len(self._bodies)  # then rotor, viscous and dry friction of each degree of freedom
        return found[..., np.r_[:inertial, inertial : found.shape[-1] : 3]]

    def parameters(self, *, friction: bool = False) -> Parameters:
        """(names, values) of the P parameters that :meth:`regressor` is about, as the file has them: see :class:`Parameters`."""
        names, values = self._core.parameters(friction)
        return Parameters(tuple(names), values)

    def base_parameters(self, *, friction: bool = False) -> BaseParameters:
        """The groups of parameters that motions can tell apart: see :class:`BaseParameters`. Of the tree, if there are loops."""
        names, independent, relations = self._core.base_parameters(friction)
        return BaseParameters(tuple(names), np.array(independent, int), relations)

    # Kinematics.

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

    # Loops, and the manifold of q.

    def assemble(self, q: ArrayLike, **how: Unpack[options.States]) -> Array:
        """The nearest posture (..., nq) that closes the loops; of a tree q itself. Raises :class:`NotAssembled`."""
        return self._ask("assemble", (q,), how)

    def mobility(self, q: ArrayLike | None = None) -> Mobility:
        """Degrees of freedom of the closed chain at one posture q (nq,), by default the neutral one."""
        return Mobility(*self._core.mobility(self.neutral() if q is None else vector("q", q, self.nq)))

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
        return found.reshape(*found.shape[:-2], -1, 2, 6)

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

    # What it costs.

    def counts(self) -> list[Count]:
        """Operations of every problem by every method (:func:`methods`) at one state, counted on the shipped code: see
        :class:`Count`. Of the tree, if there are loops."""
        return [
            Count(problem, method, Operations(*executed), None if folded is None else Operations(*folded))
            for problem, method, executed, folded in self._core.counts()
        ]

    # Motion.

    def simulate(self, duration: float, **options: Any) -> Run:
        """The robot moving for ``duration`` seconds: see :func:`denoc.simulation.simulate`, whose options it takes."""
        from .simulation import simulate

        return simulate(self, duration, **options)

    def simulation(
        self, q: ArrayLike | None = None, v: ArrayLike | None = None, *, forces: bool = True
    ) -> Simulation:
        """For loops of one's own: ``sim.step(tau, dt)``, starting at q (nq,) and v (nv,). See :class:`Simulation`."""
        from .simulation import Simulation

        return Simulation(self, q, v, forces=forces)

    def rollout(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float, *, forces: bool = True
    ) -> Rollout:
        """Steps of ``dt`` seconds from q (nq,), v (nv,) under tau (N, nv; N m, N), a row for each step, and gradients back
        through them: see :class:`Rollout`. Steps and ``forces`` are those of :meth:`Simulation.step`.

        Loops are closed after each step; gradients are refused (:class:`NotCovered`) where rows of them depend on each other.
        """
        from .gradients import Rollout

        return Rollout(self, q, v, tau, dt, forces=forces)

    def step_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float, *, forces: bool = True
    ) -> StepDerivatives:
        """(q, v, A, B): the state after a step of ``dt`` seconds from q (nq,), v (nv,) under tau (nv,; N m, N), and how it
        changes with all of them: see :class:`StepDerivatives`. As for :meth:`rollout`.
        """
        state = (vector("q", q, self.nq), vector("v", v, self.nv), vector("tau", tau, self.nv))
        return StepDerivatives(*self._core.step_derivatives(*state, positive("dt", dt), forces))

    def motion(
        self, motion: Mapping[str, Any], *, q: ArrayLike | None = None, duration: float | None = None
    ) -> Motion:
        """A motion by the map of a scenario (docs/scenario-files.md): ``motion(t)`` gives q, v, a. See :class:`Motion`.

        ``q`` (nq,) is where it starts if the map does not say it (neutral by default), ``duration`` (s) that of motions
        without one of their own.
        """
        from .simulation import Motion

        return Motion(self, motion, q, duration)

    def control_law(
        self, control: Mapping[str, Any], *, motion: Mapping[str, Any] | None = None, q: ArrayLike | None = None,
        duration: float | None = None,
    ) -> ControlLaw:  # fmt: skip
        """A control law by the map of a scenario: ``law(t, q, v)`` gives tau (nv,). See :class:`ControlLaw`.

        ``motion`` is the map of what it follows; ``q`` (nq,), ``duration`` as for :meth:`motion`.
        """
        from .simulation import ControlLaw

        return ControlLaw(self, control, motion, q, duration)

    # How calls get to the core.

    def _say_what_is_left_out(self) -> None:
        self._is_plain = True  # said once
        warnings.warn(
            f"{self.name}: {self._core.forces} of the file are left out; forces=True counts them, forces=False says "
            "that this is meant",
            LeftOut,
            stacklevel=5,
        )

    def _ask(
        self,
        name: str,
        vectors: tuple[ArrayLike, ...],
        how: Mapping[str, Any],
        body: str | None = None,
        point: ArrayLike | None = None,
        axes: str = "world",
        unknown: Sequence[str] = (),
    ) -> Array:
        """Any question at any arrays. Where nothing but the usual is asked for and the arrays are as the core takes them, the core
        answers at once; else they are brought to rows of one dtype in C order, answered, and brought back."""
        question = _QUESTIONS[name]
        on = 0 if body is None else self._body(body)
        if point is None and axes == "world" and not unknown and self._is_usual(question, how):
            found: Array | None = self._plain(question.number, on, vectors, how.get("out"), how.get("threads", -1))
            if found is not None:
                return found
        said = self._checked(question, how)
        arrays = [
            numbers(given, x, self.nq if is_posture else self.nv)
            for (given, is_posture), x in zip(question.given, vectors)
        ]
        acting = [(self._body(each), numbers(f"wrenches[{each!r}]", w, 6)) for each, w in said.pop("wrenches").items()]
        everything = arrays + [w for _, w in acting]
        dtype = np.dtype(np.float32 if all(x.dtype == np.float32 for x in everything) else np.float64)
        states = leading_axes(everything, [given for given, _ in question.given])
        shape = self._core.shape(question.number, states)
        # The recursions know float32, where nothing but the usual is asked for; all else is computed in double.
        knows_float = name in ("inverse_dynamics", "forward_dynamics") and not (said["method"] or said["driven"])
        inner = dtype if knows_float else np.dtype(np.float64)
        out: Array | None = said.pop("out")
        if out is not None:
            require_out(out, shape, dtype)
        result = out if out is not None and out.flags.c_contiguous and inner == dtype else np.empty(shape, inner)
        said["body"] = on
        said["point"] = (0.0, 0.0, 0.0) if point is None else vec3("point", point)
        said["axes"] = one_of("axes", axes, ("world", "body"))
        said["unknown"] = words("unknown", unknown)
        self._core.many(
            question.number,
            [rows(x, states, inner) for x in arrays],
            [(index, rows(w, states, inner)) for index, w in acting],
            result,
            said,
        )
        if out is None:
            return result.astype(dtype, copy=False)
        if result is not out:
            out[...] = result
        return out

    def _is_usual(self, question: _Question, how: Mapping[str, Any]) -> bool:
        """Whether the core takes these options without further ado."""
        if not how:
            return self._is_plain or not question.feels_forces
        threads = how.get("threads", 0)
        return how.keys() <= question.simple and type(threads) is int and threads >= 0 and not self._has_forces(question, how)

    def _has_forces(self, question: _Question, how: Mapping[str, Any]) -> bool:
        """Whether springs, friction and stops act, or something has to be said of them."""
        forces = how.get("forces")
        return bool(forces) or (forces is None and question.feels_forces and not self._is_plain)

    def _checked(self, question: _Question, how: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a call, as the core takes them."""
        if more := how.keys() - question.options:
            told = f"it takes {', '.join(sorted(question.options))}"
            raise TypeError(f"{question.name}() takes no {', '.join(sorted(more))}; {told}")
        if self._has_forces(question, how) and how.get("forces") is None:
            self._say_what_is_left_out()
        threads = how.get("threads")
        if threads is not None and (not isinstance(threads, int) or threads < 0):
            raise ArgumentError(f"threads is {threads!r}; a whole number is wanted, 0 for all of the machine")
        return {
            "wrenches": how.get("wrenches") or {},
            "out": how.get("out"),
            "forces": bool(how.get("forces")),
            "loops": one_of("loops", how.get("loops", "closed"), ("closed", "open")),
            "wrench_axes": one_of("wrench_axes", how.get("wrench_axes", "body"), ("world", "body")),
            "method": how.get("method") or "",
            "driven": words("driven", how.get("driven") or ()),
            "errors": one_of("errors", how.get("errors", "raise"), ("raise", "nan")),
            "threads": -1 if threads is None else threads,
        }

    def _joint(self, name: str) -> Joint:
        for joint in self._joints:
            if joint == name:
                return joint
        raise ArgumentError(f"no joint that moves is called {name!r}; there are {', '.join(self._joints)}")

    def _body(self, name: str) -> int:
        try:
            return self._index[name]
        except (KeyError, TypeError):
            if not isinstance(name, str):
                raise ArgumentError(f"body is {name!r}; the name of a body is wanted") from None
            return self._core.body(str(name))

    # As a value.

    def _identity(self) -> tuple[Any, ...]:
        return (self._core.text, self._core.file, self._options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Robot) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Callable[..., Robot], tuple[Any, ...]]:
        return _reload, (self._core.text, self._core.file, self._options)

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: object) -> Robot:
        return self

    def __repr__(self) -> str:
        from .viewing import table

        return table(self)

    def _repr_html_(self) -> str:
        from .viewing import html

        return html(self)


def _question(name: str, number: int, given: tuple[tuple[str, bool], ...]) -> _Question:
    taken = Robot.OPTIONS[name]
    return _Question(name, number, given, taken, taken & {"out", "forces", "threads"}, "forces" in taken)


_QUESTIONS = {name: _question(name, number, given) for name, number, given in _core.questions}


def _range(joint: Joint, wide: float) -> tuple[float, float]:
    """Where a coordinate is drawn from."""
    if joint.nq > 1:
        return -wide, wide
    lower, upper = joint.limits[:2]
    if np.isinf(lower) and np.isinf(upper):
        return -wide, wide
    if np.isinf(lower):
        return upper - 2 * wide, upper
    if np.isinf(upper):
        return lower, lower + 2 * wide
    return lower, upper
