// What packs leave to others, row by row: forces of the joints (they need q and v alone), and joints that follow others.
#pragma once
#include "couplings.hpp"
#include "denoc/batch/batch.hpp"
#include "denoc/forces/forces.hpp"
#include "state_by_state.hpp"

namespace denoc::batch {

template <class E> class BesidePacks {
 public:
  // rows: how many go through one call of the recursions.
  BesidePacks(const BasicModel<E>& model, Forces forces, Loops loops, int threads, int rows)
      : model_(model),
        forces_(forces_from<RobotForces<E>>(model)),
        has_forces_(forces == Forces::all && !names_of(forces_).empty()),
        closes_(loops == Loops::closed && !model.robot().loops.empty()),
        rows_(size_t(rows)) {
    if (closes_) couplings_ = fixed_ratios(model);
    if (!has_forces_) return;
    for (int t = 0; t < threads; ++t) {
      loads_.emplace_back(model.nv(), 0);
      loaded_.emplace_back(rows_ * size_t(model.nv()));
    }
  }

  // Packs and this leave nothing out. Forces between points need the places of the bodies: not here.
  bool covers_all() const {
    return (!has_forces_ || wrenches_of(forces_) == 0) && (!closes_ || couplings_.has_value());
  }
  bool empty() const { return !has_forces_ && !closes_; }
  std::span<const Coupling<E>> couplings() const {
    return couplings_ ? std::span<const Coupling<E>>(*couplings_) : std::span<const Coupling<E>>();
  }

  // tau with what the forces of the joints add, for `count` rows: of the call, or of this thread until the next one.
  const E* loaded(int thread, const E* q, const E* v, const E* tau, int count) {
    if (!has_forces_) return tau;
    const size_t nq = size_t(model_.nq()), nv = size_t(model_.nv());
    std::vector<E>& all = loaded_[size_t(thread)];
    for (size_t i = 0; i < size_t(count); ++i) {
      const Loads<E>& loads = act(thread, {q + i * nq, nq}, {v + i * nv, nv});
      for (size_t k = 0; k < nv; ++k) all[i * nv + k] = tau[i * nv + k] + loads.tau[k];
    }
    return all.data();
  }
  // What the drives must give for the rigid bodies and for the forces; in joints that lead.
  void give_to_drives(int thread, std::span<const E> q, std::span<const E> v, std::span<E> tau) {
    if (has_forces_) {
      const Loads<E>& loads = act(thread, q, v);
      for (size_t k = 0; k < tau.size(); ++k) tau[k] -= loads.tau[k];
    }
    give_to_leaders(couplings(), tau);
  }

 private:
  const Loads<E>& act(int thread, std::span<const E> q, std::span<const E> v) {
    Loads<E>& loads = loads_[size_t(thread)];
    loads.clear();
    apply_forces<E>(forces_, {model_, E(0), q, v, nullptr}, loads);
    return loads;
  }

  const BasicModel<E>& model_;
  RobotForces<E> forces_;
  bool has_forces_, closes_;
  std::optional<std::vector<Coupling<E>>> couplings_ = {};
  size_t rows_;
  std::vector<Loads<E>> loads_ = {};  // one for each thread
  std::vector<std::vector<E>> loaded_ = {};
};

}  // namespace denoc::batch
