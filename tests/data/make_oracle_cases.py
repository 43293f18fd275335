#!/usr/bin/env python3
"""Makes oracle_cases.json: seeded random robots (dictionaries in the robot file format), states, and what an independent,
slow oracle says about them: joint torques (id), accelerations (fd), inertia matrices.
Use: make_oracle_cases.py /path/to/reference.py [oracle_cases.json]    (needs numpy)
The oracle is a Python module with a class Robot(dict) that has .inverse(q, v, a, wrenches), .forward(q, v, tau, wrenches),
.inertia(q), and bodies with .type, .iq, .iv. States are drawn again until the condition number of the inertia matrix is
below MAX_CONDITION, so that the oracle's own solve is good to about 1e-10 relative or better."""
import importlib.util
import json
import os
import sys

import numpy as np

MAX_CONDITION = 1e6
STATES = 2
RNG = np.random.default_rng(20240607)


def uniform(low, high):
    return round(float(RNG.uniform(low, high)), 4)


def vector(scale):
    return [uniform(-scale, scale) for _ in range(3)]


def inertia(mass, size):
    """A body of a few particles: any orientation, positive, triangle inequality strict. xx, yy, zz, xy, yz, zx."""
    p = RNG.uniform(-size, size, (8, 3))
    p -= p.mean(axis=0)
    c = p.T @ p * mass / 8
    t = np.trace(c) * np.eye(3) - c
    return [float("%.6g" % x) for x in (t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[1, 2], t[2, 0])]


def solid(mass, size=0.3):
    return {"mass": mass, "com": vector(0.2), "inertia": inertia(mass, size)}


def point(mass):
    return {"mass": mass, "com": vector(0.4)}


def quaternion():
    x = RNG.normal(size=4)
    return (x / np.linalg.norm(x)).tolist()


def frame(kind=None):
    kind = kind or str(RNG.choice(["xyz", "rpy", "quat"]))
    f = {"xyz": vector(0.5)}
    if kind == "rpy":
        f["rpy"] = vector(3)
    elif kind == "quat":
        f["quat"] = [round(x, 3) for x in quaternion()]  # off unit length: normalised on reading
    return f


def joint(kind):
    j = {"type": kind}
    if kind in ("revolute", "continuous", "prismatic", "helical", "universal", "cylindrical"):
        j["axis"] = vector(2)  # any length: normalised on reading
    if kind == "universal":
        while True:  # any two axes that are not nearly parallel
            j["axis2"] = vector(2)
            a, b = np.array(j["axis"]), np.array(j["axis2"])
            if np.linalg.norm(np.cross(a, b)) > 0.5 * np.linalg.norm(a) * np.linalg.norm(b):
                break
    if kind == "helical":
        j["pitch"] = uniform(-0.3, 0.3)
    return j


def body(name, parent, kind, inertial=None, where=None):
    b = {"name": name}
    if parent:
        b["parent"] = parent
    b["frame"] = frame() if where is None else where
    b["joint"] = joint(kind)
    b.update(solid(uniform(0.5, 4)) if inertial is None else inertial)
    return b


def link(kind, a, b, alpha, theta=0, **rest):
    return {"joint": kind, "a": a, "b": b, "alpha": alpha, "theta": theta, **rest}


def dh(convention, links, gravity=None):
    r = {"dh": {"convention": convention, "links": links}}
    return r if gravity is None else {"gravity": gravity, **r}


def cases():
    R, P = "revolute", "prismatic"
    yield "distal, revolute and prismatic, general angles, gravity along -z by default", dh("distal", [
        link(R, 0.1, 0.4, "pi/2", **solid(6)),
        link(R, 0.45, -0.12, 0, 0.3, **solid(4)),
        link(P, -0.2, 0.3, "-pi/2", "deg(20)", **solid(3)),
        link(R, 0, 0.25, 0.7, -1.1, **solid(2)),
        link(P, 0.15, -0.1, 2.3, "pi", **solid(2)),
        link(R, -0.1, 0, "-pi/2", 0, **solid(1)),
        link(R, 0.05, 0.1, 0, 0, **solid(0.8))])
    yield "distal, nearly parallel and nearly perpendicular axes, general gravity", dh("distal", [
        link(R, 0.3, 0.1, 1e-9, **solid(3)),
        link(R, 0.4, -0.05, 1.5708, **solid(2.5)),
        link(R, -0.25, 0.2, -1.5708, 0.4, **solid(2)),
        link(R, 0.2, 0.1, 1e-9, **solid(1.5)),
        link(P, 0.2, 0.1, -1e-9, **solid(1.5)),
        link(R, 0.1, -0.3, 3.14159, **solid(1)),
        link(R, 0.2, 0.1, 0.2, **solid(1))], vector(9))
    yield "distal, bent rods with hubs and payloads, negative a and b", dh("distal", [
        link(R, 0, 0.3, "-pi/2", rod=True, mass=8, hub=0.1),
        link(R, 0.5, 0.12, 0, rod=True, mass=6, payload=0.7),
        link(R, -0.3, 0.1, "pi/2", 0.5, rod=True, mass=4),
        link(R, 0.2, -0.25, 0.6, rod=True, mass=2, hub=0.05, payload=0.4),
        link(R, -0.1, -0.3, "-pi/2", rod=True, mass=1.5),
        link(R, 0.15, 0, 1.5708, rod=True, mass=0, hub=0.02),
        link(R, 0, -0.2, 0, rod=True, mass=0.5, hub=0.03, payload=0.3)], vector(9))
    yield "distal, massless rods: one without length, one with a payload", dh("distal", [
        link(R, 0, 0.2, "pi/2", rod=True, mass=0, hub=0.2),
        link(R, 0.4, 0, 0, rod=True, mass=0, payload=2.5),
        link(R, 0, 0, "-pi/2", rod=True, mass=0, hub=0.1),
        link(R, 0.3, 0.1, "pi/2", rod=True, mass=3),
        link(R, 0, 0, 0, rod=True, mass=0, hub=0.05)])
    yield "distal, hubs and payloads on general links, one of them sliding; joint springs and friction, which id and fd leave out", dh("distal", [
        link(R, 0.1, 0.3, "pi/2", name="column", parent="base", hub=0.4, friction={"viscous": 0.3, "coulomb": 0.5, "stribeck": [0.15, 8]}, **solid(5)),
        link(P, 0.2, -0.1, 0.4, name="carriage", hub=0.1, payload=1.2, spring={"stiffness": 30, "rest": 0.1}, **solid(3)),
        link(R, -0.3, 0.2, "-pi/2", name="elbow", payload=0.5, **solid(2)),
        link(R, 0.2, 0, 0, name="wrist", mass=0, hub=0.02),
        link(R, 0.1, 0.1, "pi/2", name="hand", **point(1))], vector(9))
    yield "distal tree: two branches, two roots", dh("distal", [
        link(R, 0.2, 0.3, "pi/2", name="waist", parent="base", **solid(6)),
        link(R, 0.4, 0.1, 0, name="left1", parent="waist", **solid(3)),
        link(R, 0.3, 0, "-pi/2", name="left2", **solid(2)),
        link(R, -0.4, -0.1, 0, name="right1", parent="waist", rod=True, mass=3, payload=0.4),
        link(P, 0.1, 0.2, 1.1, name="right2", parent="right1", **solid(1)),
        link(P, 0, 0.5, "pi/2", name="gantry", parent="world", **solid(4)),
        link(R, 0.3, -0.2, 0.5, name="tool", parent="gantry", **solid(2))], vector(9))
    yield "proximal, revolute and prismatic, general angles", dh("proximal", [
        link(R, 0, 0.4, 0, **solid(6)),
        link(R, 0.15, -0.1, "pi/2", 0.2, **solid(5)),
        link(R, 0.5, 0.1, 0, **solid(3)),
        link(P, -0.2, 0.3, "-pi/2", "-pi/2", **solid(2)),
        link(R, 0.1, 0, 1e-9, **solid(2)),
        link(P, 0.1, -0.2, 0.8, 1.3, **solid(1)),
        link(R, -0.05, 0.1, 1.5708, **solid(1)),
        link(R, 0.2, 0, -2.5, **solid(0.7))], vector(9))
    yield "proximal tree with massless links, point masses and hubs", dh("proximal", [
        link(R, 0, 0.2, 0.3, name="palm", hub=0.05, **solid(2)),
        link(R, 0.2, 0, 0, name="finger1", parent="palm", mass=0),
        link(R, 0, 0, "pi/2", name="finger2", mass=0),
        link(R, 0, 0, "-pi/2", name="finger3", **solid(0.8)),
        link(R, -0.2, 0.1, "pi/2", name="thumb1", parent="palm", **point(0.6)),
        link(R, 0.1, 0, 0, name="thumb2", parent="thumb1", mass=0, hub=0.02),
        link(P, 0.1, 0.1, 0.4, name="thumb3", parent="thumb2", **point(0.4))], vector(9))

    kinds = ["revolute", "prismatic", "helical", "universal", "cylindrical", "planar", "spherical", "free", "continuous"]
    yield "tree, every joint type on a chain with branches and fixed links in between", {"gravity": vector(9), "bodies": [
        body("b0", "world", "planar"), body("b1", None, "revolute"), body("f1", "b1", "fixed"), body("b2", "f1", "universal"),
        body("b3", "b1", "spherical"), body("b4", "b3", "helical"), body("b5", "b3", "cylindrical"), body("f2", "b5", "fixed"), body("f3", "f2", "fixed"),
        body("b6", "f3", "prismatic"), body("b7", "b0", "continuous"), body("b8", "b7", "free"), body("b9", "b8", "spherical")]}
    order = list(RNG.permutation(kinds))
    yield "tree, every joint type once, random parents", {"gravity": vector(9), "bodies": [
        body(f"k{i}", "world" if i == 0 else f"k{RNG.integers(i)}", str(k)) for i, k in enumerate(order)]}
    yield "free base with four limbs", {"bodies": [
        body("trunk", "world", "free", solid(12)),
        body("arm1", "trunk", "spherical"), body("arm2", "arm1", "revolute"), body("arm3", "arm2", "universal", solid(0.9)),
        body("leg1", "trunk", "universal"), body("leg2", "leg1", "revolute"), body("foot", "leg2", "fixed", solid(0.5)),
        body("tail1", "trunk", "revolute"), body("tail2", "tail1", "helical"), body("tail3", "tail2", "prismatic"),
        body("head", "trunk", "fixed", point(2)), body("eye", "head", "spherical", solid(0.3, 0.2))]}
    yield "several roots: two free bodies, a cart, a fixed post with two arms", {"gravity": vector(9), "bodies": [
        body("ball", "world", "free"), body("flap", "ball", "revolute"),
        body("post", "world", "fixed"), body("arm1", "post", "universal"), body("hand1", "arm1", "cylindrical"), body("arm2", "post", "revolute"),
        body("cart", "world", "planar"), body("mast", "cart", "spherical"), body("drone", "world", "free", solid(1.5)), body("rotor", "drone", "continuous")]}
    none = {"mass": 0}
    yield "massless intermediate links, point masses and a slender rod", {"gravity": vector(9), "bodies": [
        body("x", "world", "prismatic", none), body("y", "x", "prismatic", none), body("z", "y", "prismatic", none),
        body("roll", "z", "revolute", none), body("mount", "roll", "fixed", none), body("pitch", "mount", "revolute", none), body("body", "pitch", "revolute", solid(5)),
        body("rod", "body", "revolute", {"mass": 1.2, "com": [0.3, 0, 0], "inertia": [0, 0.036, 0.036, 0, 0, 0]}),
        body("tip", "rod", "fixed", point(0.7)), body("bob", "body", "spherical", {"mass": 0.9, "com": [0, 0, -0.5], "inertia": [0.02, 0.02, 0.01, 0, 0, 0]}),
        body("bead", "rod", "prismatic", point(0.5)), body("camera", "bead", "fixed", none)]}
    yield "default axes and frames, parents by order, no names", {"bodies": [
        {"joint": {"type": "revolute"}, **solid(3)},
        {"frame": {"xyz": [0.4, 0, 0.1]}, "joint": {"type": "universal"}, **solid(2)},
        {"frame": {"rpy": ["pi/2", 0, "deg(30)"]}, "joint": {"type": "cylindrical"}, **solid(2)},
        {"frame": {"xyz": [0, "sqrt(2)/4", 0], "quat": [1, 1, 0, 0]}, "joint": {"type": "helical", "pitch": 0.1}, **solid(1)},
        {"frame": {"xyz": [0, 0, -0.2]}, "joint": {"type": "planar"}, **solid(1)},
        {"frame": {"xyz": [0.1, 0, 0]}, "joint": {"type": "fixed"}, **solid(1)},
        {"joint": {"type": "prismatic"}, **solid(1)}]}


def state(robot, wrenched, off):
    nq, nv = sum(b.nq for b in robot.bodies), sum(b.nv for b in robot.bodies)
    q = RNG.uniform(-1.5, 1.5, nq)
    for b in robot.bodies:
        if b.type in ("spherical", "free"):
            at = b.iq + (3 if b.type == "free" else 0)
            q[at:at + 4] = np.array(quaternion()) * (1 + off)  # a small `off` must be normalised away
    s = {"q": q.tolist(), "v": RNG.uniform(-2, 2, nv).tolist(), "a": RNG.uniform(-5, 5, nv).tolist(), "tau": RNG.uniform(-10, 10, nv).tolist()}
    s["wrenches"] = [{"body": b.name, "moment": vector(3), "force": vector(8)} for b in robot.bodies if wrenched and RNG.random() < 0.7]
    return s


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    spec = importlib.util.spec_from_file_location("oracle", sys.argv[1])
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    target = sys.argv[2] if len(sys.argv) == 3 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle_cases.json")
    out = []
    for number, (name, definition) in enumerate(cases()):
        definition = {"name": f"oracle{number + 1}", **definition}
        robot = oracle.Robot(definition)
        c = {"name": name, "robot": definition, "states": [], "id": [], "fd": [], "inertia": []}
        tried = worst = 0
        while len(c["states"]) < STATES:
            tried += 1
            if tried > 1000:
                sys.exit(f"{name}: no state with a condition number below {MAX_CONDITION:g} found")
            s = state(robot, len(c["states"]) > 0 or number % 2 == 0, 5e-7 if len(c["states"]) == 1 else 0)
            q, v, a, tau = (np.array(s[k]) for k in ("q", "v", "a", "tau"))
            matrix = robot.inertia(q)
            condition = np.linalg.cond(matrix)
            if not condition < MAX_CONDITION:
                continue
            worst = max(worst, condition)
            c["states"].append(s)
            c["id"].append(robot.inverse(q, v, a, s["wrenches"]).tolist())
            c["fd"].append(robot.forward(q, v, tau, s["wrenches"]).tolist())
            c["inertia"].append(matrix.tolist())
        print(f"{name}: {len(robot.bodies)} bodies, {robot.nv} degrees of freedom, condition <= {worst:.3g}, {tried} states tried")
        out.append(c)
    part = target + ".part"
    with open(part, "w") as f:
        f.write('{"cases": [\n')
        for i, c in enumerate(out):
            f.write('{"name": %s,\n "robot": %s' % (json.dumps(c["name"]), json.dumps(c["robot"])))
            for k in ("states", "id", "fd", "inertia"):
                f.write(',\n "%s": [\n  %s]' % (k, ",\n  ".join(json.dumps(x) for x in c[k])))
            f.write("}%s\n" % ("," if i + 1 < len(out) else ""))
        f.write("]}\n")
    os.replace(part, target)
    print(f"{target}: {len(out)} cases, {os.path.getsize(target)} bytes")


if __name__ == "__main__":
    main()
