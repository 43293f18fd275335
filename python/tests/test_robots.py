"""Robots: where they come from, what they say of themselves, and what they refuse."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import denoc

URDF = """<robot name="one">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" iyz="0" ixz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="10" velocity="3"/></joint>
</robot>"""
YAML = """name: two
bodies:
  - {name: cart, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 3}
  - {name: pole, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}
"""
JSON = '{"name": "three", "bodies": [{"name": "b", "joint": {"type": "free"}, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}]}'


def test_come_by_name_file_and_text(tmp_path):
    assert denoc.load("puma560").nv == 6
    file = tmp_path / "one.urdf"
    file.write_text(URDF)
    for source in (file, str(file), URDF):
        robot = denoc.load(source)
        assert (robot.name, robot.nq, robot.nv) == ("one", 1, 1)
    assert denoc.load(YAML).nq == 2
    assert (denoc.load(JSON).nq, denoc.load(JSON).nv) == (7, 6)
    assert set(denoc.shipped_robots()) >= {"puma560", "fourbar", "humanoid"}


def test_take_another_base_and_gravity():
    free = denoc.load(URDF, base="free")
    assert (free.nq, free.nv) == (8, 7)
    weightless = denoc.load("puma560", gravity=[0, 0, 0])
    assert (weightless.gravity(weightless.random(1)) == 0).all()
    assert (weightless.gravity_vector == 0).all()
    with pytest.raises(denoc.ArgumentError, match="fixed"):
        denoc.load(URDF, base="flying")
    for wrong in ([0, 0], [0, 0, float("nan")], "down", 9.81):
        with pytest.raises(denoc.ArgumentError, match="gravity"):
            denoc.load(URDF, gravity=wrong)


def test_describe_joints_and_bodies():
    robot = denoc.load(URDF)
    (joint,) = robot.joints
    assert joint == "shoulder" and joint.name == "shoulder" and joint.type == "revolute"
    assert joint.limits == (-1, 2, 3, 10) and joint.upper() == "SHOULDER"
    assert (joint.q, joint.v, joint.body, joint.parent) == (slice(0, 1), slice(0, 1), "arm", "base")
    arm = robot.bodies[-1]
    assert arm == "arm" and arm.mass == 2 and arm.com == (0.5, 0, 0) and arm.inertia == (0.1, 0.2, 0.2, 0, 0, 0)
    humanoid = denoc.load("humanoid")
    assert sum(j.nq for j in humanoid.joints) == humanoid.nq
    assert sum(j.nv for j in humanoid.joints) == humanoid.nv


def test_say_everything_that_is_wrong_with_a_file():
    broken = URDF.replace('"2"/>', '"-2"/>').replace('axis xyz="0 1 0"', 'axis xyz="0 0 0"')
    with pytest.raises(denoc.RobotError) as caught:
        denoc.load(broken)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, denoc.Error)
    assert len(caught.value.faults) == 2
    fault = caught.value.faults[0]
    assert fault.line > 0 and fault.rule and fault.element
    assert str(caught.value) == str(fault)


@pytest.mark.parametrize("name, hint", [("puma506", "puma560"), ("/no/such/file.urdf", "no such file"), ("", "empty")])
def test_say_what_was_meant(name, hint):
    with pytest.raises(denoc.Error, match=hint):
        denoc.load(name)


def test_doubt_what_looks_wrong():
    odd = YAML.replace("0.1, 0.1, 0.01", "0.1, 0.1, 0.9")  # no body has such principal moments
    try:
        robot = denoc.load(odd)
    except denoc.RobotError as error:  # doubted or refused, never passed over
        assert "triangle" in str(error) or "inertia" in str(error)
    else:
        assert any("inertia" in str(doubt) for doubt in robot.doubts)
    assert denoc.load(URDF).doubts == [] or all(isinstance(d, denoc.Fault) for d in denoc.load(URDF).doubts)


def test_are_values(robots):
    for robot in robots.values():
        again = pickle.loads(pickle.dumps(robot))
        assert again == robot and hash(again) == hash(robot) and again is not robot
        q = robot.random(3)
        assert (again.random(3) == q).all()
        assert (again.pose(q, robot.bodies[-1]) == robot.pose(q, robot.bodies[-1])).all()
        assert copy.copy(robot) is robot and copy.deepcopy(robot) is robot
    assert denoc.load("puma560") == denoc.load("puma560") != denoc.load("puma560", gravity=[0, 0, 0])
    assert len({denoc.load("puma560"), denoc.load("puma560"), denoc.load("kuka_kr5")}) == 2
    robot = denoc.load("puma560")
    for name in ("nq", "anything", "name"):
        with pytest.raises(AttributeError):
            setattr(robot, name, 3)


def test_stand_within_their_limits_with_loops_closed(robots):
    for robot in robots.values():
        for seed in range(5):
            q = robot.random(seed)
            assert (q == robot.random(seed)).all()
            for joint in robot.joints:
                if joint.nq == 1:
                    assert joint.limits.lower <= q[joint.q][0] <= joint.limits.upper
            assert np.abs(robot.difference(robot.assemble(q), q)).max() < 1e-8
        assert robot.neutral().shape == (robot.nq,)


def test_print_as_tables(robots):
    for robot in robots.values():
        text, page = repr(robot), robot._repr_html_()
        for body in robot.bodies:
            assert body in text and body in page
        assert "<iframe" in page and f"{robot.nq} coordinates" in text


def test_tables_leave_out_nothing_a_body_or_drive_has():
    text = "\n".join(
        [
            "name: all",
            "bodies:",
            "  - {name: a, parent: world, joint: {type: revolute}, limits: {lower: -1.25, upper: 1.5, velocity: 7, effort: 11},",
            "     actuator: {gear: 30, rotor_inertia: 0.0125}, mass: 2, inertia: [0.4, 0.5, 0.6, 0.0625, 0.03125, 0.015625]}",
        ]
    )
    shown = repr(denoc.load(text))
    for said in ("-1.25", " 1.5", " 7 ", " 11 ", " 30 ", "0.0125", "0.4 0.5 0.6", "0.0625 0.03125 0.015625"):
        assert said in shown
    assert "hub" not in shown and "0.35" in repr(denoc.load("puma560"))  # the hub is all that its first link has


def test_say_once_what_is_left_out():
    robot = denoc.load("friction_pendulum")
    assert robot.forces
    q, v, a = robot.neutral(), np.ones(robot.nv), np.zeros(robot.nv)
    import warnings

    with pytest.warns(denoc.LeftOut, match="friction"):
        without = robot.inverse_dynamics(q, v, a)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (robot.inverse_dynamics(q, v, a) == without).all()
        assert (robot.inverse_dynamics(q, v, a, forces=True) != without).any()


def test_models_travel_with_the_package(monkeypatch, tmp_path):
    assert (Path(denoc.__file__).parent / "models" / "puma560.yaml").is_file()
    monkeypatch.chdir(tmp_path)
    assert denoc.load("puma560").nv == 6
