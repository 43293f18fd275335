"""Torques of a PUMA 560 at one state, and at many at once."""

import numpy as np

import denoc

robot = denoc.load("puma560")
print(robot)

q, v, a = robot.random(seed=1), np.full(robot.nv, 0.5), np.zeros(robot.nv)
print("\ntau [N m]:", robot.inverse_dynamics(q, v, a).round(3))
print("of these, against gravity:", robot.gravity(q).round(3))
print("holding 2 kg at the hand:", robot.inverse_dynamics(q, v, a, wrenches={"link6": [0, 0, 0, 0, 0, -19.6]}).round(3))

# A hundred thousand states: threads and SIMD do them together.
rng = np.random.default_rng(2)
many = rng.uniform(-1, 1, (3, 100_000, robot.nv))
tau = robot.inverse_dynamics(*many)
print("largest torque of each joint:", np.abs(tau).max(axis=0).round(1))

# What the drives give comes back as acceleration.
again = robot.forward_dynamics(many[0], many[1], tau)
print("forward of inverse:", np.abs(again - many[2]).max() < 1e-6)
