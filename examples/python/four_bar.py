"""A four-bar linkage: loops stay closed, and what only the tree has is asked for by name."""

import numpy as np

import denoc

robot = denoc.load("fourbar")
print(robot.mobility())

q = robot.random(seed=4)
a = robot.forward_dynamics(q, np.zeros(robot.nv), np.zeros(robot.nv))
print("falling freely:", a.round(3))
values, unique = robot.multipliers(q, np.zeros(robot.nv), np.zeros(robot.nv))
print("forces in the cut joint:", values.round(3), "the only ones:", bool(unique))
crank = robot.joints[0]
print(f"held by {crank} alone:", robot.inverse_dynamics(q, np.zeros(robot.nv), np.zeros(robot.nv), driven=[crank]).round(3))
try:
    robot.inertia(q)
except denoc.NotCovered as refused:
    print(refused)
print("of the tree:\n", robot.inertia(q, loops="open").round(3))
