// What the command line says when it cannot do what it is asked: one line first, and the right exit status.
#include <algorithm>
#include <sstream>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Failures : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), state = folder.write("state.json", two_joints_state);

  static bool says(const Outcome& outcome, const std::string& words) {
    return outcome.first_line().find(words) != std::string::npos;
  }
  // On whichever line: doubts stand in the order of what was looked at.
  static bool tells(const Outcome& outcome, const std::string& words) {
    return outcome.err.find(words) != std::string::npos;
  }
};

TEST_F(Failures, WrongCommandLines) {
  const std::vector<Arguments> wrong = {{},
                                        {"idd", model},
                                        {"--nonsense"},
                                        {""},
                                        {"id"},
                                        {"id", "--state", state},
                                        {"id", model, "--state"},
                                        {"id", model, model, "--state", state},
                                        {"id", model, "--state", state, "--state", state},
                                        {"id", model, "--state", state, "--nonsense"},
                                        {"id", model, "--state", state, "--method", "denok"},
                                        {"id", model, "--state", state, "--method", ""},
                                        {"fd", model, "--state", state, "--method", "composite"},
                                        {"fd", model, "--state", state, "--reactions"},
                                        {"inertia", model, "--state", state, "--method", "x"},
                                        {"energy", model, "--state", state, "--method", "denoc"},
                                        {"id", model, "--state", state, "--base", "loose"},
                                        {"id", model, "--state", state, "--base", "free"},
                                        {"info", model, "--gravity", "0,0"},
                                        {"info", model, "--gravity", "0,0,0,0"},
                                        {"info", model, "--gravity", "0,0,x"},
                                        {"info", model, "--gravity", "0,0,nan"},
                                        {"info", model, "--gravity", "0,0,1e999"},
                                        {"info", model, "--gravity", ""},
                                        {"info", model, "--state", state},
                                        {"info"},
                                        {"check"},
                                        {"count"},
                                        {"count", "serial:"},
                                        {"count", "serial:0"},
                                        {"count", "serial:-1"},
                                        {"count", "serial:6x"},
                                        {"count", "serial-rods:99999999999"},
                                        {"methods", "more"},
                                        {"reproduce"},
                                        {"reproduce", "shah13"},
                                        {"reproduce", "shah12", "--out", "x"},
                                        {"id", "-", "--state", "-"},
                                        {"id", model, "--state", ""},
                                        {"id", model, "--state="},
                                        {"id", model, "--state=", "--json"},
                                        {"id", model, "--posture", ""},
                                        {"id", model, "-o", ""},
                                        {"id", model, "--driven", ""},
                                        {"fk", model, "--body", ""},
                                        {"study", model, "--only", ""},
                                        {"count", "serial:3", "--plot", ""},
                                        {"simulate", model, "-o", ""},
                                        {"info", model, "info", model}};
  for (const Arguments& arguments : wrong) {
    const Outcome outcome = run(arguments);
    std::string line;
    for (const std::string& word : arguments) line += " " + word;
    EXPECT_EQ(outcome.status, 2) << line << "\n" << outcome;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_TRUE(outcome.first_line().starts_with("denoc")) << line << "\n" << outcome;
  }
}

TEST_F(Failures, NearestNamesAreSuggested) {
  EXPECT_TRUE(says(run({"inf", model}), "'info'"));
  EXPECT_TRUE(says(run({"id", model, "--state", state, "--method", "denok"}), "'denoc'"));
  const Outcome far = run({"inertia", model, "--state", state, "--method", "zzzzzzzz"});
  EXPECT_TRUE(says(far, "composite") && says(far, "udut")) << far;
  EXPECT_TRUE(says(run({"info", "puma56"}), "'puma560'"));
  EXPECT_TRUE(run({"info", ""}).err.starts_with("'': neither a file nor a shipped robot"));
}

TEST_F(Failures, HelpAndVersionAreNoFailures) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"--help"}, {"-h"}, {"help"}, {"id", "--help"}, {"--version"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
    EXPECT_FALSE(outcome.out.empty());
  }
  EXPECT_NE(run({"--help"}).out.find("denoc id puma560"), std::string::npos);
  EXPECT_NE(run({"id", "--help"}).out.find("--state"), std::string::npos);
}

const char* const three_faults = R"(name: broken
bodies:
  - {name: arm, joint: revolute, mass: -1}
  - {name: arm2, joint: {type: revolute, axis: [0, 0, 0]}, mass: 1}
  - {name: arm3, joint: revolute, mas: 1}
)";

TEST_F(Failures, FilesAreRefusedWithFileLineElementAndRule) {
  const std::string broken = folder.write("broken.yaml", three_faults);
  for (const Arguments& arguments : std::vector<Arguments>{{"info", broken},
                                                           {"id", broken, "--state", state},
                                                           {"fd", broken, "--state", state, "--json"},
                                                           {"count", broken}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.first_line().starts_with(broken + ":3: ")) << outcome;
    EXPECT_TRUE(says(outcome, "arm") && says(outcome, "mass")) << outcome;
    EXPECT_NE(outcome.err.find("and 2 more (`denoc check"), std::string::npos) << outcome;
  }
}

TEST_F(Failures, CheckTellsEveryFault) {
  const std::string broken = folder.write("broken.yaml", three_faults);
  const Outcome outcome = run({"check", broken});
  EXPECT_EQ(outcome.status, 3) << outcome;
  for (const char* line : {":3: ", ":4: ", ":5: "})
    EXPECT_NE(outcome.err.find(broken + line), std::string::npos) << outcome;
  EXPECT_NE(outcome.out.find("3 faults"), std::string::npos) << outcome;

  const Outcome as_json = run({"check", broken, "--json"});
  EXPECT_EQ(as_json.status, 3);
  ASSERT_TRUE(JsonGrammar(as_json.out).holds()) << as_json;
  const YAML::Node faults = YAML::Load(as_json.out)["faults"];
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0]["line"].as<int>(), 3);
  EXPECT_EQ(faults[0]["file"].as<std::string>(), broken);

  const Outcome fine = run({"check", model});
  EXPECT_EQ(fine.status, 0) << fine;
  EXPECT_NE(fine.out.find("fine"), std::string::npos) << fine;
}

// What is doubted is computed with, told, and refused by check and by --strict.
TEST_F(Failures, DoubtsFailOnlyWhereTheyAreAskedFor) {
  const std::string
      odd = folder.write(
          "odd.yaml",
          "bodies: [{name: big, joint: {type: revolute, axis: [1, 0, 0]}, mass: 50000, inertia: [1, 1, 5, 0, 0, 0]}]"),
      at_zero = folder.write("zero.json", "{\"q\": [0]}");
  const Outcome outcome = run({"check", odd});
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_EQ(outcome.out, odd + ": no faults, 2 doubts\n");
  EXPECT_TRUE(tells(outcome, odd + ":1: body 'big': inertia: triangle inequality")) << outcome;
  EXPECT_TRUE(tells(outcome, odd + ":1: body 'big': mass: 50000 kg")) << outcome;
  EXPECT_EQ(YAML::Load(run({"check", odd, "--json"}).out)["warnings"].size(), 2u);
  const Outcome computed = run({"inertia", odd, "--state", at_zero, "--json"});
  EXPECT_EQ(computed.status, 0) << computed;
  EXPECT_EQ(YAML::Load(computed.out)["I"][0][0].as<double>(), 1);
  EXPECT_TRUE(says(computed, "warning")) << computed;
  const Outcome strict = run({"inertia", odd, "--state", at_zero, "--strict"});
  EXPECT_EQ(strict.status, 3) << strict;
  EXPECT_EQ(strict.out, "");
  EXPECT_TRUE(says(strict, odd + ":1: body 'big': inertia: triangle inequality")) << strict;
  EXPECT_TRUE(tells(strict, "\nand 1 more (`denoc check")) << strict;
  const Outcome repaired = run({"inertia", odd, "--state", at_zero, "--repair", "--json"});
  EXPECT_EQ(repaired.status, 0) << repaired;
  EXPECT_NEAR(YAML::Load(repaired.out)["I"][0][0].as<double>(), 2.5, 1e-14);
  EXPECT_TRUE(tells(repaired, "repaired: the principal moments 1, 1, 5 became 2.5, 2.5, 5")) << repaired;
}

// Whoever finds it: the reader, the rules, the inertia matrix, the loops.
TEST_F(Failures, StrictRefusesWhatCheckDoubts) {
  const auto urdf = [](const std::string& mass) {
    return "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'" + mass +
           "/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
           "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
  };
  const auto yaml = [](const std::string& more) {
    return "bodies:\n  - {name: a, joint: revolute, mass: 1e3, inertia: [1e5, 1e5, 1e5, 0, 0, 0]}\n" + more;
  };
  const auto coupled = [&](const std::string& q) {
    return yaml(
        "  - {name: b, parent: world, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
        "loops: [{type: coupler, ratio: 2, a: {body: a}, b: {body: b}}]\npostures: {home: " +
        q + "}\n");
  };
  const std::tuple<std::string, std::string, int> files[] = {
      {"fine.urdf", urdf(""), 0},
      {"reader.urdf", urdf(" unit='g'"), 3},
      {"fine.yaml", yaml(""), 0},
      {"rules.yaml", yaml("  - {name: b, joint: revolute, mass: 50000, inertia: [1e5, 1e5, 1e5, 0, 0, 0]}\n"), 3},
      {"condition.yaml", yaml("  - {name: b, joint: revolute, mass: 1e-9, inertia: [1e-11, 1e-11, 1e-11, 0, 0, 0]}\n"),
       3},
      {"closed.yaml", coupled("[1, 2]"), 0},
      {"open.yaml", coupled("[1, 1]"), 3}};
  for (const auto& [name, text, status] : files) {
    const std::string file = folder.write(name, text);
    EXPECT_EQ(run({"check", file}).status, status) << run({"check", file});
    EXPECT_EQ(run({"fd", file}).status, 0) << run({"fd", file});
    for (const char* command : {"fd", "info"})
      EXPECT_EQ(run({command, file, "--strict"}).status, status) << command << run({command, file, "--strict"});
  }
}

// What a command has no use for is refused, not passed over.
TEST_F(Failures, OptionsThatMeanNothing) {
  const std::string scenario = folder.write("scenario.yaml", "robot: crane.yaml\nduration: 1\n");
  EXPECT_EQ(run({"check", scenario}).status, 0) << run({"check", scenario});
  for (const Arguments& more : {Arguments{"--base", "free"}, {"--gravity", "0,0,0"}, {"--strict"}, {"--repair"}}) {
    Arguments all = {"check", scenario};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(says(outcome, more.front() + ": it is for robot files")) << outcome;
  }
}

// One line for each kind of doubt, whatever the names and numbers in it.
TEST_F(Failures, DoubtsOfOneKindAreOneLine) {
  const std::string odd = folder.write("odd.yaml", R"(bodies:
  - {name: first, joint: revolute, mass: 50000, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: second, joint: revolute, mass: 60000, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: third, joint: revolute, mass: 7e4, inertia: [1, 1, 5, 0, 0, 0]}
)");
  const Outcome outcome = run({"id", odd, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome;
  std::size_t lines = 0;
  for (std::size_t at = outcome.err.find("warning"); at != std::string::npos; at = outcome.err.find("warning", at + 1))
    ++lines;
  EXPECT_EQ(lines, 2u) << outcome;
  EXPECT_TRUE(tells(outcome, "'first'") && !tells(outcome, "'second'")) << outcome;
}

// However the numbers are printed: with digits behind the point, with an exponent, with a sign, several of them.
TEST_F(Failures, NumbersMakeNoOtherKind) {
  const auto warnings = [&](const std::string& first, const std::string& second) {
    const std::string odd = folder.write("odd.yaml", "bodies:\n  - {name: a, joint: revolute, " + first +
                                                         "}\n  - {name: b, joint: revolute, " + second + "}\n");
    std::vector<std::string> lines;
    std::istringstream err(run({"id", odd, "--json"}).err);
    for (std::string line; std::getline(err, line);)
      if (line.starts_with("warning: ") && line.find("body '") != std::string::npos) lines.push_back(line);
    return lines;
  };
  const std::string inertia = ", inertia: [1, 1, 1, 0, 0, 0]";
  const char* const heavy[] = {"50000", "50000.25", "6e12", "7e40", "3.25e+30"};
  const char* const excess[] = {"[1, 1, 3, 0, 0, 0]", "[1, 1, 2.5, 0, 0, 0]", "[1, 1, 2.00001, 0, 0, 0]",
                                "[1e-7, 1e-7, 3e-7, 0, 0, 0]"};
  const auto expect_one = [&](const std::string& first, const std::string& second, const char* words) {
    std::vector<std::string> lines = warnings(first, second);
    std::erase_if(lines, [&](const std::string& line) { return line.find(words) == std::string::npos; });
    ASSERT_EQ(lines.size(), 1u) << first << second;
    EXPECT_TRUE(lines[0].ends_with(" (and 1 more of the kind)")) << lines[0];
  };
  for (const std::string one : heavy)
    for (const std::string other : {heavy[0], heavy[3]})
      expect_one("mass: " + one + inertia, "mass: " + other + inertia, "is it in grams?");
  for (const std::string one : excess)
    expect_one("mass: 1, inertia: " + one, std::string("mass: 1, inertia: ") + excess[0], "triangle inequality");
}

// An inertia of 1e-20 beside one of 1: the joint's name, whatever is asked.
TEST_F(Failures, AConditionBeyondTheDigitsIsDoubted) {
  const std::string lost = folder.write("lost.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: speck, joint: revolute, mass: 1e-20, inertia: [1e-20, 1e-20, 1e-20, 0, 0, 0]}
)");
  const Outcome outcome =
      run({"fd", lost, "--state", folder.write("zero.json", "{\"q\": [0, 0], \"v\": [0, 0], \"tau\": [0, 0]}")});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(tells(outcome, "body 'speck': the inertia that it feels, 1e-20 kg m^2 (or kg), is too small beside 1"))
      << outcome;
  EXPECT_EQ(run({"check", lost}).status, 3);
}

TEST_F(Failures, FilesThatAreNotThere) {
  for (const Arguments& arguments : std::vector<Arguments>{{"info", "no-such-robot"},
                                                           {"info", folder.path("none.yaml")},
                                                           {"check", folder.path("none.urdf")},
                                                           {"info", folder.path("")},
                                                           {"id", model, "--state", folder.path("none.json")}}) {
    EXPECT_EQ(run(arguments).status, 3) << run(arguments);
  }
}

// Whatever a name has in it, a terminal that shows the message does nothing else; letters of all scripts stay.
TEST_F(Failures, MessagesControlNoTerminal) {
  std::string name = folder.path("臂ä"), shown = name;
  for (char c = 1; c < 0x7f; ++c) {
    if (c == '/') continue;
    name += c;
    shown += c < ' ' ? '?' : c;
  }
  for (const char* control : {"\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f"}) {
    name += control;
    shown += '?';
  }
  name += "\xc2\xa0.yaml";
  shown += "\xc2\xa0.yaml";
  for (const Arguments& arguments : {Arguments{"check", name}, {"id", model, "--state", name}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_TRUE(says(outcome, shown)) << outcome;
  }
}

// What is not said has a default (states_test); what is said is right or refused.
TEST_F(Failures, StatesAtFault) {
  const std::vector<std::string> wrong = {
      "",
      "{",
      "3",
      R"({"q": {"leg": 0}})",
      R"({"q": {"arm": [0, 0]}})",
      R"({"q": [0, 0], "v": [0, 0], "a": [0]})",
      R"({"q": [0, 0, 0], "v": [0, 0], "a": [0, 0]})",
      R"({"q": [0, "x"], "v": [0, 0], "a": [0, 0]})",
      R"({"q": [0, .nan], "v": [0, 0], "a": [0, 0]})",
      R"({"q": [0, 1e999], "v": [0, 0], "a": [0, 0]})",
      R"({"q": [0, 0], "v": [0, 0], "a": [0, 0], "b": 1})",
      R"([{"q": [0, 0], "v": [0, 0], "a": [0, 0]}, 3])",
      R"({"q": [0, 0], "v": [0, 0], "a": [0, 0], "wrenches": [{"body": "leg", "force": [0, 0, 1]}]})"};
  for (const std::string& text : wrong) {
    const std::string file = folder.write("wrong.json", text);
    const Outcome outcome = run({"id", model, "--state", file, "--json"});
    EXPECT_EQ(outcome.status, 3) << text << "\n" << outcome;
    EXPECT_TRUE(outcome.first_line().starts_with(file)) << text << "\n" << outcome;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Failures, AMasslessLastLinkIsRefusedWhereItMatters) {
  const std::string light = folder.write("light.yaml", R"(
bodies:
  - {name: arm, joint: revolute, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: feather, joint: {type: revolute, name: wrist}, mass: 0}
)");
  EXPECT_EQ(run({"id", light, "--state", state}).status, 0);
  EXPECT_EQ(run({"energy", light, "--state", state}).status, 0);
  const Outcome refused = run({"fd", light, "--state", state, "--json"});
  EXPECT_EQ(refused.status, 4) << refused;
  EXPECT_TRUE(says(refused, "'wrist'")) << refused;
  EXPECT_EQ(refused.out, "");
  // The inertia matrix is what it is; its factors are not there.
  const Outcome singular = run({"inertia", light, "--state", state, "--json"});
  EXPECT_EQ(singular.status, 0) << singular;
  EXPECT_NE(singular.err.find("'wrist'"), std::string::npos) << singular;
  EXPECT_EQ(singular.out, "{\"I\": [[2, 0], [0, 0]], \"U\": null, \"D\": null, \"condition\": null}\n");
  const std::string several = folder.write("several.json", "[" + std::string(two_joints_state) + "]");
  EXPECT_TRUE(says(run({"fd", light, "--state", several}), "states[0]"));
}

TEST_F(Failures, ResultsAreFiniteOrRefused) {
  const std::string wild =
      folder.write("wild.json", R"({"q": [0, 0.3], "v": [0, 1e200], "a": [0, 0], "tau": [1e300, -1e308]})");
  for (const char* command : {"id", "fd", "energy"}) {
    const Outcome outcome = run({command, model, "--state", wild, "--json"});
    EXPECT_EQ(outcome.status, 4) << outcome;
    EXPECT_TRUE(says(outcome, "finite")) << outcome;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Failures, LoopsAreNotSilentlyLeftOpen) {
  const std::string closed = folder.write("closed.yaml", std::string(two_joints) + R"(loops:
  - {type: revolute, a: {body: arm, frame: {xyz: [0, 0, -1]}}, b: {body: world}, axis: [0, 1, 0]}
)");
  for (const char* command : {"id", "fd"}) {
    const Outcome outcome = run({command, closed, "--state", state});
    EXPECT_EQ(outcome.status, 4) << outcome;
    EXPECT_TRUE(says(outcome, "loops[0]: q leaves it open by")) << outcome;
    EXPECT_NE(outcome.err.find("denoc assemble"), std::string::npos) << outcome;
  }
  // of the tree, as it is
  for (const char* command : {"inertia", "energy"}) EXPECT_EQ(run({command, closed, "--state", state}).status, 0);
  EXPECT_EQ(run({"info", closed}).status, 0);
}

TEST_F(Failures, OptionsGivenTwice) {
  for (const Arguments& arguments : std::vector<Arguments>{{"id", model, "--state", state, "--state=" + state},
                                                           {"id", model, "-o", "a", "--output", "b"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(says(outcome, "is given twice")) << outcome;
  }
}

TEST_F(Failures, NamesOfAnySortStayJson) {
  const std::string odd = folder.write("odd.yaml", "bodies: [{name: \"a\\\"b\\\\cü\", joint: revolute, mass: 1}]");
  const Outcome outcome = run({"info", odd, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(JsonGrammar(outcome.out).holds()) << outcome;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
