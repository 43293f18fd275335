"""Derivatives at many states, what torques are linear in, and gradients through steps of time."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import TREES, states

import denoc

EPS = np.finfo(float).eps


def largest(*arrays):
    return max(1e-300, *(np.abs(x).max() for x in arrays))


# Derivatives in batches.


@pytest.mark.parametrize("name", TREES)
def test_derivatives_of_many_states_are_those_of_each(robots, name):
    robot = robots[name]
    q, v, a = states(robot, 21, 37)
    tau = robot.inverse_dynamics(q, v, a)
    for many, one in (
        (robot.derivatives(q, v, a), lambda k: robot.derivatives(q[k], v[k], a[k])),
        (robot.forward_derivatives(q, v, tau), lambda k: robot.forward_derivatives(q[k], v[k], tau[k])),
    ):
        for k in range(0, 37, 9):
            condition = np.linalg.cond(robot.inertia(q[k]))
            for found, single in zip(many, one(k)):
                assert found.shape == (37, robot.nv, robot.nv) and found.flags.c_contiguous
                assert np.abs(found[k] - single).max() <= 256 * robot.nv * EPS * condition * largest(single)


def test_derivatives_take_axes_threads_and_a_place_for_the_result(puma):
    q, v, a = states(puma, 22, 600)
    want = puma.derivatives(q, v, a)
    grid = puma.derivatives(q.reshape(20, 30, 6), v.reshape(20, 30, 6), a.reshape(20, 30, 6))
    out = np.empty((3, 600, 6, 6))
    into = puma.derivatives(q, v, a, out=out)
    for k, part in enumerate(want):
        assert (grid[k].reshape(600, 6, 6) == part).all()
        assert np.shares_memory(into[k], out) and (out[k] == part).all()
        for threads in (1, 2, 3):
            assert (puma.derivatives(q, v, a, threads=threads)[k] == part).all()
    assert puma.derivatives(q[:5], v[0], a[0]).dq.shape == (5, 6, 6)
    single = puma.forward_derivatives(*(x.astype(np.float32) for x in (q, v, a)))
    assert single.dtau.dtype == np.float32 and single.dtau.shape == (600, 6, 6)
    with pytest.raises(denoc.ArgumentError, match=r"out is .*\(3, 600, 6, 6\)"):
        puma.derivatives(q, v, a, out=np.empty((600, 6, 6)))


def test_derivatives_of_many_states_leave_nothing_out(robots):
    robot = denoc.load("friction_pendulum")
    q, v, a = np.linspace(-1, 1, 9)[:, None], np.linspace(0.5, 2, 9)[:, None], np.zeros((9, 1))
    h = 1e-6
    for forces in (True, False):
        dv = robot.derivatives(q, v, a, forces=forces).dv[:, 0, 0]
        change = (robot.inverse_dynamics(q, v + h, a, forces=forces) - robot.inverse_dynamics(q, v - h, a, forces=forces)) / (2 * h)
        assert np.abs(dv - change[:, 0]).max() <= 1e-7 * max(1, np.abs(change).max())
    puma = robots["puma560"]
    q, v, a = states(puma, 23, 12)
    wrenches = {"link6": np.random.default_rng(1).normal(size=(12, 6))}
    for axes in ("body", "world"):
        many = puma.derivatives(q, v, a, wrenches=wrenches, wrench_axes=axes)
        one = puma.derivatives(q[7], v[7], a[7], wrenches={"link6": wrenches["link6"][7]}, wrench_axes=axes)
        assert np.abs(many.dq[7] - one.dq).max() <= 1e-11 * largest(one.dq)


def test_rows_without_derivatives_are_told(puma, robots):
    q, v, a = states(puma, 24, 300)
    q[17, 3] = np.nan
    for call in (puma.derivatives, puma.forward_derivatives):
        with pytest.raises(denoc.ArgumentError, match=r"row 17: q\[3\] of joint 'link4' is nan"):
            call(q, v, a)
        found = call(q, v, a, errors="nan").dq
        assert np.isnan(found[17]).all() and np.isfinite(np.delete(found, 17, 0)).all()
    linkage = robots["fourbar"]
    q, zero = linkage.random(1), np.zeros(linkage.nv)
    for posture in (q, np.array([q] * 3)):
        with pytest.raises(denoc.NotCovered, match="open"):
            linkage.derivatives(posture, zero, zero)
        tree = linkage.derivatives(posture, zero, zero, loops="open")
        assert np.abs(tree.da - linkage.inertia(posture, loops="open")).max() <= 1e-12 * largest(tree.da)
        assert np.isfinite(linkage.forward_derivatives(posture, zero, zero).dq).all()


# Second derivatives, and what loops and joints transmit.


def along(robot, f, q, k, h):
    """Derivatives of f(q) along the tangent coordinate k: five points, which leaves h^4 and eps / h."""
    d = np.eye(robot.nv)[k]
    a, b, e, g = (f(robot.integrate(q, s * h * d)) for s in (1, -1, 2, -2))
    return (8 * (a - b) - (e - g)) / (12 * h)


@pytest.mark.parametrize("name", ["puma560", "floating_dual_arm"])
def test_second_derivatives_are_the_change_of_first_ones(robots, name):
    robot = robots[name]
    (q,), (v,), (a,) = states(robot, 41, 1)
    weights = np.random.default_rng(1).normal(size=robot.nv)
    found = robot.second_derivatives(q, v, a, weights)
    each = robot.second_derivatives_of_each(q, v, a)
    for one, all_of_them in zip(found, each):
        assert one.shape == (robot.nv,) * 2 and all_of_them.shape == (robot.nv,) * 3
        sums = np.einsum("i,ijk->jk", weights, all_of_them)
        assert np.abs(one - sums).max() <= 500 * robot.nv * EPS * largest(all_of_them) * largest(weights)
    assert (found.dqq == found.dqq.T).all()
    h = 1e-3
    change = np.array([[weights @ part for part in along(robot, lambda p: np.array(robot.derivatives(p, v, a)), q, k, h)]
                       for k in range(robot.nv)])  # fmt: skip
    # h^4 (fifth derivatives of sines are as large as they are) and rounding of first derivatives, eps / h of them
    tolerance = 10 * (h**4 + EPS / h) * largest(*robot.derivatives(q, v, a)) * np.abs(weights).sum()
    assert np.abs(found.dqq - (change[:, 0] + change[:, 0].T) / 2).max() <= tolerance
    assert np.abs(found.dqv - change[:, 1]).max() <= tolerance
    assert np.abs(found.dqa - change[:, 2]).max() <= tolerance
    many = robot.second_derivatives(np.array([q, q]), v, a, weights)
    assert (many.dqq[1] == found.dqq).all() and many.dvv.shape == (2, robot.nv, robot.nv)


def test_second_derivatives_are_the_change_of_those_of_pinocchio(tmp_path):
    """(Its own second ones are not in its Python module.)"""
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    links = "".join(
        f'<link name="l{k}"><inertial><origin xyz="0.1 {0.05 * k} 0.2"/><mass value="{1 + k}"/>'
        '<inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0.01" ixz="0.02" iyz="0.005"/></inertial></link>'
        for k in range(5)
    )
    hinges = "".join(
        f'<joint name="j{k}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="{axis}"/>'
        f'<limit lower="-9" upper="9" effort="1" velocity="1"/><origin xyz="0.1 0.2 {0.3 + 0.1 * k}" rpy="0.1 {0.2 * k} 0.3"/></joint>'
        for k, axis in enumerate(("0 0 1", "0 1 0", "1 0 0", "0 1 0"))
    )
    text = f'<robot name="arm">{links}{hinges}</robot>'
    robot, model = denoc.load(text), pin.buildModelFromXML(text)
    q, v, a = np.random.default_rng(4).normal(size=(3, 4))

    data = model.createData()  # (what it gives lies there)

    def first(at_q, at_v):
        by_q, by_v, inertia = pin.computeRNEADerivatives(model, data, at_q, at_v, a)
        return np.array([by_q, by_v, np.triu(inertia) + np.triu(inertia, 1).T])

    h = 1e-3
    by_q = np.array([along(robot, lambda p: first(p, v), q, k, h) for k in range(4)])  # [k, part, i, j]
    by_v = np.array([along(robot, lambda w: first(q, w), v, k, h) for k in range(4)])
    found = robot.second_derivatives_of_each(q, v, a)
    tolerance = 10 * (h**4 + EPS / h) * largest(first(q, v))
    assert np.abs(found.dqq - by_q[:, 0].transpose(1, 2, 0)).max() <= tolerance
    assert np.abs(found.dqv - by_q[:, 1].transpose(1, 0, 2)).max() <= tolerance
    assert np.abs(found.dqa - by_q[:, 2].transpose(1, 0, 2)).max() <= tolerance
    assert np.abs(found.dvv - by_v[:, 1].transpose(1, 2, 0)).max() <= tolerance


def test_what_joints_and_loops_transmit_changes_as_told(robots):
    linkage, arm = robots["fourbar"], robots["puma560"]
    (q,), (v,), (a,) = states(arm, 42, 1)
    found = arm.reaction_derivatives(q, v, a)
    assert found.dq.shape == (len(arm.bodies) + 1, 6, arm.nv)

    def reactions(p):
        return np.concatenate([arm.reactions(p, v, a).world[None], arm.reactions(p, v, a).bodies])

    h = 1e-3
    for k in range(arm.nv):
        assert np.abs(found.dq[..., k] - along(arm, reactions, q, k, h)).max() <= 10 * (h**4 + EPS / h) * largest(reactions(q))
    # R(q, v, tau(q, v, a)) is R(q, v, a)
    tau = arm.inverse_dynamics(q, v, a)
    forward, of_tau = arm.forward_reaction_derivatives(q, v, tau), arm.derivatives(q, v, a)
    assert np.abs(forward.dq + forward.dtau @ of_tau.dq - found.dq).max() <= 1e-10 * largest(forward.dq)
    posture, zero = linkage.random(1), np.zeros(linkage.nv)
    rows = linkage.multipliers(posture, zero, zero).values.shape[-1]
    assert linkage.multiplier_derivatives(posture, zero, zero).dq.shape == (rows, linkage.nv)
    assert linkage.forward_reaction_derivatives(posture, zero, zero).dtau.shape == (len(linkage.bodies) + 1, 6, linkage.nv)
    with pytest.raises(denoc.NotCovered, match="open"):
        linkage.reaction_derivatives(posture, zero, zero)
    with pytest.raises(denoc.ArgumentError, match="no loops"):
        arm.multiplier_derivatives(q, v, tau)


def test_postures_follow_their_independent_joints(robots):
    robot = robots["fourbar"]
    q = robot.random(3)
    found = robot.assembly_derivatives(q)
    assert found.first.shape == (3, 1) and found.second.shape == (3, 1, 1) and len(found.independent) == 1
    for h in (1e-2, 1e-3):
        u = np.array([h])
        d = found.first @ u + u @ found.second @ u / 2
        closed = robot.assemble(robot.integrate(q, d))
        assert np.abs(robot.difference(robot.integrate(q, d), closed)).max() <= 100 * h**3 * (1 + largest(found.second)) ** 2
    joint = str(robot.joints[1])
    assert robot.assembly_derivatives(q, [joint]).first[1, 0] == 1
    with pytest.raises(denoc.ArgumentError, match="no loops"):
        robots["puma560"].assembly_derivatives(robots["puma560"].neutral())


# The regressor.


def rounding_of(robot, Y, values):
    """What rounding explains of Y pi: entries come through as many frames as there are bodies, some 30 operations each, and
    a row of them adds up; all in parts of the largest sum of |Y| |pi|."""
    return (30 * len(robot.bodies) + len(values)) * EPS * (np.abs(Y) @ np.abs(values)).max()


@pytest.mark.parametrize("name", TREES)
def test_torques_are_linear_in_the_parameters(robots, name):
    robot = robots[name]
    q, v, a = states(robot, 31, 7)
    names, values = robot.parameters()
    Y = robot.regressor(q, v, a)
    assert Y.shape == (7, robot.nv, len(names)) and values.shape == (len(names),)
    tau = robot.inverse_dynamics(q, v, a, forces=False)
    assert np.abs(Y @ values - tau).max() <= rounding_of(robot, Y, values)
    assert (robot.regressor(q[3], v[3], a[3]) == Y[3]).all()
    assert (robot.regressor(q, v, a, threads=2) == Y).all()


def test_friction_has_columns_of_its_own():
    robot = denoc.load(
        "bodies:\n- {name: slide, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2, friction: {viscous: 3, coulomb: 0.5}}\n"
        "- {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.1, 0, 0, 0],\n"
        "   friction: {viscous: 0.2, coulomb: 0.1}, actuator: {gear: 10, rotor_inertia: 0.01}}\n"
    )
    q, v, a = np.random.default_rng(3).normal(size=(3, 50, 2))
    names, values = robot.parameters(friction=True)
    assert {"slide.viscous", "slide.coulomb", "arm.rotor", "arm.m", "arm.Izx"} <= set(names)
    assert values[names.index("arm.rotor")] == 1 and values[names.index("slide.coulomb")] == 0.5
    tau = robot.inverse_dynamics(q, v, a, forces=True)
    Y = robot.regressor(q, v, a, friction=True)
    assert np.abs(Y @ values - tau).max() <= rounding_of(robot, Y, values)
    # a fit finds what can be told apart
    base = robot.base_parameters(friction=True)
    Y = robot.regressor(q, v, a, friction=True)[..., base.independent]
    found = np.linalg.lstsq(Y.reshape(-1, len(base.names)), tau.reshape(-1), rcond=None)[0]
    assert np.abs(found - base.relations @ values).max() <= 1e-10 * largest(values)


def test_base_parameters_give_the_same_torques(puma):
    q, v, a = states(puma, 32, 5)
    names, independent, relations = puma.base_parameters()
    assert len(names) == len(independent) == len(relations) < len(puma.parameters().names)
    Y = puma.regressor(q, v, a)
    assert np.linalg.matrix_rank(puma.regressor(*states(puma, 33, 40)).reshape(-1, Y.shape[-1])) == len(names)
    tau = puma.inverse_dynamics(q, v, a)
    assert np.abs(Y[..., independent] @ (relations @ puma.parameters().values) - tau).max() <= 1e-9 * largest(tau)


def test_a_regressor_of_loops_is_that_of_the_tree(robots):
    robot = robots["fourbar"]
    q, zero, a = robot.random(2), np.zeros(robot.nv), np.ones(robot.nv)
    with pytest.raises(denoc.NotCovered, match='loops="open"'):
        robot.regressor(q, zero, a)
    tau = robot.inverse_dynamics(q, zero, a, loops="open", forces=False)
    Y, values = robot.regressor(q, zero, a, loops="open"), robot.parameters().values
    assert np.abs(Y @ values - tau).max() <= rounding_of(robot, Y, values)


# Through time.

POLE = """bodies:
- {{name: cart, joint: {{type: prismatic, axis: [1, 0, 0]}}, mass: {cart}, friction: {{viscous: {viscous}}}}}
- {{name: pole, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}}
"""


def pole(cart=3.0, viscous=0.4):
    return denoc.load(POLE.format(cart=cart, viscous=viscous))


@pytest.fixture(scope="module")
def course():
    """A start, torques, and how a cost weighs the states: cost = sum of weights times states."""
    rng = np.random.default_rng(5)
    return rng.normal(size=2), rng.normal(size=2), rng.normal(size=(30, 2)), rng.normal(size=(31, 2)), rng.normal(size=(31, 2))


def cost(robot, course, q=0, v=0, tau=0):
    start_q, start_v, drive, by_q, by_v = course
    run = robot.rollout(start_q + q, start_v + v, drive + tau, 0.01)
    return (run.q * by_q).sum() + (run.v * by_v).sum()


def test_a_rollout_is_step_after_step(course):
    robot, (q, v, tau, *_) = pole(), course
    run = robot.rollout(q, v, tau, 0.01)
    sim = robot.simulation(q, v)
    for k in range(30):
        assert (run.q[k] == sim.q).all() and (run.v[k] == sim.v).all()
        sim.step(tau[k], 0.01)
    assert (run.q[30] == sim.q).all() and run.t[-1] == pytest.approx(0.3) and run.q.shape == run.v.shape == (31, 2)


def test_a_rollout_is_its_own_and_can_be_pickled(course):
    robot, tau = pole(), course[2].copy()
    run = robot.rollout(*course[:2], tau, 0.01, forces=False)
    tau[:] = 7
    assert (run.tau == course[2]).all()
    gradient = run.gradient(*course[3:])
    run.tau[:] = 7
    again = pickle.loads(pickle.dumps(run))
    assert (again.tau == course[2]).all() and (again.q == run.q).all() and (again.t == run.t).all()
    for by, same in zip(again.gradient(*course[3:]), gradient):
        assert (by == same).all()


def test_gradients_of_a_run_are_those_of_small_changes(course):
    robot = pole()
    gradient = robot.rollout(*course[:3], 0.01).gradient(*course[3:], friction=True)
    rng, h = np.random.default_rng(6), 1e-6
    for name, by in (("q", gradient.q), ("v", gradient.v), ("tau", gradient.tau)):
        along = rng.normal(size=by.shape)
        change = (cost(robot, course, **{name: h * along}) - cost(robot, course, **{name: -h * along})) / (2 * h)
        assert (by * along).sum() == pytest.approx(change, rel=1e-6, abs=1e-7)
    names = robot.parameters(friction=True).names
    assert gradient.parameters.shape == (len(names),)
    for name, option, value in (("cart.m", "cart", 3.0), ("cart.viscous", "viscous", 0.4)):
        change = (cost(pole(**{option: value + h}), course) - cost(pole(**{option: value - h}), course)) / (2 * h)
        assert gradient.parameters[names.index(name)] == pytest.approx(change, rel=1e-5, abs=1e-6)
    assert robot.rollout(*course[:3], 0.01).gradient(course[3]).parameters.shape == (0,)


def test_derivatives_of_a_step_are_those_of_small_changes(course):
    robot, (q, v, tau, *_) = pole(), course
    after_q, after_v, A, B = robot.step_derivatives(q, v, tau[0], 0.01)
    sim = robot.simulation(q, v)
    sim.step(tau[0], 0.01)
    assert np.abs(after_q - sim.q).max() <= 1e-14 * largest(q) and np.abs(after_v - sim.v).max() <= 1e-14 * largest(v) * 10
    x, h = np.concatenate([q, v]), 1e-6
    for k in range(4):
        d = h * np.eye(4)[k]
        ends = [robot.step_derivatives(*np.split(x + s * d, 2), tau[0], 0.01) for s in (1, -1)]
        change = np.concatenate([ends[0].q - ends[1].q, ends[0].v - ends[1].v]) / (2 * h)
        assert np.abs(A[:, k] - change).max() <= 1e-8 * largest(A)
    assert B.shape == (4, 2)


def test_gradients_go_through_turns(robots):
    """A free base: gradients by q are on the tangent space of q."""
    robot = robots["floating_dual_arm"]
    rng, n, h = np.random.default_rng(8), robot.nv, 1e-3
    q, v, tau = robot.random(1), rng.normal(size=n), rng.normal(size=(20, n))
    weights, by_v = rng.normal(size=(21, n)), rng.normal(size=(21, n))
    centre = robot.rollout(q, v, tau, 0.01)

    def cost(start, rates, drive):
        run = robot.rollout(start, rates, drive, 0.01)
        return (weights * robot.difference(centre.q, run.q)).sum() + (by_v * run.v).sum()

    # at the run itself the difference moves as its end does
    gradient = centre.gradient(weights, by_v)
    for by, moved in (
        (gradient.q, lambda d: cost(robot.integrate(q, d), v, tau)),
        (gradient.v, lambda d: cost(q, v + d, tau)),
        (gradient.tau, lambda d: cost(q, v, tau + d)),
    ):
        d = rng.normal(size=by.shape)
        a, b, e, g = (moved(s * h * d) for s in (1, -1, 2, -2))
        # h^4 of a function that changes by its own size within 1, and rounding of the cost
        assert (by * d).sum() == pytest.approx((8 * (a - b) - (e - g)) / (12 * h), rel=1e-8, abs=1e-8)


def test_gradients_go_through_loops(robots):
    """Along closed starts, and by tau."""
    robot = robots["fourbar"]
    rng, n, h = np.random.default_rng(9), robot.nv, 1e-3
    q, tau = robot.random(1), rng.normal(size=(20, n))
    ratio = robot.assembly_derivatives(q).first[:, 0]
    by_q, by_v = rng.normal(size=(2, 21, n))

    def cost(u=0.0, d=0.0):
        start = robot.assemble(robot.integrate(q, u * ratio))
        run = robot.rollout(start, np.zeros(n), tau + d, 0.01)
        return (by_q * run.q).sum() + (by_v * run.v).sum()

    gradient = robot.rollout(q, np.zeros(n), tau, 0.01).gradient(by_q, by_v)
    change = rng.normal(size=tau.shape)
    for found, moved in ((gradient.q @ ratio, lambda x: cost(u=x)), ((gradient.tau * change).sum(), lambda x: cost(d=x * change))):
        a, b, e, g = (moved(s * h) for s in (1, -1, 2, -2))
        # h^4 of a function that changes by its own size within 0.1, and 1e-13 / h, to which loops are closed
        assert found == pytest.approx((8 * (a - b) - (e - g)) / (12 * h), rel=1e-7, abs=1e-8)


def test_what_gradients_do_not_know_is_refused_by_name(robots):
    text = (Path(__file__).resolve().parents[2] / "models" / "fourbar.yaml").read_text(encoding="utf-8")
    twice = denoc.load(text + text.splitlines()[-1] + "\n")
    run = twice.rollout(twice.random(1), np.zeros(twice.nv), np.zeros((2, twice.nv)), 0.01)
    with pytest.raises(denoc.NotCovered, match="fourbar: rows of its loops depend on each other"):
        run.gradient(np.ones((3, twice.nv)))
    robot = pole()
    zero = np.zeros(2)
    for tau, dt, words in (
        (zero, 0.01, r"tau has the shape \(2,\); \(N, 2\)"),
        (np.zeros((3, 1)), 0.01, r"tau has the shape \(3, 1\)"),
        (np.full((3, 2), np.nan), 0.01, "tau has entries that are not finite"),
        (np.zeros((3, 2)), 0, "dt is 0"),
        (np.zeros((3, 2)), "long", "dt is 'long'"),
    ):
        with pytest.raises(denoc.ArgumentError, match=words):
            robot.rollout(zero, zero, tau, dt)
    run = robot.rollout(zero, zero, np.zeros((3, 2)), 0.01, forces=False)
    with pytest.raises(denoc.ArgumentError, match=r"by_q has the shape \(3, 2\); \(4, 2\)"):
        run.gradient(np.zeros((3, 2)))
    with pytest.raises(denoc.ArgumentError, match="forces=True"):
        run.gradient(np.zeros((4, 2)), friction=True)
