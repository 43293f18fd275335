"""Robots with loops: closed unless the tree is asked for by name."""

import numpy as np
import pytest
from conftest import CLOSED

import denoc


@pytest.mark.parametrize("name", CLOSED)
def test_forward_and_inverse_agree_on_closed_chains(robots, name):
    robot = robots[name]
    rng = np.random.default_rng(1)
    q = np.array([robot.random(seed) for seed in range(20)])
    v = np.zeros((20, robot.nv))
    tau = rng.normal(size=(20, robot.nv))
    a = robot.forward_dynamics(q, v, tau)
    again = robot.forward_dynamics(q, v, robot.inverse_dynamics(q, v, a))
    assert np.abs(again - a).max() <= 1e-8 * max(1, np.abs(a).max())
    assert (robot.forward_dynamics(q[3], v[3], tau[3]) == a[3]).all()
    assert (robot.forward_dynamics(q, v, tau, threads=1) == a).all()


@pytest.mark.parametrize("name", CLOSED)
def test_matrices_are_those_of_the_tree_and_must_be_asked_for_as_such(robots, name):
    robot = robots[name]
    q, zero = robot.neutral(), np.zeros(robot.nv)
    for call in (
        lambda **o: robot.inertia(q, **o),
        lambda **o: robot.bias(q, zero, **o),
        lambda **o: robot.gravity(q, **o),
        lambda **o: robot.jacobian(q, robot.bodies[-1], **o),
        lambda **o: robot.mass_centre_jacobian(q, **o),
    ):
        with pytest.raises(denoc.NotCovered, match='ask for it with loops="open"'):
            call()
        assert np.isfinite(call(loops="open")).all()
    a = np.random.default_rng(2).normal(size=robot.nv)
    tree = robot.inverse_dynamics(q, zero, a, loops="open")
    want = robot.inertia(q, loops="open") @ a + robot.bias(q, zero, loops="open")
    assert np.abs(tree - want).max() <= 1e-11 * np.abs(want).max()


def test_multipliers_hold_the_loops_shut(robots):
    robot = robots["fourbar"]
    q, v, tau = robot.random(3), np.zeros(robot.nv), np.ones(robot.nv)
    values, unique = robot.multipliers(q, v, tau)
    assert values.ndim == 1 and np.isfinite(values).all() and unique in (True, False)
    many = robot.multipliers(np.array([q] * 3), v, tau)
    assert (many.values == values).all() and many.unique.shape == (3,)
    tree, zero = robots["puma560"], np.zeros((4, 6))
    assert tree.multipliers(zero, zero, zero).values.shape == (4, 0) and tree.multipliers(zero, zero, zero).unique.all()
    assert tree.loop_wrenches(zero, zero, zero).shape == (4, 0, 2, 6)
    with pytest.raises(denoc.ArgumentError, match="no loops"):
        tree.multiplier_derivatives(zero, zero, zero)


def test_mobility_counts_freedoms(robots):
    assert robots["fourbar"].mobility().freedom == 1
    assert robots["three_rrr"].mobility().freedom == 3
    puma = robots["puma560"].mobility(np.zeros(6))
    assert (puma.tree, puma.rows, puma.freedom) == (6, 0, 6)
    with pytest.raises(denoc.NotAssembled, match="q leaves it open by"):
        robots["fourbar"].mobility(robots["fourbar"].random(4) + [0.2, 0, 0])


BENNETT = """
dh:
  convention: distal
  links:
    - {name: a, joint: revolute, a: 1, alpha: pi/6, mass: 1, com: [-0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
    - {name: b, joint: revolute, a: 2, alpha: pi/2, mass: 1, com: [-0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
    - {name: c, joint: revolute, a: 1, alpha: pi/6, mass: 1, com: [-0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
loops:
  - {type: revolute, a: {body: c}, b: {body: world, frame: {xyz: [-2, 0, 0], rpy: [-pi/2, 0, 0]}}}
"""


def test_lost_digits_lock_no_linkage():
    robot = denoc.load(BENNETT)
    q, rest, tau = robot.assemble([0.5, -1, 0.5]), np.zeros(3), np.array([1.0, 0, 0])
    a, response = robot.forward_dynamics(q, rest, tau), robot.forward_derivatives(q, rest, tau).dtau
    for digits in (7, 8, 10):
        rounded = q.round(digits)
        assert robot.mobility(rounded).freedom == 1
        near = 1e3 * 10.0**-digits
        assert robot.forward_dynamics(rounded, rest, tau) == pytest.approx(a, abs=near)
        assert robot.forward_dynamics(np.array([q, rounded]), rest, tau)[1] == pytest.approx(a, abs=near)
        assert robot.forward_derivatives(rounded, rest, tau).dtau == pytest.approx(response, abs=near)
        assert robot.linearize(rounded, rest, tau).B[3:] == pytest.approx(robot.linearize(q, rest, tau).B[3:], abs=near)
    single = robot.forward_dynamics(*(np.array([x], np.float32) for x in (q, rest, tau)))
    assert single[0] == pytest.approx(a, abs=1e-4)


def test_open_loops_are_refused_and_assembled(robots):
    robot = robots["fourbar"]
    q = robot.random(4)
    open_q = q + 0.05 * np.arange(robot.nq)
    with pytest.raises(denoc.NotAssembled):
        robot.forward_dynamics(open_q, np.zeros(robot.nv), np.zeros(robot.nv))
    shut = robot.assemble(open_q)
    robot.forward_dynamics(shut, np.zeros(robot.nv), np.zeros(robot.nv))
    rows = np.array([q, open_q])
    zero = np.zeros(robot.nv)
    assert np.isnan(robot.forward_dynamics(rows, zero, zero, errors="nan")).all(-1).tolist() == [False, True]
    with pytest.raises(denoc.NotAssembled, match="row 1"):
        robot.forward_dynamics(rows, zero, zero)


def test_other_drives_give_other_forces(robots):
    robot = robots["fourbar"]
    q, zero = robot.random(5), np.zeros(robot.nv)
    one, last = robot.joints[0], robot.joints[-1]
    a = robot.forward_dynamics(q, zero, zero)
    by_first = robot.inverse_dynamics(q, zero, a, driven=[one])
    by_last = robot.inverse_dynamics(q, zero, a, driven=[last])
    for tau in (by_first, by_last):
        assert np.abs(robot.forward_dynamics(q, zero, tau) - a).max() <= 1e-7 * max(1, np.abs(a).max())
    assert (by_first[1:] == 0).all() and (by_last[:-1] == 0).all()
    with pytest.raises(denoc.ArgumentError, match="list of joints"):
        robot.inverse_dynamics(q, zero, a, driven=str(one))


@pytest.mark.parametrize("name", ("fourbar", "puma560"))
def test_nothing_moves_as_it_likes_without_drives(robots, name):
    """No drives are not all drives: what moves by itself needs no force, any other motion has none."""
    robot = robots[name]
    q, zero = robot.random(5), np.zeros(robot.nv)
    falling = robot.forward_dynamics(q, zero, zero)
    assert np.abs(robot.inverse_dynamics(q, zero, falling, driven=[])).max() == 0
    for rows in (q, np.tile(q, (3, 1))):
        with pytest.raises(denoc.NotDriveable):
            robot.inverse_dynamics(rows, zero, zero, driven=[])
    single = robot.inverse_dynamics(q, zero, zero, driven=None)
    assert (single == robot.inverse_dynamics(q, zero, zero)).all() and np.abs(single).max() > 0
