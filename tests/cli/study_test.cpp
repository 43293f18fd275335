// denoc study, as a user meets it: the papers' matrices with their names, and their laws with residuals.
#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

YAML::Node matrix(const YAML::Node& found, const std::string& symbol) {
  for (const YAML::Node& m : found["matrices"])
    if (m["symbol"].as<std::string>() == symbol) return m;
  throw std::out_of_range(symbol);
}
std::vector<std::string> symbols(const YAML::Node& found) {
  std::vector<std::string> all;
  for (const YAML::Node& m : found["matrices"]) all.push_back(m["symbol"].as<std::string>());
  return all;
}

TEST(Study, ShippedRobotsObeyTheLaws) {
  for (const auto& entry : fs::directory_iterator(DENOC_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    if (entry.path().stem() == "chain20" || entry.path().stem() == "rope50") continue;  // long pages, nothing new
    const YAML::Node found = json({"study", entry.path().string()});
    EXPECT_GE(found["laws"].size(), 25u) << entry.path();
    for (const YAML::Node& law : found["laws"])
      EXPECT_LE(law["times_rounding"].as<double>(), 1) << entry.path() << ": " << law["law"];
  }
}

// One pendulum of mass m, centre at c on x, inertia J: its whole mechanics fits on a card.
TEST(Study, OfAPendulumIsWhatPaperAndPencilGive) {
  const Folder folder;
  const std::string robot = folder.write(
      "pendulum.yaml",
      "gravity: [0, -10, 0]\nbodies:\n"
      "  - {name: bob, joint: {type: revolute}, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3, 0, 0, 0]}\n");
  const YAML::Node found = json({"study", robot, "--state", "-"}, {.in = R"({"q": [0], "v": [3]})"});
  const auto column = [&](const char* symbol) {
    std::vector<double> all;
    for (const YAML::Node& r : matrix(found, symbol)["entries"]) all.push_back(r[0].as<double>());
    return all;
  };
  expect_close(column("T"), {0, 0, 1, 0, 0.5, 0}, 1e-15, "T");
  expect_close(column("t"), {0, 0, 3, 0, 1.5, 0}, 1e-15, "t");
  expect_close(column("T'"), {0, 0, 0, -1.5, 0, 0}, 1e-15, "T'");
  expect_close(column("N"), {0, 0, 1, 0, 0, 0}, 1e-15, "N");
  expect_close(column("I"), {0.8}, 1e-15, "I");
  expect_close(column("D"), {0.8}, 1e-15, "D");
  expect_close(column("I_p"), {0.8}, 1e-15, "I_p");
  expect_close(column("gamma_p"), {-10}, 1e-14, "gamma_p");
  expect_close(column("C"), {0}, 1e-15, "C");
  expect_close(column("I^-1"), {1.25}, 1e-15, "I^-1");
  expect_close(column("T_d"), {0, 0, 1, 0, 0.5, 0}, 1e-15, "T_d");
  expect_close(column("d_c1"), {0.8}, 1e-15, "d_c1");
  expect_close(column("t^1"), {0, 0, 3, 0, 0, 0}, 1e-15, "t^1");
  expect_close(column("Psihat^1"), {0, 0, 0.8, 0, 1, 0}, 1e-15, "Psihat^1");
  expect_close(column("Psi^1"), {0, 0, 1, 0, 1.25, 0}, 1e-15, "Psi^1");
  expect_close(column("Mtil^1"), {0.1, 0, 0, 0, 0, 0}, 1e-15, "Mtil^1");
  EXPECT_EQ(matrix(found, "K")["entries"].size(), 6u);
}

TEST(Study, ShowsWhatIsAskedFor) {
  const YAML::Node some = json({"study", "gripper", "--only", "A^2,N_l,E_3"});
  EXPECT_EQ(symbols(some), (std::vector<std::string>{"N_l", "E_3", "A^2"}));
  const YAML::Node A = matrix(some, "A^2");  // Shah13 Fig. 4: a finger of two links on the palm
  EXPECT_EQ(A["rows"].size(), 2u);
  EXPECT_EQ(A["rows"][0]["size"].as<int>(), 6);
  EXPECT_EQ(A["columns"].size(), 1u);
  EXPECT_EQ(A["entries"].size(), 12u);
  EXPECT_EQ(A["entries"][0].size(), 6u);
  const Outcome text = run({"study", "gripper", "--only", "N_l"});
  EXPECT_EQ(text.status, 0) << text;
  EXPECT_NE(text.out.find("N_l  24 x 24"), std::string::npos) << text;
  EXPECT_NE(text.out.find("N_l N_d = N"), std::string::npos) << text;
  EXPECT_EQ(text.out.find("Omega  24 x 24"), std::string::npos) << text;
  // A map of the blocks is for those that stand beside and below each other.
  EXPECT_NE(text.out.find("\n  finger2  "), std::string::npos) << text;
  const Outcome column = run({"study", "gripper", "--only", "A^2"});
  EXPECT_NE(column.out.find("\n  finger2.vz  "), std::string::npos) << column;
  EXPECT_EQ(column.out.find("\n  finger2  "), std::string::npos) << column;
  EXPECT_EQ(symbols(json({"study", "serial:3", "--only", "elimination"})),
            (std::vector<std::string>{"I", "E_3", "E_2", "U", "D", "U_r", "D_r", "I^-1"}));
}

TEST(Study, SaysWhatItDoesNotCover) {
  const Outcome unknown = run({"study", "puma560", "--only", "N_m"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.first_line().find("unknown matrix 'N_m'"), std::string::npos) << unknown;
  const Outcome spatial = run({"study", "puma560", "--only", "planar"});
  EXPECT_EQ(spatial.status, 4);
  EXPECT_NE(spatial.first_line().find("joint 'link2' leaves the plane"), std::string::npos) << spatial;
  EXPECT_EQ(run({"study", "serial:101"}).status, 4);
  const YAML::Node in_space = json({"study", "puma560"})["not_covered"],
                   in_plane = json({"study", "planar3r"})["not_covered"];
  ASSERT_EQ(in_space.size(), 1u);
  EXPECT_EQ(in_space[0]["group"].as<std::string>(), "planar");
  EXPECT_EQ(in_plane.size(), 0u);
  EXPECT_NE(run({"study", "puma560"}).out.find("no planar matrices"), std::string::npos);
  EXPECT_EQ(run({"study", "planar3r"}).out.find("no planar matrices"), std::string::npos);
  const Folder folder;
  const std::string massless = folder.write("massless.yaml", "bodies:\n  - {name: ghost, joint: {type: revolute}}\n");
  EXPECT_EQ(run({"study", massless, "--only", "K,T"}).status, 0);
  const Outcome singular = run({"study", massless, "--only", "elimination"});
  EXPECT_EQ(singular.status, 4);
  EXPECT_NE(singular.first_line().find("ghost"), std::string::npos) << singular;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
