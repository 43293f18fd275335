"""What can go wrong: every exception of this package is a :class:`Error`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from .runs import Run


class Fault(NamedTuple):
    """One thing that is wrong with a file, or looks wrong: ``str(fault)`` is "file:line: element: rule"."""

    file: str
    line: int
    element: str
    rule: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line > 0 else self.file
        return ": ".join(part for part in (place, self.element, self.rule) if part)


class Error(Exception):
    """Anything that denoc cannot do; the text says what was given, and what to do."""


class ArgumentError(Error, ValueError):
    """An argument that makes no sense: a wrong shape, numbers that are not finite, an unknown name."""


class NotCovered(Error, NotImplementedError):
    """Something the robot has (loops, a joint without a drive) that this call cannot take into account."""


class RobotError(Error, ValueError):
    """A robot or scenario that breaks rules. ``faults`` has all of them, the text is the first."""

    def __init__(self, text: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(text)
        self.faults = list(faults)


class SingularInertia(Error, ArithmeticError):
    """Some part of the robot moves without inertia at this q, or with none that float32 tells from rounding. ``dof`` is its
    place in v."""

    dof: int


class NotAssembled(Error, ValueError):
    """q (or v) leaves a loop open, or the loops cannot be closed from there."""


class NotDriveable(Error, ValueError):
    """The joints with a drive cannot give this motion."""


class NoEquilibrium(Error, ArithmeticError):
    """There is no posture near by where the robot stays at rest, or none was found."""


class WriteError(Error, OSError):
    """A file could not be written; what was there before is as it was."""


class Unreachable(Error, ValueError):
    """No posture brings the body there, or none was found; the text says by how much the nearest misses."""


class SimulationFailure(Error):
    """A run that could not go on: when (``t``, s), the last good state (``q``, ``v``), and the ``run`` until then."""

    t: float
    q: np.ndarray
    v: np.ndarray
    run: Run


class RunWarning(UserWarning):
    """What a run, a motion or a control law says beside its result: of options that do nothing, of motions that jump, of
    steps that stability held small, of energy that is unaccounted for. ``warnings`` of the result has all of it."""


class LeftOut(UserWarning):
    """The robot has springs, friction or stops that were neither asked for (forces=True) nor declined (forces=False)."""
