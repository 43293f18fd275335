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
namespace THIS_FILE {

using Rooms = std::set<std::string>;

// What each room may see besides itself, headers and sources alike; docs/architecture.md says why.
const std::map<std::string, Rooms> plan = {
    {"scalar", {}},
    {"threads", {}},
    {"spatial", {"scalar"}},
    {"model", {"scalar", "spatial"}},
    {"io", {"model", "spatial", "scalar"}},
    {"kinematics", {"model", "spatial", "scalar"}},
    {"forces", {"kinematics", "model", "spatial", "scalar"}},
    {"dynamics", {"kinematics", "model", "spatial", "scalar"}},
    {"loops", {"dynamics", "kinematics", "model", "spatial", "scalar"}},
    {"mechanism", {"io", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar", "threads"}},
    {"batch", {"mechanism", "loops", "forces", "dynamics", "model", "spatial", "scalar", "threads"}},
    {"motion", {"mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"control", {"motion", "mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"simulation",
     {"control", "motion", "mechanism", "loops", "dynamics", "forces", "kinematics", "model", "spatial", "scalar"}},
    {"arkode", {"simulation"}},
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

// The headers that a header brings along, itself among them; `foreign` are the lines that include another library.
void follow(const std::string& header, std::set<std::string>& met, std::vector<std::string>& foreign) {
  static const std::regex ours("#include \"(denoc/.*)\""), other("#include <.*/.*>");
  if (!met.insert(header).second) return;
  std::ifstream in(DENOC_SOURCE "/include/" + header);
  std::smatch found;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, found, ours)) follow(found[1], met, foreign);
    if (std::regex_search(line, other)) foreign.push_back(header + ": " + line);
  }
}

// What a program that includes the library pays for what it does not use: Eigen and packs are there for those who ask
// for them.
TEST(House, TheUmbrellaAsksForNoOtherLibraryAndNoPacks) {
  std::set<std::string> met;
  std::vector<std::string> foreign;
  follow("denoc/denoc.hpp", met, foreign);
  EXPECT_TRUE(foreign.empty()) << foreign.front();
  EXPECT_TRUE(met.contains("denoc/spatial/tensor.hpp")) << "nothing was followed";
  for (const char* asked_for :
       {"denoc/eigen.hpp", "denoc/scalar/pack.hpp", "denoc/scalar/symbol.hpp", "denoc/batch/batch.hpp"})
    EXPECT_FALSE(met.contains(asked_for)) << asked_for;
}

// The name that a declaration at the left margin introduces, after `template <...>`; empty for anything else.
std::string declared(std::string text) {
  static const std::regex of_template("^template\\s*<[^(]*>"),
      passed_over("^(namespace|using|extern|static_assert|DENOC_|concept)|::\\w+\\(|operator|requires"),
      name("\\b(?:struct|class|enum class) (\\w+) |(\\w+)\\(");
  text = std::regex_replace(text, of_template, "");
  text.erase(0, text.find_first_not_of(' '));
  std::smatch found;
  if (std::regex_search(text, passed_over) || !std::regex_search(text, found, name)) return "";
  return found[1].matched ? found[1] : found[2];
}

// A paragraph for each function and each type of the rooms that users enter: what it is, frames, units, what it throws.
// Overloads share one, and a definition has that of its declaration.
TEST(House, PublicNamesAreExplained) {
  namespace fs = std::filesystem;
  static const std::regex hidden("\nnamespace detail \\{[^]*?\n\\}  // namespace detail");
  int explained = 0;
  for (const auto& [room, ignored] : plan) {
    if (room == "scalar" || room == "spatial" || room == "arkode") continue;  // the last has no headers of its own
    for (const auto& file : fs::recursive_directory_iterator(DENOC_SOURCE "/include/denoc/" + room)) {
      if (!file.is_regular_file() || file.path().parent_path().filename() == "derivatives") continue;
      std::ostringstream whole;
      whole << std::ifstream(file.path()).rdbuf();
      std::istringstream lines(std::regex_replace(whole.str(), hidden, ""));
      std::set<std::string> known;
      for (std::string line, before; std::getline(lines, line); before = line) {
        const bool begins = before.empty() || before.starts_with("//") || before.back() == ';' || before.back() == '}';
        if (!begins || line.empty() || std::string_view(" }/#").find(line[0]) != std::string_view::npos) continue;
        std::string text = line;
        while (text.find_first_of("({;") == std::string::npos && std::getline(lines, line)) text += " " + line;
        const std::string name = declared(text);
        if (name.empty()) continue;
        if (before.starts_with("///") && known.insert(name).second) ++explained;
        EXPECT_TRUE(known.contains(name)) << file.path() << ": " << name << " has no paragraph that begins with ///";
      }
    }
  }
  EXPECT_GT(explained, 300) << "nothing was read";
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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
