"""Robots and runs as people see them: tables, pictures, pages."""

from __future__ import annotations

import html as markup
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .answers import Body, Joint
    from .robot import Robot
    from .runs import Run


def _short(*numbers: float) -> str:
    return " ".join(f"{x:.6g}" for x in numbers)


def _unless(nothing: float, *numbers: float) -> str:
    return "" if all(x == nothing for x in numbers) else _short(*numbers)


def _tidied(tensor: Sequence[float]) -> list[float]:
    """Without what rounding leaves of the products of axes."""
    return [x if abs(x) > 1e-15 * sum(tensor[:3]) else 0.0 for x in tensor]


def _place(entries: slice) -> str:
    first, last = entries.start, entries.stop - 1
    return str(first) if first == last else f"{first}-{last}"


# The columns: what a body says, and what its joint does where it moves. Those that are empty for all bodies are left out.
_OF_BODIES: dict[str, Callable[[Body], str]] = {
    "body": str,
    "parent": lambda body: body.parent,
    "joint": lambda body: body.joint,
    "mass [kg]": lambda body: _short(body.mass),
    "mass centre [m]": lambda body: _short(*body.com),
    "inertia xx yy zz [kg m^2]": lambda body: _short(*body.inertia[:3]),
    "xy yz zx": lambda body: _unless(0, *body.inertia[3:]),
    "hub xx yy zz xy yz zx": lambda body: _unless(0, *_tidied(body.hub)),
}
_OF_JOINTS: dict[str, Callable[[Joint], str]] = {
    "type": lambda joint: joint.type,
    "q": lambda joint: _place(joint.q),
    "v": lambda joint: _place(joint.v),
    "lower": lambda joint: _unless(-math.inf, joint.limits.lower),
    "upper": lambda joint: _unless(math.inf, joint.limits.upper),
    "velocity": lambda joint: _unless(math.inf, joint.limits.velocity),
    "effort": lambda joint: _unless(math.inf, joint.limits.effort),
    "gear": lambda joint: _unless(1, joint.gear),
    "rotor inertia": lambda joint: _unless(0, joint.rotor_inertia),
    "armature": lambda joint: _unless(0, joint.armature),
}


def _summary(robot: Robot) -> str:
    text = (
        f"{robot.name}: {len(robot.bodies)} bodies, {robot.nq} coordinates q, {robot.nv} rates v, {robot.mass:.6g} kg; "
        f"gravity {_short(*robot.gravity_vector)} m/s^2"
    )
    loops, springs = robot._core.loops, robot._core.springs
    if loops or springs:
        text += f"\n  {len(loops)} loops cut open, {springs} springs between points"
    if robot.forces:
        text += f"\n  with forces=True: {robot.forces}"
    return text


def _rows(robot: Robot) -> list[tuple[str, ...]]:
    """The head, then a row for each body."""
    joints = {joint.body: joint for joint in robot.joints}
    moved = [joints.get(body.name) for body in robot.bodies]
    columns = [(title, *map(say, robot.bodies)) for title, say in _OF_BODIES.items()]
    columns[3:3] = [(title, *("" if j is None else say(j) for j in moved)) for title, say in _OF_JOINTS.items()]
    return list(zip(*(column for column in columns if any(column[1:]))))


def table(robot: Robot) -> str:
    """The robot's bodies and joints, much as ``denoc info`` prints them."""
    rows = _rows(robot)
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([_summary(robot), "", *lines])


def html(robot: Robot) -> str:
    """The same for a notebook, with the robot in its neutral posture."""

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{markup.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    try:
        picture = frame(robot._core.view(robot.neutral().tolist()), height=360)
    except Error:  # its loops do not close from there
        picture = ""
    head, *bodies = _rows(robot)
    rows = row(head, "th") + "".join(row(cells, "td") for cells in bodies)
    return f"<p>{markup.escape(_summary(robot))}</p>{picture}<table>{rows}</table>"


def frame(page: str, height: int = 640) -> str:
    """A page inside another."""
    return f'<iframe srcdoc="{markup.escape(page)}" width="100%" height="{height}" style="border:0"></iframe>'


def notebook() -> Any:
    """The module that shows things below a cell, in a notebook; elsewhere None."""
    if "ipykernel" not in sys.modules:
        return None
    import IPython.display  # type: ignore[import-not-found,unused-ignore]

    return IPython.display


def show(run: Run) -> Any:
    """The robot moving: in a notebook below the cell, else in the browser."""
    cell = notebook()
    if cell is not None:
        return cell.display(run)
    import tempfile
    import webbrowser

    file = Path(tempfile.mkdtemp(prefix="denoc-")) / "run.html"
    file.write_text(run.film(), encoding="utf-8")
    webbrowser.open(file.as_uri())
    return file
