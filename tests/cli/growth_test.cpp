// Memory grows as the method does: what is not asked for takes no room.
#include <fmt/format.h>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Growth : testing::Test {
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer keeps what is freed";
#endif
  }
};

std::string rope(int bodies) {
  std::string text = "name: rope\nbodies:\n";
  for (int i = 0; i < bodies; ++i)
    text += fmt::format(
        "  - {{joint: {{type: revolute, axis: [{}, {}, 0]}}, frame: {{xyz: [0, 0, 0.1]}}, mass: 1, com: [0, 0, 0.05], "
        "inertia: [0.01, 0.01, 0.001, 0, 0, 0]}}\n",
        i % 2, 1 - i % 2);
  return text;
}

// A matrix of n x n numbers would be 40 kB a body; what stands in lists, and the text of the file, is 20 kB at most.
TEST_F(Growth, LinearMethodsKeepNoMatrices) {
  constexpr int n = 5000;
  constexpr double most = n * 0.020;
  const Folder folder;
  const std::string robot = folder.write("rope.yaml", rope(n));
  std::vector<double> entries(n, 0.01);
  const std::string list = fmt::format("[{}]", fmt::join(entries, ", "));
  const std::string state =
      folder.write("state.json", fmt::format(R"({{"q": {0}, "v": {0}, "a": {0}, "tau": {0}}})", list));
  for (const Arguments& command : {Arguments{"id", robot, "--state", state, "--json"},
                                   {"id", robot, "--state", state, "--method", "newton-euler", "--reactions", "--json"},
                                   {"fd", robot, "--state", state, "--json"},
                                   {"energy", robot, "--state", state, "--json"}}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_LT(outcome.peak_megabytes, most) << command[0];
  }
}

// Five rows each, some of them in the plane of the mechanism: the products of two thousand with each other are 32 MB,
// and were kept twice.
TEST_F(Growth, CopiesOfALoopAreNotMultipliedWithEachOther) {
  std::string text = R"(
name: four-bar
bodies:
  - {name: crank, parent: world, joint: {type: revolute}, mass: 0.4, com: [0.1, 0, 0], inertia: [0, 0.001, 0.001, 0, 0, 0]}
  - {name: coupler, frame: {xyz: [0.2, 0, 0]}, joint: {type: revolute}, mass: 1, com: [0.25, 0, 0], inertia: [0, 0.02, 0.02, 0, 0, 0]}
  - {name: rocker, parent: world, frame: {xyz: [0.45, 0, 0]}, joint: {type: revolute}, mass: 0.8, com: [0.2, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]}
loops:
)";
  for (int i = 0; i < 1000; ++i)
    text += "  - {type: revolute, a: {body: coupler, point: [0.5, 0, 0]}, b: {body: rocker, point: [0.4, 0, 0]}}\n";
  const Folder folder;
  const std::string robot = folder.write("copies.yaml", text);
  const Outcome outcome = run({"info", robot});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.out.find("the mechanism has 1 degree of freedom: 3 of the tree less 2 independent rows of 5000"),
            std::string::npos)
      << outcome;
  EXPECT_LT(outcome.peak_megabytes, 40);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
