"""Runs: energy is kept, laws act, scenarios are those of the command line, and every end says what there is."""

import os
import re
import signal
import subprocess
import threading
import time

import numpy as np
import pytest
from conftest import with_command_line

import denoc

SCENARIO = """title: a swing
robot: pendulum
start: {q: [1], v: [0]}
duration: 1
integrator: {method: rk4, step: 0.001}
output: {every: 0.1}
"""


def test_energy_is_kept_without_drives(robots):
    for name in ("puma560", "floating_dual_arm", "fourbar"):
        robot = robots[name]
        run = robot.simulate(0.3, q=robot.random(2), rtol=1e-9)
        assert run.complete and run.t[0] == 0 and run.t[-1] == 0.3
        count = len(run)
        assert run.q.shape == (count, robot.nq) and run.v.shape == run.a.shape == run.tau.shape == (count, robot.nv)
        balance = run.kinetic + run.potential - run.work + run.dissipated
        assert np.abs(balance - balance[0]).max() <= 1e-6 * max(1, np.abs(run.potential).max())


def test_a_callable_drives(puma):
    target, seen = puma.random(3), []

    def law(t, q, v):
        seen.append(t)
        return puma.bias(q, v) + puma.inertia(q) @ (100 * (target - q) - 20 * v)

    run = puma.simulate(1.5, q=np.zeros(6), control=law, rtol=1e-6)
    # e'' + 20 e' + 100 e = 0, critically damped: e = e0 (1 + 10 t) exp(-10 t)
    left = (1 + 15) * np.exp(-15) * np.abs(target).max()
    assert np.abs(run.q[-1] - target).max() <= 2 * left + 1e-5
    assert seen and np.abs(run.tau[-1] - law(0, run.q[-1], run.v[-1])).max() <= 1e-9 * np.abs(run.tau[-1]).max()
    for wrong, words in ((lambda t, q, v: q[:5], r"\(5,\)"), (lambda t, q, v: q * np.nan, "finite")):
        with pytest.raises(denoc.ArgumentError, match=words):
            puma.simulate(0.1, control=wrong)
    with pytest.raises(ZeroDivisionError):
        puma.simulate(0.1, control=lambda t, q, v: 1 / 0)


def test_a_callable_may_be_sampled():
    calls = []

    def law(t, q, v):
        calls.append(t)
        return [0.0]

    denoc.load("pendulum").simulate(0.1, control=law, rate=100, integrator="rk4", step=0.001)
    assert 10 <= len(set(calls)) <= 12


def test_maps_of_scenarios_drive(puma):
    goal = puma.random(5)
    run = puma.simulate(
        1.0,
        motion={"type": "point_to_point", "from": np.zeros(6), "to": goal, "duration": 1.0},
        control={"type": "computed_torque", "kp": 100, "kd": 20},
        wrenches=[{"body": "link6", "axes": "world", "force": [0, 0, "-1*step(t - 0.5)"]}],
        output={"reactions": True},
    )
    assert np.abs(run.q[-1] - goal).max() < 0.05
    assert run.reactions.shape == (len(run), 1 + len(puma.bodies), 6)


def test_wrong_options_are_named(puma):
    for options, words in (
        ({"integrator": "rk5"}, "rk5|integrator"),
        ({"rtol": -1}, "rtol"),
        ({"q": [0] * 5}, r"q has the shape \(5,\)"),
        ({"q": [float("nan")] * 6}, "finite"),
        ({"control": {"type": "pid"}}, "pid"),
        ({"control": 3}, "callable"),
        ({"wrenches": [{"body": "lnik6", "force": [1, 0, 0]}]}, "link6"),
        ({"rate": 10}, "rate"),
        ({"integrator": "rk4"}, "step"),
        ({"integrator": "sdirk4"}, "sdirk4 is for the command line alone"),
        ({"control": lambda t, q, v: None}, "control gives nothing"),
        ({"control": lambda t, q, v: np.zeros(6, complex)}, "tau of control at t = 0 s: numbers of type complex"),
        ({"control": lambda t, q, v: ["0"] * 6}, "tau of control at t = 0 s: numbers of type <U1"),
        ({"control": lambda t, q, v: [0] * 5}, r"tau of control at t = 0 s has the shape \(5,\)"),
        ({"control": lambda t, q, v: 0.0}, r"tau of control at t = 0 s has the shape \(1,\)"),
        ({"control": lambda t, q, v: np.full(6, np.inf)}, "tau of control at t = 0 s is .*finite"),
    ):
        with pytest.raises(denoc.Error, match=words):
            puma.simulate(0.1, **options)
    for duration in (0, -1, float("inf"), "5", None):
        with pytest.raises(denoc.Error, match="duration|finite"):
            puma.simulate(duration)


def test_texts_that_nobody_sees_have_no_lines(tmp_path):
    """Of what denoc writes for itself: messages have the place, files that are named keep their lines."""
    robot = denoc.load("two_link")
    (tmp_path / "bad.csv").write_text("t,q.link1,q.link2\n0,0,0\n1,0,x\n")
    for call, words in (
        (lambda: robot.simulate(1, q={"pol": 1}), "simulate: start: q: unknown key 'pol'"),
        (lambda: robot.motion({"type": "pp"}), "motion: motion: type: unknown word 'pp'"),
        (lambda: robot.control_law({"type": "pp"}), "control: control: type: unknown word 'pp'"),
        (lambda: denoc.Scenario({"robot": "two_link", "duration": 1, "stop": 2}).run(), "scenario: unknown key 'stop'"),
        (lambda: robot.motion({"type": "file", "file": str(tmp_path / "bad.csv")}), ".*bad.csv:3: "),
    ):
        with pytest.raises(denoc.RobotError) as caught:
            call()
        assert re.match(words, str(caught.value)) and str(caught.value) == str(caught.value.faults[0])
    motion = {"type": "point_to_point", "from": [0, 0], "to": [1, 1], "duration": 1}
    with pytest.warns(denoc.RunWarning, match="^simulate: motion: no drive follows it"):
        robot.simulate(0.1, motion=motion)


def test_starts_are_maps_by_joint():
    robot, linkage = denoc.load("cart_pole"), denoc.load("fourbar")
    assert (robot.simulation({"pole": "pi/6"}).q == [0, np.pi / 6]).all()
    assert (robot.rollout({"pole": 0.3}, [0, 0], np.zeros((3, 2)), 0.01).q[0] == [0, 0.3]).all()
    assert (robot.motion({"type": "hold"}, q={"pole": 0.3})(0).q == [0, 0.3]).all()
    assert (robot.control_law({"type": "pd", "kp": 1, "kd": 0}, motion={"type": "hold"}, q={"pole": 0.3})(0, [0, 0], [0, 0]) == [0, 0.3]).all()
    crank = str(linkage.joints[0])
    assert np.allclose(linkage.simulation({crank: 1}).q, linkage.simulate(0.1, q={crank: 1}).q[0], atol=1e-12)
    with pytest.raises(denoc.RobotError, match="start: q: unknown key 'pol'"):
        robot.simulation({"pol": 0.3})
    for call, words in (
        (lambda: robot.simulation(v={"pole": 1}), r"v is a map by joint; here an array \(\.\.\., 2\) in the order of robot.joints is wanted"),
        (lambda: robot.inverse_dynamics({"pole": 1}, [0, 0], [0, 0]), "q is a map by joint; here an array"),
        (lambda: robot.inverse_dynamics(None, [0, 0], [0, 0]), r"q is None; \(\.\.\., 2\) numbers are wanted"),
    ):
        with pytest.raises(denoc.ArgumentError, match=words):
            call()


def test_a_failure_says_when_and_where():
    robot = denoc.load("pendulum")
    words = 'more than 50 evaluations .*; integrator={"method": .., "max_evaluations": ..} allows more'
    with pytest.raises(denoc.SimulationFailure, match=words) as caught:
        robot.simulate(10, q=[1], integrator={"method": "dopri5", "max_evaluations": 50})
    failure = caught.value
    assert failure.t >= 0 and failure.q.shape == (1,) and failure.v.shape == (1,)
    assert not failure.run.complete and len(failure.run) >= 1


def test_what_is_not_known_of_a_run_that_failed_is_none():
    robot = denoc.load("friction_pendulum")
    whole = robot.simulate(1.4, q=[1.0])
    with pytest.raises(denoc.SimulationFailure) as caught:
        robot.simulate(5, q=[1.0], control={"type": "torques", "tau": ["1/(1.5-t)^3"]})
    run = caught.value.run
    assert len(run) > 100 and run.statistics.keys() == whole.statistics.keys()
    assert run.statistics["steps"] is run.statistics["evaluations"] is run.statistics["stiff"] is None
    assert run.statistics["largest_kinetic"] == run.kinetic.max() > 0
    assert run.statistics["events"] == len(run.events)
    balance = run.kinetic + run.potential - run.work + run.dissipated
    assert run.statistics["balance_defect"] == np.abs(balance - balance[0]).max()
    page = run.report()
    assert "the run was broken off" in page and "Evaluations" not in page
    assert "Evaluations" in whole.report()


def test_points_and_contacts_are_arrays_of_the_run():
    robot = denoc.load(
        "bodies:\n- {name: ball, joint: {type: free}, mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n"
        "- {name: mast, joint: {type: fixed}, frame: {xyz: [0, 0, 1]}}\n"
    )
    ground = {"stiffness": 1e4, "damping": 1, "points": [{"body": "ball"}]}
    output = {"contacts": True, "points": {"tip": {"body": "ball", "point": [0.1, 0, 0.3]}}}
    run = robot.simulate(0.3, q=[0, 0, 0.1, 1, 0, 0, 0], ground=ground, output=output)
    assert run.points.shape == run.contacts.shape == (len(run), 1, 3)
    assert run.names_points == ["tip"] and run.names_contacts == ["ball"]
    tip = np.array([robot.pose(q, "ball", [0.1, 0, 0.3])[:3, 3] for q in run.q])
    assert np.abs(run.points[:, 0] - tip).max() <= 1e-14
    pushed = 2 * (run.a[:, 5] + 9.81)  # without turning, weight and ground are all there is
    assert np.abs(run.contacts[:, 0, 2] - pushed).max() <= 1e-9 * pushed.max() and pushed.max() > 100
    assert {"points", "contacts"} <= run.arrays.keys() and "tip" in run.report() and "tip" in run.film()
    assert robot.simulate(0.1).points is None
    with pytest.raises(denoc.ArgumentError, match=r"output: npz: .*save"):
        robot.simulate(0.1, output={"npz": True})


def test_a_step_starts_from_numbers():
    sim = denoc.load("pendulum").simulation([0.1])
    sim.q = np.array([np.nan])
    with pytest.raises(denoc.ArgumentError, match=r"q is \[nan\]; \(1,\) finite numbers"):
        sim.step([0], 0.01)


def test_what_a_step_gives_is_ones_own(puma):
    sim, other = puma.simulation([0.1] * 6), puma.simulation([0.1] * 6)
    for _ in range(2):
        for x in sim.step([0] * 6, 0.01):
            x[:] = 0
        other.step([0] * 6, 0.01)
    assert (sim.q == other.q).all() and (sim.v == other.v).all()


def test_loops_are_closed_where_steps_start(robots):
    robot, rates = robots["fourbar"], np.array([1.0, 0, 0])
    sim = robot.simulation(v=rates)
    # The nearest rates along the one motion that the loop leaves: v projected onto it.
    along = robot.assembly_derivatives(sim.q).first[:, 0]
    assert np.abs(sim.v - along * (along @ rates) / (along @ along)).max() <= 1e-12
    sim.step([0] * 3, 0.001)


def test_friction_sticks_and_slips():
    robot = denoc.load("friction_pendulum")
    run = robot.simulate(10, q=[1.0])
    assert run.events and {event.kind for event in run.events} <= {"stick", "slip", "turn"}
    assert run.events[0].joint == robot.joints[0] and 0 < run.events[0].t < 10
    assert run.dissipated[-1] > 0


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_run_with_what_there_is(puma):
    for control in (None, lambda t, q, v: np.zeros(6)):
        sent = []

        def press(sent=sent):
            time.sleep(0.3)
            sent.extend((time.monotonic(), time.process_time()))
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=press)
        thread.start()
        run = puma.simulate(2000, q=np.ones(6), control=control, every=10.0)
        took, worked = time.monotonic() - sent[0], time.process_time() - sent[1]
        thread.join()
        assert worked < 0.1, worked  # what it takes on a machine of its own
        assert took < 0.5, took
        assert not run.complete and len(run) >= 1


def test_others_run_meanwhile(puma):
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    puma.simulate(300, q=np.ones(6), every=10.0)
    took = time.monotonic() - start
    stop.set()
    thread.join()
    # A run that held the interpreter would let go of it every 20 ms at most.
    assert len(ticks) > took / 0.02 + 5


def test_runs_are_saved_and_shown(tmp_path, puma):
    run = puma.simulate(0.1, q=np.ones(6), title="a fall")
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as saved:
        assert (saved["q"] == run.q).all() and {"t", "v", "a", "tau", "kinetic", "potential"} <= set(saved)
    with pytest.raises(denoc.ArgumentError, match=r"writes NAME.npz, not '.*run.csv'"):
        run.save(tmp_path / "run.csv")
    run.save(tmp_path / "run")
    assert [each.name for each in tmp_path.iterdir()] == ["run.npz"]
    page = run.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert page.lower().startswith("<!doctype html") and "a fall" in page and "http://" not in page.replace("http://www.w3.org", "")
    assert "<iframe" in run._repr_html_()
    assert "puma560" in repr(run).lower()


def test_runs_become_tables():
    pandas = pytest.importorskip("pandas")
    run = denoc.load("floating_3link").simulate(0.05)
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "t"
    assert [name for name in table if name.startswith("q.")] == ["q." + name for name in run.names_q]
    assert (table["kinetic"] == run.kinetic).all()


def test_runs_are_plotted():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    run = denoc.load("floating_3link").simulate(0.05)
    figure = run.plot()
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert any("rad" in label for label in labels) and any("[J]" in label for label in labels)
    assert figure.axes[-1].get_xlabel() == "t [s]"
    assert not any("torque" in label for label in labels)  # no drive does anything
    crowd = denoc.load("humanoid").simulate(0.02).plot("q", "tau")
    crowd.canvas.draw()
    for axis in crowd.axes:  # many names leave room for the curves
        assert axis.get_window_extent().height > 80 and axis.get_window_extent().width > 200
    with pytest.raises(denoc.ArgumentError, match="tau"):
        run.plot("torque")


def test_steps_of_ones_own_follow_the_run(puma):
    q = puma.random(6)
    sim = puma.simulation(q)
    for _ in range(100):
        sim.step(np.zeros(6), 0.001)
    run = puma.simulate(0.1, q=q, rtol=1e-12, atol=1e-12)
    # a fixed step of order 4 against a run with error 1e-12
    assert np.abs(sim.q - run.q[-1]).max() < 1e-8 and sim.t == pytest.approx(0.1)
    for tau, dt in (([0] * 5, 0.1), ([0] * 6, -1), ([0] * 6, "0.1"), ([np.nan] * 6, 0.1)):
        with pytest.raises(denoc.ArgumentError):
            sim.step(tau, dt)


def test_scenarios_are_those_of_the_command_line(tmp_path):
    file = tmp_path / "swing.yaml"
    file.write_text(SCENARIO)
    scenario = denoc.Scenario(file)
    assert scenario["duration"] == 1 and scenario["integrator"]["method"] == "rk4"
    run = scenario.run()
    assert run.title == "a swing" and run.robot.name == denoc.load("pendulum").name
    assert (denoc.Scenario(SCENARIO).run().q == run.q).all()
    (scenario | {"duration": 2}).save(tmp_path / "longer.yaml")
    assert "integrator: {method: rk4, step: 0.001}\n" in (tmp_path / "longer.yaml").read_text()
    longer = denoc.Scenario(tmp_path / "longer.yaml").run()
    assert longer.t[-1] == 2
    assert (longer.q[: len(run)] == run.q).all()
    for wrong, words in (("duration: 1", "robot"), ("robot: pendulum", "duration"), ("[1, 2]\n", "map"), ("a: [\n", "line|:")):
        with pytest.raises(denoc.RobotError, match=words):
            denoc.Scenario(wrong + "\n").run()
    with pytest.raises(denoc.RobotError, match="No such file"):
        denoc.Scenario(tmp_path / "none.yaml")


def test_scenarios_are_written_as_they_were_read(tmp_path):
    told = {"robot": "pendulum", "duration": 0.1, "title": "yes", "start": {"q": [0.5], "v": ["1/2"]}, "wrenches": [
        {"body": "rod", "axes": "world", "force": [0, 0, "-1*step(t - 0.5)"]}]}  # fmt: skip
    told["wrenches"][0]["body"] = str(denoc.load("pendulum").bodies[-1])
    denoc.Scenario(told).save(tmp_path / "one.yaml")
    again = denoc.Scenario(tmp_path / "one.yaml")
    assert dict(again) == told
    assert again.run().title == "yes"


def test_files_beside_a_scenario_are_found(tmp_path, monkeypatch):
    (tmp_path / "there" / "deep").mkdir(parents=True)
    robot = tmp_path / "there" / "rod.yaml"
    robot.write_text("bodies:\n  - {name: rod, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}\n")
    file = tmp_path / "there" / "swing.yaml"
    file.write_text("robot: rod.yaml\nduration: 0.1\nstart: {q: {rod: 0.3}}\n")
    monkeypatch.chdir(tmp_path)
    run = denoc.Scenario("there/swing.yaml").run()
    denoc.Scenario("there/swing.yaml").save("there/deep/again.yaml")
    assert 'robot: "../rod.yaml"\n' in (tmp_path / "there" / "deep" / "again.yaml").read_text()
    assert (denoc.Scenario("there/deep/again.yaml").run().q == run.q).all()
    # A folder in the name is the scenario's, as for `denoc simulate`, also one that is no more than a dot.
    (tmp_path / "there" / "rod").write_text(robot.read_text())
    file.write_text("robot: ./rod\nduration: 0.1\nstart: {q: {rod: 0.3}}\n")
    denoc.Scenario(file).save("again.yaml")
    for each in (file, "there/swing.yaml", "again.yaml"):
        assert (denoc.Scenario(each).run().q == run.q).all()


def test_titles_are_in_whatever_letters(tmp_path):
    (tmp_path / "run.yaml").write_bytes("robot: pendulum\nduration: 0.01\ntitle: Stra\xdfe # \xe9\n".encode("latin-1"))
    assert denoc.Scenario(tmp_path / "run.yaml").run().title == "Stra\N{REPLACEMENT CHARACTER}e"


MOVES = (
    "{type: file, file: way.csv}",
    "{type: sequence, motions: [{type: hold, posture: [0.2], duration: 0.05}, {type: file, file: way.csv}]}",
)


@pytest.mark.filterwarnings("ignore:.*jumps:denoc.RunWarning")
@pytest.mark.parametrize("motion", MOVES)
def test_files_of_motions_go_along(tmp_path, motion):
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    joint = denoc.load("pendulum").joints[0]
    (tmp_path / "way.csv").write_text(f"t,q.{joint}\n0,0.2\n0.1,0.3\n0.2,0.5\n")
    file = tmp_path / "swing.yaml"
    file.write_text(f"robot: pendulum\nduration: 0.2\nmotion: {motion}\ncontrol: {{type: computed_torque, kp: 100, kd: 20}}\n")
    scenario = denoc.Scenario(file)
    scenario.save(tmp_path / "elsewhere" / "deep" / "again.yaml")
    assert (denoc.Scenario(tmp_path / "elsewhere" / "deep" / "again.yaml").run().q == scenario.run().q).all()
    assert "way.csv" in str(scenario["motion"]) and ".." not in str(scenario["motion"])  # which stays as it was


def test_a_callable_keeps_the_rate_of_the_file():
    calls = []
    scenario = denoc.Scenario(SCENARIO + "control: {type: torques, tau: [0], rate: 50}\n")
    scenario.run(control=lambda t, q, v: calls.append(t) or [0])
    assert np.allclose(sorted(set(calls)), np.arange(51) / 50, rtol=0, atol=1e-12)


# Steps that are tried and taken back would be in its sums, too.
def test_laws_that_sum_want_a_rate():
    robot = denoc.load("pendulum")
    pid, hold = {"type": "pid", "kp": 20, "ki": 40, "kd": 1, "rate": 200}, {"type": "hold", "posture": [0.0]}

    def law():
        return robot.control_law(pid, motion=hold)

    assert law().wants_rate and not robot.control_law({"type": "none"}).wants_rate
    want = robot.simulate(0.2, q=[0.3], control=pid, motion=hold)
    assert (robot.simulate(0.2, q=[0.3], control=law(), rate=200).q == want.q).all()
    sampled = denoc.Scenario(SCENARIO + "control: {type: none, rate: 200}\n").run(control=law())
    assert sampled.complete
    for run in (
        lambda: robot.simulate(0.2, q=[0.3], control=law()),
        lambda: denoc.Scenario(SCENARIO).run(control=law()),
    ):
        with pytest.raises(denoc.ArgumentError, match="sums from sample to sample: give it a rate, 1000 Hz for example"):
            run()


# Of every plane of Unicode, and what YAML would not take as it is.
LETTERS = "\u00e9 \u4e2d \U0001f600 \U0010fffd \x7f \x85 \u2028 \ufeff \" \\ \\ud83d"


def test_letters_are_any(tmp_path):
    robot = tmp_path / "rod.yaml"
    named = "\U0001f600 rod"
    robot.write_text(f'bodies:\n  - {{name: "{named}", joint: {{type: revolute}}, mass: 1, com: [0, 0.1, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n', encoding="utf-8")
    loaded = denoc.load(robot)
    joint = loaded.joints[0].name
    wrenches = [{"body": named, "force": [1, 0, 0]}]
    run = loaded.simulate(0.1, q={joint: 0.1}, wrenches=wrenches, title=LETTERS)
    assert run.title == LETTERS and run.q[0] == [0.1]
    told = {"robot": str(robot), "duration": 0.1, "title": LETTERS, "start": {"q": {joint: 0.1}}, "wrenches": wrenches}
    denoc.Scenario(told).save(tmp_path / "one.yaml")
    again = denoc.Scenario(tmp_path / "one.yaml")
    assert again["title"] == LETTERS and again.run().title == LETTERS and (again.run().q == run.q).all()
    assert loaded.motion({"type": "hold", "posture": {joint: 0.2}}, duration=1)(0).q == [0.2]
    if "DENOC_BINARY" in os.environ:
        subprocess.run([os.environ["DENOC_BINARY"], "check", tmp_path / "one.yaml"], capture_output=True, check=True)
    with pytest.raises(denoc.Error):  # half of a pair is no letter
        loaded.simulate(0.1, title="\ud83d")


def test_progress_is_shown_and_wiped_away(capsys, monkeypatch):
    from denoc import simulation

    clock = iter(range(1000))
    monkeypatch.setattr(simulation.time, "monotonic", lambda: next(clock))
    shown = simulation._Progress(10.0)
    shown(2.5)
    assert "25 %, 2.5 of 10 s" in capsys.readouterr().err
    shown.done()
    assert capsys.readouterr().err.endswith("\r")


@pytest.mark.parametrize("said, wanted", [
    ("duration: 1/4\n", {"t": 0.25}),
    ("duration: 0.25\ngravity: [0, -9.81/6, pi]\n", {"gravity": [0, -9.81 / 6, np.pi]}),
    ("duration: 2.50e-1\ntitle: 007\n", {"t": 0.25, "title": "007"}),
    ("duration: 0.25\ntitle: '1.50'\n", {"title": "1.50"}),
    ("duration: 0.25\ntitle: nan\n", {"title": "nan"}),
    ("duration: 0.25\ntitle: true\n", {"title": "true"}),
    ("duration: 1_0\n", "1_0"),
    ("duration: nan\n", "finite"),
    ("duration: 0x10\n", "hexadecimal"),
    ("duration: 1\ngravity: [0, 1_0, 0]\n", "gravity.*1_0"),
    ("duration: 1\nduration: 2\n", "given twice"),
    ("duration: 0.25\ngravity: [0, t, 0]\n", "gravity.*time"),
])  # fmt: skip
def test_scenarios_are_read_as_the_command_line_reads_them(tmp_path, said, wanted):
    file = tmp_path / "swing.yaml"
    file.write_text("robot: pendulum\nstart: {q: [0.5]}\n" + said)

    def require(run):
        assert run.t[-1] == wanted.get("t", 0.25) and run.title == wanted.get("title", run.title)
        assert (run.robot.gravity_vector == wanted.get("gravity", run.robot.gravity_vector)).all()

    if isinstance(wanted, dict):
        scenario = denoc.Scenario(file)
        require(scenario.run())
        scenario.save(tmp_path / "again.yaml")
        require(denoc.Scenario(tmp_path / "again.yaml").run())
    else:
        with pytest.raises(denoc.Error, match=wanted):
            denoc.Scenario(file).run()
    if "DENOC_BINARY" in os.environ:
        command = [os.environ["DENOC_BINARY"], "simulate", file, "--out", tmp_path / "out"]
        assert (subprocess.run(command, capture_output=True).returncode == 0) == isinstance(wanted, dict)


def test_numbers_of_scenarios_are_numbers():
    scenario = denoc.Scenario("robot: pendulum\nduration: 1.50\noutput: {every: 1e-1}\nstabilisation: 7\n")
    assert scenario["duration"] * 2 == 3 and scenario["output"]["every"] == 0.1 and scenario["stabilisation"] + 1 == 8


@pytest.mark.parametrize("name", ("t", "q", "v", "tau", "kinetic", "work", "reactions"))
def test_pages_say_which_array_does_not_fit(name):
    run = denoc.load("pendulum").simulate(0.1, q=[0.3], output={"reactions": True})
    assert "<html" in run.film()
    setattr(run, name, getattr(run, name)[:3])
    wrong = "q" if name == "t" else name  # the first that has not as many rows as t
    for page in (run.film, run.report):
        with pytest.raises(denoc.ArgumentError, match=rf"run\.{wrong} has the shape .* a row for each t"):
            page()


@with_command_line
def test_scenarios_give_the_numbers_of_the_command_line(tmp_path):
    file = tmp_path / "swing.yaml"
    file.write_text(SCENARIO)
    subprocess.run([os.environ["DENOC_BINARY"], "simulate", file, "--out", tmp_path / "out"], check=True, capture_output=True)
    table = np.genfromtxt(tmp_path / "out" / "trajectory.csv", delimiter=",", names=True)
    run = denoc.Scenario(file).run()
    assert (table[table.dtype.names[1]] == run.q[:, 0]).all() and (table["kinetic"] == run.kinetic).all()
    (denoc.Scenario(file) | {"duration": 0.5}).save(tmp_path / "short.yaml")
    subprocess.run([os.environ["DENOC_BINARY"], "simulate", tmp_path / "short.yaml", "--out", tmp_path / "short"], check=True, capture_output=True)  # fmt: skip
