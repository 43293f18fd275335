"""Arrays in and out: axes, types, memory, threads, and the messages for what does not fit."""

import gc
import inspect
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import TREES, states

import denoc


@pytest.mark.parametrize("name", TREES)
def test_many_states_are_one_and_one(robots, name):
    robot = robots[name]
    q, v, a = states(robot, 5, 37)
    body = robot.bodies[-1]
    tau = robot.inverse_dynamics(q, v, a)
    acc = robot.forward_dynamics(q, v, tau)
    for k in range(0, 37, 6):
        one = robot.inverse_dynamics(q[k], v[k], a[k])
        assert np.abs(tau[k] - one).max() <= 1e-12 * np.abs(one).max()
        other = robot.forward_dynamics(q[k], v[k], tau[k])
        assert np.abs(robot.inertia(q[k]) @ (acc[k] - other)).max() <= 1e-9 * max(1, np.abs(tau[k]).max())
    for call in (
        lambda *s: robot.inertia(s[0]),
        lambda *s: robot.bias(s[0], s[1]),
        lambda *s: robot.gravity(s[0]),
        lambda *s: robot.pose(s[0], body),
        lambda *s: robot.jacobian(s[0], body, [1, 2, 3], "body"),
        lambda *s: robot.twist(s[0], s[1], body),
        lambda *s: robot.jacobian_bias(s[0], s[1], body),
        lambda *s: robot.reactions(*s).bodies,
        lambda *s: np.stack(robot.energy(s[0], s[1]), -1),
        lambda *s: robot.mass_centre(s[0]),
        lambda *s: robot.integrate(s[0], s[1]),
        lambda *s: robot.factors(s[0]).U,
    ):
        all_at_once = call(q, v, a)
        assert (all_at_once == np.array([call(q[k], v[k], a[k]) for k in range(37)])).all()


def test_leading_axes_broadcast(puma):
    q, v, a = states(puma, 1, 12)
    q, v = q.reshape(3, 4, 6), v.reshape(3, 4, 6)[:1]
    tau = puma.inverse_dynamics(q, v, a[0])
    assert tau.shape == (3, 4, 6)
    for i in range(3):
        for j in range(4):
            assert np.allclose(tau[i, j], puma.inverse_dynamics(q[i, j], v[0, j], a[0]), rtol=1e-13, atol=1e-13)
    assert puma.inertia(q).shape == (3, 4, 6, 6)
    assert puma.pose(q, "link6").shape == (3, 4, 4, 4)
    kinetic, potential = puma.energy(q, v)
    assert kinetic.shape == potential.shape == (3, 4)
    wrenches = {"link6": np.ones((4, 6)), "link3": [1, 2, 3, 4, 5, 6]}
    assert puma.inverse_dynamics(q, v, a[0], wrenches=wrenches).shape == (3, 4, 6)
    assert puma.inverse_dynamics(np.empty((0, 6)), np.zeros(6), np.zeros(6)).shape == (0, 6)


def test_lists_integers_and_strides_are_welcome(puma):
    q, v, a = states(puma, 2, 8)
    want = puma.inverse_dynamics(q, v, a)
    assert (puma.inverse_dynamics(q.tolist(), v.tolist(), a.tolist()) == want).all()
    assert (puma.inverse_dynamics(np.asfortranarray(q), v[::-1][::-1], a) == want).all()
    assert (puma.inverse_dynamics([0] * 6, [1] * 6, [0] * 6) == puma.inverse_dynamics(np.zeros(6), np.ones(6), np.zeros(6))).all()
    frozen = q.copy()
    frozen.flags.writeable = False
    assert (puma.inverse_dynamics(frozen, v, a) == want).all()


def test_inertia_that_is_rounding_in_float32_alone_is_told():
    rod = denoc.load(
        "bodies:\n- {name: rod, joint: spherical, mass: 1, com: [0.5, 0, 0], inertia: [1.25e-7, 0.083333, 0.083333, 0, 0, 0]}\n"
    )
    q, none = rod.neutral().astype(np.float32), np.zeros(3, np.float32)
    assert np.abs(rod.forward_dynamics(rod.neutral(), np.zeros(3), np.zeros(3))).max() <= 15
    told = "^joint 'rod': in single precision the inertia it moves cannot be told from rounding here: ask in double precision$"
    with pytest.raises(denoc.SingularInertia, match=told) as singular:
        rod.forward_dynamics(q, none, none)
    assert singular.value.dof == 0  # about its own length
    with pytest.raises(denoc.SingularInertia, match="^row 0: joint 'rod': in single precision"):
        rod.forward_dynamics(np.array([q, q]), none, none)
    assert np.isnan(rod.forward_dynamics(q, none, none, errors="nan")).all()
    biped = denoc.load("spatial_biped")  # its joints move one another: the one that is named is the one that is refused
    q = np.array([biped.random(seed) for seed in range(200)], np.float32)
    bad = np.isnan(biped.forward_dynamics(q, q * 0, q * 0, errors="nan")).all(1)
    assert bad.any() and not bad.all()
    for row in np.flatnonzero(bad):
        with pytest.raises(denoc.SingularInertia, match="in single precision") as singular:
            biped.forward_dynamics(q[row], q[row] * 0, q[row] * 0)
        joint = biped.joints[singular.value.dof]
        assert f"joint '{joint}'" in str(singular.value)


def test_float32_stays_float32(puma):
    q, v, a = (x.astype(np.float32) for x in states(puma, 3, 9))
    wide = [x.astype(float) for x in (q, v, a)]
    for given, exact in ((puma.inverse_dynamics(q, v, a), puma.inverse_dynamics(*wide)),
                         (puma.inertia(q), puma.inertia(wide[0])),
                         (puma.inverse_dynamics(q[0], v[0], a[0]), puma.inverse_dynamics(*(x[0] for x in wide))),
                         (puma.pose(q, "link6"), puma.pose(wide[0], "link6"))):  # fmt: skip
        assert given.dtype == np.float32
        assert np.abs(given - exact).max() <= 200 * np.finfo(np.float32).eps * np.abs(exact).max()
    assert puma.inverse_dynamics(q, v, wide[2]).dtype == np.float64


def test_lists_beside_arrays_have_no_dtype(puma):
    q, v, a = (x.astype(np.float32) for x in states(puma, 3, 9))
    pull = [0, 0, 0, 0, 0, -10]
    for state in ((q, [0] * 6, [0.5] * 6), (q, v, [0.5] * 6), (q[0], tuple([0] * 6), [0] * 6)):
        found = puma.inverse_dynamics(*state, wrenches={"link6": pull, "link5": (0,) * 6})
        wide = puma.inverse_dynamics(*(np.asarray(x, float) for x in state), wrenches={"link6": pull})
        assert found.dtype == np.float32
        assert np.abs(found - wide).max() <= 200 * np.finfo(np.float32).eps * np.abs(wide).max()
    assert puma.inertia([q[0], q[1]]).dtype == np.float32  # of lists of arrays these decide
    for state in (([0] * 6,) * 3, (q[0].tolist(), v[0].tolist(), a[0].tolist()), (q, v, list(a.astype(float))),
                  (q[0], v[0], list(a[0].astype(float))), (q, [0] * 6, np.zeros(6)), (q, v, np.zeros(6, int))):  # fmt: skip
        assert puma.inverse_dynamics(*state).dtype == np.float64
    assert puma.inverse_dynamics(q, v, a, wrenches={"link6": np.array(pull, float)}).dtype == np.float64


def test_out_is_written_and_given_back(puma):
    q, v, a = states(puma, 4, 300)
    want = puma.inverse_dynamics(q, v, a)
    out = np.empty_like(want)
    assert puma.inverse_dynamics(q, v, a, out=out) is out and (out == want).all()
    columns = np.empty((6, 300)).T
    assert puma.inverse_dynamics(q, v, a, out=columns) is columns and (columns == want).all()
    one = np.empty(6)
    assert puma.inverse_dynamics(q[0], v[0], a[0], out=one) is one
    for wrong in (np.empty((300, 5)), np.empty((300, 6), np.float32), np.empty(6), [0] * 6):
        with pytest.raises(denoc.ArgumentError, match="out is"):
            puma.inverse_dynamics(q, v, a, out=wrong)


def test_out_may_lie_on_what_is_read(puma):
    q, v, a = states(puma, 4, 300)
    want = puma.inverse_dynamics(q, v, a)
    room = np.zeros((301, 6))
    for rows in (slice(0, 300), slice(1, 301)):  # the same rows, and each on the next
        room[:300] = q
        assert (puma.inverse_dynamics(room[:300], v, a, out=room[rows]) == want).all()
    numbers = np.concatenate([q[0], np.zeros(1)])
    puma.inverse_dynamics(numbers[:6], v[0], a[0], out=numbers[1:])
    assert (numbers[1:] == puma.inverse_dynamics(q[0], v[0], a[0])).all()
    wrench = np.zeros((300, 6))
    pushed = puma.inverse_dynamics(q, v, a, wrenches={"link6": wrench + 1})
    wrench += 1
    assert (puma.inverse_dynamics(q, v, a, wrenches={"link6": wrench}, out=wrench) == pushed).all()


def test_threads_give_the_same_bits(puma):
    q, v, a = states(puma, 6, 1000)
    want = puma.inverse_dynamics(q, v, a)
    acc = puma.forward_dynamics(q, v, want)
    inertia = puma.inertia(q)
    for threads in (1, 2, 3, 0):
        assert (puma.inverse_dynamics(q, v, a, threads=threads) == want).all()
        assert (puma.inertia(q, threads=threads) == inertia).all()

    def ask(k):
        rows = slice(k * 50, k * 50 + 50)
        for _ in range(20):
            same = (puma.inverse_dynamics(q[rows], v[rows], a[rows]) == want[rows]).all()
            same &= (puma.forward_dynamics(q, v, want) == acc).all()
            same &= (puma.inertia(q[k]) == inertia[k]).all()
        return same

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(ask, range(16)))


def _in_a_child(robot, q, v, a, want):
    return bool((robot.inverse_dynamics(q, v, a) == want).all())


def test_a_forked_process_works_on(puma):
    q, v, a = states(puma, 7, 1000)
    want = puma.inverse_dynamics(q, v, a)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap_async(_in_a_child, [(puma, q, v, a, want)] * 4).get(60) == [True] * 4


def test_calls_leak_nothing(puma):
    q, v, a = states(puma, 8, 300)
    qs, vs, as_ = q[0].tolist(), v[0], a[0]

    def calls(count):
        for _ in range(count):
            puma.inverse_dynamics(q[0], vs, as_)
            puma.inverse_dynamics(qs, vs, as_, wrenches={"link6": [1] * 6})
            puma.inertia(q[:3])
            puma.pose(q[0], "link6")
            try:
                puma.inverse_dynamics(q[0], vs[:5], as_)
            except denoc.ArgumentError:
                pass

    calls(500)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(10_000)
    gc.collect()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 1024, f"{grown} kB"  # a leak of one array a call would be 5 MB


@pytest.mark.parametrize(
    "q, words",
    [
        (np.zeros(5), "q has the shape (5,); (..., 6) is wanted"),
        (0.5, "q has the shape (); (..., 6) is wanted"),
        (np.zeros(6, complex), "q: numbers of type complex128; float64 or float32 is wanted"),
        (["a"] * 6, "q: numbers of type"),
        ([[1, 2], [3]], "q: no array can be made of it"),
        (None, "q is None; (..., 6) numbers are wanted"),
        ([0, 0, float("nan"), 0, 0, 0], "q[2] of joint 'link3' is nan"),
        ([0, 0, 0, 0, 0, float("inf")], "q[5] of joint 'link6' is inf"),
    ],
)
def test_say_what_is_wrong_with_an_array(puma, q, words):
    for call in (lambda: puma.inverse_dynamics(q, np.zeros(6), np.zeros(6)), lambda: puma.inertia(q)):
        with pytest.raises(denoc.ArgumentError) as caught:
            call()
        assert words in str(caught.value)
        assert isinstance(caught.value, ValueError)


def test_say_which_row_is_wrong(puma):
    q, v, a = states(puma, 9, 300)
    q[17, 3] = np.nan
    for call in (lambda **o: puma.inverse_dynamics(q, v, a, **o), lambda **o: puma.inertia(q, **o)):
        with pytest.raises(denoc.ArgumentError, match=r"row 17: q\[3\] of joint 'link4' is nan"):
            call()
        found = call(errors="nan")
        assert np.isnan(found[17]).all() and np.isfinite(np.delete(found, 17, 0)).all()


def test_say_what_was_meant(puma):
    zero = np.zeros(6)
    for call, words in (
        (lambda: puma.pose(zero, "link7"), "link7.*did you mean 'link"),
        (lambda: puma.jacobian(zero, "lnik6"), "did you mean 'link6'"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, wrenches={"lnik6": [0] * 6}), "did you mean 'link6'"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, method="newton"), "newton"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, wrenches={"link6": [0] * 5}), "wrenches.*(..., 6)"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, loops="shut"), "closed, open"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, errors="ignore"), "raise, nan"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, threads=-2), "threads"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, threads=10**9), "threads is 1000000000; .* up to 1024"),
        (lambda: puma.inverse_dynamics([zero] * 3, zero, zero, threads=10**30), "threads is 1000.*; .* up to 1024"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, threads=1.5), "threads is 1.5; a whole number"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, method=5), "method is 5; the name of"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, wrenches={"world": [1] * 6}), "wrenches: 'world' is the ground"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, forces="no"), "forces is 'no'; True or False"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, forces=""), "forces is ''; True or False"),
        (lambda: puma.simulation(forces="no"), "forces is 'no'"),
        (lambda: puma.rollout(zero, zero, [zero], 0.1, forces="no"), "forces is 'no'"),
        (lambda: puma.step_derivatives(zero, zero, zero, 0.1, forces="no"), "forces is 'no'"),
        (lambda: puma.control_law({"type": "torques", "tau": ["sin(t)"] * 6})(np.nan, zero, zero), "t is nan; a finite number"),
        (lambda: puma.control_law({"type": "torques", "tau": ["sin(t)"] * 6})("1", zero, zero), "t is '1'; a finite number"),
        (lambda: puma.ik("link6", [1e200, 0, 0]), "less than 1e150 m"),
        (lambda: puma.pose(zero, None), "body is None; the name of a body"),
        (lambda: puma.twist(zero, zero, None), "body is None"),
        (lambda: puma.passive_accelerations(zero, zero, zero, ["link1", "link1"]), "unknown: 'link1' is named twice"),
        (lambda: puma.inverse_dynamics(zero, zero, zero, driven=["link1", "link1"]), "driven: 'link1' is named twice"),
        (lambda: puma.jacobian(zero, "link6", axes="tool"), "world, body"),
        (lambda: puma.jacobian(zero, "link6", [1, 2]), "point"),
        (lambda: puma.pose(zero, 6), "name of a body"),
        (lambda: puma.inverse_dynamics(np.zeros((2, 6)), np.zeros((3, 6)), zero), r"do not fit.*q \(2, 6\), v \(3, 6\)"),
        (lambda: puma.bias(zero, zero, wrenches=[0] * 6), r"a map \{body: \(\.\.\., 6\)\} is wanted"),
        (lambda: puma.bias(zero, zero, wrenches={"link6": [0, 0, np.nan, 0, 0, 0]}), r"wrenches\['link6'\]: nan at \[2\]"),
        (lambda: puma.bias(np.zeros((2, 6)), zero, wrenches={"link6": np.zeros((3, 6))}), r"wrenches\['link6'\] \(3, 6\)"),
    ):
        with pytest.raises(denoc.ArgumentError, match=words):
            call()


def test_options_are_those_of_the_call(puma):
    zero = np.zeros(6)
    for call, words in (
        (lambda: puma.inertia(zero, wrenches={"link6": [0] * 6}), r"inertia\(\) takes no wrenches; it takes .*loops.*method"),
        (lambda: puma.energy(zero, zero, out=np.empty(2)), r"energy\(\) takes no out"),
        (lambda: puma.pose(zero, "link6", thread=2), r"pose\(\) takes no thread; it takes errors, out, threads; did you mean threads\?"),
        (lambda: puma.simulate(1, driven=["joint1"]), r'simulate\(\) takes no driven; it takes atol, .*did you mean control={"type": \.\., "driven": \.\.}\?'),
        (lambda: puma.simulate(1, dt=0.1), r"takes no dt; it takes .*, wrenches; did you mean step or every\?"),
        (lambda: puma.simulate(1, max_evaluations=9), r'did you mean integrator={"method": "dopri5", "max_evaluations": \.\.}'),
        (lambda: puma.simulate(1, rtoll=9), r"did you mean rtol\?"),
    ):
        with pytest.raises(TypeError, match=words):
            call()
    shown = inspect.signature(denoc.Robot.bias).parameters
    assert list(shown)[:3] == ["self", "q", "v"] and "how" not in shown
    assert shown["loops"].default == "closed" and shown["wrenches"].default is None
    assert inspect.signature(denoc.Robot.rnea) == inspect.signature(denoc.Robot.inverse_dynamics)
    runs, run = (inspect.signature(each).parameters for each in (denoc.Robot.simulate, denoc.simulation.simulate))
    assert list(runs)[1:] == list(run)[1:]
    for name in list(run)[1:]:
        assert (runs[name].kind, runs[name].default, runs[name].annotation) == (run[name].kind, run[name].default, run[name].annotation)


def test_a_module_may_be_loaded_again():
    script = """if True:
        import importlib, inspect, denoc
        before = inspect.signature(denoc.Robot.bias)
        again = importlib.reload(denoc.robot).Robot
        assert again is not denoc.Robot and again.OPTIONS == denoc.Robot.OPTIONS and inspect.signature(again.bias) == before
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["forward_dynamics", "loop_wrenches"])  # by a batch, and row by row
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_call_with_many_states(robots, name):
    robot = robots["fourbar"]
    call = getattr(robot, name)

    def states(count):
        return np.tile(robot.neutral(), (count, 1)), np.zeros((count, robot.nv)), np.zeros((count, robot.nv))

    call(*states(500))
    start = time.perf_counter()
    call(*states(500))
    many = states(int(500 * 2 / (time.perf_counter() - start)))  # some two seconds
    pressed = []

    def press():
        time.sleep(0.2)
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        while True:  # a call may take less than it seemed to
            call(*many)
    worked = time.process_time() - pressed[0]
    thread.join()
    assert worked < 0.1 * os.cpu_count(), worked  # of all threads together, what it takes on a machine of its own


def test_quaternions_are_brought_to_length_or_refused(robots):
    robot = robots["floating_dual_arm"]
    q, v, a = states(robot, 10, 300)
    slightly = q.copy()
    at = next(j.q.stop - 4 for j in robot.joints if j.type == "free")
    slightly[:, at : at + 4] *= 1 + 5e-7
    want = robot.inverse_dynamics(q, v, a)
    assert np.abs(robot.inverse_dynamics(slightly, v, a) - want).max() <= 1e-11 * np.abs(want).max()
    slightly[3, at : at + 4] *= 1.01
    with pytest.raises(denoc.ArgumentError, match="row 3: .*quaternion"):
        robot.inverse_dynamics(slightly, v, a)
    assert np.isnan(robot.inverse_dynamics(slightly, v, a, errors="nan")[3]).all()


def test_every_call_asks_for_the_length_of_quaternions():
    ball = denoc.load("bodies: [{name: a, joint: {type: spherical}, mass: 1, com: [0.1, 0, -0.5], inertia: [1, 1, 1, 0, 0, 0]}]\n")
    law = ball.control_law({"type": "pd_gravity", "kp": 1, "kd": 0}, motion={"type": "hold", "posture": [1, 0, 0, 0]})
    q, zero = ball.random(3), np.zeros(3)
    for call in (
        lambda q: law(0, q, zero),
        lambda q: ball.mobility(q),
        lambda q: ball.bias(q, zero),
        lambda q: ball.regressor(q, zero, zero),
        lambda q: ball.integrate(q, zero),
        lambda q: ball.difference(q, [1, 0, 0, 0]),
        lambda q: ball.ik("a", [0, 0, 0], start=q),
        lambda q: ball.simulation(q),
        lambda q: ball.rollout(q, zero, np.zeros((2, 3)), 0.01),
        lambda q: ball.step_derivatives(q, zero, zero, 0.01),
        lambda q: ball.simulate(0.1, q=q),
        lambda q: ball.motion({"type": "hold"}, q=q),
    ):
        call(q * (1 + 5e-7))
        with pytest.raises(denoc.Error, match="quaternion.*length 3, not 1"):
            call(3 * q)
    assert np.abs(law(0, q * (1 + 5e-7), zero) - law(0, q, zero)).max() <= 1e-14


STILL = """name: still
bodies:
  - {name: a, parent: world, joint: {type: fixed}, frame: {xyz: [1, 2, 3]}, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}
"""


def test_no_states_have_no_answers(robots):
    for robot in robots.values():
        q, v = np.zeros((0, 2, robot.nq)), np.zeros((0, 2, robot.nv))
        n, bodies, how = robot.nv, 1 + len(robot.bodies), {"loops": "open"}
        for part in robot.reaction_derivatives(q, v, v, **how) + robot.forward_reaction_derivatives(q, v, v):
            assert part.shape == (0, 2, bodies, 6, n)
        assert robot.second_derivatives_of_each(q, v, v, **how).dqq.shape == (0, 2, n, n, n)
        assert robot.loop_wrenches(q, v, v).shape == (0, 2, len(robot._core.loops), 2, 6)
        assert robot.inverse_dynamics(q.tolist() or q, v, v).shape == (0, 2, n)


def test_a_robot_without_joints_is_asked_as_any_other():
    robot = denoc.load(STILL)
    assert robot.nq == robot.nv == 0
    for empty in ([], np.zeros(0), np.zeros((5, 0)), np.zeros((2, 0, 0)), np.zeros((5, 0), np.float32)):
        axes = np.shape(empty)[:-1]
        for how in ({}, {"forces": True}, {"errors": "nan"}):
            assert robot.inverse_dynamics(empty, empty, empty, **how).shape == (*axes, 0)
            assert robot.forward_dynamics(empty, empty, empty, **how).shape == (*axes, 0)
            kinetic, potential = robot.energy(empty, empty)
            assert kinetic.shape == axes and (kinetic == 0).all() and np.allclose(potential, 2 * 9.81 * 3)
        for point in (None, [0, 0, 1]):
            pose = robot.pose(empty, "a", point=point)
            assert pose.shape == (*axes, 4, 4) and (pose[..., :3, 3] == [1, 2, 3 if point is None else 4]).all()
        assert robot.inertia(empty).shape == (*axes, 0, 0)
        assert robot.reaction_derivatives(empty, empty, empty).dq.shape == (*axes, 2, 6, 0)
        assert robot.loop_wrenches(empty, empty, empty).shape == (*axes, 0, 2, 6)
    pushed = {"a": np.ones((1000, 6), np.float32)}  # numbers of their own, where the state has none
    still = np.zeros((1000, 0), np.float32)
    for call in (robot.inverse_dynamics, robot.forward_dynamics):
        found = call(still, still, still, wrenches=pushed)
        assert found.shape == (1000, 0) and found.dtype == np.float32
    assert robot.parameters().values.shape == (10,) and robot.base_parameters().relations.shape == (0, 10)
    run = robot.rollout([], [], np.zeros((3, 0)), 0.1)
    assert run.q.shape == run.v.shape == (4, 0) and run.t.shape == (4,)
    assert run.gradient(np.zeros((4, 0))).tau.shape == (3, 0)


# Each is asked again and again by a thread that Python leaves behind.
LEFT_BEHIND = (
    "r.inverse_dynamics(*x, threads=1)",
    "r.inertia(x[0])",
    "r.simulate(50.0)",
    "r.simulate(50.0, control=lambda t, q, v: [sum(range(1000)) * 0.0] * 6)",
    "r.rollout([0.1] * 6, [0] * 6, x[0][:5000], dt=1e-4)",
    "r.base_parameters()",
    "denoc.load('humanoid')",
)


@pytest.mark.parametrize("call", LEFT_BEHIND)
def test_python_ends_while_a_thread_asks(call):
    script = f"""if True:
        import threading, time, numpy, denoc
        r, x = denoc.load("puma560"), numpy.full((3, 20000, 6), 0.1)
        def ask():
            while True:
                {call}
        threading.Thread(target=ask, daemon=True).start()
        time.sleep(0.1)
    """
    for _ in range(3):  # where in the call it ends is chance
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_what_a_mask_hides_is_not_read(puma):
    q, v, a = states(puma, 4, 5)
    hidden = np.ma.masked_array(q, mask=np.zeros_like(q, bool))
    assert (puma.inverse_dynamics(hidden, v, a) == puma.inverse_dynamics(q, v, a)).all()
    assert (puma.gravity([[*hidden], q.tolist()]) == puma.gravity(np.stack([q, q]))).all()
    hidden.mask[2, 3] = True
    for call in (
        lambda: puma.inverse_dynamics(hidden, v, a),
        lambda: puma.inverse_dynamics(hidden[2], v[2], a[2]),
        lambda: puma.pose(hidden[2], "link6"),
        lambda: puma.simulation(hidden[2]),
        lambda: puma.rollout(q[0], v[0], hidden, 0.01),
        lambda: puma.inverse_dynamics(q, v, a, wrenches={"link6": hidden}),
        lambda: puma.simulate(0.01, control=lambda t, q, v: hidden[2]),
        lambda: puma.ik("link6", np.ma.masked_equal(puma.pose(q[0], "link6"), 1)),
        lambda: puma.motion({"type": "hold"}, duration=1)(np.ma.masked_less([0.1, 0.2], 0.15)),
        lambda: puma.gravity([hidden[0], hidden[2]]),
        lambda: puma.gravity(([q[0], hidden[2]],)),
        lambda: puma.gravity([*q[0][:5], np.ma.masked]),
    ):
        with pytest.raises(denoc.ArgumentError, match="entries are masked"):
            call()


FAR = """name: far
bodies:
  - {name: a, parent: world, joint: {type: prismatic}, mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, parent: a, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: c, parent: b, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
"""
MOVING = ("inverse_dynamics", "bias", "energy", "momentum", "inertia", "mass_centre", "twist", "jacobian_bias", "integrate")


@pytest.mark.parametrize("name", MOVING)
def test_what_is_not_a_number_is_no_answer(name):
    robot = denoc.load(FAR)
    far, fast, near = np.array([1e308, 1, 1e308]), np.full(3, 1e200), np.full(3, 0.1)
    given = {"inverse_dynamics": 3, "inertia": 1, "mass_centre": 1}.get(name, 2)
    body = ("c",) if name in ("twist", "jacobian_bias") else ()

    def call(*state, **how):
        found = getattr(robot, name)(*state[:given], *body, **how)
        axes = np.shape(state[0])[:-1]
        return np.concatenate([x.reshape(*axes, -1) for x in (found if isinstance(found, tuple) else (found,))], -1)

    state = (far, far if name == "integrate" else fast, fast)
    rows = [np.stack([near, x, near]) for x in state]
    assert np.isfinite(call(near, near, near)).all()
    for asked in (state, [x.tolist() for x in state]):
        with pytest.raises(denoc.Error, match="not a finite number: the state is too large, or not finite itself"):
            call(*asked)
    with pytest.raises(denoc.Error, match="row 1: .*too large"):
        call(*rows)
    found = call(*rows, errors="nan")
    assert np.isnan(found[1]).all() and np.isfinite(found[[0, 2]]).all()
    with pytest.raises(denoc.Error, match="too large|not a finite"):  # of float32, which has less room
        call(*(np.float32([3e38, -1.5, 3e38]) for _ in state))


def test_motions_laws_and_gradients_are_numbers_or_none():
    robot, near = denoc.load(FAR), np.full(3, 0.1)
    motion = robot.motion({"type": "formula", "q": ["exp(1000*t)", "t", "t"]}, duration=1)
    law = robot.control_law({"type": "pd", "kp": 1e200, "kd": 1}, motion={"type": "hold"})
    rollout = robot.rollout(near, near, np.zeros((2, 3)), 0.01)
    assert np.isfinite(motion(0).q).all() and np.isfinite(law(0, near, near)).all()
    assert np.isfinite(rollout.gradient(np.ones((3, 3))).q).all()
    for call in (
        lambda: motion([0, 0.9]),
        lambda: law(0, near * 1e200, near),
        lambda: rollout.gradient(np.full((3, 3), 1e308)),
    ):
        with pytest.raises(denoc.Error, match="not a finite number: .*too large"):
            call()


def test_an_inertia_of_zero_is_found_by_its_joint():
    robot = denoc.load("bodies:\n- {name: a, joint: {type: revolute}, mass: 0}\n- {name: b, joint: {type: prismatic}, mass: 1}\n")
    with pytest.raises(denoc.SingularInertia, match="'a'") as caught:
        robot.forward_dynamics([0, 0], [0, 0], [0, 0])
    assert caught.value.dof == 0
    rows = np.zeros((300, 2))
    with pytest.raises(denoc.SingularInertia, match="row 0: .*'a'"):
        robot.forward_dynamics(rows, rows, rows)
    assert np.isnan(robot.forward_dynamics(rows, rows, rows, errors="nan")).all()


CALLS = {
    "inverse_dynamics": lambda r, q, v, a: r.inverse_dynamics(q, v, a),
    "forward_dynamics": lambda r, q, v, a: r.forward_dynamics(q, v, a),
    "rnea": lambda r, q, v, a: r.rnea(q, v, a),
    "aba": lambda r, q, v, a: r.aba(q, v, a),
    "crba": lambda r, q, v, a: r.crba(q),
    "inertia": lambda r, q, v, a: r.inertia(q),
    "inertia_inverse": lambda r, q, v, a: r.inertia_inverse(q),
    "factors": lambda r, q, v, a: r.factors(q).U,
    "bias": lambda r, q, v, a: r.bias(q, v),
    "gravity": lambda r, q, v, a: r.gravity(q),
    "pose": lambda r, q, v, a: r.pose(q, "link6"),
    "pose of a point": lambda r, q, v, a: r.pose(q, "link6", [0, 0, 0.1]),
    "twist": lambda r, q, v, a: r.twist(q, v, "link6"),
    "jacobian": lambda r, q, v, a: r.jacobian(q, "link6"),
    "jacobian_bias": lambda r, q, v, a: r.jacobian_bias(q, v, "link6"),
    "derivatives": lambda r, q, v, a: r.derivatives(q, v, a).dq,
    "forward_derivatives": lambda r, q, v, a: r.forward_derivatives(q, v, a).dtau,
    "linearize": lambda r, q, v, a: r.linearize(q, v, a).A,
    "energy": lambda r, q, v, a: r.energy(q, v).kinetic,
    "momentum": lambda r, q, v, a: r.momentum(q, v).linear,
    "reactions": lambda r, q, v, a: r.reactions(q, v, a).bodies,
    "mass_centre": lambda r, q, v, a: r.mass_centre(q),
    "mass_centre_jacobian": lambda r, q, v, a: r.mass_centre_jacobian(q),
    "centroidal_momentum_matrix": lambda r, q, v, a: r.centroidal_momentum_matrix(q),
    "integrate": lambda r, q, v, a: r.integrate(q, v),
    "difference": lambda r, q, v, a: r.difference(q, v),
    "assemble": lambda r, q, v, a: r.assemble(q),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_takes_every_kind_of_array(puma, name):
    call, (q, v, a) = CALLS[name], states(puma, 12)
    one = np.asarray(call(puma, q, v, a))
    assert one.dtype == np.float64
    assert (one == call(puma, q.tolist(), v.tolist(), a.tolist())).all()
    many = call(puma, np.broadcast_to(q, (2, 3, 6)), v, a)
    assert many.shape == (2, 3, *one.shape)
    assert np.abs(many - one).max() <= 1e-10 * max(1, np.abs(one).max())
    single = [x.astype(np.float32) for x in (q, v, a)]
    rows = call(puma, *(np.array([x] * 4) for x in single))
    assert np.asarray(call(puma, *single)).dtype == rows.dtype == np.float32 and rows.shape == (4, *one.shape)
    assert call(puma, np.empty((0, 6)), v, a).shape == (0, *one.shape)
    for given in ((q, v, a), single, [np.array([x] * 4) for x in (q, v, a)], [np.array([x] * 4) for x in single]):
        assert (call(puma, *map(packed, given)) == call(puma, *given)).all()


def packed(x):
    """The same numbers in C order as a field of a packed record: at odd addresses."""
    record = np.zeros(1, [("flag", "u1"), ("x", x.dtype, x.shape)])
    record["x"] = x
    found = record[0]["x"]
    assert found.flags.c_contiguous and not found.flags.aligned
    return found


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_out_may_be_a_field_of_a_packed_record(puma, dtype):
    state = [x.astype(dtype) for x in states(puma, 4, 300)]
    for rows in (slice(0, 1), 0, slice(0, 300)):
        q, v, a = (x[rows] for x in state)
        for call in (
            lambda **o: puma.inverse_dynamics(q, v, a, **o),
            lambda **o: puma.forward_dynamics(q, v, a, **o),
            lambda **o: puma.inverse_dynamics(q, v, a, wrenches={"link6": packed(np.ones(6, dtype))}, **o),
            lambda **o: puma.inverse_dynamics(packed(q), v, a, method="kane", **o),
            lambda **o: puma.inertia(q, **o),
            lambda **o: puma.pose(q, "link6", **o),
        ):
            want = call()
            out = packed(want * 0)
            assert call(out=out) is out and (out == want).all()


def test_runs_and_steps_take_fields_of_packed_records(puma):
    q, v, tau = states(puma, 4)
    motion = puma.motion({"type": "point_to_point", "from": q, "to": v, "duration": 1})
    law = puma.control_law({"type": "pd", "kp": 1, "kd": 1}, motion={"type": "hold"})

    def step(q, v, tau):
        simulation = puma.simulation(q, v)
        simulation.step(tau, 0.01)
        return simulation.v

    for call in (
        step,
        lambda q, v, tau: puma.simulate(0.01, q=q, v=v, control=lambda *_: tau).q,
        lambda q, v, tau: puma.mobility(q),
        lambda q, v, tau: puma.ik("link6", puma.pose(np.zeros(6), "link6"), start=q)[0].q,
        lambda q, v, tau: puma.rollout(q, v, packed(np.stack([tau, tau])), 0.01).v,
        lambda q, v, tau: puma.rollout(q, v, [tau], 0.01).gradient(packed(np.ones((2, 6)))).q,
        lambda q, v, tau: puma.step_derivatives(q, v, tau, 0.01).A,
        lambda q, v, tau: law(0, q, v),
        lambda q, v, tau: motion(tau).q,
    ):
        assert np.array_equal(call(packed(q), packed(v), packed(tau)), call(q, v, tau))


def test_the_core_reads_no_numbers_of_another_type(puma):
    """What is not brought to float64 in C order before is refused, not read as if it were."""
    zero = np.zeros(6)
    for wrong in (packed(zero), zero.astype(np.float32), zero.astype(">f8"), np.zeros(12)[::2]):
        with pytest.raises(denoc.ArgumentError, match="an array of numbers 'd' in C order is wanted"):
            puma._core.step_derivatives(wrong, zero, zero, 0.01, True)
