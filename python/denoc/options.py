"""What calls of a robot have in common: their keyword arguments, by kind. :class:`denoc.Robot` says what each means."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from ._arrays import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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


# What is meant where nothing is said; None of all others.
DEFAULTS: dict[str, Any] = {"errors": "raise", "loops": "closed", "wrench_axes": "body"}

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
            inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(option), annotation=told)
            for option, told in taken.items()
        ]
        method.__signature__ = whole.replace(parameters=[*plain, *more])
    return cls
