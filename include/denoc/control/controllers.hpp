// Control laws. All of them throw ArgumentError where sizes do not agree; those made from a model also for what is no
// number, and for quaternions that are off unit length by more than rounding (unit_length_error). What inverse dynamics
// says includes the rotors of geared drives (Joint::actuator), not friction and springs.
// `driven` are the degrees of freedom with a drive, those of driven_freedoms (loops/closed_chain.hpp) if empty: the
// others get no force, and must have no gain. With loops, motions are closed ones (motion/closed_motion.hpp),
// accelerations of joints that are not driven follow from the loops, and forces are the shortest where more joints are
// driven than needed. Laws that use inverse dynamics throw NotDriveable where the driven joints do not lead all others.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "denoc/control/controller.hpp"
#include "denoc/model/model.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

using TorqueFunction = std::function<void(double t, std::span<double> tau)>;
/// Forces as a function of time (N m, N), whatever the robot does; `breaks` are the instants where they jump, in order:
/// on one of them it is asked a few digits after it, for what follows.
std::shared_ptr<Controller> given_torques(TorqueFunction tau, std::vector<double> breaks = {});
using FeedbackFunction =
    std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau)>;
/// A law of one's own: tau from time and state; `breaks` as above.
std::shared_ptr<Controller> feedback(FeedbackFunction tau, std::vector<double> breaks = {});
/// What inverse dynamics says along the trajectory, whatever the robot does; a free base without drives has no
/// trajectory: it is taken where it is.
std::shared_ptr<Controller> feed_forward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                         const std::vector<int>& driven = {});

/// One gain for each degree of freedom.
struct Gains {
  std::vector<double> kp, kd;
};
/// tau = kp e + kd e': e leads from the actual q to the desired one on the manifold, e' = v_d - v
std::shared_ptr<Controller> pd(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                               Gains gains, const std::vector<int>& driven = {});
/// ... + ki times the integral of e since the start, summed each time the law is asked: it wants a rate
/// (SimulationSetup::control_rate). `most` is what each drive gives at most (drive_limits); empty: anything. Where a
/// drive gives all it can, an error that asks for more is not summed (anti-windup by clamping).
std::shared_ptr<Controller> pid(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                Gains gains, std::vector<double> ki, const std::vector<int>& driven = {},
                                std::vector<double> most = {});
/// pd + what holds the robot against gravity where it is; on a free base without drives, what holds the joints while
/// the base is held
std::shared_ptr<Controller> pd_with_gravity(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven = {});
/// tau = I(q) (a_d + kd e' + kp e) + bias(q, v), by one inverse dynamics                          [Angeles7 7.5]
/// A free base without drives moves as it must: its acceleration is that of no force on it.
std::shared_ptr<Controller> computed_torque(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven = {});

}  // namespace denoc
