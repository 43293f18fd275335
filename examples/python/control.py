"""A PUMA 560 swings to a posture under computed torque, written in Python."""

import numpy as np

import denoc

robot = denoc.load("puma560")
goal = np.array([0.5, -0.4, 0.8, 0.0, 0.6, 0.2])


def law(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """tau = I (kp e - kd v) + bias: the error obeys e'' + kd e' + kp e = 0."""
    tau: np.ndarray = robot.inertia(q) @ (64 * (goal - q) - 16 * v) + robot.bias(q, v)
    return tau


run = robot.simulate(2.0, q=np.zeros(robot.nq), control=law, rtol=1e-6, title="to a posture")
print(run)
print("what is left of the error [rad]:", np.abs(run.q[-1] - goal).max())
run.save("run.npz")
run.report("page.html")
