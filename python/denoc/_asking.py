"""How calls of a robot get to the core: one helper, that every question at one state or at many goes through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import (
    MOST_THREADS, Array, count_of_threads, flag, leading_axes, numbers, one_of, require_finite, require_out, rows, vec3,
    words,
)  # fmt: skip
from ._warning import tell
from .answers import Body, Joint
from .errors import ArgumentError, Error, Fault, LeftOut
from .options import require_known

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Question(NamedTuple):
    """A row of the core's list of questions: its number, the vectors it takes (name, as long as q?), and its options."""

    name: str
    number: int
    given: tuple[tuple[str, bool], ...]
    options: frozenset[str]
    simple: frozenset[str]  # of these, what the core takes without further ado
    feels_forces: bool


NO_BODY: Any = object()  # of questions that are about none: people's None is no name

QUESTIONS: dict[str, Question] = {}  # by the name of the method that asks


def know_questions(options: Mapping[str, frozenset[str]]) -> None:
    """Reads the core's list; ``options`` has those of each method."""
    for name, number, given in _core.questions:
        taken = options[name]
        QUESTIONS[name] = Question(name, number, given, taken, taken & {"out", "forces", "threads"}, "forces" in taken)


class Asked:
    """A robot as far as its calls need it."""

    __slots__ = ("_bodies", "_core", "_index", "_is_plain", "_joints", "_plain", "_source", "__weakref__")

    def __init__(self, core: _core.Core, source: tuple[Any, ...]) -> None:
        self._core = core
        self._plain = core.plain  # looked up once: a call at one state takes a microsecond
        self._source = source  # what was read, where, how
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
        """Whether joints are cut open (closed again by forces where these count, unless a call says loops="open")."""
        return self._core.has_loops

    @property
    def forces(self) -> str:
        """What else acts according to the file ("viscous friction, ..."), where ``forces=True``; empty: nothing."""
        return self._core.forces

    @property
    def doubts(self) -> list[Fault]:
        """What is legal in the file but looks like a mistake: what ``denoc check`` warns of."""
        return list(self._core.doubts)

    @property
    def notes(self) -> list[Fault]:
        """What the file says that has no meaning here (contacts, sensors, ...), and is passed over."""
        return list(self._core.notes)

    # How calls get to the core.

    def _say_what_is_left_out(self) -> None:
        left_out = f"{self._core.forces} of the file are left out"
        tell(LeftOut, [f"{self.name}: {left_out}; forces=True counts them, forces=False says that this is meant"])
        self._is_plain = True  # said once; where the warning is an error it is one at every call

    def _ask(
        self,
        name: str,
        vectors: tuple[ArrayLike, ...],
        how: Mapping[str, Any],
        body: str = NO_BODY,
        point: ArrayLike | None = None,
        axes: str = "world",
        unknown: Sequence[str] = (),
    ) -> Array:
        """Any question at any arrays. Where nothing but the usual is asked for and the arrays are as the core takes them, the core
        answers at once; else they are brought to rows of one dtype in C order, answered, and brought back."""
        question = QUESTIONS[name]
        on = 0 if body is NO_BODY else self._body(body)
        if point is None and axes == "world" and len(unknown) == 0 and self._is_usual(question, how):
            found: Array | None = self._plain(question.number, on, vectors, how.get("out"), how.get("threads", -1))
            if found is not None:
                return found
        said = self._checked(question, how)
        arrays = [
            numbers(given, x, self.nq if is_posture else self.nv)
            for (given, is_posture), x in zip(question.given, vectors)
        ]
        acting = [(self._loaded(each), numbers(f"wrenches[{each!r}]", w, 6)) for each, w in said["wrenches"].items()]
        everything = arrays + [w for _, w in acting]
        names = [given for given, _ in question.given] + [f"wrenches[{each!r}]" for each in said.pop("wrenches")]
        if said["errors"] == "raise":
            for each, (_, w) in zip(names[len(arrays) :], acting):
                require_finite(each, w)
        is_single = all(x.dtype.newbyteorder("=") == np.float32 for x in everything)
        dtype = np.dtype(np.float32 if is_single else np.float64)
        states = leading_axes(everything, names)
        shape = self._core.shape(question.number, states)
        # The recursions know float32, where nothing but the usual is asked for; all else is computed in double.
        is_usual = not said["method"] and said["driven"] is None
        knows_float = name in ("inverse_dynamics", "forward_dynamics") and is_usual and self.nv > 0
        inner = dtype if knows_float else np.dtype(np.float64)
        out: Array | None = said.pop("out")
        if out is not None:
            require_out(out, shape, dtype)
        is_taken = type(out) is np.ndarray and out.flags.carray and inner == dtype  # a mask would not notice
        # What is read must not be written over.
        if out is None or not is_taken or any(np.may_share_memory(out, x) for x in everything):
            result = np.empty(shape, inner)
        else:
            result = out
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
        if inner != dtype:
            is_lost = np.abs(result) > np.finfo(np.float32).max
            if said["errors"] == "raise" and is_lost.any():
                raise Error(f"{name}: its result is too large for {dtype}; float64 has room for it")
            result[is_lost] = np.nan
        if out is None:
            return result.astype(dtype, copy=False)
        if result is not out:
            out[...] = result
        return out

    def _is_usual(self, question: Question, how: Mapping[str, Any]) -> bool:
        """Whether the core takes these options without further ado."""
        if not how:
            return self._is_plain or not question.feels_forces
        threads = how.get("threads", 0)
        if not (how.keys() <= question.simple and type(threads) is int and 0 <= threads <= MOST_THREADS):
            return False
        return not self._has_forces(question, how)

    def _has_forces(self, question: Question, how: Mapping[str, Any]) -> bool:
        """Whether springs, friction and stops act, or something has to be said of them."""
        forces = how.get("forces")
        return forces is not False and (forces is not None or (question.feels_forces and not self._is_plain))

    def _checked(self, question: Question, how: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a call, as the core takes them."""
        require_known(question.name, how.keys(), question.options)
        forces, threads, method = (how.get(each) for each in ("forces", "threads", "method"))
        if forces is None and self._has_forces(question, how):
            self._say_what_is_left_out()
        if method is not None and (not isinstance(method, str) or method == ""):
            raise ArgumentError(f"method is {method!r}; the name of one of denoc.methods() is wanted")
        driven = how.get("driven")
        wrenches = {} if how.get("wrenches") is None else how["wrenches"]
        if not isinstance(wrenches, Mapping):
            raise ArgumentError(f"wrenches is {wrenches!r}; a map {{body: (..., 6)}} is wanted")
        return {
            "wrenches": wrenches,
            "out": how.get("out"),
            "forces": forces is not None and flag("forces", forces),
            "loops": one_of("loops", how.get("loops", "closed"), ("closed", "open")),
            "wrench_axes": one_of("wrench_axes", how.get("wrench_axes", "body"), ("world", "body")),
            "method": method or "",
            "driven": None if driven is None else words("driven", driven),  # none at all is a choice, too
            "errors": one_of("errors", how.get("errors", "raise"), ("raise", "nan")),
            "threads": -1 if threads is None else count_of_threads(threads),
        }

    def _joint(self, name: str) -> Joint:
        for joint in self._joints:
            if joint == name:
                return joint
        raise ArgumentError(f"no joint that moves is called {name!r}; there are {', '.join(self._joints)}")

    def _loaded(self, name: str) -> int:
        """A body that wrenches act on."""
        index = self._body(name)
        if index == 0:
            raise ArgumentError(f"wrenches: {name!r} is the ground, which does not move; a body of the robot is wanted")
        return index

    def _body(self, name: str) -> int:
        try:
            return self._index[name]
        except (KeyError, TypeError):
            if not isinstance(name, str):
                raise ArgumentError(f"body is {name!r}; the name of a body is wanted") from None
            return self._core.body(str(name))
