"""What calls of a robot have in common: their keyword arguments, by kind. :class:`denoc.Robot` says what each means."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Set as AbstractSet, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from ._arrays import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .simulation import Law

Wrenches = Mapping[str, "ArrayLike"]
Loops = Literal["closed", "open"]
Axes = Literal["world", "body"]
Errors = Literal["raise", "nan"]


class _Each(TypedDict, total=False):
    errors: Errors
    threads: int | None


class _Into(TypedDict, total=False):
    out: Array | None


class _Cut(TypedDict, total=False):
    loops: Loops


class _Forced(TypedDict, total=False):
    forces: bool | None


class _Loaded(_Forced, total=False):
    wrenches: Wrenches | None


class _Turned(TypedDict, total=False):
    wrench_axes: Axes


class _ByMethod(TypedDict, total=False):
    method: str | None


class _Driven(TypedDict, total=False):
    driven: Sequence[str] | None


class States(_Each, _Into, total=False):
    """Of a call that gives one array."""


class Parts(_Each, total=False):
    """Of a call that gives several."""


class Tree(States, _Cut, total=False):
    """Of what is the tree's alone."""


class TreeParts(Parts, _Cut, total=False):
    """Of what is the tree's alone, in several arrays."""


class Inertia(Tree, _ByMethod, total=False):
    """Of the inertia matrix."""


class Gravity(Tree, _Forced, total=False):
    """Of torques at rest."""


class Dynamics(Tree, _Loaded, _ByMethod, total=False):
    """Of torques and accelerations."""


class DrivenDynamics(Dynamics, _Driven, total=False):
    """Of torques that some joints give."""


class Passive(States, _Loaded, _Driven, total=False):
    """Of joints that nothing drives."""


class Resting(States, _Loaded, _Turned, total=False):
    """Of a posture at rest."""


class Derivatives(States, _Cut, _Loaded, _Turned, total=False):
    """Of derivatives."""


class Transmitted(Parts, _Cut, _Loaded, _Turned, total=False):
    """Of how what joints transmit changes, and of second derivatives."""


class Linear(Parts, _Loaded, _Turned, total=False):
    """Of a linear model."""


class Energy(Parts, _Forced, total=False):
    """Of energies."""


class Acting(Parts, _Loaded, total=False):
    """Of what loops do."""


class Reactions(TreeParts, _Loaded, total=False):
    """Of what joints transmit."""


class Simulated(TypedDict, total=False):
    """Of a run."""

    q: ArrayLike | Mapping[str, Any] | None
    v: ArrayLike | Mapping[str, Any] | None
    control: Law | Mapping[str, Any] | None
    motion: Mapping[str, Any] | None
    integrator: str | Mapping[str, Any]
    rtol: float | None
    atol: float | None
    step: float | None
    every: float | None
    output: Mapping[str, Any] | None
    wrenches: Sequence[Mapping[str, Any]] | None
    ground: Mapping[str, Any] | None
    rate: float | None
    method: str | None
    stabilisation: float | None
    title: str | None
    progress: bool | None


# What is meant where nothing is said; None of all others.
DEFAULTS: dict[str, Any] = {"errors": "raise", "loops": "closed", "wrench_axes": "body", "integrator": "dopri5"}

# What is no option of a run, and what says it.
_IN_MAPS = {
    "dt": "step or every",
    **dict.fromkeys(("max_evaluations", "max_step"), 'integrator={"method": "dopri5", KEY: ..}'),
    **dict.fromkeys(("saturate", "driven"), 'control={"type": .., KEY: ..}'),
    **dict.fromkeys(("reactions", "points", "contacts"), "output={KEY: ..}"),
}


def require_known(call: str, given: AbstractSet[str], taken: AbstractSet[str], place: str = "") -> None:
    """The call has all these options; else the message names those that it has, and what may have been meant."""
    if not (more := sorted(given - taken)):
        return
    near = get_close_matches(more[0], taken, n=1)
    if call == "simulate" and more[0] in _IN_MAPS:
        near = [_IN_MAPS[more[0]].replace("KEY", f'"{more[0]}"')]
    meant = f"; did you mean {near[0]}?" if near else ""
    raise TypeError(f"{call}() takes no {', '.join(more)}{place}; it takes {', '.join(sorted(taken))}{meant}")

Made = TypeVar("Made", bound=type)


def tells_its_options(cls: Made) -> Made:
    """Methods of the class with ``**how: Unpack[options.X]`` show the options of X one by one (in ``help``, in a notebook);
    ``cls.OPTIONS`` has their names by method. Of one that shows them already (rnea is another name of inverse_dynamics, and
    modules may be loaded again) they stay as they are."""
    cls.OPTIONS = {}  # type: ignore[attr-defined]
    for name, method in [each for owner in reversed(cls.__mro__) for each in vars(owner).items()]:
        kind = getattr(method, "__annotations__", {}).get("how", "")
        if not kind.startswith("Unpack["):
            continue
        taken = globals()[kind[7:-1].rpartition(".")[2]].__annotations__
        cls.OPTIONS[name] = frozenset(taken)  # type: ignore[attr-defined]
        whole = inspect.signature(method)
        plain = [each for each in whole.parameters.values() if each.name != "how" and each.name not in taken]
        more = [
            inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(option), annotation=annotation)
            for option, told in taken.items()
            for annotation in [getattr(told, "__forward_arg__", told)]  # as it is written
        ]
        method.__signature__ = whole.replace(parameters=[*plain, *more])
    return cls
