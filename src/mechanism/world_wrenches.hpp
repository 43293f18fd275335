// What wrenches that are constant in world axes add to derivatives by q.
#pragma once
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

template <Scalar T> class WorldWrenches {
 public:
  explicit WorldWrenches(const ModelOf<T>& model) : model_(&model), kin_(model) {
    movers_.reserve(static_cast<std::size_t>(model.nv()));
  }

  // A body that turns by w sees a wrench (n, f) of the world change by -(w x n, w x f). With J_k a column of the body's
  // Jacobian, tau = -J^T (n, f) then changes by
  //   dtau_i/dq_k += w(J_k) . (n x w(J_i) + f x v(J_i))
  // fixed: their numbers in body axes at q (in `at`); dq: n x n by rows.
  void add(const Configuration<T>& at, Wrenches<T> fixed, Out<T> dq) {
    if (fixed.empty()) return;
    const auto n = static_cast<std::size_t>(model_->nv());
    positions<T>(*model_, at, kin_);
    for (const auto& [body, w] : fixed) {
      movers_.clear();
      detail::columns_in_body<T>(*model_, kin_, body, [&](int k, const Twist<T>& p) { movers_.push_back({k, p}); });
      for (const auto& [i, p] : movers_) {
        const Vec3<T> felt = cross(w.n, p.w) + cross(w.f, p.v);
        for (const auto& [k, by] : movers_)
          dq[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(k)] += dot(by.w, felt);
      }
    }
  }

 private:
  struct Mover {
    int dof;
    Twist<T> column;  // in the body's frame
  };
  const ModelOf<T>* model_;
  Kinematics<T> kin_;
  std::vector<Mover> movers_ = {};
};

}  // namespace denoc
