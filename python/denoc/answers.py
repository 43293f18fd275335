"""What robots answer with: named tuples, and names that know more."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from ._arrays import Array


class Energy(NamedTuple):
    """Joules. Potential is zero at the world's origin."""

    kinetic: Any
    potential: Any


class Momentum(NamedTuple):
    """World axes; ``angular`` about the world's origin. (..., 3) each, kg m/s and kg m^2/s."""

    linear: Array
    angular: Array


class Reactions(NamedTuple):
    """Wrenches (moment N m, then force N) that joints transmit.

    ``bodies`` (..., number of bodies, 6): what its parent exerts on each body, in the body's own frame about its origin;
    ``world`` (..., 6): what the world exerts on the robot, in world axes about the world's origin.
    """

    bodies: Array
    world: Array


class Factors(NamedTuple):
    """I = U diag(D) U^T: ``U`` (..., nv, nv) unit upper triangular in the order of v, ``D`` (..., nv)."""

    U: Array
    D: Array


class Multipliers(NamedTuple):
    """Forces in the rows of the loops (..., rows; N m, N), and whether they are the only ones (...)."""

    values: Array
    unique: Any


class Mobility(NamedTuple):
    """Degrees of freedom of a closed chain at a posture.

    ``tree``: without loops; ``rows``: what the loops take away if none depends on the others; ``rank``: what they take
    away here; ``anywhere``: near by; ``freedom`` = tree - rank; ``gruebler`` = tree - rows; ``dead_point``: rank < anywhere.
    """

    tree: int
    rows: int
    rank: int
    anywhere: int
    freedom: int
    gruebler: int
    dead_point: bool


class Derivatives(NamedTuple):
    """Of inverse dynamics, (..., nv, nv) each: tau by the tangent coordinates of q (body-frame rotation vectors for
    quaternions), by v, and by a (the inertia matrix)."""

    dq: Array
    dv: Array
    da: Array


class ForwardDerivatives(NamedTuple):
    """Of forward dynamics, (..., nv, nv) each: a by the tangent coordinates of q, by v, and by tau."""

    dq: Array
    dv: Array
    dtau: Array


class SecondDerivatives(NamedTuple):
    """Of inverse dynamics, (..., nv, nv) each for a weighted sum of torques, (..., nv, nv, nv) for every one of them: by the
    tangent coordinates of q twice, by q and v, by q and a, and by v twice. All others are zero."""

    dqq: Array
    dqv: Array
    dqa: Array
    dvv: Array


class AssemblyDerivatives(NamedTuple):
    """While the degrees of freedom ``independent`` (of v; m of them) move by u, the loops stay closed at ``integrate(q, d)``
    with d = ``first`` (nv, m) u + u ``second`` (nv, m, m) u / 2 + ..."""

    independent: tuple[int, ...]
    first: Array
    second: Array


class Parameters(NamedTuple):
    """What torques are linear in, in the order of the columns of the regressor: ``names`` and ``values`` (P,), SI units.

    Of each body "BODY.m" (kg), ".hx .hy .hz" (mass times mass centre, kg m), ".Ixx .Iyy .Izz .Ixy .Iyz .Izx" (about its origin,
    kg m^2), in the body's own frame; of each degree of freedom "JOINT.rotor" (kg m^2, kg) and, where friction is asked for,
    "JOINT.viscous" and "JOINT.coulomb".
    """

    names: tuple[str, ...]
    values: Array


class BaseParameters(NamedTuple):
    """Groups of parameters that motions can tell apart (B of them): tau = Y[..., independent] beta, beta = relations pi.

    ``names`` say it ("link2.Izz + link3.m * 0.16"); ``independent`` (B,): places of the columns of Y that are a basis;
    ``relations`` (B, P).
    """

    names: tuple[str, ...]
    independent: Array
    relations: Array


class StepDerivatives(NamedTuple):
    """``q`` (nq,), ``v`` (nv,) after a step; with x = (d, v), d on the tangent space of q, dx after it is ``A`` (2 nv, 2 nv)
    dx before it and ``B`` (2 nv, nv) dtau."""

    q: Array
    v: Array
    A: Array
    B: Array


class Gradient(NamedTuple):
    """Of a cost of a run: by the start ``q`` (nv,; on its tangent space) and ``v`` (nv,), by ``tau`` (N, nv), and by the ``parameters`` (P,) of
    :meth:`Robot.parameters` (empty where they were not asked for)."""

    q: Array
    v: Array
    tau: Array
    parameters: Array


class LinearModel(NamedTuple):
    """Near (q0, v0, tau0), with q = integrate(q0, d), x = (d, v - v0) and u = tau - tau0 of the inputs: x' = A x + B u.

    Where that is no state at rest, q0 and v0 are those of the motion that goes through it under tau0, and x is how far the robot
    is off it: of spherical and free joints d is in axes that turn with v0.

    ``A`` (..., 2 nv, 2 nv), ``B`` (..., 2 nv, number of inputs); ``inputs``: the degrees of freedom (places in v) that B is about.
    """

    A: Array
    B: Array
    inputs: tuple[int, ...]


class Solution(NamedTuple):
    """A posture ``q`` (nq,) that brings a body to a pose.

    ``gap``: what rounding leaves, the larger of m and rad; ``distance`` from the start, the length of ``difference(start, q)``
    in rad and lengths of the robot; ``within_limits`` of the joints; ``branch``: which one of an arm with a spherical wrist ("left above noflip"), else empty.
    """

    q: Array
    gap: float
    distance: float
    within_limits: bool
    branch: str


class States(NamedTuple):
    """Along a motion: ``q`` (..., nq), ``v`` and ``a`` (..., nv), at times (...)."""

    q: Array
    v: Array
    a: Array


class Operations(NamedTuple):
    """Multiplications, additions and subtractions, divisions, square roots, pairs of sine and cosine."""

    mul: int
    add: int
    div: int
    sqrt: int
    sincos: int


class Count(NamedTuple):
    """What a problem costs by a method, at one state.

    ``executed``: what the code does, with zeros and ones too; ``folded``: what is left for this robot when structural zeros,
    constants and what no result needs are taken out, as papers count (None for robots that are too large to tell).
    """

    problem: str
    method: str
    executed: Operations
    folded: Operations | None


class Method(NamedTuple):
    """A formulation: its name (``method=``), how its work grows with the number n of joints, and what it covers."""

    name: str
    order: str
    covers: str


class Limits(NamedTuple):
    """Of every coordinate of a joint: rad or m, rad/s or m/s, N m or N; infinite where there is none. Spherical and free
    joints have no ``lower`` and ``upper``."""

    lower: float
    upper: float
    velocity: float
    effort: float


class _Known(str):
    """A name that knows more: what it says of a robot does not change, as the robot does not."""

    @property
    def name(self) -> str:
        """The name alone."""
        return str(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} of {str(self)!r} cannot be set: a robot never changes; denoc.load reads another one")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)


class Joint(_Known):
    """The name of a joint that moves, and more of it.

    ``type``; ``body`` that it carries, ``parent`` that it stands on; ``q``, ``v``: slices of its entries
    (``q[..., joint.q]``); ``nq``, ``nv``: how many; ``limits``; ``gear``, ``rotor_inertia`` (kg m^2) of its drive;
    ``armature`` (kg m^2, kg): what else adds to the inertia of each of its degrees of freedom.
    """

    type: str
    body: str
    parent: str
    q: slice
    v: slice
    nq: int
    nv: int
    limits: Limits
    gear: float
    rotor_inertia: float
    armature: float

    @classmethod
    def _of(cls, told: dict[str, Any]) -> Joint:
        joint = cls(told.pop("name"))
        q, v = told.pop("first_q"), told.pop("first_v")
        limits = Limits(*(told.pop(key) for key in Limits._fields))
        joint.__dict__.update(told, limits=limits, q=slice(q, q + told["nq"]), v=slice(v, v + told["nv"]))
        return joint


class Body(_Known):
    """The name of a body, and more of it.

    ``parent``, ``joint`` that carries it; ``mass`` (kg), ``com`` (m) and ``inertia`` about it (xx, yy, zz, xy, yz, zx,
    kg m^2) in the body's own frame; ``hub``: inertia that no mass goes with, in the same order.
    """

    parent: str
    joint: str
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float, float, float, float]
    hub: tuple[float, float, float, float, float, float]

    @classmethod
    def _of(cls, told: dict[str, Any]) -> Body:
        body = cls(told.pop("name"))
        body.__dict__.update(told)
        return body
