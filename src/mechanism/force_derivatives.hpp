// How the forces of a robot's file change with q and v, exactly, by evaluating them over Dual. Coulomb's sign and the
// touch of a stop are what they are at the state.
#pragma once
#include "denoc/dynamics/link_wrenches.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {

template <Scalar T> class ForceDerivatives {
  using D = Dual<T>;

 public:
  explicit ForceDerivatives(const ModelOf<T>& model)
      : model_(&model),
        forces_(forces_from<RobotForces<D>>(model)),
        at_(model),
        kin_(model),
        loads_(model.nv(), wrenches_of(forces_)),
        q_(size_t(model.nq())),
        moved_(q_),
        v_(size_t(model.nv())),
        step_(v_),
        inverse_(model),
        column_(size_t(model.nv())) {
    changes_.reserve(size_t(wrenches_of(forces_)));
  }

  // What the drives must give against the forces: adds -d(forces)/dq and -d(forces)/dv to dtau/dq and dtau/dv (n x n
  // by rows), at q (also in `at`) and v. Their wrenches, constant in body axes, are counted there already.
  void add(const Configuration<T>& at, In<T> q, In<T> v, Out<T> dq, Out<T> dv) {
    start(q, v);
    add_in_joints(dq, dv);
    if (wrenches_of(forces_) > 0) add_on_bodies(at, dq, dv);
  }

 private:
  void start(In<T> q, In<T> v) {
    require_size(q, model_->nq(), "q");
    require_size(v, model_->nv(), "v");
    for (size_t k = 0; k < q.size(); ++k) moved_[k] = q_[k] = D{q[k], T(0)};
    for (size_t k = 0; k < v.size(); ++k) {
      v_[k] = D{v[k], T(0)};
      step_[k] = D(Real<T>(0));
    }
  }
  void act(bool on_bodies) {
    const Situation<D> here{*model_, Real<T>(0), moved_, v_, &kin_};
    loads_.clear();
    for_each_force(forces_, [&](const auto& force) {
      if ((force.wrenches() > 0) == on_bodies) force.act(here, loads_);
    });
  }

  // A force in a joint depends on the q and v of its own degree of freedom: all are varied at once.
  void add_in_joints(Out<T> dq, Out<T> dv) {
    const size_t n = v_.size();
    const auto add_diagonal = [&](std::vector<D>& varied, Out<T> matrix) {
      for (D& x : varied) x.d = T(1);
      act(false);
      for (D& x : varied) x.d = T(0);
      for (size_t k = 0; k < n; ++k) matrix[k * n + k] -= loads_.tau[k].d;
    };
    add_diagonal(moved_, dq);
    add_diagonal(v_, dv);
  }
  // Forces between bodies depend on every joint: one after the other.
  void add_on_bodies(const Configuration<T>& at, Out<T> dq, Out<T> dv) {
    const size_t n = v_.size();
    for (size_t k = 0; k < n; ++k) {
      step_[k].d = T(1);
      integrate<D>(*model_, q_, step_, moved_);
      add_column(at, k, dq);
      step_[k].d = T(0);
      moved_ = q_;
      v_[k].d = T(1);
      add_column(at, k, dv);
      v_[k].d = T(0);
    }
  }
  void add_column(const Configuration<T>& at, size_t k, Out<T> matrix) {
    place<D>(*model_, moved_, at_);
    positions<D>(*model_, at_, kin_);
    velocities<D>(*model_, v_, kin_);
    act(true);
    changes_.clear();
    for (const auto& [body, w] : loads_.wrenches)
      changes_.push_back({body, {{w.n.x.d, w.n.y.d, w.n.z.d}, {w.f.x.d, w.f.y.d, w.f.z.d}}});
    for (Wrench<T>& w : inverse_.w) w = zero_wrench<T>;
    relieve_joints<T>(*model_, changes_, inverse_);
    project_to_joints<T>(*model_, at, inverse_, column_);
    const size_t n = v_.size();
    for (size_t i = 0; i < n; ++i) matrix[i * n + k] += column_[i] - loads_.tau[i].d;
  }

  const ModelOf<T>* model_;
  RobotForces<D> forces_;
  Configuration<D> at_;
  Kinematics<D> kin_;
  Loads<D> loads_;
  std::vector<D> q_, moved_, v_, step_;
  InverseScratch<T> inverse_;
  std::vector<BodyWrench<T>> changes_ = {};
  std::vector<T> column_;
};

}  // namespace denoc
