"""Curves of runs, by matplotlib (the extra ``denoc[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ArgumentError

if TYPE_CHECKING:
    from .simulation import Run

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


def plot(run: Run, *what: str) -> Any:
    """A figure with an axis for each of ``what`` and each unit; see :meth:`Run.plot`."""
    for each in what:
        if each not in _PLOTS:
            raise ArgumentError(f"plot: unknown {each!r}; there are {', '.join(_PLOTS)}")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("run.plot() needs matplotlib: pip install denoc[plot]") from None
    panels = [panel for each in what or ("q", "v", "tau", "energy") for panel in _curves(run, each)]
    figure, axes = plt.subplots(
        len(panels), 1, sharex=True, squeeze=False, figsize=(7, 2.2 * len(panels)), layout="constrained"
    )
    for axis, (label, curves) in zip(axes[:, 0], panels):
        for name, values in curves:
            axis.plot(run.t, values, label=name, linewidth=1.4)
        axis.set_ylabel(label)
        axis.grid(True, linewidth=0.4, alpha=0.5)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small")
    axes[-1, 0].set_xlabel("t [s]")
    figure.suptitle(run.title)
    return figure
