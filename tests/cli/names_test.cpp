// Names that mean something to markup, tables, spreadsheets or nobody: every result can still be read.
#include "denoc/io/csv.hpp"
#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr char robot[] = R"(name: "<robot> & 'co'"
bodies:
  - {name: "=1+1", joint: {type: revolute, name: "-cmd|' /C calc'!A0"}, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], friction: {coulomb: 0.1}}
  - {name: "@a, \"b\" <c>", joint: {type: revolute, name: "臂 & <x>"}, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
)";

struct Names : testing::Test {
  Folder folder;
  const std::string file = folder.write("robot.yaml", robot);
};

TEST_F(Names, OfTablesAreNoFormulas) {
  const std::string scenario =
      folder.write("run.yaml",
                   "robot: robot.yaml\nduration: 0.2\nstart: {v: [1, 2]}\n"
                   "integrator: {method: rk4, step: 0.05}\n"
                   "output: {every: 0.05, reactions: true, points: {\"+tip\": {body: \"=1+1\"}}}\n");
  const std::string out = folder.path("out");
  const Outcome outcome = run({"simulate", scenario, "--out", out, "--plot"});
  ASSERT_EQ(outcome.status, 0) << outcome;
  std::size_t tables = 0;
  for (const auto& entry : fs::directory_iterator(out)) {
    if (entry.path().extension() == ".json") {
      EXPECT_NO_THROW(YAML::LoadFile(entry.path()));
    }
    if (entry.path().extension() != ".csv") continue;
    ++tables;
    std::ifstream in(entry.path());
    std::string line;
    std::getline(in, line);
    const std::size_t columns = io::csv_names(line).size();
    // As a spreadsheet splits it: each entry without its quotes.
    bool is_start = true, is_quoted = false;
    for (const char c : line) {
      if (c == '"') is_quoted = !is_quoted;
      if (is_start && c != '"') {
        EXPECT_EQ(std::string_view("=+-@").find(c), std::string_view::npos) << line;
      }
      is_start = (c == ',' && !is_quoted) || (is_start && c == '"');
    }
    if (entry.path().filename() == "events.csv") continue;
    while (std::getline(in, line)) EXPECT_EQ(std::size_t(std::count(line.begin(), line.end(), ',')) + 1, columns);
  }
  EXPECT_GE(tables, 4u);
  // What was written is a motion again, column by column.
  const std::string motion = folder.write("motion.yaml", "motion: {type: file, file: out/trajectory.csv}\n");
  const Outcome along = run({"id", file, "--motion", motion, "-o", folder.path("tau.csv")});
  EXPECT_EQ(along.status, 0) << along;
}

// The coordinates of 'a' are a.1 and a.2: what needs no names is computed, what would name two columns alike is refused.
TEST_F(Names, OfTwoCoordinatesAreRefusedWhereTheyAreNeeded) {
  const std::string twice = folder.write("twice.yaml", R"(name: twice
bodies:
  - {name: a, joint: universal, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: a.1, joint: revolute, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
)");
  const auto refused = [](const Arguments& arguments, const char* words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_NE(outcome.first_line().find(words), std::string::npos) << outcome;
  };
  EXPECT_EQ(run({"check", twice}).status, 3);
  EXPECT_EQ(json({"id", twice})["tau"].size(), 3u);
  const std::string still = folder.write("still.yaml", "robot: twice.yaml\nduration: 0.1\n");
  refused({"simulate", still, "-o", folder.path("out")}, "two columns of the result would have the name 'q.a.1'");
  EXPECT_FALSE(fs::exists(folder.path("out/trajectory.csv")));
  refused({"check", still}, "trajectory.csv: two columns of the result would have the name 'q.a.1'");
  const std::string fed =
      folder.write("fed.yaml", "robot: twice.yaml\nduration: 0.1\ncontrol: {type: feedback, tau: {a.1: \"-q.a.1\"}}\n");
  refused({"simulate", fed, "-o", folder.path("out")}, "'q.a.1' is the name of two things");

  const std::string motion = folder.write("motion.yaml", "motion: {type: file, file: motion.csv}\n");
  const std::string rows = "0,0.1,0.2,0.3\n1,0.1,0.2,0.3\n2,0.1,0.2,0.3\n3,0.1,0.2,0.3\n";
  const std::string table = folder.path("tau.csv"), arrays = folder.path("tau.npz");
  folder.write("motion.csv", "t,q.a.1,q.a.2,q.a.1\n" + rows);
  refused({"id", twice, "--motion", motion, "-o", arrays}, "there are 2 columns 'q.a.1'");
  folder.write("motion.csv", "t,q.a.1,q.a.2,v.a.1\n" + rows);
  refused({"id", twice, "--motion", motion, "-o", arrays}, "column 'q.a.1' may be of two joints");
  folder.write("motion.csv", rows);  // in the order of q
  refused({"id", twice, "--motion", motion, "-o", table}, "two columns of the result would have the name 'q.a.1'");
  const YAML::Node peaks = json({"id", twice, "--motion", motion})["peaks"];
  const std::string state = folder.write("state.json", R"({"q": [0.1, 0.2, 0.3]})");
  const Row tau = row(json({"id", twice, "--state", state})["tau"]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(peaks[k]["tau"].as<double>(), tau[k], 1e-12);
  // A motion is of numbers, whatever a batch may have.
  folder.write("motion.csv", "0,0.1,0.2,0.3\n1,0.1,nan,0.3\n");
  refused({"id", twice, "--motion", motion}, "motion.csv:2: rows[1]: q.a.2: it is not a finite number");
  folder.write("motion.csv", "t,q.a.2,t\n0,0.1,0\n");
  refused({"id", twice, "--motion", motion}, "there are 2 columns 't'");
}

TEST_F(Names, ComeThroughJsonAndEveryFormat) {
  const auto names = [](const std::string& of) {
    std::vector<std::string> all;
    for (const auto& joint : json({"info", of})["joints"]) all.push_back(joint["name"].as<std::string>());
    return all;
  };
  const std::vector<std::string> expected = names(file);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), "臂 & <x>"), 1);
  for (const char* other : {"r.urdf", "r.yaml", "r.xml"}) {
    ASSERT_EQ(run({"convert", file, folder.path(other)}).status, 0);
    const std::vector<std::string> found = names(folder.path(other));
    for (const std::string& name : expected)
      EXPECT_EQ(std::count(found.begin(), found.end(), name), 1) << other << name;
  }
}

// A file may be called by bytes that are no text; JSON has none of them (RFC 8259: UTF-8, without surrogates).
TEST_F(Names, OfFilesThatAreNoTextAreReplacedInJson) {
  const std::string odd = folder.write("bad\xED\xA0\x80\xFF.yaml", "name: r\nbodies: [{joint: revolut, mass: 1}]\n");
  const Outcome outcome = run({"check", odd, "--json"});
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("bad\\ufffd\\ufffd\\ufffd\\ufffd.yaml"), std::string::npos) << outcome;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
