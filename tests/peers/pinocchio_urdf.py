#!/usr/bin/env python3
"""Every URDF of a folder against Pinocchio: inverse dynamics at random states, on a fixed and on a free base.

usage: pinocchio_urdf.py DENOC FOLDER... [--tolerance 1e-10]

Needs numpy and pin (PyPI). Pinocchio leaves mimics out unless it is told, so they are taken out of both. Prints a line
for every file that is refused, is read by one of the two only, or differs; the status is 1 if there is any of the last
two kinds. A difference is told relative to the largest entry of tau.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import pinocchio as pin


def denoc(binary, *arguments):
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None, done.stderr.strip()


def joints_of(model, info):
    """Of denoc's moving joints: its row, and where Pinocchio has it."""
    for joint in info["joints"]:
        if joint["nv"] == 0:
            continue
        name = "root_joint" if joint["name"].startswith("world_to_") else joint["name"]
        yield joint, model.joints[model.getJointId(name)]


def state_of(model, info, q, v, a):
    """The state in denoc's coordinates, and for each entry of its v the one of Pinocchio's."""
    state = {"q": [0.0] * info["nq"], "v": [0.0] * info["nv"], "a": [0.0] * info["nv"]}
    place = [0] * info["nv"]
    for joint, there in joints_of(model, info):
        nq, nv = joint["nq"], joint["nv"]
        at = list(q[there.idx_q : there.idx_q + there.nq])
        order = list(range(nv))
        if joint["type"] == "free":
            at = at[:3] + [at[6]] + at[3:6]  # x y z w -> w x y z
            order = [3, 4, 5, 0, 1, 2]  # angular first
        elif joint["type"] == "planar":
            at = at[:2] + [np.arctan2(at[3], at[2])]
        elif there.nq == 2:
            at = [np.arctan2(at[1], at[0])]
        assert len(at) == nq, joint
        state["q"][joint["q"] : joint["q"] + nq] = at
        for k in range(nv):
            place[joint["v"] + k] = there.idx_v + order[k]
    for k, i in enumerate(place):
        state["v"][k], state["a"][k] = v[i], a[i]
    return state, place


def difference(binary, file, base, folder):
    """None: both refuse; a text: what is wrong; a number: how far apart they are."""
    free = base == "free"
    try:
        model = pin.buildModelFromUrdf(str(file), pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(str(file))
    except Exception as error:  # noqa: BLE001: whatever it throws, it does not read the file
        model, why = None, str(error).splitlines()[0]
    info, said = denoc(binary, "info", file, "--base", base, "--json")
    if info is None or model is None:
        if info is None and model is None:
            return None
        return f"refused: {said.splitlines()[0]}" if info is None else f"only denoc reads it: {why}"
    if info["nv"] != model.nv:
        return f"{info['nv']} degrees of freedom, Pinocchio has {model.nv}"
    model.gravity.linear = np.array(info["gravity"])
    random = np.random.default_rng(1)
    q = pin.integrate(model, pin.neutral(model), random.uniform(-1, 1, model.nv))
    v, a = random.uniform(-1, 1, model.nv), random.uniform(-1, 1, model.nv)
    state, place = state_of(model, info, q, v, a)
    states = folder / "state.json"
    states.write_text(json.dumps(state))
    found, said = denoc(binary, "id", file, "--base", base, "--state", states, "--json")
    if found is None:
        return said.splitlines()[0]
    expected = pin.rnea(model, model.createData(), q, v, a)[place]
    return float(np.max(np.abs(np.array(found["tau"]) - expected), initial=0) / max(1.0, np.max(np.abs(expected), initial=0)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("denoc")
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments.add_argument("--tolerance", type=float, default=1e-10)
    chosen = arguments.parse_args()
    files = sorted({file for folder in chosen.folders for file in folder.rglob("*.urdf")})
    read, worst, wrong = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number, file in enumerate(files):
            plain = folder / f"{number}.urdf"
            plain.write_text(re.sub(r"<mimic\b[^>]*/>|<mimic\b.*?</mimic>", "", file.read_text(errors="replace"), flags=re.S))
            for base in ("fixed", "free"):
                found = difference(chosen.denoc, plain, base, folder)
                if isinstance(found, float):
                    read += 1
                    worst = max(worst, found)
                if found is None or (isinstance(found, float) and found <= chosen.tolerance):
                    continue
                wrong += not (isinstance(found, str) and found.startswith("only denoc"))
                print(f"{file} ({base}): {found}")
    print(f"{len(files)} files, {read} compared, farthest apart {worst:.3g}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
