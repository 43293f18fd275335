"""Motion from forces: runs, and steps of one's own."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from ._arrays import Array, finite, flag, in_order, positive, real, require_finite, require_result, vector
from ._warning import tell
from .answers import States
from .errors import ArgumentError, Fault, NotAssembled, NotCovered, RunWarning, SimulationFailure
from .robot import Robot
from .viewing import notebook

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    from numpy.typing import ArrayLike

Law = Callable[[float, Array, Array], "ArrayLike"]


class Event(NamedTuple):
    """A joint with dry friction comes to rest on its surface (``kind`` "stick"), breaks loose ("slip") or turns round
    without having stuck ("turn").

    ``t`` in s; ``joint`` as ``run.names_v`` calls it; ``position`` in rad or m (0 where q is a quaternion).
    """

    t: float
    kind: str
    joint: str
    position: float


# Arrays of a run that has all of them.
_ARRAYS = ("t", "q", "v", "a", "tau", "kinetic", "potential", "input_power", "dissipated_power", "work", "dissipated",
           "multipliers", "reactions", "points", "contacts")  # fmt: skip


class Run:
    """What a simulation gave, sample by sample (N of them).

    ``t`` (N,), s; ``q`` (N, nq); ``v``, ``a``, ``tau`` (N, nv), tau: what the drives give; ``kinetic``, ``potential``
    (N,), J; ``input_power``, ``dissipated_power`` (N,), W, and their integrals ``work``, ``dissipated``, J;
    ``multipliers`` (N, rows of the loops); ``reactions`` (N, 1 + bodies, 6) if asked for, [:, 0] what the world exerts on
    the robot, then as :class:`Reactions`; ``points`` (N, points, 3), m, and ``contacts`` (N, points of the ground, 3), N, in
    the world, if asked for; ``events``; ``warnings``, each given as a :class:`RunWarning`, too; ``statistics`` of the integrator; ``complete``: it came to its end (where it did not,
    statistics that only the integrator knows are None).
    """

    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array
    kinetic: Array
    potential: Array
    input_power: Array
    dissipated_power: Array
    work: Array
    dissipated: Array
    multipliers: Array

    def __init__(self, robot: Robot, told: Mapping[str, Any], title: str, scenario: str) -> None:
        self.robot = robot
        self.title = title
        self.scenario = scenario
        self.reactions: Array | None = None
        self.points: Array | None = None
        self.contacts: Array | None = None
        self.__dict__.update(told["arrays"])
        self.statistics: dict[str, Any] = told["statistics"]
        self.seconds: float = told["seconds"]
        self.method: str = told["method"]
        self.warnings: list[Fault] = told["warnings"]
        self.complete: bool = told["ending"] == "done"
        self._watched: list[tuple[str, int, float, float, float]] = told["watched"]
        self._touched: list[str] = told["touched"]
        self._events: list[tuple[float, str, int, float]] = told["events"]

    @property
    def names_q(self) -> list[str]:
        """What the entries of q are called: the joint, or "joint.x" where it has several."""
        return [name for name, _ in self.robot._core.names()[0]]

    @property
    def names_v(self) -> list[str]:
        """What the entries of v, a and tau are called."""
        return [name for name, _ in self.robot._core.names()[1]]

    @property
    def names_points(self) -> list[str]:
        """What the points of ``points`` are called."""
        return [name for name, *_ in self._watched]

    @property
    def names_contacts(self) -> list[str]:
        """What the points of ``contacts`` are called: their body, or "body.1", "body.2" where one has several."""
        return list(self._touched)

    @property
    def events(self) -> list[Event]:
        """Where joints with dry friction stuck or slipped, in the order of time."""
        names = self.names_v
        return [Event(t, kind, names[dof], position) for t, kind, dof, position in self._events]

    @property
    def arrays(self) -> dict[str, Array]:
        """All arrays by name, as :meth:`save` writes them."""
        return {name: getattr(self, name) for name in _ARRAYS if getattr(self, name) is not None}

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes the arrays to a file NAME.npz, for ``numpy.load``; a name without an ending gets this one."""
        if Path(file).suffix not in ("", ".npz"):
            raise ArgumentError(f"run.save writes NAME.npz, not {os.fspath(file)!r}; run.to_pandas().to_csv writes a table")
        np.savez(os.fspath(file), **self.arrays)  # type: ignore[arg-type]

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a row for each sample, indexed by t; columns as in trajectory.csv: q.JOINT, v.JOINT, ... Robots that call two
        coordinates the same are refused."""
        for names in (self.names_q, self.names_v):
            if twice := [name for k, name in enumerate(names) if name in names[:k]]:
                raise ArgumentError(f"to_pandas: two coordinates are called {twice[0]!r}, and columns cannot tell them apart")
        import pandas

        columns: dict[str, Array] = {}
        for letter, names in (("q", self.names_q), ("v", self.names_v), ("a", self.names_v), ("tau", self.names_v)):
            array = getattr(self, letter)
            columns.update({f"{letter}.{name}": array[:, k] for k, name in enumerate(names)})
        columns.update(kinetic=self.kinetic, potential=self.potential)
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def plot(self, *what: str) -> Any:
        """Curves over time (matplotlib): "q", "v", "a", "tau", "energy" or "power"; by default q, v, tau (if any
        drive does something), energy.

        Gives the figure.
        """
        from .plotting import plot

        return plot(self, *what)

    def report(self, file: Union[str, os.PathLike[str], None] = None, *, animate: bool = True) -> str:
        """The run as one HTML page that loads nothing: figures, tables, and the robot moving. Written to ``file`` if given."""
        page: str = self.robot._core.report(
            self._contiguous(), self._watched, self.statistics, self._events, self.title, self.scenario, self.method,
            self.seconds, animate, self.complete,
        )  # fmt: skip
        if file is not None:
            Path(file).write_text(page, encoding="utf-8")
        return page

    def film(self) -> str:
        """One HTML page that loads nothing, with the robot moving and nothing else."""
        page: str = self.robot._core.film(self._contiguous(), self._watched)
        return page

    def _contiguous(self) -> dict[str, Array]:
        """The arrays as pages take them: people may have changed them."""
        found = {name: in_order(array) for name, array in self.arrays.items()}
        nq, nv, bodies = self.robot.nq, self.robot.nv, len(self.robot.bodies)
        widths = {"q": (nq,), "v": (nv,), "a": (nv,), "tau": (nv,), "reactions": (1 + bodies, 6),
                  "points": (len(self._watched), 3), "contacts": (len(self._touched), 3)}  # fmt: skip
        for name, array in found.items():
            each = array.shape[1:] if name == "multipliers" else widths.get(name, ())
            if array.shape != (found["t"].size, *each):
                wanted = f"{(found['t'].size, *each)} is wanted, a row for each t"
                raise ArgumentError(f"run.{name} has the shape {array.shape}; {wanted}")
            require_finite(f"run.{name}", array)
        return found

    def show(self) -> Any:
        """The robot moving: in a notebook below the cell, else in the browser."""
        from .viewing import show

        return show(self)

    def _repr_html_(self) -> str:
        from .viewing import frame

        return frame(self.film(), height=480)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        end = "" if self.complete else ", broken off"
        last = self.t[-1] if len(self.t) else 0.0
        doubt = f", warnings: {len(self.warnings)}" if self.warnings else ""
        return f"<Run of {self.robot.name}: {last:.6g} s, {len(self.t)} samples by {self.method}{end}{doubt}>"


class _Progress:
    """How far a run is, once it has taken a second: a line on a terminal (standard error), a bar in a notebook."""

    def __init__(self, duration: float) -> None:
        self._duration = duration
        self._next = time.monotonic() + 1.0
        self._is_shown = False
        self._bar: Any = None  # of a notebook

    def __call__(self, t: float) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        self._is_shown = True
        part = t / self._duration
        told = f"{100 * part:3.0f} %, {t:.4g} of {self._duration:.4g} s"
        cell = notebook()
        if cell is None:
            print(f"\r{('#' * int(40 * part)).ljust(40, '.')} {told}", end="", file=sys.stderr, flush=True)
            return
        shown = cell.HTML(f'<progress value="{part:.4f}" max="1"></progress> {told}')
        if self._bar is None:
            self._bar = cell.display(shown, display_id=True)
        else:
            self._bar.update(shown)

    def done(self) -> None:
        """Nothing of it is left."""
        if self._bar is not None:
            self._bar.update(notebook().HTML(""))
        elif self._is_shown:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)


def simulate(
    robot: Robot,
    duration: float,
    *,
    q: ArrayLike | Mapping[str, Any] | None = None,
    v: ArrayLike | Mapping[str, Any] | None = None,
    control: Law | Mapping[str, Any] | None = None,
    motion: Mapping[str, Any] | None = None,
    integrator: str | Mapping[str, Any] = "dopri5",
    rtol: float | None = None,
    atol: float | None = None,
    step: float | None = None,
    every: float | None = None,
    output: Mapping[str, Any] | None = None,
    wrenches: Sequence[Mapping[str, Any]] | None = None,
    ground: Mapping[str, Any] | None = None,
    rate: float | None = None,
    method: str | None = None,
    stabilisation: float | None = None,
    title: str | None = None,
    progress: bool | None = None,
) -> Run:
    """A robot moving for ``duration`` seconds; springs, friction, stops, rotors and loops of its file act.

    ``q`` (nq,), ``v`` (nv,): the start, arrays or maps by joint ({"pole": 0.3}), by default neutral and at rest (where
    neither is given, the start of the motion that a map of control follows); loops are closed from there, joints that a
    map names held if they can be. ``control``: a callable (t, q, v) -> tau (nv,), or the map of a scenario, such as
    ``{"type": "computed_torque", "kp": 100, "kd": 20}``, which follows ``motion``. ``integrator``: "dopri5", "bs23", "rk4",
    "euler", "symplectic_euler", "backward_euler", "adams", "bdf", "ida", with ``rtol``, ``atol`` or ``step`` (s). ``every``: s between samples
    (0.01); ``output``: {"every", "reactions", "points", "contacts"}, arrays of the :class:`Run`. ``rate`` (Hz): a callable's tau is held between its calls; without it the
    law is part of the equations and must be a function of its arguments, which a :class:`ControlLaw` of type pid is not. ``wrenches``, ``ground``, ``motion``, ``method``,
    ``stabilisation``, ``title`` are those of scenario files (docs/scenario-files.md).

    Ctrl-C ends a run with what there is (``run.complete`` is False). What the command line would warn of is a
    :class:`RunWarning` here, and stands in ``run.warnings``. Raises :class:`SimulationFailure` with the time and
    the last good state, :class:`RobotError` for options that make no sense.
    """
    told: dict[str, Any] = {"duration": positive("duration", duration)}
    start: dict[str, Any] = {}
    if q is not None:
        start["q"] = q if isinstance(q, Mapping) else vector("q", q, robot.nq)
    if v is not None:
        start["v"] = v if isinstance(v, Mapping) else vector("v", v, robot.nv)
    if start:
        if q is None:
            start["q"] = robot.neutral()
        told["start"] = start
    elif motion is None:
        told["start"] = {"q": robot.neutral()}
    told["integrator"] = _integrator(integrator, rtol=rtol, atol=atol, step=step)
    if output is not None and "npz" in output:
        raise ArgumentError("output: npz: a run of Python writes no files; save(FILE) of the run writes its arrays")
    told["output"] = {**(output or {}), **({} if every is None else {"every": positive("every", every)})}
    law = control if callable(control) else None
    if law is None and rate is not None:
        raise ArgumentError("rate: it goes with a callable; that of a control map stands in the map")
    if isinstance(control, Mapping):
        told["control"] = control
    elif law is not None:
        told["control"] = {"type": "none", **({} if rate is None else {"rate": positive("rate", rate)})}
    elif control is not None:
        raise ArgumentError(f"control is {control!r}; a callable (t, q, v) -> tau or the map of a scenario is wanted")
    for key, value in (("motion", motion), ("wrenches", wrenches), ("ground", ground), ("method", method),
                       ("stabilisation", stabilisation), ("title", title)):  # fmt: skip
        if value is not None:
            told[key] = value
    return run_described(robot, told, law, progress)


def run_described(
    robot: Robot, told: Mapping[str, Any], law: Law | None, progress: bool | None, name: str = "simulate"
) -> Run:
    """What a scenario describes, on this robot."""
    if _method_of(told) == "sdirk4":
        raise NotCovered(f"{name}: sdirk4 is for the command line alone; bdf, ida and backward_euler are for stiff robots, too")
    if getattr(law, "wants_rate", False) and "rate" not in told["control"]:
        raise ArgumentError("control: the law sums from sample to sample: give it a rate, 1000 Hz for example")
    text = as_json(plain(told), indent=1)
    is_wanted = sys.stderr.isatty() or notebook() is not None if progress is None else progress
    duration = told["duration"]
    shown = _Progress(duration) if is_wanted and isinstance(duration, (int, float)) else None
    try:
        found = robot._core.simulate(text, name, None if law is None else _checked(law, robot.nv), shown)
    finally:
        if shown is not None:
            shown.done()
    title = plain(told.get("title", robot.name))
    run = Run(robot, found, title if isinstance(title, str) else json.dumps(title), text)
    tell(RunWarning, map(str, run.warnings))
    if isinstance(found["ending"], tuple):
        cause, t, q, v = found["ending"]
        failure = SimulationFailure(cause)
        failure.t, failure.q, failure.v, failure.run = t, q, v, run
        raise failure
    return run


def _checked(law: Law, nv: int) -> Law:
    """The law, with what it gives as float64 in C order."""

    def tau(t: float, q: Array, v: Array) -> Array:
        asked: Any = law(t, q, v)
        if asked is None:
            raise ArgumentError(f"control gives nothing at t = {t:.6g} s; tau, ({nv},), is wanted")
        is_one = np.isscalar(asked) or getattr(asked, "shape", None) == ()
        return vector(f"tau of control at t = {t:.6g} s", [asked] if is_one else asked, nv)

    return tau


def _integrator(given: str | Mapping[str, Any], **options: float | None) -> dict[str, Any]:
    told: dict[str, Any] = {"method": given} if isinstance(given, str) else dict(given)
    told.update({key: positive(key, value) for key, value in options.items() if value is not None})
    return told


def _method_of(told: Mapping[str, Any]) -> Any:
    integrator = told.get("integrator")
    return integrator.get("method") if isinstance(integrator, Mapping) else integrator


class Written(float):
    """A number of a file in a writing of its own (1.50, 1e3, 007), which it keeps where it is the name of something."""

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __str__(self) -> str:
        return self.text


def plain(given: Any) -> Any:
    """Maps, lists and numbers as JSON has them; NumPy's are made so."""
    if isinstance(given, Written):
        return str(given)
    if isinstance(given, Mapping):
        return {str(key): plain(value) for key, value in given.items()}
    if isinstance(given, (str, bool)) or given is None:
        return str(given) if isinstance(given, str) else given
    if isinstance(given, np.ndarray):
        return plain(given.tolist())
    if isinstance(given, (list, tuple)):
        return [plain(value) for value in given]
    if isinstance(given, (int, np.integer)):
        return int(given)
    if isinstance(given, (float, np.floating)):
        if not np.isfinite(given):
            raise ArgumentError(f"simulate: {given} among the options; finite numbers are wanted")
        return float(given)
    raise ArgumentError(f"simulate: {given!r} among the options; numbers, text, lists and maps are wanted")


def as_json(given: Any, indent: int | None = None) -> str:
    """JSON that is YAML, too: characters above U+FFFF stand as they are, as YAML knows no pairs of escapes."""
    text = json.dumps(given, ensure_ascii=False, indent=indent)
    return re.sub("[\x7f-\uffff]", lambda character: f"\\u{ord(character[0]):04x}", text)


class Simulation:
    """Steps of one's own: state ``t`` (s), ``q`` (nq,), ``v`` (nv,), and ``step``.

    Springs, viscous friction and stops of the file act unless ``forces=False``; loops are closed at the start and after
    every step. Dry friction is what it is at each stage, so that it does not hold a joint at rest: ``simulate`` does.
    """

    def __init__(
        self, robot: Robot, q: ArrayLike | None = None, v: ArrayLike | None = None, *, forces: bool = True
    ) -> None:
        self.robot = robot
        self.t = 0.0
        self.q: Array = robot.neutral() if q is None else robot.assemble(vector("q", q, robot.nq))
        self.v: Array = np.zeros(robot.nv) if v is None else vector("v", v, robot.nv).copy()
        if v is not None and robot.has_loops:
            self.v = robot._core.closed_rates(self.q, self.v)
        self._forces = flag("forces", forces)

    def step(self, tau: ArrayLike, dt: float) -> tuple[Array, Array]:
        """(q, v) after ``dt`` seconds under tau (nv,; N m, N), held, by Runge and Kutta's method of order 4."""
        q, v = vector("q", self.q, self.robot.nq).copy(), vector("v", self.v, self.robot.nv).copy()
        dt = positive("dt", dt)
        self.robot._core.step(q, v, vector("tau", tau, self.robot.nv), dt, self._forces)
        self.q, self.v = q, v
        self.t += dt
        return q.copy(), v.copy()


def _described(
    robot: Robot, q: ArrayLike | None, duration: float | None, **parts: Mapping[str, Any] | None
) -> str:
    """A scenario of which only a part is wanted."""
    told: dict[str, Any] = {key: part for key, part in parts.items() if part is not None}
    told["duration"] = 1.0 if duration is None else duration
    try:
        told["start"] = {"q": robot.neutral() if q is None else vector("q", q, robot.nq)}
    except NotAssembled:  # then the motion has to say where it starts
        pass
    return as_json(plain(told), indent=1)


class Motion:
    """All joints as functions of time: ``motion(t)`` gives q, v, a at one time or at many. Made by :meth:`Robot.motion`.

    ``duration`` (s): before 0 and after it the robot rests where it is then; ``breaks``: times at which a jumps.
    ``warnings``: what is legal but looks like a mistake, each given as a :class:`RunWarning`, too.
    """

    def __init__(
        self, robot: Robot, motion: Mapping[str, Any], q: ArrayLike | None = None, duration: float | None = None
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


class ControlLaw:
    """What drives ask for: ``law(t, q, v)`` gives tau (nv,). Made by :meth:`Robot.control_law`; it may keep what it saw.

    Limits of the drives and the rate of a sampled law are the run's: a law by itself gives what it asks for, whenever asked.
    ``warnings`` as of a :class:`Motion`. ``wants_rate``: whether it sums from one call to the next, as that of type pid does; a simulation then wants a ``rate``, as
    steps that are tried and taken back would count, too.
    """

    def __init__(
        self,
        robot: Robot,
        control: Mapping[str, Any],
        motion: Mapping[str, Any] | None = None,
        q: ArrayLike | None = None,
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
