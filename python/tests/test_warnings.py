"""What robots, runs, motions and laws say beside their results."""

import os
import subprocess
import warnings

import numpy as np
import pytest
from conftest import with_command_line

import denoc

JUMP = {
    "type": "sequence",
    "motions": [
        {"type": "point_to_point", "profile": "linear", "from": [0] * 6, "to": [1] * 6, "duration": 1},
        {"type": "hold", "duration": 1},
    ],
}
STIFF = """
name: stiff
gravity: [0, 0, 0]
bodies:
- {name: hand, joint: {type: prismatic}, mass: 1, friction: {viscous: 1e4}}
"""


def heard(asked):
    """What `asked` gives, and the texts of RunWarning on the way."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = asked()
    assert all(each.filename == __file__ for each in told)  # where people called
    return found, [str(each.message) for each in told if each.category is denoc.RunWarning]


def on_the_command_line(tmp_path, scenario):
    """What `denoc simulate` warns of, without the name of the file and the line."""
    scenario.save(tmp_path / "run.yaml")
    ran = subprocess.run([os.environ["DENOC_BINARY"], "simulate", "run.yaml", "-o", "out"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return [line.split(": ", 2)[2] for line in ran.stderr.splitlines() if line.startswith("warning: run.yaml")]


@with_command_line
def test_a_run_says_what_the_command_line_says(puma, tmp_path):
    (tmp_path / "stiff.yaml").write_text(STIFF)
    stiff = {"robot": str(tmp_path / "stiff.yaml"), "duration": 0.1, "start": {"v": [1]}, "integrator": {"method": "dopri5"}}
    idle = {"robot": "puma560", "duration": 0.01, "stabilisation": 3, "motion": {"type": "hold"}}
    for told, words in ((stiff, "stability, not accuracy"), (idle, "no drive follows it")):
        scenario = denoc.Scenario(told)
        run, texts = heard(scenario.run)
        assert texts == [str(each) for each in run.warnings] and any(words in text for text in texts)
        said = [text.split(": ", 1)[1] for text in texts]
        assert sorted(said) == sorted(on_the_command_line(tmp_path, scenario))
        assert f"warnings: {len(texts)}" in repr(run)
    run, texts = heard(lambda: puma.simulate(0.01))
    assert texts == run.warnings == [] and "warnings" not in repr(run)


def test_a_text_is_said_once_for_each_run(puma):
    _, texts = heard(lambda: [puma.simulate(0.01, stabilisation=3) for _ in range(2)])
    assert len(texts) == 2 and texts[0] == texts[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error", denoc.RunWarning)
        with pytest.raises(denoc.RunWarning, match="stabilisation: it does nothing"):
            puma.simulate(0.01, stabilisation=3)


def test_motions_and_laws_warn(puma):
    motion, texts = heard(lambda: puma.motion(JUMP))
    assert len(texts) == 1 and "no finite force does that" in texts[0] and [str(w) for w in motion.warnings] == texts
    law, texts = heard(lambda: puma.control_law({"type": "computed_torque", "kp": 1, "kd": 1}, motion=JUMP))
    assert len(texts) == 1 and "no finite force does that" in texts[0] and [str(w) for w in law.warnings] == texts
    law, texts = heard(lambda: puma.control_law({"type": "none"}, motion={"type": "hold"}))
    assert len(texts) == 1 and "no drive follows it" in texts[0]


def test_motions_and_laws_without_a_doubt_say_nothing(puma):
    jump_at_the_end = JUMP["motions"][0]  # which is the end of nothing here
    for asked in (
        lambda: puma.motion(jump_at_the_end),
        lambda: puma.control_law({"type": "computed_torque", "kp": 1, "kd": 1}, motion={**jump_at_the_end, "duration": 0.5}),
        lambda: puma.control_law({"type": "torques", "tau": [0] * 6}),
    ):
        found, texts = heard(asked)
        assert texts == found.warnings == []


def test_what_is_left_out_is_an_error_at_every_call_where_it_is_one():
    robot = denoc.load("governor")
    q, v = robot.neutral(), np.zeros(robot.nv)
    with warnings.catch_warnings():
        warnings.simplefilter("error", denoc.LeftOut)
        for _ in range(2):
            with pytest.raises(denoc.LeftOut, match="springs"):
                robot.bias(q, v, loops="open")
    _, texts = heard(lambda: robot.bias(q, v, loops="open"))
    assert texts == []  # LeftOut, that is


OPEN = """
name: open
loops:
- {type: revolute, a: {body: coupler, frame: {xyz: [1, 0, 0]}}, b: {body: world, frame: {xyz: [2, 0, 0]}}, axis: [0, 0, 1]}
bodies:
- {name: crank, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
- {name: coupler, frame: {xyz: [1, 0, 0]}, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
postures:
  apart: {crank: 1.0}
"""
UNEVEN = """
name: uneven
bodies:
- {name: heavy, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1e9, com: [1, 0, 0], inertia: [1e9, 1e9, 1e9, 0, 0, 0]}
- {name: light, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1e-12, inertia: [1e-12, 1e-12, 1e-12, 0, 0, 0]}
"""


def checked(text, tmp_path):
    """What `denoc check` doubts."""
    (tmp_path / "robot.yaml").write_text(text)
    ran = subprocess.run([os.environ["DENOC_BINARY"], "check", "robot.yaml"], cwd=tmp_path, capture_output=True, text=True)
    return [line.removeprefix("warning: ") for line in ran.stderr.splitlines() if line.startswith("warning: ")]


@with_command_line
@pytest.mark.parametrize("text, words", [(OPEN, "posture 'apart' leaves"), (UNEVEN, "keep no digits")])
def test_doubts_are_those_of_check(text, words, tmp_path):
    robot = denoc.load(text)
    found = [str(doubt).split(":", 1)[1] for doubt in robot.doubts]
    assert any(words in doubt for doubt in found)
    assert sorted(found) == sorted(line.split(":", 1)[1] for line in checked(text, tmp_path))
    with pytest.raises(denoc.RobotError) as refused:
        denoc.load(text, strict=True)
    assert {str(fault) for fault in refused.value.faults} <= {str(doubt) for doubt in robot.doubts}


def test_what_is_passed_over_is_no_doubt():
    text = """<mujoco model="m"><worldbody><body name="b"><joint name="j"/><geom type="sphere" size="0.1"/></body></worldbody>
    <sensor><jointpos joint="j"/></sensor></mujoco>"""
    robot = denoc.load(text)
    assert robot.doubts == [] and any("sensor" in str(note) for note in robot.notes)
    assert denoc.load(text, strict=True).notes == robot.notes
