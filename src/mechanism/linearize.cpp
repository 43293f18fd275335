#include "denoc/mechanism/linearize.hpp"

#include <fmt/format.h>

#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/scalar/dual.hpp"

namespace denoc {
namespace {

using D = Dual<double>;

std::vector<D> constants(std::span<const double> x) { return {x.begin(), x.end()}; }

// The accelerations and their change along one direction of q, v or tau.
class Varied {
 public:
  explicit Varied(const Model& model) : model_(model), at_(model), forces_(model), scratch_(model) {}

  std::vector<D> accelerations(const std::vector<D>& q, const std::vector<D>& v, std::vector<D> tau) {
    place<D>(model_, q, at_);
    const Loads<D>& loads = forces_.act(at_, q, v);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += loads.tau[k];
    std::vector<D> a(tau.size());
    forward_dynamics<D>(model_, at_, v, tau, scratch_, a, loads.wrenches);
    return a;
  }

 private:
  const Model& model_;
  Configuration<D> at_;
  ForcesOf<D> forces_;
  ForwardScratch<D> scratch_;
};

// -ad(v): d turns back as the body turns on.
void turn_back(const Model& model, std::span<const double> v, std::vector<double>& A) {
  const auto width = 2 * static_cast<std::size_t>(model.nv());
  const auto subtract_cross = [&](int row, int column, int from) {
    const double x = v[static_cast<std::size_t>(from)], y = v[static_cast<std::size_t>(from) + 1],
                 z = v[static_cast<std::size_t>(from) + 2];
    const double cross[3][3] = {{0, -z, y}, {z, 0, -x}, {-y, x, 0}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        A[(static_cast<std::size_t>(row) + i) * width + static_cast<std::size_t>(column) + j] -= cross[i][j];
  };
  detail::for_joints<double>(
      model, [](int, int) {}, [&](int, int k) { subtract_cross(k, k, k); },
      [&](int, int k) {
        subtract_cross(k + 3, k + 3, k);
        subtract_cross(k + 3, k, k + 3);
      });
}

}  // namespace

Linearization linearize(const Mechanism& mechanism, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau) {
  const Model& model = mechanism.tree();
  if (mechanism.has_loops())
    throw NotCovered(fmt::format("{}: small motions of robots with loops are not linearised here",
                                 mechanism.robot().loops.front().source.element));
  require_size(q, model.nq(), "q");
  require_size(v, model.nv(), "v");
  require_size(tau, model.nv(), "tau");
  const auto n = static_cast<std::size_t>(model.nv());
  Linearization result{model.nv(), std::vector<double>(4 * n * n), std::vector<double>(2 * n * n),
                       std::vector<double>(n)};
  Varied varied(model);
  const std::vector<D> at_q = constants(q), at_v = constants(v), at_tau = constants(tau);
  const auto put = [&](const std::vector<D>& a, std::vector<double>& matrix, std::size_t width, std::size_t column) {
    for (std::size_t i = 0; i < n; ++i) {
      matrix[(n + i) * width + column] = a[i].d;
      result.a[i] = a[i].x;
    }
  };
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<D> way(n, D(0)), moved_q = at_q, moved_v = at_v, moved_tau = at_tau;
    way[k].d = moved_v[k].d = moved_tau[k].d = 1;
    integrate<D>(model, at_q, way, moved_q);
    put(varied.accelerations(moved_q, at_v, at_tau), result.A, 2 * n, k);
    put(varied.accelerations(at_q, moved_v, at_tau), result.A, 2 * n, n + k);
    put(varied.accelerations(at_q, at_v, moved_tau), result.B, n, k);
    result.A[k * 2 * n + n + k] = 1;
  }
  turn_back(model, v, result.A);
  return result;
}

}  // namespace denoc
