"""The same numbers as the command line gives, to the last bit."""

import json
import os
import subprocess

import numpy as np
import pytest
from conftest import CLOSED, TREES, states, with_command_line

pytestmark = with_command_line


def asked(command, name, state, *options):
    done = subprocess.run(
        [os.environ["DENOC_BINARY"], command, name, "--state", "-", "--json", *options],
        input=json.dumps(state), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", TREES)
def test_trees(robots, name):
    robot = robots[name]
    q, v, a = states(robot, 11)
    state = {"q": q.tolist(), "v": v.tolist(), "a": a.tolist(), "tau": a.tolist()}
    assert (robot.inverse_dynamics(q, v, a) == asked("id", name, state)["tau"]).all()
    assert (robot.forward_dynamics(q, v, a) == asked("fd", name, state)["a"]).all()
    inertia = asked("inertia", name, state)
    assert (robot.inertia(q) == np.array(inertia["I"])).all()
    assert (robot.factors(q).U == np.array(inertia["U"])).all() and (robot.factors(q).D == inertia["D"]).all()
    energy = asked("energy", name, state)
    assert robot.energy(q, v) == (energy["kinetic"], energy["potential"])
    assert (robot.momentum(q, v).angular == energy["momentum"]["angular"]).all()


@pytest.mark.parametrize("name", CLOSED)
def test_loops(robots, name):
    robot = robots[name]
    q, zero = robot.random(1), np.zeros(robot.nv)
    tau = np.ones(robot.nv)
    found = asked("fd", name, {"q": q.tolist(), "v": zero.tolist(), "tau": tau.tolist()})
    assert (robot.forward_dynamics(q, zero, tau) == found["a"]).all()
    assert (robot.multipliers(q, zero, tau).values == found["multipliers"]).all()
