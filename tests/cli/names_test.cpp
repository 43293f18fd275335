// Names that mean something to markup, tables, spreadsheets or nobody: every result can still be read.
#include "cli/printed_table.hpp"
#include "denoc/io/csv.hpp"

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

// A joint of every type on a fixed base, and what results call its freedoms (docs/scenario-files.md, Results).
constexpr char every_joint[] = R"(name: every
bodies:
  - {name: turn, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: cross, joint: {type: universal}, frame: {xyz: [0.3, 0, 0]}, mass: 2, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: plate, joint: {type: fixed}, mass: 1, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: ball, joint: {type: spherical}, frame: {xyz: [0.3, 0, 0]}, mass: 1.5, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: puck, joint: {type: planar}, frame: {xyz: [0.3, 0, 0]}, mass: 1.2, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: sleeve, joint: {type: cylindrical}, frame: {xyz: [0.3, 0, 0]}, mass: 1, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: nut, joint: {type: helical, axis: [0, 1, 0], pitch: 0.05}, frame: {xyz: [0.3, 0, 0]}, mass: 0.8, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
  - {name: slide, joint: {type: prismatic, axis: [1, 0, 0]}, frame: {xyz: [0.3, 0, 0]}, mass: 0.5, com: [0.1, 0.02, 0.03], inertia: [0.02, 0.03, 0.01, 0, 0, 0]}
)";
const Arguments every_freedom = {"turn",   "cross.1",    "cross.2",      "ball.wx",      "ball.wy", "ball.wz", "puck.x",
                                 "puck.y", "puck.angle", "sleeve.angle", "sleeve.slide", "nut",     "slide"};

Arguments joints_of(const YAML::Node& rows) {
  Arguments all;
  for (const YAML::Node& row : rows) all.push_back(row["joint"].as<std::string>());
  return all;
}
// The joint and its component, as a table has them beside each other.
Arguments joints_of(const PrintedTable& table) {
  Arguments all;
  for (const PrintedRow& row : table.rows)
    all.push_back(under(row, "joint") + (under(row, "").empty() ? "" : "." + under(row, "")));
  return all;
}
// The columns of a result that begin so.
Arguments columns_of(const std::string& names, const std::string& letter) {
  Arguments all;
  std::istringstream line(names);
  for (std::string name; std::getline(line, name, ',');)
    if (name.starts_with(letter + ".")) all.push_back(name.substr(letter.size() + 1));
  return all;
}

// Whatever speaks of a degree of freedom calls it by the same name.
TEST_F(Names, OfFreedomsAreTheSameInEveryAnswer) {
  const std::string robot_file = folder.write("every.yaml", every_joint), tau = folder.path("tau.csv");
  const std::string motion = folder.write("motion.yaml", R"(motion: {type: point_to_point, duration: 1,
  from: {}, to: {turn: 1, cross: [0.2, -0.3], puck: [0.1, 0.2, 0.3], sleeve: [0.4, -0.1], nut: 0.7, slide: 0.2}}
)");
  ASSERT_EQ(run({"id", robot_file, "--motion", motion, "-o", tau}).status, 0);
  const Csv rows(tau);
  for (const char* letter : {"v", "a", "tau"}) EXPECT_EQ(columns_of(rows.names, letter), every_freedom) << letter;
  const YAML::Node peaks = json({"id", robot_file, "--motion", motion})["peaks"];
  EXPECT_EQ(joints_of(peaks), every_freedom);
  const PrintedTable peak_table(run({"id", robot_file, "--motion", motion}).out, "every:");
  EXPECT_EQ(joints_of(peak_table), every_freedom);
  const std::size_t first = rows.rows[0].size() - 2 - every_freedom.size();
  for (std::size_t k = 0; k < every_freedom.size(); ++k) {
    double most = 0, when = 0;
    for (const Row& row : rows.rows)
      if (std::abs(row[first + k]) > std::abs(most)) most = row[first + k], when = row[0];
    EXPECT_NEAR(peaks[k]["tau"].as<double>(), most, 1e-12 * std::abs(most)) << every_freedom[k];
    EXPECT_NEAR(peaks[k]["t"].as<double>(), when, 1e-12) << every_freedom[k];
    expect_shown(under(peak_table.rows[k], "most tau"), most, every_freedom[k]);
    expect_shown(under(peak_table.rows[k], "at t [s]"), when, every_freedom[k]);
    const bool slides = every_freedom[k].starts_with("slide") || every_freedom[k].ends_with(".slide") ||
                        every_freedom[k].ends_with(".x") || every_freedom[k].ends_with(".y");
    EXPECT_EQ(under(peak_table.rows[k], "unit"), slides ? "N" : "N m") << every_freedom[k];
  }

  // Each of the drives in turn is the one that decides: its limit is the least beside what it takes.
  const std::string still = "--gravity=0,0,0";
  Row limits;
  for (std::size_t k = 0; k < every_freedom.size(); ++k) limits.push_back(1000 + static_cast<double>(k));
  const YAML::Node loose =
      json({"mintime", robot_file, "--motion", motion, "--limits", fmt::format("{}", fmt::join(limits, ",")), still});
  EXPECT_EQ(joints_of(loose["per_joint"]), every_freedom);
  for (std::size_t k = 0; k < every_freedom.size(); ++k) {
    // Without gravity forces go with 1 / T^2: a limit that is less by a factor makes the time alone longer by its root.
    const double alone = loose["per_joint"][k]["duration"].as<double>(), all = loose["duration"].as<double>();
    const double part = 4 * all * all / (alone * alone);
    Row tight = limits;
    tight[k] /= part;
    const Arguments command = {
        "mintime", robot_file, "--motion", motion, "--limits", fmt::format("{}", fmt::join(tight, ",")), still};
    const YAML::Node least = json(command);
    EXPECT_EQ(least["joint"].as<std::string>(), every_freedom[k]);
    EXPECT_NEAR(least["duration"].as<double>(), 2 * all, 1e-9 * all) << every_freedom[k];
    const Outcome said = run(command);
    EXPECT_NE(said.out.find("as '" + every_freedom[k] + "' allows"), std::string::npos) << said;
    const PrintedTable table(said.out, "every:");
    EXPECT_EQ(joints_of(table), every_freedom);
    for (std::size_t i = 0; i < every_freedom.size(); ++i) {
      const YAML::Node row = least["per_joint"][i];
      EXPECT_EQ(row["limit"].as<double>(), tight[i]) << every_freedom[i];
      expect_shown(under(table.rows[i], "limit"), tight[i], every_freedom[i]);
      expect_shown(under(table.rows[i], "alone [s]"), row["duration"].as<double>(), every_freedom[i]);
      EXPECT_NEAR(std::stod(under(table.rows[i], "most at x =")), row["at"].as<double>(), 0.5001e-4);
    }
  }

  const Arguments linear = {"linearize", robot_file};
  const YAML::Node found = json(linear);
  Arguments states, inputs;
  for (const char* letter : {"d.", "v."})
    for (const std::string& name : every_freedom) states.push_back(letter + name);
  for (const std::string& name : every_freedom) inputs.push_back("tau." + name);
  EXPECT_EQ(found["states"].as<Arguments>(), states);
  EXPECT_EQ(found["inputs"].as<Arguments>(), inputs);
  Arguments headings = PrintedTable(run({"inertia", robot_file}).out, "I").headings;
  EXPECT_EQ(headings, every_freedom);
  for (const YAML::Node& method : json({"compare", robot_file, "--states", "2"})["methods"]) {
    if (!method["joint"]) continue;
    EXPECT_EQ(std::count(every_freedom.begin(), every_freedom.end(), method["joint"].as<std::string>()), 1);
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
