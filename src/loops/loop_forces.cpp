#include "loop_forces.hpp"

#include <numeric>

#include "denoc/scalar/pack.hpp"

namespace denoc {
namespace {

using Eigen::Index;

// Of a squared pivot against its entry on the diagonal. Rows are then independent to 1e-4, and one refinement brings
// back what squaring loses: (1e8 eps)^2 is below eps.
constexpr double independent = 1e-8;

// f(degree of freedom) in the order in which the joints of the path take their part.
template <class F> void for_dofs(const Model& model, const LoopPath& path, F&& f) {
  for (const auto* links : path.parts()) {
    for (const int i : *links)
      for (int c = model.links()[i].columns; c-- > 0;) f(model.links()[i].dof + c);
  }
}

}  // namespace

LoopForces::LoopForces(const Model& model, const ClosureSystem& closure)
    : model_(&model),
      passing_(static_cast<std::size_t>(model.nv()), {static_cast<int>(closure.size()), 0, 0}),
      squared_({}),
      f_(closure.size()),
      step_(closure.size()),
      rest_(closure.size()) {
  if (cannot_be_independent(closure)) return;
  for (Index i = 0; i < closure.size(); ++i) {
    if (i == 0 || closure.row(i).loop != closure.row(i - 1).loop)
      strands_.push_back({closure.row(i).loop, static_cast<int>(i), 0, {}});
    strands_.back().end = static_cast<int>(i) + 1;
  }
  for (const Strand& s : strands_) {
    for_dofs(model, closure.path(s.loop), [&](int k) {
      passing_[k].begin = std::min(passing_[k].begin, s.begin);
      passing_[k].end = std::max(passing_[k].end, s.end);
    });
  }
  int entries = 0;
  std::vector<int> profile(static_cast<std::size_t>(closure.size()));
  std::iota(profile.begin(), profile.end(), 0);
  for (auto& [begin, end, first] : passing_) {
    first = entries;
    entries += std::max(0, end - begin);
    for (int i = begin; i < end; ++i) profile[i] = std::min(profile[i], begin);
  }
  entry_.resize(static_cast<std::size_t>(entries));
  for (Strand& s : strands_) {
    for_dofs(model, closure.path(s.loop),
             [&](int k) { s.entries.push_back(passing_[k].first + s.begin - passing_[k].begin); });
  }
  squared_ = ProfileCholesky(std::move(profile));
}

// phihat = p^T w,  w -= psi phihat                                                      [Mohan07 (34)-(35), eta = -w]
template <int width>
void LoopForces::propagate(const ClosureSystem& closure, const Configuration<double>& at, const Factor<double>& factor,
                           const Strand& s, int begin, int rows) {
  using Rows = Pack<double, width>;
  const Loop& loop = model_->robot().loops[static_cast<std::size_t>(s.loop)];
  const int link_a = model_->bodies()[loop.a.body].link, link_b = model_->bodies()[loop.b.body].link;
  const LoopFrames<double>& frames = closure.frames(s.loop);
  Wrench<Rows> on_a = zero_wrench<Rows>, on_b = on_a;
  Rows load_a(0), load_b(0);
  for (int r = 0; r < rows; ++r) {
    const ClosureValue<double>& value = closure.value(begin + r);
    if (closure.row(begin + r).kind == ClosureRow::Kind::coupled) {
      load_a.v[r] = value.slope;
      load_b.v[r] = -1;
      continue;
    }
    const auto set = [&](Wrench<Rows>& on, const Wrench<double>& w) {
      on.n.x.v[r] = w.n.x, on.n.y.v[r] = w.n.y, on.n.z.v[r] = w.n.z;
      on.f.x.v[r] = w.f.x, on.f.y.v[r] = w.f.y, on.f.z.v[r] = w.f.z;
    };
    set(on_a, frames.a.on_link(value.moment_a, value.force));
    set(on_b, frames.b.on_link(-value.moment_b, -value.force));
  }
  const int* entry = s.entries.data();
  climb<Rows, double>(*model_, at, closure.path(s.loop), on_a, on_b, [&](int i, Wrench<Rows>& w) DENOC_INLINED {
    const auto& link = model_->links()[i];
    const Rows load = i == link_a ? load_a : i == link_b ? load_b : Rows(0);
    model_->with_eliminated_columns(i, [&](const auto& columns) DENOC_INLINED {
      w = full<Rows>(columns.inward(w, [&](auto p, const auto& arriving) DENOC_INLINED {
        const Rows hat = dot(p, arriving) + load;
        double* const to = &entry_[*entry++ + begin - s.begin];
        for (int r = 0; r < width; ++r)
          if (r < rows) to[r] = hat.v[r];
        return loaded(p, arriving, factor.psi[link.dof + p.number], -hat, -load);
      }));
    });
  });
}

void LoopForces::propagate(const ClosureSystem& closure, const Configuration<double>& at,
                           const Factor<double>& factor) {
  for (const Strand& s : strands_) {
    for (int begin = s.begin; begin < s.end;) {
      const int rows = std::min(4, s.end - begin);
      if (rows > 2)
        propagate<4>(closure, at, factor, s, begin, rows);
      else
        propagate<2>(closure, at, factor, s, begin, rows);
      begin += rows;
    }
  }
}

// f(k, its row of B, begin and end of the loops' rows there) for every degree of freedom k that forces of loops pass.
template <class F> void LoopForces::for_passed(F&& f) {
  for (std::size_t k = 0; k < passing_.size(); ++k)
    if (const auto& [begin, end, first] = passing_[k]; begin < end) f(k, &entry_[first] - begin, begin, end);
}

void LoopForces::square(const Factor<double>& factor, std::span<const double> phi_hat) {
  squared_.set_zero();
  for_passed([&](std::size_t k, const double* b, int begin, int end) {
    const double d_inv = factor.d_inv[k], share = d_inv * phi_hat[k];
    for (int i = begin; i < end; ++i) {
      const double scaled = b[i] * d_inv;
      double* const row = squared_.row(i);
      for (int j = begin; j <= i; ++j) row[j] += scaled * b[j];
      rest_[i] -= b[i] * share;
    }
  });
}

void LoopForces::add(const Eigen::VectorXd& f, const Factor<double>& factor, std::span<double> phi_hat) {
  for_passed([&](std::size_t k, const double* b, int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += b[i] * f[i];
    phi_hat[k] += sum;
    const double share = factor.d_inv[k] * sum;
    for (int i = begin; i < end; ++i) rest_[i] -= b[i] * share;
  });
}

bool LoopForces::close(const ClosureSystem& closure, const Configuration<double>& at, const Factor<double>& factor,
                       const Eigen::VectorXd& c, std::span<double> phi_hat) {
  if (cannot_be_independent(closure)) return false;
  propagate(closure, at, factor);
  rest_ = c;
  square(factor, phi_hat);
  if (!squared_.factorize(independent)) return false;
  f_.setZero();
  for (int pass = 0; pass < 2; ++pass) {  // the second takes up what squaring lost
    step_ = rest_;
    squared_.solve({step_.data(), static_cast<std::size_t>(step_.size())});
    add(step_, factor, phi_hat);
    f_ += step_;
  }
  return true;
}

}  // namespace denoc
