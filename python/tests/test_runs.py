"""What is made of runs: tables, pages, curves."""

import json
import resource
import signal

import numpy as np
import pytest

import denoc


def test_tables_refuse_coordinates_of_one_name():
    """A universal joint "a" has a.1 and a.2: beside a joint "a.1" one of two columns would be lost."""
    body = {"mass": 1, "inertia": [0.1, 0.1, 0.1, 0, 0, 0]}
    bodies = [{"name": "a", "joint": {"type": "universal"}, **body}, {"name": "a.1", "joint": {"type": "revolute"}, **body}]
    run = denoc.load(json.dumps({"name": "twins", "bodies": bodies})).simulate(0.02)
    assert run.names_q == ["a.1", "a.2", "a.1"]
    with pytest.raises(denoc.ArgumentError, match=r"to_pandas: two coordinates are called 'a\.1'"):
        run.to_pandas()


@pytest.mark.parametrize("name", ["t", "q", "v", "tau", "kinetic", "work"])
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_pages_refuse_what_is_no_number(puma, name, number):
    run = puma.simulate(0.02)
    getattr(run, name)[1] = number
    for page in (run.report, run.film):
        with pytest.raises(denoc.ArgumentError, match=rf"^run\.{name}: {number} at \[1"):
            page()


def test_what_cannot_move_has_no_curves():
    pytest.importorskip("matplotlib").use("Agg")
    rigid = denoc.load('{"name": "rock", "bodies": [{"name": "a", "joint": {"type": "fixed"}, "mass": 1}]}')
    with pytest.raises(denoc.ArgumentError, match="rock cannot move, it has no q, v"):
        rigid.simulate(0.02).plot("q", "v")


def test_what_cannot_be_written_leaves_what_was_there(puma, tmp_path):
    """By the largest size that files may have: as on a full disk."""
    run, scenario = puma.simulate(1.0), denoc.Scenario({"robot": "puma560", "duration": 1, "title": "long " * 500})
    for file, write in (("run.npz", run.save), ("page.html", run.report), ("run.yaml", scenario.save)):
        (tmp_path / file).write_text("before")
        (tmp_path / file).chmod(0o640)
        (tmp_path / f"link.{file}").symlink_to(file)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            with pytest.raises(denoc.WriteError, match=f"{file}: the result cannot be written") as failure:
                write(tmp_path / file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, ignored)
        assert isinstance(failure.value, OSError) and (tmp_path / file).read_text() == "before"
        write(tmp_path / f"link.{file}")
        assert (tmp_path / f"link.{file}").is_symlink() and (tmp_path / file).stat().st_size > 1000
        assert (tmp_path / file).stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir() if "link" not in each.name) == ["page.html", "run.npz", "run.yaml"]
    run.save(tmp_path / "named")
    assert (np.load(tmp_path / "named.npz")["q"] == run.q).all()
    with pytest.raises(OSError, match="No such file"):
        run.save(tmp_path / "nowhere" / "run.npz")


def test_rows_that_tie_nothing_have_forces_at_every_sample():
    """A door on two hinges, beside a block that slides and then sticks: so many numbers a sample, whatever is held."""
    robot = denoc.load(
        """
gravity: [0, -9.81, 0]
bodies:
  - {name: door, parent: world, joint: {type: revolute}, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: block, parent: world, joint: {type: prismatic}, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], friction: {coulomb: 1.5}}
loops:
  - {type: revolute, a: {body: world}, b: {body: door}}
"""
    )
    for seconds in (0.1, 1.0):
        run = robot.simulate(seconds, q=[0, 0], v=[0, 1])
        assert run.multipliers.shape == (len(run.t), 5) and not run.multipliers.any()
    assert [event.kind for event in run.events] == ["stick"]
