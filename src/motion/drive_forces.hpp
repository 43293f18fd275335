// What the drives must give for a motion: inverse dynamics.
#pragma once
#include <optional>
#include <vector>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "driven_chain.hpp"

namespace denoc::motion {

// Of a tree, all joints driven; of a robot with loops, or where only some are driven, as DrivenChain says.
class DriveForces {
 public:
  // driven: degrees of freedom.
  DriveForces(const Model& model, const std::vector<int>& driven) : model_(model), at_(model), scratch_(model) {
    if (driven.size() == size_t(model.nv()) && model.robot().loops.empty()) return;
    chain_.emplace(model, driven);
    a_.resize(size_t(model.nv()));
  }

  // Throws NotDriveable where the driven joints do not lead all others.
  void require_lead(In<double> q) {
    if (chain_) chain_->place(q);
  }
  // tau that gives the accelerations a at q, v; those of joints that are not driven follow
  void moving(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    if (!chain_) return of_tree(q, v, a, tau);
    chain_->place(q);
    chain_->accelerations(v, a, a_);
    of_tree(q, v, a_, tau);
    chain_->forces(tau, tau);
  }
  // ... that holds the robot at rest
  void holding(In<double> q, Out<double> tau) {
    place<double>(model_, q, at_);
    gravity_forces<double>(model_, at_, scratch_, tau);
    if (!chain_) return;
    chain_->place(q);
    chain_->forces(tau, tau);
  }

 private:
  void of_tree(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    place<double>(model_, q, at_);
    inverse_dynamics<double>(model_, at_, v, a, scratch_, tau);
  }

  const Model& model_;
  Configuration<double> at_;
  InverseScratch<double> scratch_;
  std::optional<DrivenChain> chain_ = {};
  std::vector<double> a_ = {};
};

}  // namespace denoc::motion
