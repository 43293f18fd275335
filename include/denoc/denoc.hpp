// The library, part by part, each building on those before.
#pragma once
// clang-format off
#include "denoc/error.hpp"              // what is thrown

#include "denoc/scalar/scalar.hpp"      // what a number may do: double, float, long double
#include "denoc/scalar/counted.hpp"     // ... counting its operations
#include "denoc/scalar/dual.hpp"        // ... carrying a derivative
#include "denoc/scalar/instruction_set.hpp"  // what the recursions run on

#include "denoc/spatial/tensor.hpp"     // three-vectors and tensors with typed zeros
#include "denoc/spatial/twist.hpp"      // twists, wrenches, motions
#include "denoc/spatial/inertia.hpp"    // rigid and articulated inertias
#include "denoc/spatial/planar.hpp"     // planar rotations
#include "denoc/spatial/pose.hpp"       // frames
#include "denoc/spatial/placement.hpp"  // frames that move by two screws
#include "denoc/spatial/column.hpp"     // motion columns of joints as values
#include "denoc/spatial/six_rows.hpp"   // many wrenches or twists at once

#include "denoc/model/robot.hpp"          // a robot as its file describes it
#include "denoc/model/joints.hpp"         // the elementary joints: the list
#include "denoc/model/model.hpp"          // ... and as the recursions want it
#include "denoc/model/configuration.hpp"  // q, evaluated
#include "denoc/model/manifold.hpp"       // integrate, difference, normalise q
#include "denoc/model/dofs.hpp"           // what the entries of q and v are called
#include "denoc/io/load.hpp"              // URDF and YAML files

#include "denoc/kinematics/kinematics.hpp"     // poses, twists, accelerations, Jacobians
#include "denoc/kinematics/inverse_rates.hpp"  // joint rates and accelerations from a twist and its rate
#include "denoc/kinematics/energy.hpp"         // mass centre, energies, momenta
#include "denoc/kinematics/inverse_kinematics.hpp"  // q from the pose of a body

#include "denoc/forces/force.hpp"   // what a force is
#include "denoc/forces/forces.hpp"  // friction, springs, stops, ground, wrenches: the list, and all of them at once

#include "denoc/dynamics/inverse/denoc.hpp"      // tau from a
#include "denoc/dynamics/inertia/composite.hpp"  // I
#include "denoc/dynamics/inertia/udut.hpp"       // I = U D U^T
#include "denoc/dynamics/inertia/inverse.hpp"    // I^-1
#include "denoc/dynamics/forward/denoc.hpp"      // a from tau
#include "denoc/dynamics/coriolis.hpp"           // C with I' - 2C skew
#include "denoc/dynamics/reactions.hpp"          // the wrench in every joint
#include "denoc/dynamics/formulations.hpp"       // every method by name
#include "denoc/dynamics/study.hpp"              // the papers' matrices, written out

#include "denoc/loops/closure.hpp"       // joints cut open, as equations
#include "denoc/loops/closed_chain.hpp"  // dynamics with loops, assembly, mobility

#include "denoc/mechanism/mechanism.hpp"  // the robot with all it has
#include "denoc/mechanism/dynamics.hpp"   // questions about it: the one door
#include "denoc/mechanism/linearize.hpp"  // small motions about a state
#include "denoc/mechanism/inverse_kinematics.hpp"  // q from the pose of a body, loops closed

#include "denoc/motion/trajectory.hpp"          // q, v, a as functions of time
#include "denoc/motion/profile.hpp"             // how a motion is spread over time
#include "denoc/motion/joint_motion.hpp"        // from point to point, splines, functions of time, one after another
#include "denoc/motion/line.hpp"                // straight lines in space
#include "denoc/motion/circle.hpp"              // ... and circles
#include "denoc/motion/closed_motion.hpp"       // with loops: some joints lead, the others follow
#include "denoc/motion/forces_along.hpp"        // inverse dynamics along a motion
#include "denoc/motion/minimum_time.hpp"        // the shortest duration under limits of the forces

#include "denoc/control/controller.hpp"   // tau from time and state
#include "denoc/control/controllers.hpp"  // ... by feed-forward, PD, PID, computed torque, or a function of one's own
#include "denoc/control/lqr.hpp"          // ... with the least cost for small motions
#include "denoc/control/drive_limits.hpp"  // what the drives give at most

#include "denoc/simulation/simulation.hpp"  // motion from forces
#include "denoc/scenario/scenario.hpp"    // ... as a file describes it
// clang-format on
