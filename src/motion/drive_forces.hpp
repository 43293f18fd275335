// What the drives must give for a motion: inverse dynamics.
#pragma once
#include <optional>
#include <vector>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "driven_chain.hpp"
#include "free_motion.hpp"

namespace denoc::motion {

// Of a tree, all joints driven; free joints without drives that no loop ties float: they are left free, and taken as led
// where the others are asked for; of a robot with loops, or where only some are driven, as DrivenChain says.
class DriveForces {
 public:
  // driven: degrees of freedom.
  DriveForces(const Model& model, const std::vector<int>& driven) : model_(model), at_(model), scratch_(model) {
    const bool is_tree = model.robot().loops.empty();
    if (driven.size() == size_t(model.nv()) && is_tree) return;
    a_.resize(size_t(model.nv()));
    floating_ = motion::floating(model, driven);
    if (!floating_.empty()) base_.emplace(model);
    led_ = driven;
    led_.insert(led_.end(), floating_.begin(), floating_.end());
    if (!is_tree || led_.size() < size_t(model.nv())) chain_.emplace(model, led_);
  }

  // Throws NotDriveable where the driven joints do not lead all others but those that float.
  void require_lead(In<double> q) {
    if (chain_) chain_->place(q);
  }
  // The bodies whose free joints are left to themselves.
  std::vector<int> floating() const {
    std::vector<int> bodies;
    for (const int k : floating_)
      if (bodies.empty() || bodies.back() != model_.body_of_dof(k)) bodies.push_back(model_.body_of_dof(k));
    return bodies;
  }
  // tau that gives the accelerations a at q, v; those of joints that are not driven follow. Loops that do not tie a
  // base put no force on it: its rows of the equations of motion are those of the tree.
  void moving(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    if (!chain_ && !base_) return of_tree(q, v, a, tau);
    std::copy(a.begin(), a.end(), a_.begin());
    for (const int k : floating_) a_[size_t(k)] = 0;
    if (chain_) {
      chain_->place(q);
      chain_->accelerations(v, a_, a_);
    }
    of_tree(q, v, a_, tau);
    if (base_) base_->release(at_, floating_, tau, a_);
    if (chain_) chain_->forces(tau, tau);
    for (const int k : floating_) tau[size_t(k)] = 0;  // to the last bit
  }
  // ... that holds the robot at rest; the driven joints, where a free base is left to itself
  void holding(In<double> q, Out<double> tau) {
    place<double>(model_, q, at_);
    gravity_forces<double>(model_, at_, scratch_, tau);
    if (chain_) {
      chain_->place(q);
      chain_->forces(tau, tau);
    }
    for (const int k : floating_) tau[size_t(k)] = 0;
  }

 private:
  void of_tree(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    place<double>(model_, q, at_);
    inverse_dynamics<double>(model_, at_, v, a, scratch_, tau);
  }

  const Model& model_;
  Configuration<double> at_;
  InverseScratch<double> scratch_;
  std::vector<int> floating_ = {}, led_ = {};  // led: driven or floating
  std::optional<FreeMotion> base_ = {};        // where something floats
  std::optional<DrivenChain> chain_ = {};
  std::vector<double> a_ = {};
};

}  // namespace denoc::motion
