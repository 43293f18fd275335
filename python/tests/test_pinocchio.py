"""Every robot of example-robot-data against Pinocchio, where the two are installed: tests/peers/pinocchio_python.py."""

import importlib.util
from pathlib import Path

import pytest

TOLERANCE = 1e-10
pytest.importorskip("pinocchio", reason="pin (PyPI) is not installed: nothing to compare with")
SCRIPT = Path(__file__).resolve().parents[2] / "tests" / "peers" / "pinocchio_python.py"
spec = importlib.util.spec_from_file_location("pinocchio_python", SCRIPT)
peer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peer)
ROBOTS = peer.robots_of_example_robot_data()


@pytest.mark.skipif(not ROBOTS, reason="example-robot-data (PyPI) is not installed")
@pytest.mark.parametrize("file", ROBOTS, ids=lambda file: file.stem)
def test_agrees(file):
    for base, found in peer.compared(file):
        if isinstance(found, str):
            assert found.startswith(("only denoc", "refused")), f"{base}: {found}"
            continue
        assert {what: size for what, size in found.items() if not size <= TOLERANCE} == {}, base
