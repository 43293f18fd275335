"""What is asked with: types of numbers, maps, names of joints."""

import json
import threading
import time

import numpy as np
import pytest

import denoc


def test_single_precision_is_that_of_any_order_of_bytes(puma):
    many = np.random.default_rng(5).normal(size=(3, 4, 6)).astype(np.float32)
    for x in (many, many[:, 0]):
        swapped = x.astype(x.dtype.newbyteorder())
        for call, count in ((puma.inverse_dynamics, 3), (puma.gravity, 1), (puma.energy, 2)):
            found, want = call(*swapped[:count]), call(*x[:count])
            assert np.asarray(found).dtype == np.float32 and np.array_equal(found, want)


def test_no_mask_of_out_hides_what_was_computed(puma):
    x = np.random.default_rng(5).normal(size=(3, 6))
    for state in (x, np.tile(x[:, None], (1, 4, 1)), x.tolist()):
        want = puma.inverse_dynamics(*state)
        out = np.ma.masked_array(np.zeros(want.shape), mask=True)
        assert puma.inverse_dynamics(*state, out=out) is out
        assert not np.ma.is_masked(out) and np.array_equal(out, want)


@pytest.mark.parametrize("wrenches", [[], 0, "", np.zeros(6), [np.zeros(6)]])
def test_wrenches_are_a_map(puma, wrenches):
    with pytest.raises(denoc.ArgumentError, match=r"a map \{body: \(..., 6\)\} is wanted"):
        puma.inverse_dynamics([0] * 6, [0] * 6, [0] * 6, wrenches=wrenches)


@pytest.mark.parametrize("name", ["world", "plate"])
def test_what_does_not_move_is_no_joint(name):
    body = {"mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0.02, 0.02, 0, 0, 0]}
    hinge = {"type": "revolute"}
    bodies = [
        {"name": "crank", "parent": "world", "joint": hinge, **body},
        {"name": "coupler", "frame": {"xyz": [0.2, 0, 0]}, "joint": hinge, **body},
        {"name": "rocker", "parent": "world", "frame": {"xyz": [0.45, 0, 0]}, "joint": hinge, **body},
        {"name": "plate", "joint": {"type": "fixed"}, **body},
    ]
    pin = {"type": "revolute", "a": {"body": "coupler", "point": [0.5, 0, 0]}, "b": {"body": "rocker", "point": [0.4, 0, 0]}}
    robot = denoc.load(json.dumps({"name": "linkage", "bodies": bodies, "loops": [pin]}))
    q, rest = robot.assemble([1, 0, 1.5]), np.zeros(3)
    for call in (
        lambda: robot.assembly_derivatives(q, [name]),
        lambda: robot.inverse_dynamics(q, rest, rest, driven=["crank", name]),
        lambda: robot.passive_accelerations(q, rest, rest, [name]),
        lambda: robot.linearize(q, driven=[name]),
    ):
        with pytest.raises(denoc.ArgumentError, match="joint that moves.*there are crank, coupler, rocker"):
            call()


def test_names_may_be_arrays_of_numpy(robots):
    arm, linkage = robots["puma560"], robots["three_rrr"]
    q, v, a = arm.random(1), np.ones(arm.nv), np.ones(arm.nv)
    free, driven = list(arm.joints[:2]), list(arm.joints[2:])
    want = arm.passive_accelerations(q, v, a, free, driven=driven)
    assert (arm.passive_accelerations(q, v, a, np.array(free), driven=np.array(driven)) == want).all()
    several = list(linkage.joints[:3])
    found, want = (linkage.assembly_derivatives(linkage.neutral(), names) for names in (np.array(several), several))
    assert found.independent == want.independent and (found.first == want.first).all()


@pytest.mark.parametrize("wrong", ["no", 1.0, [], None])
def test_yes_or_no_is_not_taken_from_what_is_neither(puma, wrong):
    z = np.zeros(6)
    steps = puma.rollout(z, z, np.zeros((2, 6)), 0.01)
    run = puma.simulate(0.01, q=z)
    for name, call in (
        ("friction", lambda: puma.regressor(z, z, z, friction=wrong)),
        ("friction", lambda: puma.parameters(friction=wrong)),
        ("friction", lambda: puma.base_parameters(friction=wrong)),
        ("strict", lambda: denoc.load("puma560", strict=wrong)),
        ("repair", lambda: denoc.load("puma560", repair=wrong)),
        ("parameters", lambda: steps.gradient(parameters=wrong)),
        ("animate", lambda: run.report(animate=wrong)),
    ):
        with pytest.raises(denoc.ArgumentError, match=f"{name} is .*True or False is wanted"):
            call()
    assert denoc.load("puma560", strict=1) == denoc.load("puma560", strict=np.True_)


def test_no_method_is_not_the_default_one(puma):
    z = np.zeros(6)
    with pytest.raises(denoc.ArgumentError, match="method is ''"):
        puma.bias(z, z, method="")
    assert (puma.bias(z, z, method=None) == puma.bias(z, z)).all()


def test_messages_name_what_was_called(puma, tmp_path):
    bad = {"type": "hold", "posture": [np.nan] * 6}
    for words, call in (
        ("^motion: nan", lambda: puma.motion(bad)),
        ("^control and motion: nan", lambda: puma.control_law({"type": "none"}, motion=bad, duration=1)),
        ("^the scenario: nan", lambda: denoc.Scenario({"robot": "puma560", "motion": bad}).save(tmp_path / "a.yaml")),
        ("^simulate: nan", lambda: puma.simulate(1, motion=bad, control={"type": "none"})),
    ):
        with pytest.raises(denoc.ArgumentError, match=words):
            call()
    assert puma.simulate(0.01, output={"reactions": np.True_}).reactions.shape[1:] == (7, 6)


def test_what_cannot_be_at_rest_says_so_by_a_class_of_its_own():
    slide = denoc.load("bodies:\n- {name: hand, joint: {type: prismatic}, mass: 1}\n")
    with pytest.raises(denoc.NoEquilibrium, match="joint 'hand' still accelerates"):
        slide.equilibrium([0.0])


def test_rows_after_the_one_that_fails_are_not_asked(puma):
    q, out = np.zeros((100, 6)), np.full((100, 6), 7.0)
    q[20] = np.nan
    with pytest.raises(denoc.ArgumentError, match="row 20: "):
        puma.gravity(q, out=out, threads=1)
    assert (out[:20] == puma.gravity(q[0])).all() and (out[21:] == 7).all()
    q[[30, 90]] = np.inf
    for threads in (1, 2):
        with pytest.raises(denoc.ArgumentError, match="row 20: "):
            puma.gravity(q, threads=threads)


LINKS = "".join(
    f"- {{name: b{k}, frame: {{xyz: [0.1, 0, 0]}}, joint: {{type: revolute}}, mass: 1, com: [0.05, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n"
    for k in range(150)
)


@pytest.mark.parametrize("name", ["mobility", "step_derivatives", "inverse_kinematics", "assembly_derivatives", "random"])
def test_other_threads_run_meanwhile(name):
    tip = f"loops:\n- {{type: spherical, a: {{body: b149}}, b: {{body: world, frame: {{xyz: [9, 1, 0]}}}}}}\nbodies:\n{LINKS}"
    robot = denoc.load("name: chain\nbodies:\n" + LINKS if name in ("step_derivatives", "inverse_kinematics") else "name: chain\n" + tip)
    q, z = robot.neutral(), np.zeros(robot.nv)
    asked = {
        "mobility": lambda: robot.mobility(q),
        "step_derivatives": lambda: robot.step_derivatives(q, z, z, 1e-3),
        "inverse_kinematics": lambda: robot.ik("b149", [9.0, 5.0, 0.0]),
        "assembly_derivatives": lambda: robot.assembly_derivatives(q),
        "random": lambda: robot.random(1),
    }[name]
    ticks, is_over = [], threading.Event()

    def tick():
        while not is_over.wait(1e-4):
            ticks.append(time.perf_counter())

    other = threading.Thread(target=tick)
    other.start()
    try:
        for _ in range(100):  # the machine may be busy
            start = time.perf_counter()
            asked()
            end = time.perf_counter()
            margin = (end - start) / 10
            if any(start + margin < t < end - margin for t in ticks):
                return
    finally:
        is_over.set()
        other.join()
    raise AssertionError(f"{name} took {end - start} s and kept the interpreter")
