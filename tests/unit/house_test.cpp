// The house: which rooms see which. An include against the plan, or from a room to itself by way of others, is a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace denoc::test {
namespace {

using Rooms = std::set<std::string>;

// What each room may see besides itself, headers and sources alike; docs/architecture.md says why.
const std::map<std::string, Rooms> plan = {
    {"scalar", {}},
    {"spatial", {"scalar"}},
    {"model", {"scalar", "spatial"}},
    {"io", {"model", "spatial", "scalar"}},
    {"kinematics", {"model", "spatial", "scalar"}},
    {"forces", {"kinematics", "model", "spatial", "scalar"}},
    {"dynamics", {"kinematics", "model", "spatial", "scalar"}},
    {"loops", {"dynamics", "kinematics", "model", "spatial", "scalar"}},
    {"mechanism", {"io", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"batch", {"mechanism", "forces", "dynamics", "model", "spatial", "scalar"}},
    {"motion", {"mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"control", {"motion", "mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"simulation",
     {"control", "motion", "mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"scenario",
     {"simulation", "control", "motion", "mechanism", "io", "loops", "dynamics", "forces", "kinematics", "model",
      "spatial", "scalar"}},
};

Rooms seen_from(const std::string& room) {
  namespace fs = std::filesystem;
  static const std::regex include("#include \"(?:denoc/)?([a-z]+)/");
  Rooms seen;
  for (const std::string& folder : {"/include/denoc/" + room, "/src/" + room}) {
    if (!fs::exists(DENOC_SOURCE + folder)) continue;
    for (const auto& file : fs::recursive_directory_iterator(DENOC_SOURCE + folder)) {
      std::ifstream in(file.path());
      std::smatch found;
      for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, found, include) && plan.contains(found[1]) && found[1] != room)
          seen.insert(found[1]);
    }
  }
  return seen;
}

TEST(House, RoomsSeeWhatThePlanSays) {
  for (const auto& [room, may_see] : plan) {
    const Rooms seen = seen_from(room);
    for (const std::string& other : seen) EXPECT_TRUE(may_see.contains(other)) << room << " includes " << other;
  }
  EXPECT_FALSE(seen_from("simulation").empty()) << "nothing was read";
}

TEST(House, ThePlanHasNoCycle) {
  std::map<std::string, int> state;  // 1: on the way, 2: done
  const auto visit = [&](const auto& self, const std::string& room) -> bool {
    if (state[room] != 0) return state[room] == 2;
    state[room] = 1;
    for (const std::string& other : plan.at(room))
      if (!self(self, other)) return false;
    state[room] = 2;
    return true;
  };
  for (const auto& [room, ignored] : plan) EXPECT_TRUE(visit(visit, room)) << room;
}

// The rooms that a room sees, and those that they see.
Rooms reached_from(const std::string& room, const std::map<std::string, Rooms>& seen) {
  Rooms reached;
  for (const std::string& other : seen.at(room)) {
    reached.insert(other);
    reached.merge(reached_from(other, seen));
  }
  return reached;
}

// The picture of docs/architecture.md is drawn from the includes: an arrow to each room that is not seen by way of
// another.
TEST(House, ThePictureIsThatOfTheIncludes) {
  std::map<std::string, Rooms> seen;
  for (const auto& [room, ignored] : plan) seen[room] = seen_from(room);
  std::ostringstream picture;
  picture << "```mermaid\ngraph TD\n";
  for (const auto& [room, others] : seen)
    for (const std::string& other : others) {
      const bool by_way_of_another = std::any_of(others.begin(), others.end(), [&](const std::string& third) {
        return third != other && reached_from(third, seen).contains(other);
      });
      if (!by_way_of_another) picture << "  " << room << " --> " << other << "\n";
    }
  picture << "```\n";
  std::ostringstream page;
  page << std::ifstream(DENOC_SOURCE "/docs/architecture.md").rdbuf();
  EXPECT_NE(page.str().find(picture.str()), std::string::npos)
      << "the includes have changed: put this picture into docs/architecture.md\n"
      << picture.str();
}

// What a program that includes the library pays for what it does not use: Eigen is there for those who ask for it.
TEST(House, TheUmbrellaAsksForNoOtherLibrary) {
  namespace fs = std::filesystem;
  static const std::regex foreign("#include <(Eigen|boost|fmt|yaml-cpp|xsimd)");
  for (const auto& file : fs::recursive_directory_iterator(DENOC_SOURCE "/include/denoc")) {
    if (!file.is_regular_file() || file.path().filename() == "eigen.hpp") continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      EXPECT_FALSE(std::regex_search(line, foreign)) << file.path() << ": " << line;
      EXPECT_EQ(line.find("#include \"denoc/eigen.hpp\""), std::string::npos) << file.path();
    }
  }
}

// Formulations of one problem stand side by side: none includes another.
TEST(House, SiblingsDoNotIncludeEachOther) {
  namespace fs = std::filesystem;
  for (const char* room : {"inverse", "forward"}) {
    const std::string folder = std::string(DENOC_SOURCE "/include/denoc/dynamics/") + room;
    for (const auto& file : fs::directory_iterator(folder)) {
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);) {
        const bool is_sibling = line.starts_with(std::string("#include \"denoc/dynamics/") + room + "/");
        const bool is_shared = line.find("cholesky.hpp") != std::string::npos;  // the solution of I a = tau - bias
        EXPECT_FALSE(is_sibling && !is_shared) << file.path() << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace denoc::test
