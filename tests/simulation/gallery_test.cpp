// The gallery (examples/scenarios/gallery): every system runs, stays closed, accounts for its energy, and keeps its
// momentum where nothing acts from outside.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "denoc/scenario/scenario.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

namespace fs = std::filesystem;
const fs::path root = fs::path(DENOC_MODELS_DIR).parent_path();
const fs::path folder = root / "examples" / "scenarios" / "gallery";

std::vector<std::string> systems() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

double total_mass(const Model& model) {
  double mass = 0;
  for (const Body& body : model.robot().bodies) mass += body.inertial.mass;
  return mass;
}
bool is_left_alone(const Scenario& scenario) {
  const Robot& robot = scenario.model->robot();
  return robot.bodies[1].joint.type == JointType::free && norm(robot.gravity) == 0 && !scenario.setup.ground;
}

class EverySystem : public testing::TestWithParam<std::string> {};

TEST_P(EverySystem, RunsStaysClosedAndAccountsForItsEnergy) {
  const Scenario scenario = load_scenario(folder / (GetParam() + ".yaml"));
  const Simulated run = simulated(*scenario.model, scenario.setup);
  EXPECT_EQ(scenario.model->robot().name, GetParam());
  EXPECT_FALSE(scenario.title.empty());
  EXPECT_EQ(run.samples.back().t, scenario.setup.duration);
  EXPECT_GT(run.statistics.largest_kinetic, 0);
  EXPECT_LE(run.statistics.loop_defect, 1e-10);
  // Each step errs by rtol of the state: a thousand times that for the thousands of steps of a run.
  const double rtol = scenario.setup.integrator.rtol;
  EXPECT_LE(run.statistics.balance_defect, std::min(1e-6, 1e3 * rtol) * run.statistics.largest_kinetic);
}
INSTANTIATE_TEST_SUITE_P(Gallery, EverySystem, testing::ValuesIn(systems()),
                         [](const auto& given) { return given.param; });

// They start at rest, so momentum and angular momentum are zero. sqrt(2 m T) bounds the momentum that moving parts
// could have; the metre stands for their size.
TEST(Gallery, SystemsInSpaceKeepTheirMomentum) {
  int found = 0;
  for (const std::string& name : systems()) {
    SCOPED_TRACE(name);
    const Scenario scenario = load_scenario(folder / (name + ".yaml"));
    if (!is_left_alone(scenario)) continue;
    ++found;
    const Simulated run = simulated(*scenario.model, scenario.setup);
    const double could_be = std::sqrt(2 * total_mass(*scenario.model) * run.statistics.largest_kinetic);
    const double tolerance = 1e3 * scenario.setup.integrator.rtol * could_be;
    for (const Kept& sample : run.samples) {
      const Wrench<double> p = momentum(*scenario.model, sample);
      EXPECT_LE(norm(p.f), tolerance) << sample.t;
      EXPECT_LE(norm(p.n), tolerance) << sample.t;
    }
  }
  EXPECT_EQ(found, 3);
}

// Every entry has its picture, and the page names it.
TEST(Gallery, IsShownOnItsPage) {
  std::ifstream file(root / "docs" / "gallery.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& name : systems()) {
    EXPECT_NE(page.find("examples/scenarios/gallery/" + name + ".yaml"), std::string::npos) << name;
    EXPECT_NE(page.find("gallery/" + name + ".svg"), std::string::npos) << name;
    EXPECT_TRUE(fs::exists(root / "docs" / "gallery" / (name + ".svg"))) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
