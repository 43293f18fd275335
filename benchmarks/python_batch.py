"""Batches from Python against Pinocchio's parallel calls, in one interleaved run: microseconds a state.

    python benchmarks/python_batch.py [--states 4096] [--rounds 30] [--threads N]

Both sides have N threads, all of the machine by default; each figure is the least of all rounds. Needs denoc; compares with `pin`
where it is installed.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable

import numpy as np

import denoc


def six_axes() -> str:
    """A 6R as URDF, so that both sides read the same robot."""
    parts = ['<robot name="six">', '<link name="l0"/>']
    for k in range(1, 7):
        axis = ("0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0")[k - 1]
        parts.append(
            f'<link name="l{k}"><inertial><origin xyz="0.05 0.02 {0.1 + 0.01 * k}"/><mass value="{8 - k}"/>'
            f'<inertia ixx="0.1" iyy="0.12" izz="0.05" ixy="0.001" iyz="0.002" ixz="0.003"/></inertial></link>'
            f'<joint name="j{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/>'
            f'<origin xyz="0.1 0 {0.05 * k}" rpy="0.1 0.2 {0.1 * k}"/><axis xyz="{axis}"/>'
            f'<limit lower="-3" upper="3" effort="100" velocity="5"/></joint>'
        )
    return "".join(parts) + "</robot>"


def timed(call: Callable[[], object]) -> float:
    """Seconds of a call after one like it: what others left in the caches is not its own."""
    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    text = six_axes()
    robot = denoc.load(text)
    rng = np.random.default_rng(1)
    q, v, a = (rng.uniform(-1, 1, (options.states, 6)) for _ in range(3))
    out = np.empty_like(a)
    single = tuple(x.astype(np.float32) for x in (q, v, a))
    tau = robot.inverse_dynamics(q, v, a)
    # As many as the machine has are the default, which needs no word.
    said = {} if options.threads == len(os.sched_getaffinity(0)) else {"threads": options.threads}
    calls: dict[str, Callable[[], object]] = {
        "denoc inverse, out=": lambda: robot.inverse_dynamics(q, v, a, out=out, **said),
        "denoc inverse, float32": lambda: robot.inverse_dynamics(*single, **said),
        "denoc forward, out=": lambda: robot.forward_dynamics(q, v, tau, out=out, **said),
    }
    try:
        import pinocchio as pin
    except ImportError:
        print("No Pinocchio here (pip install pin): denoc alone")
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write(text)
            file.flush()
            model = pin.buildModelFromUrdf(file.name)
        pool = pin.ModelPool(model, options.threads)
        data = model.createData()
        qt, vt, at, taut = (np.asfortranarray(x.T) for x in (q, v, a, tau))
        found = pin.rnea(model, data, q[0], v[0], a[0])
        assert np.allclose(found, tau[0], rtol=1e-10, atol=1e-10), "the two do not agree"
        calls |= {
            "pin.rneaInParallel": lambda: pin.rneaInParallel(options.threads, pool, qt, vt, at),
            "pin.abaInParallel": lambda: pin.abaInParallel(options.threads, pool, qt, vt, taut),
            "pin.rnea in a loop": lambda: [pin.rnea(model, data, *state) for state in zip(q, v, a)],
        }
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(options.rounds):
        for name, call in calls.items():
            best[name] = min(best[name], timed(call))
    for name, seconds in best.items():
        print(f"{name:24} {1e6 * seconds / options.states:9.4f} us a state")
    if "pin.rneaInParallel" in best:
        print(f"inverse: {best['pin.rneaInParallel'] / best['denoc inverse, out=']:.1f} times as fast as Pinocchio")
        print(f"forward: {best['pin.abaInParallel'] / best['denoc forward, out=']:.1f} times as fast as Pinocchio")

    q0, v0, a0, count = q[0].copy(), v[0].copy(), a[0].copy(), 500
    one = min(timed(lambda: [robot.inverse_dynamics(q0, v0, a0) for _ in range(count)]) for _ in range(200)) / count
    print(f"one call at one state    {1e6 * one:9.4f} us")


if __name__ == "__main__":
    main()
