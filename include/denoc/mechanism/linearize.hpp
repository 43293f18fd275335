// A robot near a state as a linear system, and the postures where it stays at rest.
#pragma once
#include "denoc/mechanism/dynamics.hpp"

namespace denoc {

/// Near (q0, v0, tau0), with q = integrate(q0, d), x = (d, v - v0) and u = tau - tau0 of the inputs:
///   x' = A x + B u,   A = [-ad(v0)  1;  da/dq  da/dv],   B = [0;  da/dtau]
/// ad(v0) d is v0 x d: of spherical and free joints, whose d is seen by axes that turn with v0; zero of all others.
struct LinearModel {
  std::vector<int> inputs;   // degrees of freedom
  std::vector<double> A, B;  // 2 nv x 2 nv and 2 nv x inputs, by rows
};
/// inputs: the driven degrees of freedom (Mechanism::driven() unless another choice is meant). Wrenches as for
/// Dynamics::forward_derivatives; throws as that does.
LinearModel linearize(Dynamics& dynamics, std::span<const double> q, std::span<const double> v,
                      std::span<const double> tau, std::span<const int> inputs,
                      std::span<const BodyWrench<double>> wrenches = {}, std::span<const Axes> constant_in = {});

/// There is no posture near by where the robot stays at rest; what() names the joint that moves most.
class NoEquilibrium : public Error {
 public:
  using Error::Error;
};
/// A posture near `start` where tau holds the robot at rest, loops closed: by Newton's method with bounded steps, the
/// shortest where joints are indifferent. Throws NoEquilibrium.
std::vector<double> equilibrium(Dynamics& dynamics, std::span<const double> start, std::span<const double> tau,
                                std::span<const BodyWrench<double>> wrenches = {},
                                std::span<const Axes> constant_in = {});

}  // namespace denoc
