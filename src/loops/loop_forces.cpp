#include "loop_forces.hpp"

#include <numeric>

namespace denoc {
namespace {

using Eigen::Index;

// Of a squared pivot against its entry on the diagonal. Rows are then independent to 1e-4, and one refinement brings
// back what squaring loses: (1e8 eps)^2 is below eps.
constexpr double independent = 1e-8;

// f(degree of freedom) in the order in which the joints of the path take their part.
template <class Parts, class F> void for_dofs(const Model& model, const Parts& parts, F&& f) {
  for (const auto* links : parts) {
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
    for_dofs(model, closure.path(s.loop).parts(), [&](int k) {
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
    const LoopPath& path = closure.path(s.loop);
    for_dofs(model, path.parts(), [&](int k) { s.entries.push_back(passing_[k].first + s.begin - passing_[k].begin); });
    if (closure.row(s.begin).kind == ClosureRow::Kind::coupled) continue;
    for_dofs(model, std::array{&path.from_a, &path.from_b}, [&](int k) {
      s.around.push_back({s.entries[s.around.size()], closure.units[k]});
    });
  }
  squared_ = ProfileCholesky(std::move(profile));
}

void LoopForces::propagate(const ClosureSystem& closure, const Configuration<double>& at,
                           const Factor<double>& factor) {
#define DENOC_ROW(isa, ...) isa##_climbing_rows,
  static constexpr const ClimbingRows& (*all[])() = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  static const ClimbingRows& climb = all[instruction_set_in_use()]();
  for (const Strand& s : strands_) {
    for (int begin = s.begin; begin < s.end;) {
      const UnitForces forces = unit_forces(closure, s, begin, std::min(UnitForces::most, s.end - begin));
      (forces.rows > 2 ? climb.four : climb.two)(*model_, at, factor, closure.path(s.loop), forces, s.entries.data(),
                                                 entry_.data() + begin - s.begin);
      begin += forces.rows;
    }
  }
}

bool LoopForces::has_vanishing_rows(const ClosureSystem& closure) const {
  for (const Strand& s : strands_)
    for (int i = s.begin; i < s.end && !s.around.empty(); ++i) {
      double most = 0;
      for (const auto& [entry, unit] : s.around)
        most = std::max(most, std::abs(entry_[static_cast<std::size_t>(entry + i - s.begin)]) * unit);
      if (most <= rank_threshold * closure.row_units[i]) return true;
    }
  return false;
}

UnitForces LoopForces::unit_forces(const ClosureSystem& closure, const Strand& s, int begin, int rows) const {
  const Loop& loop = model_->robot().loops[static_cast<std::size_t>(s.loop)];
  const LoopFrames<double>& frames = closure.frames(s.loop);
  UnitForces forces = {rows, model_->bodies()[loop.a.body].link, model_->bodies()[loop.b.body].link};
  for (int r = 0; r < rows; ++r) {
    const ClosureValue<double>& value = closure.value(begin + r);
    if (closure.row(begin + r).kind == ClosureRow::Kind::coupled) {
      forces.load_a[r] = value.slope;
      forces.load_b[r] = -1;
      continue;
    }
    const auto set = [r](double(&on)[6][UnitForces::most], const Wrench<double>& w) {
      on[0][r] = w.n.x, on[1][r] = w.n.y, on[2][r] = w.n.z;
      on[3][r] = w.f.x, on[4][r] = w.f.y, on[5][r] = w.f.z;
    };
    set(forces.on_a, frames.a.on_link(value.moment_a, value.force));
    set(forces.on_b, frames.b.on_link(-value.moment_b, -value.force));
  }
  return forces;
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
  if (has_vanishing_rows(closure)) return false;
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
