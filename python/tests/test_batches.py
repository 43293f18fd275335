"""Many states leave nothing out: rotors, wrenches, springs, friction, joints that follow others, loops."""

import numpy as np
import pytest

import denoc

HAND = """name: hand
bodies:
  - {name: palm, parent: world, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0.1, 0, 0.05], inertia: [0.02, 0.03, 0.02, 0, 0, 0.001],
     actuator: {gear: 50, rotor_inertia: 1e-4}}
  - {name: one, parent: palm, frame: {xyz: [0.2, 0.05, 0]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0.3, com: [0.05, 0, 0],
     inertia: [1e-4, 3e-4, 3e-4, 0, 0, 0], spring: {stiffness: 3, rest: 0.2}, friction: {viscous: 0.05, coulomb: 0.1, stribeck: [0.05, 4]}}
  - {name: two, parent: one, frame: {xyz: [0.1, 0, 0]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0.2, com: [0.04, 0, 0], inertia: [1e-4, 2e-4, 2e-4, 0, 0, 0]}
  - {name: three, parent: two, frame: {xyz: [0.08, 0, 0]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0.1, com: [0.03, 0, 0], inertia: [1e-5, 1e-4, 1e-4, 0, 0, 0]}
  - {name: thumb, parent: palm, frame: {xyz: [0.1, -0.1, 0]}, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 0.2, com: [0, 0, 0.02], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0]}
loops:
  - {type: coupler, a: {body: two}, b: {body: three}, ratio: 0.7, offset: 0.05}
  - {type: coupler, a: {body: one}, b: {body: two}, ratio: -0.8, offset: 0.1}
  - {type: coupler, a: {body: one}, b: {body: thumb}, ratio: 0.03, offset: 0.0}
"""
EPS = np.finfo(float).eps


@pytest.fixture(scope="module")
def hand():
    return denoc.load(HAND)


def rows_of(robot, count, seed=1):
    """q, v, a of a hand: the joints that follow do."""
    rng = np.random.default_rng(seed)
    q, v, a = rng.uniform(-1, 1, (3, count, robot.nv))
    for x, offset in ((q, 1), (v, 0), (a, 0)):
        x[:, 2] = -0.8 * x[:, 1] + 0.1 * offset
        x[:, 3] = 0.7 * x[:, 2] + 0.05 * offset
        x[:, 4] = 0.03 * x[:, 1]
    return q, v, a


@pytest.mark.parametrize("forces", [False, True])
def test_joints_that_follow_are_eliminated(hand, forces):
    q, v, a = rows_of(hand, 101)
    wrenches = {"three": np.random.default_rng(2).normal(size=(101, 6)), "palm": [1, 2, 3, 4, 5, 6]}
    tau = hand.inverse_dynamics(q, v, a, wrenches=wrenches, forces=forces)
    assert (tau[:, 2:] == 0).all()  # the others give all of it
    back = hand.forward_dynamics(q, v, tau, wrenches=wrenches, forces=forces)
    for k in range(0, 101, 10):
        on = {"three": wrenches["three"][k], "palm": wrenches["palm"]}
        one = hand.inverse_dynamics(q[k], v[k], a[k], wrenches=on, forces=forces)
        assert np.abs(tau[k] - one).max() <= 256 * EPS * (10 + np.abs(one).max())
        other = hand.forward_dynamics(q[k], v[k], tau[k], wrenches=on, forces=forces)
        assert np.abs(back[k] - other).max() <= 1e-9 * max(1, np.abs(other).max())
    assert np.abs(back - a).max() <= 1e-9 * np.abs(a).max()
    for threads in (1, 2):
        assert (hand.inverse_dynamics(q, v, a, wrenches=wrenches, forces=forces, threads=threads) == tau).all()
        assert (hand.forward_dynamics(q, v, tau, wrenches=wrenches, forces=forces, threads=threads) == back).all()


def test_in_float32_too(hand):
    exact = rows_of(hand, 40)
    q, v, a = (x.astype(np.float32) for x in exact)
    tau = hand.inverse_dynamics(q, v, a, forces=True)
    assert tau.dtype == np.float32
    want = hand.inverse_dynamics(*exact, forces=True)
    assert np.abs(tau - want).max() <= 1000 * np.finfo(np.float32).eps * np.abs(want).max()
    back = hand.forward_dynamics(q, v, tau, forces=True)
    assert back.dtype == np.float32 and np.abs(back - a).max() <= 1e-2 * np.abs(a).max()


def test_rows_that_open_a_coupling_are_refused(hand):
    q, v, a = rows_of(hand, 20)
    want = hand.inverse_dynamics(q, v, a, forces=False)
    q[7, 2] += 0.01
    with pytest.raises(denoc.NotAssembled, match="row 7"):
        hand.inverse_dynamics(q, v, a, forces=False)
    found = hand.inverse_dynamics(q, v, a, forces=False, errors="nan")
    assert np.isnan(found[7]).all() and (np.delete(found, 7, 0) == np.delete(want, 7, 0)).all()
    q, v, a = rows_of(hand, 20)
    a[3, 4] += 1
    with pytest.raises(denoc.NotDriveable, match="row 3"):
        hand.inverse_dynamics(q, v, a, forces=False)
    v[5, 2] += 1
    with pytest.raises(denoc.NotAssembled, match="row 5"):
        hand.forward_dynamics(q, v, a, forces=False)


def test_a_follower_without_inertia_moves_with_its_leader():
    robot = denoc.load(HAND.replace("mass: 0.2, com: [0, 0, 0.02], inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0]", "mass: 0"))
    q, v, a = rows_of(robot, 9)
    tau = robot.inverse_dynamics(q, v, a, forces=False)
    back = robot.forward_dynamics(q, v, tau, forces=False)
    assert np.abs(back - a).max() <= 1e-8 * np.abs(a).max()


def test_forces_of_every_kind(robots):
    for name in denoc.shipped_robots():
        robot = robots[name] if name in robots else denoc.load(name)
        if not robot.forces or robot.has_loops or robot.nv > 60:
            continue
        q = np.array([robot.random(k) for k in range(19)])
        v, a = np.random.default_rng(3).normal(size=(2, 19, robot.nv))
        tau = robot.inverse_dynamics(q, v, a, forces=True)
        for k in (0, 7, 18):
            one = robot.inverse_dynamics(q[k], v[k], a[k], forces=True)
            parts = np.abs(robot.inverse_dynamics(q[k], v[k], a[k], forces=False)).max() + np.abs(one).max()
            assert np.abs(tau[k] - one).max() <= 256 * EPS * robot.nv * parts, name
