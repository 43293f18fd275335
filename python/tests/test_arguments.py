"""What is asked with: types of numbers, maps, names of joints."""

import json

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
