"""Dynamics of robots: from a file to torques, accelerations, matrices and simulated motion.

>>> import denoc
>>> robot = denoc.load("puma560")
>>> tau = robot.inverse_dynamics(robot.neutral(), [0.0] * 6, [0.0] * 6)

SI units. Arrays end in an axis as long as q (``robot.nq``) or v (``robot.nv``); axes before it are states, and broadcast.
Coordinates are those of docs/robot-files.md: in the order of the file, quaternions w x y z, twists and wrenches with the
angular part first.
"""

from . import _models  # noqa: F401  (tells the library where the shipped robots are, before anything asks)
from .errors import (
    ArgumentError,
    Error,
    Fault,
    LeftOut,
    NotAssembled,
    NotCovered,
    NotDriveable,
    RobotError,
    SimulationFailure,
    SingularInertia,
)
from .robot import (
    Body,
    Derivatives,
    Energy,
    Factors,
    ForwardDerivatives,
    Joint,
    Limits,
    Method,
    Mobility,
    Momentum,
    Multipliers,
    Reactions,
    Robot,
    load,
    methods,
    shipped_robots,
)
from .simulation import Event, Run, Scenario, Simulation

__version__ = _models.version

__all__ = [
    "ArgumentError",
    "Body",
    "Derivatives",
    "Energy",
    "Error",
    "Event",
    "Factors",
    "Fault",
    "ForwardDerivatives",
    "Joint",
    "LeftOut",
    "Limits",
    "Method",
    "Mobility",
    "Momentum",
    "Multipliers",
    "NotAssembled",
    "NotCovered",
    "NotDriveable",
    "Reactions",
    "Robot",
    "RobotError",
    "Run",
    "Scenario",
    "Simulation",
    "SimulationFailure",
    "SingularInertia",
    "load",
    "methods",
    "shipped_robots",
]
