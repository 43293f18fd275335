"""What people give as arrays, brought to what the core takes: numbers, axes, names of choices."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ArgumentError, Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Array = np.ndarray
_MOST_AXES = 64  # of an array


def _has_masked(given: ArrayLike) -> bool:
    """Whether it has masked entries, or is a sequence of what has."""
    level: list[Any] = [given]
    for _ in range(_MOST_AXES):
        kinds = set(map(type, level))  # of many numbers a few: they are not looked at one by one
        if any(issubclass(kind, np.ma.MaskedArray) for kind in kinds) and any(map(np.ma.is_masked, level)):
            return True
        if not any(issubclass(kind, (list, tuple)) for kind in kinds):
            return False
        level = list(chain.from_iterable(each for each in level if isinstance(each, (list, tuple))))
    return False


def require_unmasked(name: str, given: ArrayLike) -> None:
    """None of its entries is masked: arrays made of it would have what the mask hides."""
    if type(given) is not np.ndarray and _has_masked(given):
        raise ArgumentError(f"{name}: entries are masked; fill them first (.filled)")


def real(name: str, given: ArrayLike, shape: str = "(...)") -> Array:
    """An array of real numbers; `shape` says which is wanted."""
    require_unmasked(name, given)
    if given is None:
        raise ArgumentError(f"{name} is None; {shape} numbers are wanted")
    if isinstance(given, Mapping):
        raise ArgumentError(f"{name} is a map by joint; here an array {shape} in the order of robot.joints is wanted")
    try:
        array = np.asarray(given)
    except ValueError:
        raise ArgumentError(f"{name}: no array can be made of it; {shape} numbers are wanted") from None
    if array.dtype.kind not in "fiub":
        raise ArgumentError(f"{name}: numbers of type {array.dtype}; float64 or float32 is wanted")
    return array


def numbers(name: str, given: ArrayLike, width: int) -> Array:
    """An array of real numbers whose last axis is `width` long."""
    array = real(name, given, f"(..., {width})")
    if array.ndim == 0 or array.shape[-1] != width:
        raise ArgumentError(f"{name} has the shape {array.shape}; (..., {width}) is wanted")
    return array


def in_order(x: Array, dtype: Any = float) -> Array:
    """The numbers as the core reads them: of this dtype, in C order, and aligned, which fields of packed records are not."""
    return np.require(x, dtype, ["C", "A"])


def vector(name: str, given: ArrayLike, size: int) -> Array:
    """One vector of finite numbers, float64 in C order."""
    array = in_order(numbers(name, given, size))
    if array.ndim != 1 or not np.isfinite(array).all():
        raise ArgumentError(f"{name} is {array}; ({size},) finite numbers are wanted")
    return array


def require_finite(name: str, given: Array) -> None:
    """None of its numbers is infinite or NaN."""
    if not np.isfinite(given).all():
        where = tuple(int(k) for k in np.argwhere(~np.isfinite(given))[0])
        raise ArgumentError(f"{name}: {given[where]} at {list(where)}; finite numbers are wanted")


def require_result(name: str, *found: Array) -> None:
    """What was computed is finite: no NaN leaves without a word."""
    if not all(np.isfinite(each).all() for each in found):
        raise Error(f"{name} is not a finite number: what was given is too large")


def vec3(name: str, given: ArrayLike) -> tuple[float, float, float]:
    """Three finite numbers."""
    x, y, z = vector(name, given, 3).tolist()
    return x, y, z


def _number(given: Any) -> float:
    """A number, which a text is not: of what is none, NaN."""
    try:
        return np.nan if isinstance(given, (str, bytes)) else float(given)
    except (TypeError, ValueError):
        return np.nan


def finite(name: str, given: float) -> float:
    """A finite number."""
    number = _number(given)
    if not np.isfinite(number):
        raise ArgumentError(f"{name} is {given!r}; a finite number is wanted")
    return number


def positive(name: str, given: float) -> float:
    """A finite number above zero."""
    number = _number(given)
    if not 0 < number < np.inf:
        raise ArgumentError(f"{name} is {given!r}; a finite number above 0 is wanted")
    return number


def flag(name: str, given: Any) -> bool:
    """Yes or no, which a text is not."""
    if not isinstance(given, (int, np.bool_)):
        raise ArgumentError(f"{name} is {given!r}; True or False is wanted")
    return bool(given)


def one_of(name: str, given: str, choices: Sequence[str]) -> str:
    """The word, if it is one of those there are."""
    if given not in choices:
        raise ArgumentError(f"{name}: unknown {given!r}; it is one of {', '.join(choices)}")
    return given


def words(name: str, given: Sequence[str]) -> list[str]:
    """A list of names, which a text alone is not."""
    if isinstance(given, str):
        raise ArgumentError(f"{name} is {given!r}; a list of joints is wanted")
    named = [str(each) for each in given]
    for k, each in enumerate(named):
        if each in named[:k]:
            raise ArgumentError(f"{name}: {each!r} is named twice")
    return named


MOST_THREADS = 1024  # as on the command line


def count_of_threads(given: Any) -> int:
    """A whole number of threads, 0 for all of the machine."""
    try:
        count = operator.index(given)
    except TypeError:
        count = -1
    if not 0 <= count <= MOST_THREADS:
        raise ArgumentError(f"threads is {given!r}; a whole number up to {MOST_THREADS} is wanted, 0 for all of the machine")
    return count


def leading_axes(arrays: Sequence[Array], names: Sequence[str]) -> tuple[int, ...]:
    """The axes before the last, broadcast."""
    try:
        return np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    except ValueError:
        told = ", ".join(f"{name} {x.shape}" for name, x in zip(names, arrays))
        raise ArgumentError(f"the leading axes do not fit together: {told}") from None


def rows(x: Array, axes: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """(count, n) in C order, a row for each state of the leading axes."""
    whole = np.broadcast_to(x, axes + x.shape[-1:])
    return in_order(whole, dtype).reshape(math.prod(axes), x.shape[-1])


def require_out(out: Array, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """The array can take the result."""
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.writeable:
        told = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ArgumentError(f"out is {told}; a writable array {dtype} {shape} is wanted")
