"""What an arm carries, and how much its joints rub, from a recorded motion: angles alone, with noise.

Gauss and Newton's method on the run itself. A pass back through time gives how an angle at one instant changes with every
parameter of the robot; payload and friction are combinations of these. No velocity or acceleration is measured or estimated.
"""

import numpy as np

import denoc

steps, dt, noise = 100, 0.02, 2e-3  # s, rad
measured = np.arange(5, steps + 1, 5)  # after these steps
hand = np.array([0.4, 0, 0])  # where the payload is, in the frame of the forearm


def arm(payload: float, upper: float, lower: float) -> denoc.Robot:
    """Two links of 0.5 m and 0.4 m in a vertical plane: payload in kg, viscous friction of the joints in N m s."""
    return denoc.load(
        f"""name: arm
bodies:
- {{name: upper, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 2, com: [0.25, 0, 0], inertia: [0.005, 0.05, 0.05, 0, 0, 0],
   friction: {{viscous: {upper:.17g}}}}}
- {{name: lower, frame: {{xyz: [0.5, 0, 0]}}, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 1, com: [0.2, 0, 0],
   inertia: [0.002, 0.02, 0.02, 0, 0, 0], friction: {{viscous: {lower:.17g}}}}}
- {{name: load, parent: lower, frame: {{xyz: [{hand[0]}, {hand[1]}, {hand[2]}]}}, joint: fixed, mass: {payload:.17g}}}
"""
    )


# What the drives did: two waves.
t = dt * np.arange(steps)
tau = np.stack([4 * np.sin(3 * t), 2 * np.cos(5 * t)], axis=1)


def run(unknown: np.ndarray) -> denoc.Rollout:
    return arm(*unknown).rollout([0.3, 0.5], [0, 0], tau, dt)


def slopes(found: denoc.Rollout) -> np.ndarray:
    """(angles, 3): how the measured angles change with payload and friction."""
    names = found.robot.parameters(friction=True).names
    columns = [names.index(name) for name in ("load.m", "upper.viscous", "lower.viscous")]
    rows = []
    for k in measured:
        for joint in range(2):
            by_q = np.zeros((steps + 1, 2))
            by_q[k, joint] = 1
            rows.append(found.gradient(by_q, friction=True).parameters[columns])
    return np.array(rows)


truth = np.array([0.7, 0.35, 0.2])
record = run(truth).q[measured] + np.random.default_rng(4).normal(0, noise, (len(measured), 2))

unknown = np.array([0.1, 0.05, 0.05])  # nearly nothing
for rounds in range(1, 21):
    found = run(unknown)
    J, left = slopes(found), (record - found.q[measured]).ravel()
    step = np.linalg.lstsq(J, left, rcond=None)[0]
    unknown = np.maximum(unknown + step, 0.01)
    if np.abs(step).max() < 1e-9:
        break
errors = noise * np.sqrt(np.diag(np.linalg.inv(J.T @ J)))  # standard errors: what this noise leaves unknown

for name, value, error, was in zip(("payload [kg]", "upper [N m s]", "lower [N m s]"), unknown, errors, truth):
    print(f"{name:14} {value:.4f} +- {error:.4f}   (was {was:g})")
print(f"{rounds} rounds; what is left of the angles: {left.std():.2e} rad, noise was {noise:.0e}")
assert (np.abs(unknown - truth) < 4 * errors).all()  # beyond: once in 5000 records
