// Laws on random robots and states, for every scalar.
#pragma once
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "support/laws.hpp"

namespace denoc::test {

using Scalars = testing::Types<double, float, long double, Counted<double>, Dual<double>>;

// Whether a law holds on many robots: RapidCheck picks, and shrinks, seed and size. (In a file of its own: it takes long to
// compile.)
bool holds_for_random_robots(const std::function<void(Random& random, const Robot& robot)>& law, int most_bodies,
                             bool with_distant_frames);
template <class T, class Law> void for_random_robots(Law&& law, int most_bodies = 40) {
  // (single precision would refuse small inertias given about points so far away)
  const bool is_wide = Epsilon<T>::digits >= 53;
  const auto of_model = [&](Random& random, const Robot& robot) {
    const ModelOf<T> model(robot);
    if (model.nv() > 0) law(random, model);
  };
  EXPECT_TRUE(holds_for_random_robots(of_model, most_bodies, is_wide));
}

template <class T> struct State {
  using R = Real<T>;
  std::vector<T> q, v, a;
  State(Random& random, const ModelOf<T>& model)
      : q(as<T>(random_q<R>(random, model))),
        v(as<T>(random_vector<R>(random, model.nv()))),
        a(as<T>(random_vector<R>(random, model.nv(), 5))) {}
};
template <class T> std::vector<BodyWrench<T>> random_wrenches(Random& random, const ModelOf<T>& model) {
  std::vector<BodyWrench<T>> wrenches;
  for (int k = 0; k < 3; ++k) {
    const auto n = random.vector(5), f = random.vector(5);
    wrenches.push_back(
        {random.below(int(model.bodies().size())), {full<T>(full<Real<T>>(n)), full<T>(full<Real<T>>(f))}});
  }
  return wrenches;
}

// The plain numbers of a scalar.
template <class T> Real<T> plain(const T& x) { return Real<T>(value(x)); }
template <class T> Vec3<Real<T>> plain(const Vec3<T>& x) { return {plain(x.x), plain(x.y), plain(x.z)}; }
template <class T> std::vector<Real<T>> plain(const std::vector<T>& x) {
  std::vector<Real<T>> all;
  for (const T& e : x) all.push_back(plain(e));
  return all;
}

// What rounding explains at q, v, under these wrenches.
template <class T>
Rounding<Real<T>> rounding_at(const ModelOf<T>& model, const std::vector<T>& q, const std::vector<T>& v,
                              const std::vector<BodyWrench<T>>& wrenches = {}) {
  using R = Real<T>;
  Configuration<R> at(model);
  place<R>(model, plain(q), at);
  std::vector<BodyWrench<R>> given;
  for (const auto& [body, w] : wrenches) given.push_back({body, {plain(w.n), plain(w.f)}});
  Rounding<R> rounding(model);
  rounding.evaluate(at, plain(v), given);
  return rounding;
}

// The largest difference in units of what rounding explains.
template <class T>
double times_rounding(const std::vector<T>& found, const std::vector<T>& expected, const std::vector<double>& allowed) {
  double most = 0;
  for (size_t k = 0; k < found.size(); ++k) {
    const double error = std::abs(double(plain(found[k] - expected[k])));
    most = larger(most, error == 0 ? 0 : error / allowed[k]);
  }
  return most;
}
// The law, with what breaks it and by how much.
inline void require(double times, std::string_view what) {
  if (!(times <= 1)) RC_FAIL(std::string(what) + ": " + std::to_string(times) + " times what rounding explains");
}
template <class T>
void require(const std::vector<T>& found, const std::vector<T>& expected, const std::vector<double>& allowed,
             std::string_view what) {
  require(times_rounding(found, expected, allowed), what);
}

}  // namespace denoc::test
