"""The laws of mechanics, through Python, at states that hypothesis chooses."""

import numpy as np
import pytest
from conftest import TREES, states
from hypothesis import given, settings
from hypothesis import strategies as st

import denoc

EPS = np.finfo(float).eps
seeds = st.integers(0, 2**32 - 1)
robots = {name: denoc.load(name) for name in TREES}
names = st.sampled_from(TREES)
law = settings(max_examples=40, deadline=None)


def size(*arrays):
    return max(1e-300, *(np.abs(x).max() for x in arrays))


@law
@given(names, seeds)
def test_inverse_dynamics_is_inertia_and_bias(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    inertia, bias, tau = robot.inertia(q), robot.bias(q, v), robot.inverse_dynamics(q, v, a)
    bound = 64 * robot.nv * EPS * (np.abs(inertia) @ np.abs(a) + np.abs(bias) + np.abs(tau)).max()
    assert np.abs(inertia @ a + bias - tau).max() <= bound
    assert (inertia == inertia.T).all()


@law
@given(names, seeds)
def test_forward_undoes_inverse(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    inertia = robot.inertia(q)
    back = robot.forward_dynamics(q, v, robot.inverse_dynamics(q, v, a))
    bias = robot.bias(q, v)
    wrong = np.abs(inertia @ (back - a)).max()
    assert wrong <= 256 * robot.nv * EPS * (np.abs(inertia) @ (np.abs(a) + np.abs(back)) + np.abs(bias)).max()


@law
@given(names, seeds)
def test_power_of_the_drives_is_the_rate_of_energy(name, seed):
    # E(t + h) - E(t - h) over 2 h, along the motion: the error is of order h^2.
    robot = robots[name]
    q, v, a = states(robot, seed)
    h = 1e-5
    after = sum(robot.energy(robot.integrate(q, h * v + h * h / 2 * a), v + h * a))
    before = sum(robot.energy(robot.integrate(q, -h * v + h * h / 2 * a), v - h * a))
    power = robot.inverse_dynamics(q, v, a) @ v
    scale = max(abs(power), size(robot.inverse_dynamics(q, v, a)) * size(v), abs(after) * EPS / h)
    assert abs((after - before) / (2 * h) - power) <= 1e-6 * scale * robot.nv


@law
@given(names, seeds)
def test_kinetic_energy_is_half_of_v_inertia_v(name, seed):
    robot = robots[name]
    q, v, _ = states(robot, seed)
    kinetic, _ = robot.energy(q, v)
    assert kinetic == pytest.approx(v @ robot.inertia(q) @ v / 2, rel=1e-12)


@law
@given(names, seeds)
def test_factors_and_inverse_are_those_of_the_inertia_matrix(name, seed):
    robot = robots[name]
    q = robot.random(seed)
    inertia = robot.inertia(q)
    U, D = robot.factors(q)
    assert np.abs((U * D) @ U.T - inertia).max() <= 64 * robot.nv * EPS * size(inertia)
    assert (np.tril(U, -1) == 0).all() and (np.diag(U) == 1).all()
    inverse = robot.inertia_inverse(q)
    bound = 64 * robot.nv * EPS * np.linalg.cond(inertia)
    assert np.abs(inverse @ inertia - np.eye(robot.nv)).max() <= bound


@law
@given(names, seeds)
def test_jacobian_is_twist_of_pose(name, seed):
    robot = robots[name]
    q, v, _ = states(robot, seed)
    body, point = robot.bodies[seed % len(robot.bodies)], [0.1, -0.2, 0.3]
    twist = robot.jacobian(q, body, point) @ v
    assert np.abs(twist - robot.twist(q, v, body, point)).max() <= 1e-12 * size(twist, v)
    h = 1e-6
    after, before = (robot.pose(robot.integrate(q, s * h * v), body, point) for s in (1, -1))
    rate = (after - before) / (2 * h)
    assert np.abs(rate[:3, 3] - twist[3:]).max() <= 1e-7 * size(twist, v) * 10
    spin = rate[:3, :3] @ robot.pose(q, body)[:3, :3].T
    assert np.abs([spin[2, 1], spin[0, 2], spin[1, 0]] - twist[:3]).max() <= 1e-7 * size(twist, v) * 10
    in_body = robot.jacobian(q, body, point, axes="body")
    R = robot.pose(q, body)[:3, :3]
    turned = np.kron(np.eye(2), R) @ in_body
    assert np.abs(turned - robot.jacobian(q, body, point)).max() <= 1e-13 * size(in_body) * 10


@law
@given(names, seeds)
def test_a_wrench_acts_by_the_transposed_jacobian(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    body = robot.bodies[seed % len(robot.bodies)]
    wrench = np.random.default_rng(seed).normal(size=6) * 10
    free = robot.inverse_dynamics(q, v, a)
    held = robot.inverse_dynamics(q, v, a, wrenches={body: wrench})
    J = robot.jacobian(q, body, axes="body")
    assert np.abs(free - held - J.T @ wrench).max() <= 1e-12 * size(free, held, J.T @ wrench)


@law
@given(names, seeds)
def test_integrate_and_difference_undo_each_other(name, seed):
    robot = robots[name]
    q, p = robot.random(seed), robot.random(seed + 1)
    d = robot.difference(q, p)
    there = robot.integrate(q, d)
    # a quaternion and its negative are one attitude
    assert np.abs(robot.difference(p, there)).max() <= 1e-12 * max(1, size(d))


@law
@given(names, seeds)
def test_momentum_is_the_centroidal_matrix_and_the_mass_centre(name, seed):
    robot = robots[name]
    q, v, _ = states(robot, seed)
    linear, angular = robot.momentum(q, v)
    A, centre = robot.centroidal_momentum_matrix(q), robot.mass_centre(q)
    assert np.abs(A[3:] @ v - linear).max() <= 1e-11 * size(linear, A)
    assert np.abs(A[:3] @ v + np.cross(centre, linear) - angular).max() <= 1e-11 * size(angular, A, linear)
    assert np.abs(robot.mass_centre_jacobian(q) * robot.mass - A[3:]).max() <= 1e-11 * size(A)


@law
@given(names, seeds)
def test_methods_agree(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    tau = robot.inverse_dynamics(q, v, a)
    inertia = robot.inertia(q)
    for method in denoc.methods()["inverse"]:
        other = robot.inverse_dynamics(q, v, a, method=method.name)
        assert np.abs(other - tau).max() <= 1e-10 * size(tau), method.name
    for method in denoc.methods()["inertia"]:
        assert np.abs(robot.inertia(q, method=method.name) - inertia).max() <= 1e-10 * size(inertia), method.name
    for method in denoc.methods()["forward"]:
        other = robot.forward_dynamics(q, v, tau, method=method.name)
        assert np.abs(other - a).max() <= 64 * robot.nv * EPS * np.linalg.cond(inertia) * size(a, other), method.name


@law
@given(names, seeds)
def test_reactions_give_tau_along_the_axes(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    bodies, world = robot.reactions(q, v, a)
    tau = robot.inverse_dynamics(q, v, a)
    linear = sum(body.mass for body in robot.bodies) * robot.gravity_vector
    assert bodies.shape == (len(robot.bodies), 6) and world.shape == (6,)
    for k, body in enumerate(robot.bodies):
        for joint in robot.joints:
            if joint.body == body and joint.type == "free":  # all that the world gives is tau
                assert np.abs(bodies[k] - tau[joint.v]).max() <= 1e-10 * size(tau, linear)


@law
@given(names, seeds)
def test_derivatives_are_those_of_small_changes(name, seed):
    robot = robots[name]
    q, v, a = states(robot, seed)
    along, h = np.random.default_rng(seed).normal(size=robot.nv), 1e-5
    dq, dv, da = robot.derivatives(q, v, a)
    tau = robot.inverse_dynamics(q, v, a)
    for derivative, after, before in (
        (dq, (robot.integrate(q, h * along), v, a), (robot.integrate(q, -h * along), v, a)),
        (dv, (q, v + h * along, a), (q, v - h * along, a)),
        (da, (q, v, a + h * along), (q, v, a - h * along)),
    ):
        change = (robot.inverse_dynamics(*after) - robot.inverse_dynamics(*before)) / (2 * h)
        # what is left out of a central difference is of order h^2, rounding eps/h
        assert np.abs(derivative @ along - change).max() <= 1e-6 * size(change, tau, derivative @ along)
    assert np.abs(da - robot.inertia(q)).max() <= 1e-12 * size(da)
    fdq, fdv, fdtau = robot.forward_derivatives(q, v, tau)
    # da = -I^-1 dtau at the same state
    for forward, inverse in ((fdq, dq), (fdv, dv), (-fdtau, np.eye(robot.nv))):
        assert np.abs(da @ forward + inverse).max() <= 1e-9 * size(inverse, da)
    rows = robot.derivatives(np.array([q, q]), v, a)
    assert rows.dq.shape == (2, robot.nv, robot.nv) and np.abs(rows.dq[1] - dq).max() <= 64 * robot.nv * EPS * size(dq)
