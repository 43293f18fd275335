"""A cart swings its pole up: the force on the cart that brings it from hanging to standing, found by shooting.

Newton's method on the end of the run: one pass back through time gives how the end changes with every force, and the least
change of the forces that brings it nearer to the goal is taken.
"""

import numpy as np

import denoc

robot = denoc.load(
    """name: cart_pole
bodies:
- {name: cart, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1, friction: {viscous: 0.1}}
- {name: pole, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0.2, com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.001, 0, 0, 0]}
"""
)
steps, dt, strongest = 100, 0.025, 8.0
goal = np.array([0, np.pi, 0, 0])  # the cart where it was, the pole upright, both at rest


def shoot(u: np.ndarray) -> tuple[denoc.Rollout, np.ndarray]:
    """The run under forces strongest tanh(u) on the cart, and how far its end is from the goal."""
    tau = np.zeros((steps, 2))
    tau[:, 0] = strongest * np.tanh(u)
    run = robot.rollout([0, 0], [0, 0], tau, dt)
    return run, np.concatenate([run.q[-1], run.v[-1]]) - goal


def slopes(run: denoc.Rollout, u: np.ndarray) -> np.ndarray:
    """(4, steps): how the end changes with u. Each row is the gradient of one number of the end."""
    rows = []
    for k in range(4):
        by = np.zeros((2, steps + 1, 2))
        by[k // 2, -1, k % 2] = 1
        rows.append(run.gradient(*by).tau[:, 0] * strongest / np.cosh(u) ** 2)
    return np.array(rows)


u = 0.5 * np.sin(np.sqrt(9.81 / 0.55) * dt * np.arange(steps))  # to and fro, at about the pole's own pace
run, missed = shoot(u)
for rounds in range(1, 101):
    J = slopes(run, u)
    step = J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(4), missed)
    step *= min(1, 1.5 / np.abs(step).max())
    for part in 0.5 ** np.arange(12):  # a shorter step where the whole one leads away
        next_run, next_missed = shoot(u - part * step)
        if np.linalg.norm(next_missed) < np.linalg.norm(missed):
            break
    u, run, missed = u - part * step, next_run, next_missed
    if np.abs(missed).max() < 1e-6:
        break

print(f"after {rounds} rounds the pole stands, but for {np.abs(missed).max():.1e} m, rad, m/s or rad/s")
print(f"it took {steps * dt:g} s and at most {np.abs(run.tau).max():.2f} N")
assert np.abs(missed).max() < 1e-6
