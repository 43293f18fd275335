#!/usr/bin/env python3
"""URDFs through Python against Pinocchio: tau, a, inertia matrix, gravity, every body's pose and Jacobian.

usage: pinocchio_python.py [FOLDER...] [--tolerance 1e-10]

Needs denoc and pin (PyPI); without a folder, the robots of example-robot-data (PyPI). Fixed and free bases, a random state
each. Pinocchio leaves mimics out unless it is told: they are compared without them (taken out of the text on both sides) and
with them (fixed base; its forward dynamics does not know them). Prints a line for every file that is refused, is read by one
of the two only, or differs; the status is 1 if there is any of the last two kinds.

A difference is told relative to the largest entry of what Pinocchio gives, accelerations by the forces that would make it
good: I (a - a'), relative to the largest of tau.
"""
import argparse
import importlib.metadata
import pathlib
import re
import sys
import xml.etree.ElementTree as xml
from typing import Any, Iterator

import numpy as np
import pinocchio as pin

import denoc
from denoc.interop import pinocchio as order

MIMIC = re.compile(r"<mimic\b[^>]*/>|<mimic\b.*?</mimic>", re.S)


def robots_of_example_robot_data() -> list[pathlib.Path]:
    """The URDFs of the package, none where it is not installed."""
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return sorted(pathlib.Path(str(file.locate())).resolve() for file in files if file.suffix == ".urdf")


def apart(found: Any, expected: Any) -> float:
    """How far, relative to the largest entry."""
    expected = np.asarray(expected)
    return float(np.abs(np.asarray(found) - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0)))


def differences(robot: denoc.Robot, model: Any, seed: int = 1) -> dict[str, float]:
    """What is compared, and how far the two are apart."""
    rng = np.random.default_rng(seed)
    data = model.createData()
    pq = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    pv, pa = rng.uniform(-1, 1, model.nv), rng.uniform(-1, 1, model.nv)
    q = order.q_from_pinocchio(robot, model, pq)
    v, a = (order.v_from_pinocchio(robot, model, x) for x in (pv, pa))
    # columns of Pinocchio's matrices in our order
    place = order.v_from_pinocchio(robot, model, np.arange(model.nv, dtype=float)).astype(int)

    tau = pin.rnea(model, data, pq, pv, pa)
    found = {"inverse": apart(robot.inverse_dynamics(q, v, a, forces=False), tau[place])}
    pI = pin.crba(model, data, pq)
    pI = np.triu(pI) + np.triu(pI, 1).T
    found["inertia"] = apart(robot.inertia(q), pI[np.ix_(place, place)])
    found["gravity"] = apart(robot.gravity(q, forces=False), pin.computeGeneralizedGravity(model, data, pq)[place])
    try:
        acceleration = robot.forward_dynamics(q, v, tau[place], forces=False)
    except denoc.SingularInertia as error:  # by Pinocchio they are not finite, or made of rounding
        assert np.abs(np.diag(robot.inertia(q))[error.dof]) <= 1e-9 * np.abs(robot.inertia(q)).max(), error
    else:
        missing = robot.inertia(q) @ (acceleration - pin.aba(model, data, pq, pv, tau)[place])
        found["forward"] = float(np.abs(missing).max(initial=0) / max(1.0, np.abs(tau).max(initial=0)))

    pin.computeJointJacobians(model, data, pq)
    pin.updateFramePlacements(model, data)
    found["poses"] = found["jacobians"] = 0.0
    for body in robot.bodies:
        if not model.existFrame(body.name, pin.FrameType.BODY):
            raise ValueError(f"Pinocchio has no body {body.name!r}")
        frame = model.getFrameId(body.name, pin.FrameType.BODY)
        found["poses"] = max(found["poses"], apart(robot.pose(q, body), data.oMf[frame].homogeneous))
        if model.nv == 0:  # it has no columns, and Pinocchio ends the process when asked for it
            continue
        J = pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        J = np.vstack([J[3:], J[:3]])[:, place]  # angular rows first
        found["jacobians"] = max(found["jacobians"], apart(robot.jacobian(q, body), J))
    return found


def mimic_differences(text: str, seed: int = 1) -> dict[str, float]:
    """Inverse dynamics with mimics kept. Pinocchio has the leading joints alone, and sums up in them what the others take."""
    robot, model = denoc.load(text), pin.buildModelFromXML(text, True)
    model.gravity.linear = robot.gravity_vector
    rng = np.random.default_rng(seed)
    pq = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    pv, pa = rng.uniform(-1, 1, model.nv), rng.uniform(-1, 1, model.nv)
    tau = pin.rnea(model, model.createData(), pq, pv, pa)
    leaders = {
        joint.get("name"): (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
        for joint in xml.fromstring(text).iter("joint")
        for mimic in joint.iter("mimic")
        if joint.get("name") in robot.joints  # a fixed joint follows nobody
    }
    q, v, a, expected = (np.zeros(n) for n in (robot.nq, robot.nv, robot.nv, robot.nv))
    for joint in robot.joints:
        if joint in leaders:
            continue
        there = model.joints[model.getJointId(joint.name)]
        at = pq[there.idx_q : there.idx_q + there.nq]
        q[joint.q] = np.arctan2(at[1], at[0]) if there.nq == 2 else at
        v[joint.v], a[joint.v], expected[joint.v] = pv[there.idx_v], pa[there.idx_v], tau[there.idx_v]
    joints = {joint.name: joint for joint in robot.joints}
    for follower, (leader, ratio, offset) in leaders.items():
        to, of = joints[follower], joints[leader]
        q[to.q], v[to.v], a[to.v] = ratio * q[of.q] + offset, ratio * v[of.v], ratio * a[of.v]
    found = {"inverse with mimics": apart(robot.inverse_dynamics(q, v, a, forces=False), expected)}
    rows = [np.array([x] * 3) for x in (q, v, a)]
    found["inverse with mimics, many"] = apart(robot.inverse_dynamics(*rows, forces=False), [expected] * 3)
    back = robot.forward_dynamics(*rows[:2], np.array([expected] * 3), forces=False)
    missing = np.einsum("ij,kj", robot.inertia(q, loops="open"), back - a)
    found["forward with mimics, many"] = float(np.abs(missing).max() / max(1.0, np.abs(expected).max()))
    return found


def compared(file: pathlib.Path) -> Iterator[tuple[str, Any]]:
    """(base, differences), or (base, a text: what is in the way)."""
    original = file.read_text(errors="replace")
    if MIMIC.search(original):
        try:
            yield "with mimics", mimic_differences(original)
        except denoc.RobotError as error:
            yield "with mimics", f"refused: {error}"
        except denoc.Error as error:
            yield "with mimics", str(error)
        except ValueError as error:
            yield "with mimics", f"only denoc reads it: {error}"
    text = MIMIC.sub("", original)
    for base in ("fixed", "free"):
        why, model, robot = "", None, None
        try:
            model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if base == "free" else pin.buildModelFromXML(text)
        except Exception as error:  # noqa: BLE001: whatever it throws, it does not read the file
            why = f"only denoc reads it: {str(error).splitlines()[0]}"
        try:
            robot = denoc.load(text, base=base)
        except denoc.RobotError as error:
            why = f"refused: {error}" if model is not None else ""
        if robot is None or model is None:
            if why:
                yield base, why
            continue
        model.gravity.linear = robot.gravity_vector
        try:
            yield base, differences(robot, model)
        except (denoc.Error, ValueError) as error:
            yield base, str(error)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments.add_argument("--tolerance", type=float, default=1e-10)
    chosen = arguments.parse_args()
    files = sorted({file for folder in chosen.folders for file in folder.rglob("*.urdf")})
    files = files or robots_of_example_robot_data()
    count, wrong, worst = 0, 0, dict[str, float]()
    for file in files:
        for base, found in compared(file):
            if isinstance(found, str):
                wrong += not found.startswith(("only denoc", "refused"))
                print(f"{file} ({base}): {found}")
                continue
            count += 1
            worst |= {key: max(value, worst.get(key, 0.0)) for key, value in found.items()}
            for key, value in found.items():
                if not value <= chosen.tolerance:
                    wrong += 1
                    print(f"{file} ({base}): {key} differs by {value:.3g}")
    told = ", ".join(f"{key} {value:.2g}" for key, value in worst.items())
    print(f"{len(files)} files, {count} robots compared; farthest apart: {told}; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
