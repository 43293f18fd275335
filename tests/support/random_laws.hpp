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

}  // namespace denoc::test
