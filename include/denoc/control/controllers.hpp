// Control laws. All of them throw ArgumentError where sizes do not agree. What inverse dynamics says includes
// the rotors of geared drives (Joint::actuator), not friction and springs.
// `driven` are the degrees of freedom with a drive, those of driven_freedoms (loops/closed_chain.hpp) if empty: the
// others get no force, and must have no gain. With loops, motions are
// closed ones (motion/closed_motion.hpp), accelerations of joints that are not driven follow from the loops, and forces
// are the shortest where more joints are driven than needed. Laws that use inverse dynamics throw NotDriveable where
// the driven joints do not lead all others.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "denoc/control/controller.hpp"
#include "denoc/model/model.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

// The given forces; `breaks` are the instants where they jump, in order.
using TorqueFunction = std::function<void(double t, std::span<double> tau)>;
std::shared_ptr<Controller> given_torques(TorqueFunction tau, std::vector<double> breaks = {});
// What inverse dynamics says along the trajectory, whatever the robot does.
std::shared_ptr<Controller> feed_forward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                         const std::vector<int>& driven = {});

// One gain for each degree of freedom.
struct Gains {
  std::vector<double> kp, kd;
};
// tau = kp e + kd e': e leads from the actual q to the desired one on the manifold, e' = v_d - v
std::shared_ptr<Controller> pd(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                               Gains gains, const std::vector<int>& driven = {});
// ... + what holds the robot against gravity where it is
std::shared_ptr<Controller> pd_with_gravity(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven = {});
// tau = I(q) (a_d + kd e' + kp e) + bias(q, v), by one inverse dynamics                          [Angeles7 7.5]
std::shared_ptr<Controller> computed_torque(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven = {});

}  // namespace denoc
