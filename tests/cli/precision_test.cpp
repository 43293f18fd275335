// denoc stability beyond the range of single precision: what is no number is no result.
#include <fmt/format.h>

#include <cmath>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// In units of mass so small that a float holds none of its numbers a robot is the same, and in double every digit is
// kept, while a method in single precision has no result: not one that is right by all its digits. In between numbers
// leave the range one after the other, and nothing gets better by it. (Even powers of two, whose roots are powers of
// two as well.)
TEST(Precision, BeyondTheRangeOfAFloatIsNoResult) {
  const Folder folder;
  const auto in_unit = [&](int power) {
    const double unit = std::ldexp(1, power);
    const std::string file = folder.write("arm.yaml", fmt::format(R"(
bodies:
  - {{name: a, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: {0}, com: [0.25, 0, 0.125], inertia: [{1}, {2}, {2}, 0, 0, 0]}}
  - {{name: b, frame: {{xyz: [0.5, 0, 0]}}, joint: {{type: revolute, axis: [0, 0.6, 0.8]}}, mass: {3}, com: [0.25, 0.125, 0], inertia: [{1}, {2}, {2}, 0, 0, 0]}}
)",
                                                                  3 * unit, 0.125 * unit, 0.25 * unit, 1.5 * unit));
    return json({"stability", file, "--state", "-"},
                {.in = R"({"q": [0.3, 0.7], "v": [1, -2], "a": [3, 1]})"})["methods"];
  };
  const YAML::Node one = in_unit(0);
  const auto digits = [](const YAML::Node& m) { return m["digits"].as<double>(); };
  std::size_t none = 0;
  for (const int power : {60, 122, 124, 126, 128, 132, 200, 900}) {
    const YAML::Node other = in_unit(power);
    ASSERT_EQ(other.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      const std::string what =
          fmt::format("{} by {}, 2^{}", one[i]["problem"].as<std::string>(), one[i]["method"].as<std::string>(), power);
      ASSERT_FALSE(other[i]["double"].IsNull()) << what;
      EXPECT_EQ(digits(other[i]["double"]), digits(one[i]["double"])) << what;
      if (other[i]["float"].IsNull()) {
        EXPECT_GT(power, 60) << what;
        ++none;
      } else {
        EXPECT_LT(power, 132) << what;  // of one, the least moment is 2^-3
        EXPECT_LE(digits(other[i]["float"]), digits(one[i]["float"])) << what;
      }
    }
  }
  EXPECT_GT(none, 4 * one.size());
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
