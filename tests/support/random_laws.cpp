#include "random_laws.hpp"

namespace denoc::test {

bool holds_for_random_robots(const std::function<void(Random& random, const Robot& robot)>& law, int most_bodies,
                             bool with_distant_frames) {
  return rc::check([&] {
    RandomRobot wanted;
    wanted.bodies = *rc::gen::inRange(1, most_bodies + 1);
    wanted.chain = *rc::gen::arbitrary<bool>() && wanted.bodies <= 40;
    wanted.free_root = *rc::gen::arbitrary<bool>();
    wanted.nearly_parallel = *rc::gen::element(false, false, false, true);
    wanted.distant_frames = *rc::gen::element(false, false, false, true) && with_distant_frames;
    Random random(*rc::gen::inRange(0u, 1000000u));
    law(random, random_robot(random, wanted));
  });
}

}  // namespace denoc::test
