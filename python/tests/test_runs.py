"""What is made of runs: tables, pages, curves."""

import json

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
