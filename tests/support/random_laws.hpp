// Laws on random robots and states, for every scalar.
#pragma once
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/laws.hpp"

namespace denoc::test {

using Scalars = testing::Types<double, float, long double, Counted<double>, Dual<double>>;

// Each law on many robots: RapidCheck picks, and shrinks, seed and size.
template <class T, class Law> void for_random_robots(Law&& law, int most_bodies = 40) {
  const bool held = rc::check([&] {
    RandomRobot wanted;
    wanted.bodies = *rc::gen::inRange(1, most_bodies + 1);
    wanted.chain = *rc::gen::arbitrary<bool>() && wanted.bodies <= 40;
    wanted.free_root = *rc::gen::arbitrary<bool>();
    wanted.nearly_parallel = *rc::gen::element(false, false, false, true);
    // (single precision would refuse small inertias given about points so far away)
    wanted.distant_frames = *rc::gen::element(false, false, false, true) && Epsilon<T>::digits >= 53;
    Random random(*rc::gen::inRange(0u, 1000000u));
    const Robot robot = random_robot(random, wanted);
    const ModelOf<T> model(robot);
    if (model.nv() == 0) return;
    law(random, model);
  });
  EXPECT_TRUE(held);
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
