"""What is asked of a robot besides its dynamics: postures for poses, motions, laws, linear models, counts."""

import json
import os
import pickle
import subprocess

import numpy as np
import pytest
from conftest import with_command_line

import denoc

EPS = np.finfo(float).eps


def test_every_posture_of_an_arm_with_a_wrist_is_found(puma):
    q = np.array([0.3, -0.5, 0.7, 0.2, 0.6, -0.4])
    pose = puma.pose(q, "link6")
    found = puma.inverse_kinematics("link6", pose, start=q)
    assert len(found) == 8 and len({s.branch for s in found}) == 8
    assert np.abs(found[0].q - q).max() <= 1e-9 and found[0].distance <= 1e-9
    assert [s.distance for s in found] == sorted(s.distance for s in found)
    for s in found:
        assert s.gap <= 1e-9 and np.abs(puma.pose(s.q, "link6") - pose).max() <= 1e-9
        assert isinstance(s.within_limits, bool)
    assert [s.branch for s in puma.ik("link6", pose, start=q)] == [s.branch for s in found]


def test_bodies_of_closed_chains_are_brought_there_with_their_loops_closed(robots):
    robot = robots["fourbar"]
    q = robot.random(2)
    there = robot.pose(q, "coupler")[:3, 3]
    (found,) = robot.ik("coupler", there, start=robot.assemble(q + 0.1))
    assert np.abs(robot.pose(found.q, "coupler")[:3, 3] - there).max() <= 1e-9
    assert np.abs(robot.assemble(found.q) - found.q).max() <= 1e-9


def test_positions_and_points_are_reached(robots):
    robot = robots["kuka_kr5"]
    body, point = robot.bodies[-1], [0.05, 0, 0.1]
    q = robot.random(3)
    there = robot.pose(q, body, point)[:3, 3]
    (found,) = robot.ik(body, there, point=point, start=q + 0.2)
    assert np.abs(robot.pose(found.q, body, point)[:3, 3] - there).max() <= 1e-8
    with pytest.raises(denoc.Unreachable, match="reach|misses|far"):
        robot.ik(body, [100, 0, 0])
    for wrong, words in (
        (np.eye(3), r"pose has the shape \(3, 3\)"),
        (2 * np.eye(4), "no rotation"),
        (np.diag([1.0, 1, -1, 1]), "no rotation"),
        ([0, 0, np.nan], "finite"),
    ):
        with pytest.raises(denoc.ArgumentError, match=words):
            robot.ik(body, wrong)


def test_ik_does_not_open_loops(robots):
    robot = robots["fourbar"]
    body = robot.bodies[-1]
    with pytest.raises(denoc.Error):
        robot.ik(body, robot.pose(robot.random(1), body)[:3, 3] + [0.3, 0.2, 0])
    # what no loop holds moves as it likes
    assert robots["puma560"].ik("link6", robots["puma560"].pose(np.full(6, 0.3), "link6"))


def test_motions_are_functions_of_time(puma, robots):
    goal = puma.random(4)
    motion = puma.motion({"type": "point_to_point", "from": np.zeros(6), "to": goal, "duration": 2.0})
    assert motion.duration == 2
    q, v, a = motion(0.0)
    assert q.shape == v.shape == a.shape == (6,) and (q == 0).all() and np.abs(v).max() <= 1e-12
    t = np.linspace(0, 2, 12).reshape(3, 4)
    q, v, a = motion(t)
    assert q.shape == (3, 4, 6)
    assert np.abs(q[-1, -1] - goal).max() <= 1e-12
    h = 1e-5
    assert np.abs((motion(t + h).q - motion(t - h).q)[1] / (2 * h) - v[1]).max() <= 1e-7 * np.abs(v).max()
    assert puma.inverse_dynamics(q, v, a).shape == (3, 4, 6)
    with pytest.raises(denoc.RobotError, match="type"):
        puma.motion({"type": "nowhere"})
    still = robots["fourbar"].motion({"type": "hold"}, duration=1)  # where its loop is closed
    assert np.abs(still(0.5).q - robots["fourbar"].neutral()).max() <= 1e-12
    with pytest.raises(denoc.ArgumentError, match="finite"):
        motion(np.nan)
    for wrong in (0.5 + 1j, "0.5", b"0.5", ["0.5"], np.datetime64("2020-01-01"), [0.1, None]):
        with pytest.raises(denoc.ArgumentError, match="t: numbers of type .*; float64 or float32 is wanted"):
            motion(wrong)
    with pytest.raises(denoc.ArgumentError, match="t is None; .* numbers are wanted"):
        motion(None)
    with pytest.raises(denoc.ArgumentError, match="t: no array can be made of it"):
        motion([[0.1], [0.2, 0.3]])
    assert (motion(1).q == motion(1.0).q).all() and (motion([True]).q == motion([1.0]).q).all()
    for each in (motion, still):
        again = pickle.loads(pickle.dumps(each))
        assert again.duration == each.duration and again.robot == each.robot
        assert all((x == y).all() for x, y in zip(again(t), each(t)))


def test_laws_are_functions_of_the_state(puma):
    goal = puma.random(5)
    law = puma.control_law({"type": "computed_torque", "kp": 100, "kd": 20}, motion={"type": "hold"}, q=goal)
    q, v = puma.random(6), np.full(6, 0.2)
    want = puma.inertia(q) @ (100 * (goal - q) - 20 * v) + puma.bias(q, v)
    assert np.abs(law(0.5, q, v) - want).max() <= 1e-10 * np.abs(want).max()
    sim = puma.simulation(q)
    for _ in range(1000):
        sim.step(law(sim.t, sim.q, sim.v), 0.001)
    assert np.abs(sim.q - goal).max() <= 11 * np.exp(-10) * np.abs(goal - q).max() * 2  # e = e0 (1 + 10 t) exp(-10 t)
    assert (puma.control_law({"type": "none"})(0, q, v) == 0).all()


def test_a_linear_model_is_the_tangent_of_the_motion(robots):
    for name in ("puma560", "floating_dual_arm"):
        robot = robots[name]
        n = robot.nv
        rng = np.random.default_rng(1)
        q, v, tau = robot.random(1), rng.normal(size=n), rng.normal(size=n)
        A, B, inputs = robot.linearize(q, v, tau)
        dq, dv, dtau = robot.forward_derivatives(q, v, tau)
        assert A.shape == (2 * n, 2 * n) and B.shape == (2 * n, len(inputs))
        assert (A[n:, :n] == dq).all() and (A[n:, n:] == dv).all() and (B[n:] == dtau[:, list(inputs)]).all()
        assert (A[:n, n:] == np.eye(n)).all() and (B[:n] == 0).all()
        joint = robot.joints[-1]
        assert robot.linearize(q, v, tau, driven=[joint]).inputs == tuple(range(n)[joint.v])
        assert robot.linearize(np.array([q, q]), v).A.shape == (2, 2 * n, 2 * n)
    with pytest.raises(denoc.ArgumentError, match="no joint that moves"):
        robot.linearize(q, driven=["nobody"])


def test_an_equilibrium_is_at_rest():
    robot = denoc.load("pendulum")
    q = robot.equilibrium([0.4])
    assert np.abs(robot.forward_dynamics(q, [0.0], [0.0])).max() <= 1e-9
    with pytest.raises(denoc.Error, match="."):
        robot.equilibrium([0.4], [1e6])


def test_joints_without_a_drive_move_as_they_must():
    cart = denoc.load(
        "bodies:\n- {name: cart, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 3}\n"
        "- {name: pole, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}\n"
    )
    q, v = np.array([0.0, 0.3]), np.array([0.1, 0.2])
    a = cart.passive_accelerations(q, v, [1.5, 0.0], ["pole"], driven=["cart"])
    tau = cart.inverse_dynamics(q, v, a, driven=["cart"])
    assert a[0] == 1.5 and tau[1] == 0
    assert np.abs(cart.forward_dynamics(q, v, tau) - a).max() <= 1e-12 * np.abs(a).max()
    assert cart.passive_accelerations([q] * 3, v, [1.5, 0.0], ["pole"], driven=["cart"]).shape == (3, 2)
    with pytest.raises(denoc.ArgumentError, match="driven"):
        cart.passive_accelerations(q, v, [1.5, 0.0], ["cart"], driven=["cart"])


def test_loops_push_their_ends_apart(robots):
    robot = robots["fourbar"]
    q, zero, tau = robot.random(3), np.zeros(robot.nv), np.ones(robot.nv)
    both = robot.loop_wrenches(q, zero, tau)
    assert both.shape == (1, 2, 6)
    # I a + bias = tau + what the loop does to its ends
    ends = ("coupler", "rocker")
    a = robot.forward_dynamics(q, zero, tau)
    felt = robot.inertia(q, loops="open") @ a + robot.bias(q, zero, loops="open") - tau
    loads = sum(
        robot.jacobian(q, body, axes="body", loops="open").T @ wrench
        for body, wrench in zip(ends, both[0])
        if body in robot.bodies
    )
    assert np.abs(felt - loads).max() <= 1e-9 * max(1, np.abs(felt).max())


def test_wrenches_keep_their_axes(puma):
    q, v, a = puma.random(1), np.full(6, 0.3), np.full(6, -0.2)
    wrench, h = np.array([1.0, -2, 3, 10, 20, -30]), 1e-6
    along = np.random.default_rng(2).normal(size=6)
    R = puma.pose(q, "link6")[:3, :3]
    in_world = np.kron(np.eye(2), R) @ wrench

    def tau(s, turned):
        there = puma.integrate(q, s * h * along)
        back = np.kron(np.eye(2), puma.pose(there, "link6")[:3, :3].T) @ in_world
        return puma.inverse_dynamics(there, v, a, wrenches={"link6": back if turned else wrench})

    for axes in ("body", "world"):
        given = in_world if axes == "world" else wrench
        dq = puma.derivatives(q, v, a, wrenches={"link6": given}, wrench_axes=axes).dq
        change = (tau(1, axes == "world") - tau(-1, axes == "world")) / (2 * h)
        assert np.abs(dq @ along - change).max() <= 1e-6 * np.abs(change).max()


@with_command_line
def test_wrenches_in_the_worlds_axes_are_those_of_the_command_line(puma, tmp_path):
    q, w = puma.random(1), [1.0, -2, 3, 10, 20, -30]
    for axes in ("body", "world"):
        acting = [{"body": "link6", "moment": w[:3], "force": w[3:], "axes": axes}]
        (tmp_path / "state.json").write_text(json.dumps({"q": [*q], "wrenches": acting}))
        asked = [os.environ["DENOC_BINARY"], "derivatives", "puma560", "--state", tmp_path / "state.json", "--json"]
        said = json.loads(subprocess.run(asked, capture_output=True, text=True).stdout)
        z, how = np.zeros(6), {"wrenches": {"link6": w}, "wrench_axes": axes}
        for found, want in (
            (puma.derivatives(q, z, z, **how).dq, said["dtau_dq"]),
            (puma.derivatives([q, q], z, z, **how).dq[1], said["dtau_dq"]),
            (puma.forward_derivatives(q, z, z, **how).dq, said["da_dq"]),
            (puma.linearize(q, **how).A[6:, :6], said["da_dq"]),
        ):
            assert np.abs(found - want).max() <= 1e-12 * np.abs(want).max()


def test_a_force_in_the_worlds_axes_pulls_one_way():
    """Of two rods, the upper one hangs along what it carries, a force at its end included, and the lower one straight down."""
    rod = "joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0, 0, -0.5], inertia: [1, 1, 1, 0, 0, 0]"
    rods = denoc.load(f"bodies:\n- {{name: upper, {rod}}}\n- {{name: lower, frame: {{xyz: [0, 0, -1]}}, {rod}}}\n")
    aside = 5.0
    for start in (-0.1, 0.4):
        angle = -np.arctan2(aside, (2 / 2 + 2) * 9.81)
        q = rods.equilibrium([start, 0.2], wrenches={"lower": [0, 0, 0, aside, 0, 0]}, wrench_axes="world")
        assert q == pytest.approx([angle, -angle], abs=1e-9)


def test_counts_are_those_of_the_code_and_of_the_papers(puma):
    rows = {(row.problem, row.method): row for row in puma.counts()}
    inverse = rows["inverse", "denoc"]
    # the first axis is vertical: what its angle is does not matter
    assert inverse.executed.mul > inverse.folded.mul > 0 and (inverse.executed.sincos, inverse.folded.sincos) == (6, 5)
    assert {method.name for method in denoc.methods()["inverse"]} == {m for p, m in rows if p == "inverse"}
