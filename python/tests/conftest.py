import os
import signal
import warnings

import numpy as np
import pytest

import denoc

# Trees of every kind, and robots with loops, among those that travel with the package.
TREES = ("puma560", "humanoid", "quadruped", "floating_dual_arm", "wrist", "rp_arm", "kuka_kr5")
CLOSED = ("fourbar", "slider_crank", "three_rrr")


# An installed package has no command line beside it.
with_command_line = pytest.mark.skipif("DENOC_BINARY" not in os.environ, reason="no command line to compare with")


@pytest.fixture(scope="session")
def robots():
    return {name: denoc.load(name) for name in (*TREES, *CLOSED)}


@pytest.fixture(scope="session")
def puma(robots):
    return robots["puma560"]


@pytest.fixture(autouse=True)
def say_nothing_of_forces():
    """Whether a robot's springs are meant is a matter of one test, and noise in the others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", denoc.LeftOut)
        yield


@pytest.fixture
def ctrl_c():
    """Ctrl-C as on a terminal: a shell's background jobs are started without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def states(robot, seed, count=None):
    """q, v, a: one state, or rows of them."""
    rng = np.random.default_rng(seed)
    if count is None:
        return robot.random(seed), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    q = np.array([robot.random(seed + k) for k in range(count)])
    return q, rng.normal(size=(count, robot.nv)), rng.normal(size=(count, robot.nv))
