"""Dynamics of robots: from a file to torques, accelerations, matrices and simulated motion.

>>> import denoc
>>> robot = denoc.load("puma560")
>>> tau = robot.inverse_dynamics(robot.neutral(), [0.0] * 6, [0.0] * 6)

SI units. Arrays end in an axis as long as q (``robot.nq``) or v (``robot.nv``); axes before it are states, and broadcast.
Coordinates are those of docs/robot-files.md: in the order of the file, quaternions w x y z, twists and wrenches with the
angular part first.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _models  # noqa: F401  (tells the library where the shipped robots are, before anything asks)
from .answers import (
    AssemblyDerivatives,
    BaseParameters,
    Body,
    Count,
    Derivatives,
    Energy,
    Factors,
    ForwardDerivatives,
    Gradient,
    Joint,
    Limits,
    LinearModel,
    Method,
    Mobility,
    Momentum,
    Multipliers,
    Operations,
    Parameters,
    Reactions,
    SecondDerivatives,
    Solution,
    States,
    StepDerivatives,
)
from .errors import (
    ArgumentError,
    Error,
    Fault,
    LeftOut,
    NoEquilibrium,
    NotAssembled,
    NotCovered,
    NotDriveable,
    RobotError,
    RunWarning,
    SimulationFailure,
    SingularInertia,
    Unreachable,
    WriteError,
)
from .robot import Robot, load, methods, shipped_robots

if TYPE_CHECKING:
    from .gradients import Rollout
    from .motions import ControlLaw, Motion
    from .runs import Event, Run
    from .scenario import Scenario
    from .simulation import Simulation

__version__ = _models.version

__all__ = [
    "ArgumentError",
    "AssemblyDerivatives",
    "BaseParameters",
    "Body",
    "ControlLaw",
    "Count",
    "Derivatives",
    "Energy",
    "Error",
    "Event",
    "Factors",
    "Fault",
    "ForwardDerivatives",
    "Gradient",
    "Joint",
    "LeftOut",
    "Limits",
    "LinearModel",
    "Method",
    "Mobility",
    "Momentum",
    "Motion",
    "Multipliers",
    "NoEquilibrium",
    "NotAssembled",
    "NotCovered",
    "NotDriveable",
    "Operations",
    "Parameters",
    "Reactions",
    "Robot",
    "RobotError",
    "Rollout",
    "Run",
    "RunWarning",
    "Scenario",
    "SecondDerivatives",
    "Simulation",
    "SimulationFailure",
    "SingularInertia",
    "Solution",
    "States",
    "StepDerivatives",
    "Unreachable",
    "WriteError",
    "load",
    "methods",
    "shipped_robots",
]


_LATER = {
    "ControlLaw": "motions",
    "Event": "runs",
    "Motion": "motions",
    "Rollout": "gradients",
    "Run": "runs",
    "Scenario": "scenario",
    "Simulation": "simulation",
}


def __getattr__(name: str) -> Any:
    """What simulations need is read when first asked for."""
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    if name in _LATER.values():
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'denoc' has no attribute {name!r}")
