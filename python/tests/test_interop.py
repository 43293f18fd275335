"""Other libraries, where they are installed: the same robot has the same numbers."""

import numpy as np
import pytest
from test_robots import URDF

import denoc


def test_pinocchio_agrees(tmp_path):
    pin = pytest.importorskip("pinocchio")
    from denoc.interop import pinocchio as to

    model = pin.buildModelFromXML(URDF, pin.JointModelFreeFlyer())
    robot = denoc.load(URDF, base="free")
    rng = np.random.default_rng(1)
    q, v, a = robot.random(1), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    pq, pv, pa = to.q_to_pinocchio(robot, model, q), to.v_to_pinocchio(robot, model, v), to.v_to_pinocchio(robot, model, a)
    assert np.allclose(to.q_from_pinocchio(robot, model, pq), q, rtol=0, atol=1e-15)
    assert (to.v_from_pinocchio(robot, model, pv) == v).all()
    tau = to.v_from_pinocchio(robot, model, pin.rnea(model, model.createData(), pq, pv, pa))
    assert np.abs(tau - robot.inverse_dynamics(q, v, a)).max() <= 1e-12 * np.abs(tau).max()


def test_mujoco_models_are_read():
    mujoco = pytest.importorskip("mujoco")
    from denoc.interop import mujoco as to

    spec = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><body name='arm'><joint name='hinge' axis='0 1 0'/>"
        "<inertial pos='0.5 0 0' mass='2' diaginertia='0.1 0.2 0.2'/></body></worldbody></mujoco>"
    )
    spec.compile()
    robot = to.load(spec)
    assert [*robot.joints] == ["hinge"] and robot.gravity([0.0])[0] == pytest.approx(-9.81, rel=1e-12)


def test_xacro_files_are_expanded(tmp_path):
    pytest.importorskip("xacrodoc")
    file = tmp_path / "one.xacro"
    file.write_text(URDF.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ').replace('"2"', '"${1 + 1}"'))
    assert denoc.load(file).bodies[-1].mass == 2
