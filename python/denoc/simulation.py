"""Motion from forces: runs, and steps of one's own."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, flag, positive, vector
from ._maps import as_json, plain
from ._warning import tell
from .errors import ArgumentError, NotCovered, RunWarning, SimulationFailure
from .motions import ControlLaw, Motion, start_of
from .robot import Robot
from .runs import Event, Run
from .viewing import notebook

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["ControlLaw", "Event", "Law", "Motion", "Run", "Simulation", "run_described", "simulate"]

Law = Callable[[float, Array, Array], "ArrayLike"]


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
    ``{"type": "computed_torque", "kp": 100, "kd": 20}``, which follows ``motion``. ``integrator``: "dopri5", "bs23",
    "rk4", "euler", "symplectic_euler", "backward_euler", "adams", "bdf", "ida", with ``rtol``, ``atol`` or ``step``
    (s), or a map with all keys of scenario files, {"method": "bdf", "max_evaluations": 1e9}. ``every``: s between samples
    (0.01); ``output``: {"every", "reactions", "points", "contacts"}, arrays of the :class:`Run`. ``rate`` (Hz): a callable's tau is held between its calls; without it the law is part of the equations
    and must be a function of its arguments, which a :class:`ControlLaw` of type pid is not. ``wrenches``, ``ground``,
    ``motion``, ``method``, ``stabilisation``, ``title`` are those of scenario files (docs/scenario-files.md).

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
    text = as_json(plain(told, name), indent=1)
    is_wanted = sys.stderr.isatty() or notebook() is not None if progress is None else progress
    duration = told["duration"]
    shown = _Progress(duration) if is_wanted and isinstance(duration, (int, float)) else None
    try:
        found = robot._core.simulate(text, name, None if law is None else _checked(law, robot.nv), shown)
    finally:
        if shown is not None:
            shown.done()
    title = plain(told.get("title", robot.name), name)
    run = Run(robot, found, title if isinstance(title, str) else json.dumps(title), text)
    tell(RunWarning, map(str, run.warnings))
    if isinstance(found["ending"], tuple):
        cause, t, q, v = found["ending"]
        if "evaluations of the accelerations" in cause:
            cause += '; integrator={"method": .., "max_evaluations": ..} allows more of them'
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


class Simulation:
    """Steps of one's own: state ``t`` (s), ``q`` (nq,), ``v`` (nv,), and ``step``.

    Springs, viscous friction and stops of the file act unless ``forces=False``; loops are closed at the start and after
    every step. Dry friction is what it is at each stage, so that it does not hold a joint at rest: ``simulate`` does.
    """

    def __init__(
        self, robot: Robot, q: ArrayLike | Mapping[str, Any] | None = None, v: ArrayLike | None = None, *, forces: bool = True
    ) -> None:
        self.robot = robot
        self.t = 0.0
        self.q: Array = robot.neutral() if q is None else robot.assemble(start_of(robot, q))
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
