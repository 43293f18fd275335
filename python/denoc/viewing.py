"""Robots and runs as people see them: tables, pictures, pages."""

from __future__ import annotations

import html as markup
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .robot import Robot
    from .simulation import Run

_HEAD = ("body", "parent", "joint", "type", "q", "v", "mass [kg]", "mass centre [m]", "inertia xx yy zz [kg m^2]")


def _short(*numbers: float) -> str:
    return " ".join(f"{x:.6g}" for x in numbers)


def _place(entries: slice) -> str:
    first, last = entries.start, entries.stop - 1
    return str(first) if first == last else f"{first}-{last}"


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
    joints = {joint.body: joint for joint in robot.joints}
    rows: list[tuple[str, ...]] = []
    for body in robot.bodies:
        joint = joints.get(body.name)
        rows.append(
            (
                body.name,
                body.parent,
                body.joint,
                joint.type if joint else "fixed",
                _place(joint.q) if joint else "",
                _place(joint.v) if joint else "",
                _short(body.mass),
                _short(*body.com),
                _short(*body.inertia[:3]),
            )
        )
    return rows


def table(robot: Robot) -> str:
    """The robot's bodies and joints, as ``denoc info`` prints them."""
    rows: Sequence[tuple[str, ...]] = [_HEAD, *_rows(robot)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(_HEAD))]
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
    body = "".join(row(cells, "td") for cells in _rows(robot))
    return f"<p>{markup.escape(_summary(robot))}</p>{picture}<table>{row(_HEAD, 'th')}{body}</table>"


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
