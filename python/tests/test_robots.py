"""Robots: where they come from, what they say of themselves, and what they refuse."""

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import with_command_line

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


def test_strict_refuses_what_is_doubted():
    light = """bodies:
  - {name: a, joint: revolute, mass: 1e3, inertia: [1e5, 1e5, 1e5, 0, 0, 0]}
  - {name: b, joint: revolute, mass: 1e-9, inertia: [1e-11, 1e-11, 1e-11, 0, 0, 0]}
"""
    assert denoc.load(light).nv == 2
    with pytest.raises(denoc.RobotError, match="accelerations keep no digits"):
        denoc.load(light, strict=True)
    apart = """bodies:
  - {name: left, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1}
  - {name: right, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1}
loops: [{type: coupler, ratio: 1, a: {body: left}, b: {body: right}}]
postures: {apart: [1, 0]}
"""
    assert denoc.load(apart).nv == 2
    with pytest.raises(denoc.RobotError, match="posture 'apart' leaves"):
        denoc.load(apart, strict=True)


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


PART = """<?xml version="1.0"?>
<!-- an arm: </body> -->
<mujocoinclude>
  <body name="arm">
    <joint name="shoulder" axis="0 1 0" damping="0.3" armature="0.2" stiffness="3" springref="10"/>
    <inertial pos="0.7 0 0.1" mass="1.3" diaginertia="1 1.1 0.9"/>
    <body name="ball" pos="1 0 0" euler="10 20 30"><joint type="ball"/><include file="deep/ball.xml"></include></body>
  </body>
</mujocoinclude>
"""
MAIN = """<mujoco model="parts">
  <include file='gravity.xml'/> <!-- <include file="gone.xml"/> -->
  <worldbody><include
    file="deep/part.xml"/></worldbody>
  <keyframe><key name="up" qpos="0.3 1 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def parts(tmp_path):
    """A folder with an MJCF in several files."""
    (tmp_path / "deep").mkdir()
    for name, text in (("m.xml", MAIN), ("deep/part.xml", PART), ("gravity.xml", '<mujoco><option gravity="0 0 -3"/></mujoco>'),
                       ("deep/ball.xml", '<mujocoinclude><geom type="sphere" size="0.1" mass="0.3" pos=".1 0 0"/></mujocoinclude>')):  # fmt: skip
        (tmp_path / name).write_text(text)
    return tmp_path


def require_same(one, other):
    """Two robots are the same to the last bit."""
    assert one == other and hash(one) == hash(other) and repr(one) == repr(other)
    assert (one.neutral() == other.neutral()).all() and (one.gravity_vector == other.gravity_vector).all()
    q, v, a = one.random(1), np.arange(one.nv) - 0.7, np.arange(one.nv) / 3
    for forces in (False, True):
        given, taken = (robot.inverse_dynamics(q, v, a, forces=forces) for robot in (one, other))
        assert (given == taken).all()


def test_are_what_all_their_files_said(parts, monkeypatch):
    monkeypatch.chdir(parts)
    robot = denoc.load("m.xml")
    assert robot.bodies == ("arm", "ball") and robot.mass == pytest.approx(1.6)
    kept = pickle.dumps(robot)
    assert denoc.load("m.xml") == robot
    (parts / "deep" / "part.xml").write_text(PART.replace("1.3", "5"))
    assert denoc.load("m.xml") != robot and denoc.load("m.xml").mass != robot.mass
    for folder in (parts, parts / "deep"):
        monkeypatch.chdir(folder)
        require_same(pickle.loads(kept), robot)
    (parts / "deep" / "part.xml").unlink()
    require_same(pickle.loads(kept), robot)
    with pytest.raises(denoc.RobotError, match="part.xml"):
        denoc.load(parts / "m.xml")


def test_of_mujoco_in_a_urdf_include_nothing(tmp_path):
    """A URDF may have a block for MuJoCo, and blocks of others that include something."""
    text = URDF.replace("</robot>", '<mujoco><compiler meshdir="m"/></mujoco><gazebo><include file="gone.xml"/></gazebo></robot>')
    (tmp_path / "m.urdf").write_text(text)
    robot = denoc.load(tmp_path / "m.urdf")
    require_same(pickle.loads(pickle.dumps(robot)), robot)


def test_include_beside_what_looks_like_it(parts):
    """An attribute may hold what a remark or an element begins with."""
    (parts / "m.xml").write_text(MAIN.replace('model="parts"', 'model="&lt;!-- parts"') + '<!-- <include file="none.xml"/> -->')
    robot = denoc.load(parts / "m.xml")
    kept = pickle.dumps(robot)
    for file in ("deep/part.xml", "deep/ball.xml", "gravity.xml"):
        (parts / file).unlink()
    require_same(pickle.loads(kept), robot)
    assert robot.name == "<!-- parts" and robot.mass == pytest.approx(1.6)


def test_are_values_in_whatever_letters_remarks_are(tmp_path):
    (tmp_path / "m.urdf").write_bytes(URDF.replace("<robot ", "<!-- Stra\xdfe --><robot ", 1).encode("latin-1"))
    robot = denoc.load(tmp_path / "m.urdf")
    require_same(pickle.loads(pickle.dumps(robot)), robot)


def test_are_pickled_beside_their_meshes_or_not_at_all(tmp_path, monkeypatch):
    def write(size):
        corners = [(x, y, z) for x in (0, size) for y in (0, 1) for z in (0, 1)]
        faces = ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6")
        lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces]
        (tmp_path / "box.obj").write_text("\n".join(lines) + "\n")

    write(1)
    (tmp_path / "m.xml").write_text(
        '<mujoco><asset><mesh name="box" file="box.obj"/></asset><worldbody><body name="b"><joint/>'
        '<geom type="mesh" mesh="box"/></body></worldbody></mujoco>'
    )
    monkeypatch.chdir(tmp_path)
    robot = denoc.load("m.xml")
    kept = pickle.dumps(robot)
    monkeypatch.chdir("/")
    require_same(pickle.loads(kept), robot)
    write(2)
    assert denoc.load(tmp_path / "m.xml") != robot
    with pytest.raises(denoc.RobotError, match="m.xml.*meshes.*load it again"):
        pickle.loads(kept)


def test_stand_within_their_limits_with_loops_closed(robots):
    for robot in robots.values():
        for seed in range(5):
            q = robot.random(seed)
            assert (q == robot.random(seed)).all()
            for joint in robot.joints:
                if joint.nq == 1:  # closed to rounding
                    assert joint.limits.lower - 1e-12 <= q[joint.q][0] <= joint.limits.upper + 1e-12
            assert np.abs(robot.difference(robot.assemble(q), q)).max() < 1e-8
        assert robot.neutral().shape == (robot.nq,)
    for seed in (-1, 2**64, 1.5, "1"):
        with pytest.raises(denoc.ArgumentError, match=f"seed is {seed!r}; a whole number"):
            robot.random(seed)
    assert (robot.random() != robot.random()).any()


@with_command_line
def test_are_drawn_as_the_command_line_draws(robots):
    for name in ("humanoid", "rp_arm", "three_rrr"):
        for seed in (0, 7, 2**64 - 1):
            told = subprocess.run([os.environ["DENOC_BINARY"], "state", name, "--random", str(seed)], capture_output=True, text=True)
            assert (robots[name].random(np.uint64(seed)) == json.loads(told.stdout)["q"]).all()


def test_slides_without_limits_are_drawn_within_the_length_of_the_robot():
    slide = denoc.load("""bodies:
- {name: car, joint: {type: prismatic}, mass: 1}
- {name: mast, frame: {xyz: [40, 0, 0]}, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
""")
    drawn = [abs(slide.random(seed)[0]) for seed in range(50)]
    assert 1 < max(drawn) < 100


# Of a joint with several coordinates, each has its limits.
LIMITED = """name: limited
bodies:
- {{name: a, joint: {{type: {}}}, mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {{lower: -0.1, upper: 0.2}}}}
- {{name: b, joint: {{type: revolute}}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
- {{name: c, parent: world, joint: {{type: revolute}}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
{}"""


@pytest.mark.parametrize("loops", ["", "loops: [{type: coupler, a: {body: b}, b: {body: c}, ratio: 2}]\n"])
@pytest.mark.parametrize("kind", ["revolute", "universal", "cylindrical", "planar"])
def test_stand_within_the_limits_of_every_coordinate(kind, loops):
    robot = denoc.load(LIMITED.format(kind, loops))
    assert robot.has_loops == (loops != "")
    drawn = np.array([robot.random(seed) for seed in range(20)])[:, robot.joints[0].q]
    assert (drawn >= -0.1).all() and (drawn <= 0.2).all() and (np.ptp(drawn, 0) > 0.1).all()


def test_never_change(robots):
    for robot in robots.values():
        kept = hash(robot)
        for each, name in ((robot.bodies[0], "mass"), (robot.joints[0], "limits"), (robot.joints[-1], "anything")):
            with pytest.raises(AttributeError, match=f"{name} of .*: a robot never changes"):
                setattr(each, name, 99.0)
            with pytest.raises(AttributeError, match="a robot never changes"):
                delattr(each, name)
        assert hash(robot) == kept
        for each in (*robot.bodies, *robot.joints):
            for again in (pickle.loads(pickle.dumps(each)), copy.copy(each), copy.deepcopy(each)):
                assert again == each and type(again) is type(each) and vars(again) == vars(each)


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
            "     actuator: {gear: 30, rotor_inertia: 0.0125}, armature: 0.1875, hub: [0.7, 0.8, 0.9, 0.25, 0, 0.5], mass: 2, inertia: [0.4, 0.5, 0.6, 0.0625, 0.03125, 0.015625]}",
        ]
    )
    shown = repr(denoc.load(text))
    for said in ("-1.25", " 1.5", " 7 ", " 11 ", " 30 ", "0.0125", "0.4 0.5 0.6", "0.0625 0.03125 0.015625", "0.1875",
                 "0.7 0.8 0.9 0.25 0 0.5"):  # fmt: skip
        assert said in shown
    assert "hub" not in repr(denoc.load("pendulum"))
    assert "0 0.35 0 0 0 0" in repr(denoc.load("puma560"))  # the hub is all that its first link has


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
