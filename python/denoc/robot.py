"""Robots, and what can be asked of them at one state or at many."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Literal, Union

from . import _core, options
from ._arrays import flag, one_of, positive, vec3, vector
from ._asking import know_questions
from ._dynamics import Dynamics
from ._kinematics import Kinematics
from .answers import Count, Method, Operations, StepDerivatives
from .errors import ArgumentError, RobotError

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike

    from .gradients import Rollout
    from .motions import ControlLaw, Motion
    from .runs import Run
    from .simulation import Simulation


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
    with ``<`` or ``{``, is a text. ``base="free"`` carries the root of a URDF by a free joint; ``gravity`` (3, m/s^2, world
    axes) replaces the file's; ``strict`` refuses what is only doubted (``robot.doubts``), ``repair`` moves an impossible
    inertia to the nearest possible one.

    Raises :class:`RobotError` with everything that is wrong with the file.
    """
    name = os.fspath(source)
    if not isinstance(name, str):
        raise ArgumentError(f"load: a name, a path or a text is wanted, not {type(source).__name__}")
    is_text = "\n" in name or name.lstrip()[:1] in ("<", "{")
    if not name.strip():
        raise ArgumentError("load: the name is empty; a shipped robot, a file or its text is wanted")
    how = _how(base, gravity, strict, repair)
    if not is_text and name.endswith(".xacro"):
        return _reload(_expanded(name), f"{name} (expanded)", how)  # lines are those of the expanded text
    if is_text:
        return _reload(name, "the text", how)
    core = _core.Core(name, False, "", *how)
    return Robot(core, (core.text, os.path.abspath(core.file), how))  # a pickle may be read in another folder


def load_text(text: str, file: str, **how: Any) -> Robot:
    """The robot of a text that messages call ``file``, beside which its meshes are; options as for :func:`load`."""
    return _reload(text, file, _how(**how))


def _how(
    base: str = "fixed", gravity: ArrayLike | None = None, strict: bool = False, repair: bool = False
) -> tuple[Any, ...]:
    """The options of :func:`load`, as the core takes them."""
    at = None if gravity is None else vec3("gravity", gravity)
    return one_of("base", base, ("fixed", "free")), at, flag("strict", strict), flag("repair", repair)


def _expanded(file: str) -> str:
    """The URDF that a xacro file stands for."""
    try:
        from xacrodoc import XacroDoc  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise ArgumentError(f"{file}: xacro files are expanded by the package xacrodoc: pip install denoc[xacro]") from None
    return str(XacroDoc.from_file(file).to_urdf_string())


def _reload(text: str, file: str, how: tuple[Any, ...], bodies: tuple[Any, ...] | None = None) -> Robot:
    """The robot of a text: what pickle calls, too. ``bodies``: those there were, where meshes may have changed them."""
    core = _core.Core(text, True, file, *how)
    robot = Robot(core, (core.text, file, how))
    if bodies is not None and bodies != robot._masses():
        raise RobotError(f"{file}: inertias that come from its meshes are no longer those of the pickle; load it again")
    return robot


def shipped_robots() -> list[str]:
    """The names of the robots that travel with the package."""
    return list(_core.shipped_robots())


def methods() -> dict[str, list[Method]]:
    """Formulations by problem: "inverse", "inertia", "forward"; the first of each is the default."""
    return {problem: [Method(*row) for row in rows] for problem, rows in _core.methods().items()}


@options.tells_its_options
class Robot(Dynamics, Kinematics):
    """A robot with all it has: tree, loops, rotors, forces. Made by :func:`load`; it never changes.

    Any number of threads may ask it at once. It can be copied, pickled, compared and be a key of a dict.

    What most calls have in common:

    ``q`` (..., nq), ``v``, ``a``, ``tau`` (..., nv): arrays or lists; leading axes broadcast against each other and lead
    the result. float32 throughout gives float32, anything else float64.

    ``wrenches``: {body: (..., 6)}, moment then force (N m, N) acting on the body, in its own frame about its origin.

    ``forces``: True adds springs, friction and stops of the file; False leaves them out, and so does None (the default),
    which says so once (:class:`LeftOut`).

    ``loops``: "closed" (default), or "open" for the tree that is left when the loops are cut. What is the tree's alone
    (inertia, bias, gravity, Jacobians) is refused for robots with loops unless "open" is asked for. ``pose``, ``twist``,
    ``jacobian_bias``, ``mass_centre``, ``energy`` and ``momentum`` are those of the posture given, also where it leaves loops open.

    ``out``: an array for the result; ``errors``: "raise", or "nan" for rows without a result; ``threads``: of a call with
    many states, by default as many as the machine has where it pays.
    """

    OPTIONS: ClassVar[dict[str, frozenset[str]]]  # of each method, by its name
    __slots__ = ()

    # What it costs.

    def counts(self) -> list[Count]:
        """Operations of every problem by every method (:func:`methods`) at one state, counted on the shipped code: see
        :class:`Count`. Of the tree, if there are loops."""
        return [
            Count(problem, method, Operations(*executed), None if folded is None else Operations(*folded))
            for problem, method, executed, folded in self._core.counts()
        ]

    # Motion.

    def simulate(self, duration: float, **how: Unpack[options.Simulated]) -> Run:
        """The robot moving for ``duration`` seconds: see :func:`denoc.simulation.simulate`, which says what the options are."""
        options.require_known("simulate", how.keys(), self.OPTIONS["simulate"])
        from .simulation import simulate

        return simulate(self, duration, **how)

    def simulation(
        self, q: ArrayLike | Mapping[str, Any] | None = None, v: ArrayLike | None = None, *, forces: bool = True
    ) -> Simulation:
        """For loops of one's own: ``sim.step(tau, dt)``, starting at q (nq,; or a map by joint) and v (nv,): see
        :class:`Simulation`."""
        from .simulation import Simulation

        return Simulation(self, q, v, forces=forces)

    def rollout(
        self, q: ArrayLike | Mapping[str, Any], v: ArrayLike, tau: ArrayLike, dt: float, *, forces: bool = True
    ) -> Rollout:
        """Steps of ``dt`` seconds from q (nq,; or a map by joint), v (nv,) under tau (N, nv; N m, N), a row for each step, and
        gradients back through them: see :class:`Rollout`. Steps and ``forces`` are those of :meth:`Simulation.step`.

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
        return StepDerivatives(*self._core.step_derivatives(*state, positive("dt", dt), flag("forces", forces)))

    def motion(
        self, motion: Mapping[str, Any], *, q: ArrayLike | Mapping[str, Any] | None = None, duration: float | None = None
    ) -> Motion:
        """A motion by the map of a scenario (docs/scenario-files.md): ``motion(t)`` gives q, v, a. See :class:`Motion`.

        ``q`` (nq,; or a map by joint) is where it starts if the motion does not say it (neutral by default), ``duration`` (s)
        that of motions without one of their own.
        """
        from .motions import Motion

        return Motion(self, motion, q, duration)

    def control_law(
        self, control: Mapping[str, Any], *, motion: Mapping[str, Any] | None = None,
        q: ArrayLike | Mapping[str, Any] | None = None, duration: float | None = None,
    ) -> ControlLaw:  # fmt: skip
        """A control law by the map of a scenario: ``law(t, q, v)`` gives tau (nv,). See :class:`ControlLaw`.

        ``motion`` is the map of what it follows; ``q`` (nq,), ``duration`` as for :meth:`motion`.
        """
        from .motions import ControlLaw

        return ControlLaw(self, control, motion, q, duration)

    # As a value.

    def _masses(self) -> tuple[Any, ...] | None:
        """Of an MJCF, what meshes can have said of it beside the text."""
        if self._core.format != "MJCF":
            return None
        return tuple((str(b), b.mass, *b.com, *b.inertia) for b in self._bodies)

    def _identity(self) -> tuple[Any, ...]:
        return (*self._source, self._masses())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Robot) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Callable[..., Robot], tuple[Any, ...]]:
        return _reload, self._identity()

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


know_questions(Robot.OPTIONS)
