// People and programs are told the same: every number of the JSON stands in the table, for each of several states; and a
// list of states is answered as they are one by one.
#include "cli/printed_table.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// The words of a text that are numbers.
Row numbers_in(const std::string& text) {
  std::istringstream words(text);
  Row numbers;
  for (std::string word; words >> word;) {
    while (!word.empty() && std::string(",;:)").find(word.back()) != std::string::npos) word.pop_back();
    while (!word.empty() && word.front() == '(') word.erase(0, 1);
    char* end = nullptr;
    const double x = std::strtod(word.c_str(), &end);
    if (!word.empty() && *end == '\0') numbers.push_back(x);
  }
  return numbers;
}
void add_leaves(const YAML::Node& node, Row& all) {
  if (node.IsScalar()) {
    char* end = nullptr;
    const double x = std::strtod(node.Scalar().c_str(), &end);
    if (!node.Scalar().empty() && *end == '\0') all.push_back(x);
  } else {
    for (const auto& item : node) add_leaves(item.second.IsDefined() ? item.second : item, all);
  }
}
// What stands under the names, in each of the results; "matrices.entries" is the entries of each of the matrices.
Row leaves(const YAML::Node& result, const std::vector<std::string>& names) {
  Row all;
  if (result.IsSequence()) {
    for (const YAML::Node& each : result)
      for (const double x : leaves(each, names)) all.push_back(x);
    return all;
  }
  for (const std::string& name : names) {
    const std::size_t dot = name.find('.');
    const YAML::Node found = result[name.substr(0, dot)];
    EXPECT_TRUE(found.IsDefined()) << name;
    if (dot == std::string::npos) {
      add_leaves(found, all);
    } else {
      for (const double x : leaves(found, {name.substr(dot + 1)})) all.push_back(x);
    }
  }
  return all;
}

struct Tables : testing::Test {
  Folder folder;
  std::string three_states(const std::string& robot) const {
    std::string list;
    for (const char* seed : {"1", "2", "3"}) {
      const Outcome one = run({"state", robot, "--random", seed});
      EXPECT_EQ(one.status, 0) << one;
      list += (list.empty() ? "[" : ",") + one.out;
    }
    return folder.write(fs::path(robot).stem().string() + ".json", list + "]");
  }
  // Each number of the JSON to six digits, or to as few as the table has, and in as many places.
  static void expect_told(const Arguments& command, const std::vector<std::string>& names, double tolerance) {
    const Outcome said = run(command);
    ASSERT_EQ(said.status, 0) << said;
    Row told = numbers_in(said.out);
    const Row expected = leaves(json(command), names);
    ASSERT_FALSE(expected.empty());
    const double noise = 1e-9 * largest(expected);  // a table may say 0 for it
    for (const double x : expected) {
      if (std::abs(x) <= noise) continue;
      const auto is_it = [&](double y) { return std::abs(x - y) <= tolerance * std::abs(x); };
      const auto found = std::find_if(told.begin(), told.end(), is_it);
      ASSERT_NE(found, told.end()) << command[0] << " does not tell " << x << "\n" << said.out;
      told.erase(found);
    }
  }
};

TEST_F(Tables, HaveTheNumbersOfTheJson) {
  const std::string puma = three_states("puma560"), arm = three_states("planar3r"), bars = three_states("fourbar");
  const std::string pose = folder.write("pose.json", R"({"xyz": [0.4, 0.1, 0.5], "rpy": [0.3, 1.2, 0.5]})");
  const std::string gripper = folder.write("gripper.json", run({"state", "gripper", "--random", "4"}).out);
  const std::string motion = folder.write(
      "motion.yaml",
      "motion: {type: point_to_point, from: [0.1, -0.5, 0.4], to: [1.3, 1.1, -0.7], duration: 3, profile: poly345}\n");
  const struct {
    Arguments command;
    std::vector<std::string> names;
    double tolerance = 1e-5;
  } cases[] = {
      {{"id", "puma560", "--state", puma}, {"tau"}},
      {{"id", "puma560", "--state", puma, "--reactions"}, {"tau"}},
      {{"id", "fourbar", "--state", bars, "--driven", "crank"}, {"tau"}},
      {{"fd", "puma560", "--state", puma}, {"a"}},
      {{"fd", "fourbar", "--state", bars}, {"a"}},
      {{"inertia", "puma560", "--state", puma}, {"I", "U", "D", "condition"}},
      {{"energy", "puma560", "--state", puma}, {"kinetic", "potential", "momentum"}},
      {{"fk", "puma560", "--state", puma}, {"poses"}},
      {{"jacobian", "puma560", "--body", "link6", "--state", puma}, {"J", "bias"}},
      {{"derivatives", "planar3r", "--state", arm}, {"dtau_dq", "dtau_dv", "dtau_da", "da_dq", "da_dv", "da_dtau"}},
      {{"linearize", "planar3r", "--state", arm}, {"A", "B"}},
      {{"ik", "puma560", "--body", "link6", "--pose", pose}, {"solutions"}},
      {{"assemble", "fourbar", "--state", bars}, {"branches"}},
      {{"id", "planar3r", "--motion", motion}, {"peaks"}},
      {{"mintime", "planar3r", "--motion", motion, "--limits", "90,35,8"}, {"per_joint"}, 1e-3},
      {{"count", "planar3r"}, {"counts"}},
      {{"study", "gripper", "--state", gripper}, {"q", "v", "matrices.entries"}},
      {{"compare", "planar3r", "--state", arm}, {"methods"}, 0.06},
      {{"stability", "planar3r"}, {"methods.float", "methods.double", "condition"}, 0.06}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.command[0] + " " + c.command[1]);
    expect_told(c.command, c.names, c.tolerance);
  }
}

// The diagonal of the factors, joint by joint.
TEST_F(Tables, PivotsStandBesideTheirJoints) {
  const Arguments command = {"inertia", "puma560"};
  const std::string text = run(command).out;
  const Row expected = row(json(command)["D"]);
  ASSERT_NE(text.find("\nD\n"), std::string::npos) << text;
  std::istringstream lines(text.substr(text.find("\nD\n") + 3));
  std::string line;
  std::getline(lines, line);  // headings
  for (std::size_t k = 0; k < expected.size(); ++k) {
    std::getline(lines, line);
    std::istringstream cells(line);
    std::string name, pivot;
    cells >> name >> pivot;
    EXPECT_EQ(name, "link" + std::to_string(k + 1)) << text;
    EXPECT_NEAR(std::strtod(pivot.c_str(), nullptr), expected[k], 1e-5 * expected[k]) << line;
  }
}

// Where terms cancel, the JSON has what rounding leaves, and the table a zero.
TEST_F(Tables, WhatRoundingLeavesIsZero) {
  const std::string bent = folder.write("bent.json", R"({"q": [0, 0.4, -0.4, 0, 0, 0], "v": [1, 0, 0, 0, 0, 0]})");
  bool is_there = false;
  for (const Arguments& command : {Arguments{"id", "puma560", "--state", bent, "--reactions"},
                                   {"fd", "puma560", "--state", bent},
                                   {"fk", "puma560", "--state", bent},
                                   {"inertia", "puma560", "--state", bent},
                                   {"jacobian", "puma560", "--body", "link6", "--state", bent}}) {
    Row exact;
    add_leaves(json(command), exact);
    for (const double x : exact) is_there = is_there || (x != 0 && std::abs(x) < 1e-13);
    for (const double x : numbers_in(run(command).out))
      EXPECT_TRUE(x == 0 || std::abs(x) > 1e-13) << command[0] << ": " << x;
  }
  EXPECT_TRUE(is_there) << "nothing cancels here any more: another posture is needed";
}

// A beam in balance, held by a wheel that turns a thousand times slower: the wheel feels the beam's rounding a thousand
// times, and nothing else.
TEST_F(Tables, WhatLoopsMakeOfRoundingIsZero) {
  const std::string robot = folder.write("balance.yaml", R"(bodies:
  - {name: beam, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: weight, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [-0.3, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: wheel, parent: world, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: coupler, a: {body: beam}, b: {body: wheel}, ratio: 0.001}
)");
  bool is_there = false;
  for (const double q : {0.125, 0.25, 0.5, 1.0}) {
    const std::string state = folder.write("state.json", fmt::format(R"({{"q": [{}, 0, {}]}})", q, 0.001 * q));
    const Arguments command = {"id", robot, "--state", state, "--driven", "weight,wheel"};
    const double left = row(json(command)["tau"])[2];
    EXPECT_LT(std::abs(left), 1e-10);
    is_there = is_there || std::abs(left) > 1e-14;
    std::istringstream text(run(command).out);
    std::string word, tau;
    while (text >> word && word != "wheel") continue;
    text >> tau;
    EXPECT_EQ(tau, "0") << q;
  }
  EXPECT_TRUE(is_there) << "nothing is left here any more: other postures are needed";
}

// What a joint has besides its axes: each property alone, and all that go together. Every number has its own place in the
// JSON and its own column, and what the file does not say is in neither.
TEST_F(Tables, InfoTellsWhatJointsHave) {
  const struct {
    std::string key, word;  // of the file
    std::string json;       // where the JSON has it
    std::string heading;
    double number;
    std::string needs = {};  // another, without which it is nothing
  } all[] = {{"limits", "lower", "limits.lower", "lower", -0.75},
             {"limits", "upper", "limits.upper", "upper", 1.5},
             {"limits", "velocity", "limits.velocity", "velocity", 3.25},
             {"limits", "effort", "limits.effort", "effort", 87},
             {"limits", "stiffness", "limits.stiffness", "stop stiffness", 5000, "upper"},
             {"limits", "damping", "limits.damping", "stop damping", 0.0625, "stiffness"},
             {"actuator", "gear", "actuator.gear", "gear", 51},
             {"actuator", "rotor_inertia", "actuator.rotor_inertia", "rotor inertia", 0.0002},
             {"actuator", "max_torque", "actuator.max_torque", "max torque", 0.35},
             {"", "armature", "armature", "armature", 0.625},
             {"friction", "viscous", "friction.viscous", "viscous", 0.0375},
             {"friction", "coulomb", "friction.coulomb", "coulomb", 0.125},
             {"friction", "surface_speed", "friction.surface_speed", "surface speed", 0.3125, "coulomb"},
             {"spring", "stiffness", "spring.stiffness", "stiffness", 42},
             {"spring", "rest", "spring.rest", "rest", 0.21875, "stiffness"}};
  const std::size_t count = std::size(all);
  // Joint k has property k and what it needs, the last one has all.
  std::vector<std::vector<bool>> has(count + 1, std::vector<bool>(count, false));
  std::string text = "bodies:\n";
  for (std::size_t j = 0; j <= count; ++j) {
    for (std::size_t k = j == count ? 0 : j, wanted = k; k < count; ++k, wanted = k) {
      while (wanted < count) {
        has[j][wanted] = true;
        std::size_t other = 0;
        while (other < count && (all[other].key != all[wanted].key || all[other].word != all[wanted].needs)) ++other;
        wanted = other;
      }
      if (j < count) break;
    }
    std::map<std::string, std::string> words;
    std::string beside;
    for (std::size_t k = 0; k < count; ++k) {
      if (!has[j][k]) continue;
      const std::string word = fmt::format("{}: {}", all[k].word, all[k].number);
      if (all[k].key.empty())
        beside += ", " + word;
      else
        words[all[k].key] += (words[all[k].key].empty() ? "" : ", ") + word;
    }
    for (const auto& [key, value] : words) beside += fmt::format(", {}: {{{}}}", key, value);
    text += fmt::format("  - {{name: j{}, joint: {{type: revolute}}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]{}}}\n", j,
                        beside);
  }
  const std::string file = folder.write("has.yaml", text);
  for (const std::string& form : {file, folder.path("again.yaml"), folder.path("again.urdf")}) {
    SCOPED_TRACE(form);
    ASSERT_TRUE(form == file || run({"convert", file, form}).status == 0);
    std::vector<YAML::Node> joints;
    for (const YAML::Node& joint : json({"info", form})["joints"])
      if (joint["type"].as<std::string>() != "fixed") joints.push_back(joint);  // a URDF stands on a link of its own
    const PrintedTable table(run({"info", form}).out, "Limits, drives");
    ASSERT_EQ(joints.size(), count + 1);
    ASSERT_EQ(table.rows.size(), count + 1);
    for (std::size_t j = 0; j <= count; ++j) {
      EXPECT_EQ(under(table.rows[j], "joint"), fmt::format("j{}", j));
      for (std::size_t k = 0; k < count; ++k) {
        const std::string what = fmt::format("j{}: {}", j, all[k].json), entry = under(table.rows[j], all[k].heading);
        const std::size_t dot = all[k].json.find('.');
        const YAML::Node part = joints[j][all[k].json.substr(0, dot)];
        const YAML::Node found = dot == std::string::npos ? part : part[all[k].json.substr(dot + 1)];
        if (has[j][k]) {
          ASSERT_TRUE(found.IsDefined()) << what;
          EXPECT_NEAR(found.as<double>(), all[k].number, 1e-15 * std::abs(all[k].number)) << what;
          expect_shown(entry, all[k].number, what);
        } else {
          EXPECT_EQ(entry, "") << what;
          EXPECT_EQ(found.IsDefined() ? found.as<double>() : 0, all[k].word == "gear" ? 1 : 0) << what;
          EXPECT_TRUE(all[k].key != "limits" || all[k].word == "damping" || !found.IsDefined()) << what;
        }
      }
      const bool stops = has[j][4];
      EXPECT_EQ(joints[j]["limits"]["damping"].IsDefined(), stops) << j;
    }
  }
}

// At the end of a run: a line for each coordinate, the joint's name in its first, rates beside the first ones. A quaternion
// has a fourth coordinate, and no fourth rate.
TEST_F(Tables, EndOfARunIsThatOfTheJson) {
  std::string bodies = "bodies:\n";
  // each type twice, so that each stands before another, and one is the last
  const char* const types[] = {"spherical", "revolute",  "free",        "universal",           "planar",   "fixed",
                               "prismatic", "spherical", "cylindrical", "helical, pitch: 0.1", "spherical"};
  int count = 0;
  for (const char* type : types)
    bodies += fmt::format(
        "  - {{name: b{}, parent: world, joint: {{type: {}}}, mass: 1, com: [0.1, 0.2, 0.05], "
        "inertia: [0.02, 0.03, 0.04, 0, 0, 0]}}\n",
        count++, type);
  folder.write("all.yaml", bodies);
  const std::string start =
      "start: {v: {b0: [1, 2, 3], b2: [1, 2, 3, 4, 5, 6], b4: [1, 2, 3], b7: [3, 2, 1], b10: [-1, 4, 2]}}\n";
  for (const char* integrator : {"{method: rk4, step: 0.01}", "{method: dopri5}"}) {
    const Arguments command = {
        "simulate",
        folder.write("run.yaml", fmt::format("robot: all.yaml\nduration: 0.3\n{}integrator: {}\n", start, integrator)),
        "-o", folder.path("out")};
    const YAML::Node found = json(command);
    const Row q = row(found["q"]), v = row(found["v"]);
    EXPECT_EQ(row(found["final"]["q"]), q);
    EXPECT_EQ(row(found["final"]["v"]), v);
    const PrintedTable table(run(command).out, "At the end");
    std::size_t line = 0, rates = 0;
    for (const YAML::Node& joint : json({"info", folder.path("all.yaml")})["joints"]) {
      const int nq = joint["nq"].as<int>(), nv = joint["nv"].as<int>();
      for (int i = 0; i < nq; ++i, ++line) {
        ASSERT_LT(line, table.rows.size());
        const PrintedRow& told = table.rows[line];
        const std::string name = joint["name"].as<std::string>(), what = fmt::format("{}, {}", name, i);
        EXPECT_EQ(under(told, "joint"), i == 0 ? name : "") << what;
        const auto expect_told = [&](const std::string& entry, double x) {
          if (entry == "0")
            EXPECT_LE(std::abs(x), 1e-10) << what;  // atol = rtol/100
          else
            expect_shown(entry, x, what);
        };
        expect_told(under(told, "q"), q[line]);
        if (i < nv)
          expect_told(under(told, "v"), v[rates++]);
        else
          EXPECT_EQ(under(told, "v"), "") << what;
      }
    }
    EXPECT_EQ(line, table.rows.size());
    EXPECT_EQ(rates, v.size());
  }
}

// No state, no result: said in words, of robots of few and of many joints.
TEST_F(Tables, EmptyListsAreTold) {
  const std::string none = folder.write("none.json", "[]");
  for (const char* command : {"id", "fd", "energy"})
    for (const char* robot : {"pendulum", "planar3r", "kuka_kr5", "humanoid"}) {
      const Outcome said = run({command, robot, "--state", none});
      EXPECT_EQ(said.status, 0) << said;
      EXPECT_TRUE(said.out.ends_with("\n  no states\n")) << command << ' ' << robot << said;
      EXPECT_EQ(json({command, robot, "--state", none}).size(), 0u) << command << ' ' << robot;
    }
}

TEST_F(Tables, ListsOfStatesAreAnsweredOneByOne) {
  for (const auto& [command, robot] : {std::pair{Arguments{"id"}, "puma560"},
                                       {Arguments{"fd"}, "fourbar"},
                                       {Arguments{"energy"}, "puma560"},
                                       {Arguments{"fk"}, "puma560"},
                                       {Arguments{"jacobian", "--body", "link6"}, "puma560"},
                                       {Arguments{"derivatives"}, "planar3r"},
                                       {Arguments{"linearize"}, "planar3r"},
                                       {Arguments{"assemble"}, "fourbar"},
                                       {Arguments{"inertia"}, "puma560"}}) {
    SCOPED_TRACE(command[0]);
    Arguments all = {command[0], robot, "--state", three_states(robot)};
    all.insert(all.end(), command.begin() + 1, command.end());
    const YAML::Node together = json(all);
    ASSERT_EQ(together.size(), 3u);
    for (const int seed : {1, 2, 3}) {
      all[3] = folder.write("one.json", run({"state", robot, "--random", std::to_string(seed)}).out);
      Row found, expected;
      add_leaves(together[seed - 1], found);
      add_leaves(json(all), expected);
      EXPECT_EQ(found, expected) << seed;
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
