#!/usr/bin/env python3
"""Every URDF of a folder against Pinocchio: inverse and forward dynamics and the inertia matrix at random states, on a
fixed and on a free base.

usage: pinocchio_urdf.py DENOC FOLDER... [--tolerance 1e-10] [--states 3]
       pinocchio_urdf.py DENOC --convert MODELS     robots in YAML, as `denoc convert` writes them

Needs numpy and pin (PyPI). Pinocchio leaves mimics out unless it is told, so they are taken out of both. Prints a line
for every file that is refused, is read by one of the two only, or differs; the status is 1 if there is any of the last
two kinds, 77 if pin is not there. A difference is told relative to the largest entry of what is compared; of
accelerations, which both lose digits of by the condition of the inertia matrix, what I a misses of tau - bias. Where
the inertia matrix is singular neither has accelerations.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pinocchio as pin
except ImportError:
    print("numpy or pin is not there: nothing is compared")
    sys.exit(77)


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


def state_of(model, info, q, v, a, tau):
    """The state in denoc's coordinates, and for each entry of its v the one of Pinocchio's."""
    state = {"q": [0.0] * info["nq"]}
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
    for key, values in (("v", v), ("a", a), ("tau", tau)):
        state[key] = [float(values[i]) for i in place]
    return state, place


def apart(ours, theirs):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    return float(np.max(np.abs(ours - theirs), initial=0) / max(1.0, np.max(np.abs(theirs), initial=0)))


def model_of(file, free):
    """Pinocchio's, or nothing and why not."""
    try:
        return pin.buildModelFromUrdf(str(file), *([pin.JointModelFreeFlyer()] if free else [])), ""
    except Exception as error:  # noqa: BLE001: whatever it throws, it does not read the file
        return None, str(error).splitlines()[0]


def difference(binary, file, base, folder, count):
    """None: both refuse; a text: what is wrong; a number: how far apart they are."""
    model, why = model_of(file, base == "free")
    info, said = denoc(binary, "info", file, "--base", base, "--json")
    if info is None or model is None:
        if info is None and model is None:
            return None
        return f"refused: {said.splitlines()[0]}" if info is None else f"only denoc reads it: {why}"
    if info["nv"] != model.nv:
        return f"{info['nv']} degrees of freedom, Pinocchio has {model.nv}"
    if model.nv == 0:
        return 0.0
    model.gravity.linear = np.array(info["gravity"])
    data, random, states, expected = model.createData(), np.random.default_rng(1), [], []
    for _ in range(count):
        q = pin.integrate(model, pin.neutral(model), random.uniform(-1, 1, model.nv))
        v, a, tau = (random.uniform(-1, 1, model.nv) for _ in range(3))
        state, place = state_of(model, info, q, v, a, tau)
        states.append(state)
        I = pin.crba(model, data, q)
        I = np.triu(I) + np.triu(I, 1).T
        bias = pin.rnea(model, data, q, v, np.zeros(model.nv))
        expected.append((pin.rnea(model, data, q, v, a)[place], I[np.ix_(place, place)], (tau - bias)[place]))
    file_of_states = folder / "states.json"
    file_of_states.write_text(json.dumps(states))
    worst = 0.0
    answers = {}
    for command in ("id", "inertia", "fd"):
        answers[command], said = denoc(binary, command, file, "--base", base, "--state", file_of_states, "--json")
        if answers[command] is None and not (command == "fd" and "singular" in said):
            return f"{command}: {said.splitlines()[-1]}"
    for k, (forces, I, rest) in enumerate(expected):
        worst = max(worst, apart(answers["id"][k]["tau"], forces), apart(answers["inertia"][k]["I"], I))
        if answers["fd"] is not None:
            a = np.array(answers["fd"][k]["a"])
            size = np.max(np.abs(I) @ np.abs(a) + np.abs(rest))
            worst = max(worst, float(np.max(np.abs(I @ a - rest)) / max(1.0, size)))
    return worst


def converted(binary, models, folder):
    """Robots as `convert` writes them, without loops; those are left out whose inertia only denoc's elements say."""
    for model in sorted(models.glob("*.yaml")):
        file = folder / f"{model.stem}.urdf"
        done, said = denoc(binary, "convert", model, file, "--json")
        if done is None:
            raise SystemExit(f"{model}: {said}")
        if any("hub" in what or "rotor" in what for what in done["unsaid"]):
            continue
        file.write_text(re.sub(r"<loop\b.*?</loop>", "", file.read_text(), flags=re.S))
        yield model, file, ("fixed",)


def found(folders, folder):
    """URDFs without their mimics."""
    for number, file in enumerate(sorted({file for each in folders for file in each.rglob("*.urdf")})):
        plain = folder / f"{number}.urdf"
        plain.write_text(re.sub(r"<mimic\b[^>]*/>|<mimic\b.*?</mimic>", "", file.read_text(errors="replace"), flags=re.S))
        yield file, plain, ("fixed", "free")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("denoc")
    arguments.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments.add_argument("--convert", type=pathlib.Path)
    arguments.add_argument("--tolerance", type=float, default=1e-10)
    arguments.add_argument("--states", type=int, default=3)
    chosen = arguments.parse_args()
    files, read, worst, wrong = 0, 0, 0.0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        robots = converted(chosen.denoc, chosen.convert, folder) if chosen.convert else found(chosen.folders, folder)
        for file, plain, bases in robots:
            files += 1
            for base in bases:
                off = difference(chosen.denoc, plain, base, folder, chosen.states)
                if isinstance(off, float):
                    read += 1
                    worst = max(worst, off)
                if off is None or (isinstance(off, float) and off <= chosen.tolerance):
                    continue
                wrong += not (isinstance(off, str) and off.startswith("only denoc"))
                print(f"{file} ({base}): {off}")
    print(f"{files} files, {read} compared, farthest apart {worst:.3g}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
