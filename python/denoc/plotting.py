"""Curves of runs, by matplotlib (the extra ``denoc[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ArgumentError

if TYPE_CHECKING:
    from .runs import Run

_PLOTS = ("q", "v", "a", "tau", "energy", "power")


def _curves(run: Run, what: str) -> list[tuple[str, list[tuple[str, np.ndarray]]]]:
    """(label of the axis, curves): one axis for each unit that has any."""
    if what == "energy":
        total = run.kinetic + run.potential
        return [("energy [J]", [("kinetic", run.kinetic), ("potential", run.potential), ("total", total)])]
    if what == "power":
        return [("power [W]", [("of the drives", run.input_power), ("dissipated", run.dissipated_power)])]
    of_q, of_v = run.robot._core.names()
    if what == "q":
        units = [unit for _, unit in of_q]
        titles = {"rad": "angle [rad]", "m": "displacement [m]", "": "quaternion"}
        names = [name for name, _ in of_q]
    else:
        units = ["angular" if is_angular else "linear" for _, is_angular in of_v]
        titles = {
            "v": {"angular": "rate [rad/s]", "linear": "velocity [m/s]"},
            "a": {"angular": "acceleration [rad/s²]", "linear": "acceleration [m/s²]"},
            "tau": {"angular": "torque [N m]", "linear": "force [N]"},
        }[what]
        names = [name for name, _ in of_v]
    array = getattr(run, what)
    axes = []
    for unit, title in titles.items():
        curves = [(names[k], array[:, k]) for k in range(len(names)) if units[k] == unit]
        if curves:
            axes.append((title, curves))
    return axes


# Curves of an axis whose names fit beside it in one column, and colours that are told apart at a glance.
_ROWS, _COLOURS = 9, 10


def _colours(count: int) -> list[Any]:
    from matplotlib import colormaps  # type: ignore[import-not-found,unused-ignore]

    if count <= _COLOURS:
        return [colormaps["tab10"](k) for k in range(count)]
    return [colormaps["turbo"](0.05 + 0.9 * k / (count - 1)) for k in range(count)]


def _draw(axis: Any, t: np.ndarray, label: str, curves: list[tuple[str, np.ndarray]]) -> None:
    for (name, values), colour in zip(curves, _colours(len(curves))):
        is_sum = name == "total"  # it may lie on its parts
        axis.plot(
            t, values, label=name, linewidth=1.4, color="0.2" if is_sum else colour, linestyle="--" if is_sum else "-"
        )
    numbers = np.concatenate([values for _, values in curves])
    middle, width = (numbers.max() + numbers.min()) / 2, np.ptp(numbers)
    if width <= 1e-9 * max(1.0, abs(middle)):  # rounding is no curve
        axis.set_ylim(middle - 0.5, middle + 0.5)
    axis.set_ylabel(label)
    axis.grid(True, linewidth=0.4, alpha=0.5)
    axis.spines[["top", "right"]].set_visible(False)
    columns = -(-len(curves) // _ROWS)
    axis.legend(
        loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small" if columns == 1 else "x-small",
        ncols=columns, columnspacing=1.0, handlelength=1.2, labelspacing=0.3,
    )  # fmt: skip


def plot(run: Run, *what: str) -> Any:
    """A figure with an axis for each of ``what`` and each unit; see :meth:`Run.plot`."""
    for each in what:
        if each not in _PLOTS:
            raise ArgumentError(f"plot: unknown {each!r}; there are {', '.join(_PLOTS)}")
    try:
        import matplotlib.pyplot as plt  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ImportError("run.plot() needs matplotlib: pip install denoc[plot]") from None
    usual = ("q", "v", "tau", "energy") if np.any(run.tau) else ("q", "v", "energy")
    panels = [panel for each in what or usual for panel in _curves(run, each)]
    if not panels:
        raise ArgumentError(f"plot: {run.robot.name} cannot move, it has no {', '.join(what)}")
    most = max(len(curves) for _, curves in panels)
    width = 5.5 + 1.5 * -(-most // _ROWS)
    figure, axes = plt.subplots(
        len(panels), 1, sharex=True, squeeze=False, figsize=(width, 2.2 * len(panels)), layout="constrained"
    )
    for axis, (label, curves) in zip(axes[:, 0], panels):
        _draw(axis, run.t, label, curves)
    axes[-1, 0].set_xlabel("t [s]")
    figure.suptitle(run.title)
    return figure
