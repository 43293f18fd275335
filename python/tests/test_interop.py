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


PLANAR = """<robot name="skate">
  <link name="floor"/>
  <link name="plate"><inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0.01" iyz="0.03" ixz="0.02"/></inertial></link>
  <joint name="slides" type="planar"><parent link="floor"/><child link="plate"/><axis xyz="0 0 1"/></joint>
  <link name="arm"><inertial><origin xyz="0.1 0 0.3"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0" iyz="0" ixz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><origin xyz="0.3 0.1 0"/><parent link="plate"/><child link="arm"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>"""


def test_planar_joints_of_pinocchio_agree():
    pin = pytest.importorskip("pinocchio")
    from denoc.interop import pinocchio as to

    model, robot = pin.buildModelFromXML(PLANAR), denoc.load(PLANAR)
    data = model.createData()
    rng = np.random.default_rng(2)
    q = np.array([robot.random(seed) for seed in range(5)])
    v, a, tau = rng.normal(size=(3, 5, robot.nv))
    pq = to.q_to_pinocchio(robot, model, q)
    pv, ptau = (to.v_to_pinocchio(robot, model, x, q) for x in (v, tau))
    pa = to.a_to_pinocchio(robot, model, q, v, a)
    many = zip(pq, pv, pa, ptau)
    found = [(pin.rnea(model, data, *each[:3]), pin.aba(model, data, *each[:2], each[3])) for each in many]
    asked, moved = (np.array(x) for x in zip(*found))
    here = robot.inverse_dynamics(q, v, a)
    assert np.abs(to.v_from_pinocchio(robot, model, asked, q) - here).max() <= 1e-12 * np.abs(here).max()
    here = robot.forward_dynamics(q, v, tau)
    assert np.abs(to.a_from_pinocchio(robot, model, q, v, moved) - here).max() <= 1e-12 * np.abs(here).max()
    # Power is the same in all coordinates, and there and back is nowhere: a few roundings each.
    assert np.allclose((pv * ptau).sum(-1), (v * tau).sum(-1), rtol=0, atol=1e-14)
    assert np.allclose(to.v_from_pinocchio(robot, model, pv, q), v, rtol=0, atol=1e-15)
    assert np.allclose(to.a_from_pinocchio(robot, model, q, v, pa), a, rtol=0, atol=1e-14)
    for call in (to.v_to_pinocchio, to.v_from_pinocchio):
        with pytest.raises(denoc.ArgumentError, match="'slides' is planar.*give q"):
            call(robot, model, v)
        # leading axes broadcast: one v at many q, many v at one q
        assert (call(robot, model, v[0], q) == [call(robot, model, v[0], each) for each in q]).all()
        assert (call(robot, model, v, q[0]) == [call(robot, model, each, q[0]) for each in v]).all()


def test_pinocchio_takes_what_robots_take():
    pin = pytest.importorskip("pinocchio")
    from denoc.interop import pinocchio as to

    model = pin.buildModelFromXML(URDF, pin.JointModelFreeFlyer())
    robot = denoc.load(URDF, base="free")
    q, v = robot.random(1), np.ones(robot.nv)
    pq = to.q_to_pinocchio(robot, model, q)
    hidden = np.ma.masked_array(q, mask=q == q[0])
    taken = {"q": (to.q_to_pinocchio, q), "Pinocchio's q": (to.q_from_pinocchio, pq), "v": (to.v_to_pinocchio, v)}
    taken["Pinocchio's v"] = (to.v_from_pinocchio, v)
    for call, x in taken.values():
        assert call(robot, model, [x, x]).shape[0] == 2
        for wrong, words in (
            ([*x, 0.0], r"has the shape \(\d+,\); \(..., \d+\) is wanted"),
            (x[1:], "has the shape"),
            (0.0, "has the shape"),
            (np.ma.masked_array(x, mask=x == x[0]), "entries are masked"),
            (x + 1j, "numbers of type complex128"),
            ([str(each) for each in x], "numbers of type <U"),
        ):
            with pytest.raises(denoc.ArgumentError, match=words):
                call(robot, model, wrong)
    for call, x in list(taken.values())[:2]:
        with pytest.raises(denoc.ArgumentError, match="the quaternion of joint .* has length 0, not 1"):
            call(robot, model, 0 * x)
    for call in (to.a_to_pinocchio, to.a_from_pinocchio):
        assert call(robot, model, q, v, v).shape == v.shape
        for given, name in (((hidden, v, v), "q"), ((q, v[1:], v), "v"), ((q, v, v[1:]), "a")):
            with pytest.raises(denoc.ArgumentError, match=f"^{name}(:| has)"):
                call(robot, model, *given)


def test_angles_of_pinocchio_are_points_of_a_circle():
    pin = pytest.importorskip("pinocchio")
    from denoc.interop import pinocchio as to

    urdf = PLANAR.replace('type="revolute"', 'type="continuous"')
    model, robot = pin.buildModelFromXML(urdf), denoc.load(urdf)
    q = to.q_to_pinocchio(robot, model, [0.1, 0.2, 0.3, 0.4])
    assert np.allclose(to.q_from_pinocchio(robot, model, q), [0.1, 0.2, 0.3, 0.4], rtol=0, atol=1e-15)
    for joint, first in (("slides", 2), ("hinge", 4)):
        wrong = q.copy()
        wrong[first : first + 2] = 0
        with pytest.raises(denoc.ArgumentError, match=f"joint '{joint}' are no point of the unit circle"):
            to.q_from_pinocchio(robot, model, wrong)


def test_files_of_mujoco_are_read_by_denoc_itself():
    from denoc.interop import mujoco

    for given in ("model.xml", None):
        with pytest.raises(denoc.ArgumentError, match=f"MjSpec or an MjModel is wanted, not {type(given).__name__}; files are read by denoc.load"):
            mujoco.load(given)


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


def test_meshes_of_a_mujoco_spec_lie_beside_its_file(tmp_path, monkeypatch):
    mujoco = pytest.importorskip("mujoco")
    from denoc.interop import mujoco as to

    (tmp_path / "meshes").mkdir()
    corners = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    faces = "".join(f"f {face}\n" for face in ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"))
    (tmp_path / "meshes" / "box.obj").write_text(corners + faces)
    (tmp_path / "box.xml").write_text(
        "<mujoco><compiler meshdir='meshes'/><asset><mesh name='box' file='box.obj'/></asset>"
        "<worldbody><body name='b'><joint/><geom type='mesh' mesh='box'/></body></worldbody></mujoco>"
    )
    spec = mujoco.MjSpec.from_file(str(tmp_path / "box.xml"))
    monkeypatch.chdir("/")
    assert to.load(spec).mass == pytest.approx(1000)  # a cubic metre of water
    assert to.load(spec) == to.load(spec) and to.load(spec, gravity=[0, 0, 0]).gravity([0.0])[0] == 0


def test_mujoco_models_are_those_that_were_meant():
    mujoco = pytest.importorskip("mujoco")
    from denoc.interop import mujoco as to

    arm = "<body {}><joint type='{}' axis='0 1 0' {}/><geom type='sphere' size='.1' mass='{}' pos='0 0 1'/>{}</body>"

    def model(*bodies):
        return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{''.join(bodies)}</worldbody></mujoco>")

    one = arm.format("name='one'", "hinge", "name='j'", 1, "{}")
    tip = arm.format("name='tip'", "hinge", "", 1, "")
    first = model(one.format(""))
    robot = to.load(first)
    assert [*robot.joints] == ["j"] and robot.inertia([0.3])[0, 0] == pytest.approx(0.4 * 0.1**2 + 1, rel=1e-5)
    # Each is what was loaded last, and no other is taken for it.
    for last in (
        [one.format("").replace("hinge", "slide")],
        [one.format("").replace("'one'", "'two'")],
        [one.format("").replace("'j'", "'k'")],
        [one.format(tip)],
    ):
        other = model(*last)
        with pytest.raises(denoc.ArgumentError, match="pass its MjSpec"):
            to.load(first)
        assert to.load(other).nq == other.nq
    chain = model(one.format(tip))
    to.load(chain)
    model(one.format(""), tip)  # the same names and types, beside each other
    with pytest.raises(denoc.ArgumentError, match="pass its MjSpec"):
        to.load(chain)


def test_xacro_files_are_expanded(tmp_path):
    pytest.importorskip("xacrodoc")
    file = tmp_path / "one.xacro"
    file.write_text(URDF.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ').replace('"2"', '"${1 + 1}"'))
    assert denoc.load(file).bodies[-1].mass == 2


# Gradients, through the numbers of q: quaternions move on the unit sphere.


def on_sphere(robot, q):
    q = q.copy()
    for joint in robot.joints:
        if joint.type in ("spherical", "free"):
            part = q[..., joint.q][..., -4:]
            part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q


@pytest.mark.parametrize("name", ["puma560", "floating_dual_arm", "wrist"])
@pytest.mark.parametrize("problem", ["inverse_dynamics", "forward_dynamics"])
def test_gradients_are_those_of_small_changes(robots, name, problem):
    from denoc.interop._pullback import pullback

    robot, h = robots[name], 1e-6
    rng = np.random.default_rng(4)
    q, by = robot.random(4), rng.normal(size=robot.nv)
    v, x = rng.normal(size=(2, robot.nv))
    if problem == "forward_dynamics":
        x = robot.inverse_dynamics(q, v, x)
    call = getattr(robot, problem)
    for k, gradient in enumerate(pullback(robot, problem, q, v, x, by)):
        along = rng.normal(size=gradient.shape)
        ends = []
        for sign in (1, -1):
            state = [q, v, x]
            state[k] = state[k] + sign * h * along
            ends.append(by @ call(on_sphere(robot, state[0]), state[1], state[2]))
        change = (ends[0] - ends[1]) / (2 * h)
        assert gradient @ along == pytest.approx(change, rel=1e-5, abs=1e-6 * abs(ends[0]))


def test_only_what_has_a_gradient_is_taken(puma):
    from denoc.interop._pullback import require

    state = np.zeros((3, 6))
    for problem, last in (("inverse_dynamics", "a"), ("forward_dynamics", "tau")):
        require(puma, problem, state, {"forces": True, "wrenches": {"link6": np.ones(6)}, "loops": "open", "threads": 1})
        for option in ("driven", "method", "out", "wrench_axes", "nothing"):
            with pytest.raises(TypeError, match=f"takes no {option} here; it takes errors, forces, loops, threads, wrenches"):
                require(puma, problem, state, {option: None})
        for k, name in enumerate(("q", "v", last)):
            for wrong in (np.zeros(5), np.zeros((6, 1)), np.array(1.0)):
                with pytest.raises(denoc.ArgumentError, match=rf"^{name} has the shape .*; \(..., 6\) is wanted"):
                    require(puma, problem, [*state[:k], wrong, *state[k + 1 :]], {})


def test_torch_goes_through(puma):
    torch = pytest.importorskip("torch")
    from denoc.interop import torch as to

    state = [torch.randn(5, 6, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    one = torch.randn(6, dtype=torch.float64, requires_grad=True)
    for call in (to.inverse_dynamics, to.forward_dynamics):
        assert torch.autograd.gradcheck(lambda q, v, x, call=call: call(puma, q, v, x), (*state, one), atol=1e-4, rtol=1e-5)
    assert to.inverse_dynamics(puma, *(x.float() for x in (*state, one))).dtype == torch.float32


def test_torch_brings_tensors_to_one_precision(puma):
    torch = pytest.importorskip("torch")
    from denoc.interop import torch as to

    whole, half, single, double = (torch.ones(6, dtype=x) for x in (torch.int64, torch.float16, torch.float32, torch.float64))
    want = torch.from_numpy(puma.inverse_dynamics(np.ones(6), np.ones(6), np.ones(6)))
    for q, v, a, dtype in (
        (whole, double, double, torch.float64),
        (single, double, whole, torch.float64),
        (whole, single, half, torch.float32),
        (whole, whole, whole, torch.float32),
        (half, half, half, torch.float32),
    ):
        tau = to.inverse_dynamics(puma, q, v, a)
        assert tau.dtype == dtype and (tau - want).abs().max() <= 200 * torch.finfo(dtype).eps * want.abs().max()
    state = [x.clone().requires_grad_() for x in (single, double, double)]
    to.inverse_dynamics(puma, *state).sum().backward()
    same = [x.detach().double().requires_grad_() for x in state]
    to.inverse_dynamics(puma, *same).sum().backward()
    for found, exact in zip(state, same):  # in double, and only then to what was given
        assert found.grad.dtype == found.dtype and (found.grad == exact.grad.to(found.dtype)).all()


def test_jax_goes_through(puma):
    jax = pytest.importorskip("jax")
    from denoc.interop import jax as to

    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(7)
    q, v, x = rng.normal(size=(3, 6)), rng.normal(size=6), rng.normal(size=6)
    weights = rng.normal(size=(3, 6))
    for call, plain in ((to.inverse_dynamics, puma.inverse_dynamics), (to.forward_dynamics, puma.forward_dynamics)):
        value = jax.jit(lambda *s, call=call: call(puma, *s))(q, v, x)
        assert np.abs(value - plain(q, v, x)).max() <= 1e-12 * np.abs(value).max()
        gradients = jax.grad(lambda *s, call=call: (weights * call(puma, *s)).sum(), (0, 1, 2))(q, v, x)
        for k, gradient in enumerate(gradients):
            along, h = rng.normal(size=gradient.shape), 1e-6
            ends = [(weights * plain(*(y + (j == k) * s * h * along for j, y in enumerate((q, v, x))))).sum() for s in (1, -1)]
            assert (np.asarray(gradient) * along).sum() == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)
        rows = jax.vmap(lambda one, call=call: call(puma, one, v, x))(q)
        assert np.abs(rows - value).max() <= 1e-12 * np.abs(value).max()
