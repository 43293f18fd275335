// States that leave loops open, one by one and among others, by file, by posture and by default: what is refused, told
// or closed.
#include <fmt/format.h>

#include <cmath>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Two hinges geared one to one, with postures that are closed, open, and a little open; and a third that nothing holds.
constexpr char geared[] = R"(name: geared
bodies:
  - {{name: a, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]{}}}
  - {{name: b, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
  - {{name: c, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
loops: [{{type: coupler, a: {{body: a}}, b: {{body: b}}}}]
{}
)";
constexpr char postures[] = "postures: {shut: [0.5, 0.5, 0.25], ajar: [0.5, 0.25, 0]}";

struct OpenStates : testing::Test {
  Folder folder;
  std::string robot = folder.write("geared.yaml", fmt::format(geared, "", postures));
  std::string states(const std::string& text) const { return folder.write("states.json", text); }
  static constexpr char shut[] = R"({"q": [0.3, 0.3, 0]})", open[] = R"({"q": [0.3, 0.8, 0]})",
                        opens[] = R"({"q": [0.3, 0.3, 0], "v": [1, 0.5, 0]})";

  static void expect_refused(const Arguments& arguments, const std::string& words) {
    const Outcome found = run(arguments);
    EXPECT_EQ(found.status, 4) << found;
    EXPECT_TRUE(found.first_line().starts_with(words)) << words << "\n" << found;
    EXPECT_EQ(found.out, "") << "nothing is said of the others either";
  }
};
const char* const that_close[] = {"id", "fd", "linearize", "derivatives"};

// What needs closed loops refuses the state by its place among the others, whichever it is, before it answers any.
TEST_F(OpenStates, AreRefusedByTheirPlace) {
  for (const char* command : that_close) {
    SCOPED_TRACE(command);
    const Arguments ask = {command, robot, "--state"};
    const auto with = [&](const std::string& text) {
      Arguments all = ask;
      all.push_back(states(text));
      return all;
    };
    const auto list = [&](const std::vector<std::string>& each) {
      return with(fmt::format("[{}]", fmt::join(each, ",")));
    };
    EXPECT_EQ(run(with(shut)).status, 0) << run(with(shut));
    EXPECT_EQ(run(list({shut, shut})).status, 0) << run(list({shut, shut}));
    for (const bool is_json : {false, true}) {
      const auto asked = [&](Arguments all) {
        if (is_json) all.push_back("--json");
        return all;
      };
      expect_refused(asked(with(open)), "denoc: state: loops[0]");
      expect_refused(asked(list({open})), "denoc: states[0]: loops[0]");
      expect_refused(asked(list({open, shut})), "denoc: states[0]: loops[0]");
      expect_refused(asked(list({shut, open})), "denoc: states[1]: loops[0]");
      expect_refused(asked(list({shut, open, open})), "denoc: states[1]: loops[0]");
      expect_refused(asked(list({shut, shut, opens})), "denoc: states[2]: ");
    }
  }
}

// What is right for a posture whether it is closed or not answers, and tells each that is open, by how much.
TEST_F(OpenStates, AreToldWhereTheyDoNotMatter) {
  for (const char* command : {"fk", "energy"})
    for (const auto& [list, count] : {std::pair{fmt::format("[{}, {}]", shut, open), 1},
                                      {fmt::format("[{0}, {0}]", open), 2},
                                      {fmt::format("[{}]", shut), 0}}) {
      const Outcome found = run({command, robot, "--state", states(list)});
      EXPECT_EQ(found.status, 0) << found;
      int times = 0;
      const std::string told = "loops[0]: q leaves it open by 0.5 m (or rad)";
      for (std::size_t at = found.err.find(told); at != std::string::npos; at = found.err.find(told, at + 1)) ++times;
      EXPECT_EQ(times, count) << command << found;
    }
}

// A posture that the file names is taken as it is: closed, it is the state; open, it is refused as a state is.
TEST_F(OpenStates, PosturesAreTakenAsTheyAre) {
  for (const char* command : that_close) {
    EXPECT_EQ(run({command, robot, "--posture", "shut"}).status, 0) << run({command, robot, "--posture", "shut"});
    expect_refused({command, robot, "--posture", "ajar"}, "denoc: state: loops[0]");
    expect_refused({command, robot, "--posture", "ajar", "--state", states(R"([{"v": [0, 0, 1]}])")},
                   "denoc: states[0]: loops[0]");
  }
  const YAML::Node poses = json({"fk", robot, "--posture", "ajar"})["poses"];
  EXPECT_NEAR(poses["b"]["quat"][3].as<double>(), std::sin(0.125), 1e-15) << "b is where the posture has it";
  // One that the file does not name is wrong before any state is read.
  EXPECT_EQ(run({"fd", robot, "--posture", "shutt"}).status, 2);
  for (const char* state : {shut, "no state"})
    EXPECT_EQ(run({"fd", robot, "--posture", "shutt", "--state", states(state)}).status, 2) << state;
}

// Where nothing is said of q the loops are closed from the posture of the file; where a state says all of it, nobody
// asks for that; and a file whose posture leads to no closed one is refused with what to do, if it is asked for.
TEST_F(OpenStates, TheDefaultIsClosed) {
  const std::string drawn = folder.write("drawn.yaml", fmt::format(geared, ", neutral: [0.5]", ""));
  for (const Arguments& said :
       {Arguments{}, {"--state", states(R"({"v": [1, 1, 0]})")}, {"--state", states("[{}, {}]")}})
    for (const char* command : that_close) {
      Arguments all = {command, drawn};
      all.insert(all.end(), said.begin(), said.end());
      EXPECT_EQ(run(all).status, 0) << run(all);
    }
  const YAML::Node poses = json({"fk", drawn})["poses"];
  EXPECT_NEAR(poses["a"]["quat"][3].as<double>(), poses["b"]["quat"][3].as<double>(), 1e-9);
  EXPECT_EQ(run({"fk", drawn}).err, "") << "nothing is open";

  // Rods of 1 m whose ends are to meet, 3 m from each other.
  const std::string apart = folder.write("apart.yaml", R"(bodies:
  - {name: left, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: right, parent: world, frame: {xyz: [3, 0, 0]}, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops: [{type: revolute, a: {body: left, point: [1, 0, 0]}, b: {body: right, point: [1, 0, 0]}}]
)");
  for (const Arguments& said : {Arguments{}, {"--state", states(R"({"v": [1, 1]})")}})
    for (const char* command : {"id", "fd", "fk", "energy", "derivatives"}) {
      Arguments all = {command, apart};
      all.insert(all.end(), said.begin(), said.end());
      const Outcome found = run(all);
      EXPECT_EQ(found.status, 4) << found;
      EXPECT_TRUE(found.first_line().starts_with("denoc: the loops cannot be closed from the posture of the file: "))
          << found;
      EXPECT_NE(found.err.find("`denoc assemble MODEL --state FILE` closes them from nearer."), std::string::npos)
          << found;
    }
  const Outcome given = run({"fk", apart, "--state", states(R"({"q": [0, 0]})")});
  EXPECT_EQ(given.status, 0) << given;
  EXPECT_NE(given.err.find("loops[0]: q leaves it open by"), std::string::npos) << given;
}

// What else is wrong with a state among others is told by its place, too: an inertia that is none, numbers that are too
// large.
TEST_F(OpenStates, OtherRefusalsHaveTheirPlace) {
  const std::string rings = folder.write("rings.yaml", R"(bodies:
  - {name: a, joint: revolute}
  - {name: b, joint: {type: revolute, axis: [1, 0, 0]}}
  - {name: c, joint: revolute, mass: 1, inertia: [0.1, 0.2, 0.25, 0, 0, 0]}
)");
  const char *const fine = R"({"q": [0, 0.5, 0]})", *const flat = R"({"q": [0, 0, 0]})",
                    *const fast = R"({"q": [0, 0.5, 0], "v": [1e200, 1e200, 1e200]})";
  for (const char* wrong : {flat, fast}) {
    expect_refused({"fd", rings, "--state", states(wrong)}, "denoc: state: ");
    expect_refused({"fd", rings, "--state", states(fmt::format("[{}, {}]", fine, wrong))}, "denoc: states[1]: ");
    expect_refused({"fd", rings, "--state", states(fmt::format("[{}, {}, {}]", wrong, fine, wrong))},
                   "denoc: states[0]: ");
  }
  EXPECT_EQ(run({"id", rings, "--state", states(flat)}).status, 0) << "a torque can be had";
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
