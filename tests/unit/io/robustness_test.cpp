// Files that are no robots at all: whatever they hold, reading ends soon, with faults and without harm.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "denoc/io/fields.hpp"
#include "denoc/io/state.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;
using test::TemporaryFile;

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(Robustness, RefusesWhatIsNoText) {
  EXPECT_TRUE(says(read_robot("/nowhere/robot.yaml").faults, 0, "there is no such file"));
  EXPECT_TRUE(says(read_robot("").faults, 0, "'': there is no such file"));
  EXPECT_TRUE(says(read_robot(std::filesystem::temp_directory_path()).faults, 0, "it is a folder"));
  EXPECT_TRUE(says(read_text_as("r.yaml", "").faults, 0, "it is empty"));
  EXPECT_TRUE(says(read_text_as("r.urdf", " \n\t\r\n").faults, 0, "it is empty"));
  EXPECT_TRUE(says(read_text_as("r.yaml", std::string_view("a: \0b", 5)).faults, 0, "it is binary"));
  EXPECT_TRUE(says(read_text_as("r.yaml",
                                "\xFF\xFE"
                                "b")
                       .faults,
                   0, "UTF-16"));
}

TEST(Robustness, RefusesHugeFiles) {
  const TemporaryFile file("r.yaml", "x");
  std::filesystem::resize_file(file.path(), 65u << 20);
  EXPECT_TRUE(says(read_robot(file.path()).faults, 0, "larger than 64 MB"));
}

TEST(Robustness, RefusesUnreadableFiles) {
  const TemporaryFile file("r.yaml", "bodies: [{joint: revolute, mass: 1}]\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  if (std::ifstream(file.path())) GTEST_SKIP() << "root reads everything";
  EXPECT_TRUE(says(read_robot(file.path()).faults, 0, "it cannot be read"));
}

// What cannot be reached may be there: a folder without rights, or links in a circle.
TEST(Robustness, TellsFilesOutOfReachFromMissingOnes) {
  const TemporaryFile file("r.yaml", "bodies: [{joint: revolute, mass: 1}]\n");
  const std::filesystem::path folder = file.path().parent_path(), circle = folder / "circle";
  std::filesystem::create_symlink(circle, circle);
  EXPECT_TRUE(says(read_robot(circle / "r.yaml").faults, 0, "it cannot be reached: Too many levels of symbolic links"));
  std::filesystem::permissions(folder, std::filesystem::perms::none);
  const Document document = read_robot(file.path());
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  if (!document.faults.empty()) {  // root reads everything
    EXPECT_TRUE(says(document.faults, 0, "it cannot be reached: Permission denied")) << all_texts(document.faults);
  }
}

TEST(Robustness, SkipsTheByteOrderMark) {
  EXPECT_TRUE(read_text_as("r.yaml",
                           "\xEF\xBB\xBF"
                           "bodies: [{joint: revolute, mass: 1}]\n")
                  .faults.empty());
  EXPECT_TRUE(read_text_as("r.urdf", "\xEF\xBB\xBF<robot name='r'><link name='a'/></robot>").faults.empty());
}

TEST(Robustness, SkipsZerosAtTheEnd) {
  const std::string text = "<robot name='r'><link name='a'/></robot>\n";
  EXPECT_TRUE(read_text_as("r.urdf", text + std::string(2, '\0')).faults.empty());
  EXPECT_TRUE(says(read_text_as("r.urdf", std::string(2, '\0') + text).faults, 0, "it is binary"));
}

TEST(Robustness, ChoosesTheFormat) {
  const char urdf[] = "\n <robot name='r'><link name='a'/></robot>", yaml[] = "bodies: [{joint: revolute, mass: 1}]\n";
  for (const char* name : {"r.urdf", "r.URDF", "r.xml", "r", "r.txt"})
    EXPECT_TRUE(read_text_as(name, urdf).faults.empty()) << name;
  for (const char* name : {"r.yaml", "r.yml", "r.json", "r", "r.txt"})
    EXPECT_TRUE(read_text_as(name, yaml).faults.empty()) << name;
}

TEST(Robustness, CountsLinesWithCarriageReturns) {
  EXPECT_TRUE(
      says(read_text_as("r.yaml", "name: r\r\nbodies:\r\n  - {joint: revolute, mas: 1}\r\n").faults, 3, "'mas'"));
  EXPECT_TRUE(says(read_text_as("r.urdf", "<robot name='r'>\r\n<link name='a'/>\r\n<joint/>\r\n</robot>").faults, 3,
                   "missing attribute"));
}

TEST(Robustness, RefusesDeepNesting) {
  const int n = 100000;
  const std::string cases[] = {"bodies: " + repeated("[", n),
                               "bodies: " + repeated("[", n) + repeated("]", n),
                               repeated("{a: ", n) + repeated("}", n),
                               repeated("- ", n) + "x",
                               repeated("? ", n) + "x",
                               repeated("[{", n),
                               "bodies: [" + repeated("!t ", 100) + repeated("[", n)};
  for (const std::string& text : cases) {
    const Document document = read_text_as("r.yaml", text);
    EXPECT_EQ(document.faults.size(), 1u) << text.substr(0, 30) << all_texts(document.faults);
  }
  EXPECT_TRUE(says(read_text_as("r.yaml", cases[1]).faults, 1, "nested more than 64 levels deep"));
  std::string indented;
  for (int i = 0; i < 2000; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_TRUE(says(read_text_as("r.yaml", indented).faults, 65, "nested more than 64 levels deep"));
  EXPECT_TRUE(says(read_text_as("r.urdf", "<robot name='r'>" + repeated("<a>", n)).faults, 1, "nested too deeply"));
}

// 64 levels are as many as the refusal says, the innermost value among them.
TEST(Robustness, ReadsNestingAsDeepAsItSays) {
  const auto faults = [](int lists) {
    io::Report report{"r.yaml"};
    io::parse_yaml(repeated("[", lists) + "1" + repeated("]", lists), report);
    return report.faults.size();
  };
  EXPECT_EQ(faults(63), 0u);
  EXPECT_EQ(faults(64), 1u);
}

// What must be there and says nothing is a fault: who asks for it takes nothing for reported.
TEST(Fields, TextsThatMustBeThereAreNotEmpty) {
  io::Report report{"r.yaml"};
  const io::Tree tree = io::parse_yaml("{name: '', body: [a], link: b}", report);
  const io::Fields fields(*tree.root, "end", {"name", "body", "link", "joint"}, report);
  EXPECT_EQ(fields.text("link"), "b");
  EXPECT_EQ(fields.text("name", "anything"), "") << "what may be left out may be empty";
  EXPECT_TRUE(report.faults.empty()) << all_texts(report.faults);
  for (const char* key : {"name", "body", "joint"}) {
    const std::size_t before = report.faults.size();
    EXPECT_EQ(fields.text(key), "") << key;
    EXPECT_EQ(report.faults.size(), before + 1) << key;
  }
}

// ... and numbers are read as zero, so that reading goes on.
TEST(Fields, NumbersAtFaultAreZero) {
  io::Report report{"r.yaml"};
  const io::Tree tree = io::parse_yaml("{mass: [1], length: abc}", report);
  const io::Fields fields(*tree.root, "link", {"mass", "length", "width"}, report);
  for (const char* key : {"mass", "length", "width"}) {
    const std::size_t before = report.faults.size();
    EXPECT_EQ(fields.number(key), 0) << key;
    EXPECT_EQ(report.faults.size(), before + 1) << key;
  }
}

TEST(Robustness, RefusesAliasBombs) {
  std::string laughs = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = fmt::format("*a{}, ", i - 1);
    laughs += fmt::format("a{0}: &a{0} [{1}1]\n", i, repeated(last, 10));
  }
  EXPECT_TRUE(says(read_text_as("r.yaml", laughs).faults, 0, "aliases unfold to more than")) << "lists";
  // Merges of merges: as deep as the file is long.
  std::string ladder = "bodies:\n  - &m0 {joint: revolute}\n";
  for (int i = 1; i < 5000; ++i) ladder += fmt::format("  - &m{} {{<<: *m{}}}\n", i, i - 1);
  EXPECT_TRUE(says(read_text_as("r.yaml", ladder).faults, 0, "nested more than 64")) << "merges";
}

TEST(Robustness, ShowsNoControlCharacters) {
  const Document document = read_text_as("r.yaml", "\"\\e[31mred\": 1\n");
  ASSERT_FALSE(document.faults.empty());
  EXPECT_EQ(all_texts(document.faults).find('\x1b'), std::string::npos);
}

TEST(Robustness, RefusesMoreFaultsThanAnybodyReads) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 2000; ++i) text += "  - {joint: revolut, mass: 1}\n";
  const Document document = read_text_as("r.yaml", text);
  EXPECT_EQ(document.faults.size(), 1001u);
  EXPECT_TRUE(says(document.faults, 1001, "too many faults: the rest of the file is not read"));
}

TEST(Robustness, RefusesMoreValuesThanARobotHas) {
  const std::string text = "bodies: [" + repeated("1,", 4'000'000) + "1]";
  EXPECT_TRUE(says(read_text_as("r.yaml", text).faults, 1, "more than 4000000 values"));
}

TEST(Robustness, RefusesMoreLoopsThanAreSolvedTogether) {
  std::string text = "bodies:\n  - {name: a, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\nloops:\n";
  for (int i = 0; i < 1666; ++i) text += "  - {type: weld, a: {body: a}, b: {body: world}}\n";
  EXPECT_TRUE(read_text_as("r.yaml", text).faults.empty()) << "9996 rows";
  text += "  - {type: revolute, a: {body: a}, b: {body: world}}\n";
  EXPECT_TRUE(says(read_text_as("r.yaml", text).faults, 0,
                   "loops: they have 10001 rows in all; at most 10000 are solved together"));
}

// Digits beyond those that a double has are rounded, however many there are.
TEST(Robustness, RoundsNumbersOfAnyLength) {
  const auto mass = [](const std::string& digits) {
    return read_text_as("r.yaml", "bodies: [{joint: revolute, mass: " + digits + "}]\n").robot.bodies[1].inertial.mass;
  };
  EXPECT_EQ(mass("0." + std::string(10000, '3')), 1.0 / 3);
  EXPECT_EQ(mass(std::string(10000, '0') + "7." + std::string(10000, '0') + "1"), 7);
  EXPECT_EQ(mass("1" + std::string(400, '0') + "e-400"), 1);
}

// Names reach every result: SVG, HTML, JSON, CSV. What cannot stand there is refused by line and element; a comment
// in another encoding hurts nobody.
TEST(Robustness, NamesAreText) {
  struct Named {
    const char *file, *text;
    int line;
    const char* fragment;
  };
  const Named names[] = {
      {"r.yaml", "bodies:\n  - {name: \"a\\x07b\", joint: revolute, mass: 1}\n", 2,
       "body 'a?b': its name has the control character U+0007"},
      {"r.yaml",
       "bodies:\n  - {name: Gr\xF6\xDF"
       "e, joint: revolute, mass: 1}\n",
       2, "its name"},
      {"r.yaml", "bodies:\n  - {name: a, joint: {type: revolute, name: \"x\\ny\"}, mass: 1}\n", 2, "U+000A"},
      {"r.yaml", "name: \"\\uFFFE\"\nbodies:\n  - {joint: revolute, mass: 1}\n", 0, "robot: its name has U+FFFE"},
      {"r.yaml", "bodies:\n  - {name: a, joint: revolute, mass: 1}\npostures:\n  \"a\\tb\": [0]\n", 4, "U+0009"},
      {"r.urdf", "<robot name='r'>\n<link name='a&#1;'/></robot>", 2,
       "link 'a?': its name has the control character U+0001"},
      {"r.urdf",
       "<robot name='r'>\n<link name='Gr\xF6\xDF"
       "e'/></robot>",
       2, "its name is not UTF-8: there is the byte 0xF6"},
      {"r.urdf", "<robot name='r'>\n<link name='&#xD800;'/></robot>", 2,
       "its name is not UTF-8: there is the byte 0xED"},
      {"r.xml", "<mujoco><worldbody>\n<body name='a&#10;b'><joint/><geom size='1'/></body></worldbody></mujoco>", 2,
       "U+000A"},
  };
  for (const auto& [file, text, line, fragment] : names) {
    const Document document = read_text_as(file, text);
    EXPECT_TRUE(says(document.faults, line, fragment)) << text << "\n" << all_texts(document.faults);
    for (const Fault& fault : document.faults) EXPECT_NE(fault.source.file.find(file), std::string::npos);
  }
  EXPECT_TRUE(read_text_as("r.urdf",
                           "<robot name='r'><!-- Gr\xF6\xDF"
                           "e --><link name='a'/></robot>")
                  .faults.empty());
  EXPECT_TRUE(read_text_as("r.yaml", "bodies: [{name: \"\xE8\x87\x82 =1+1, <b>&'\", joint: revolute, mass: 1}]\n")
                  .faults.empty());
}

constexpr char good_yaml[] = R"(name: puma
gravity: [0, 0, -9.81]
dh:
  convention: distal
  links:
    - &first {name: link1, parent: base, joint: revolute, a: 0, b: 0.2, alpha: -pi/2, theta: 0, mass: 10.5, com: [0, 0, -0.1], inertia: [1, 1, 1, 0, 0, 0]}
    - {joint: revolute, a: 0.4, b: 0.1, alpha: deg(30), mass: 15.8, rod: true, hub: 0.181, payload: 2.5, friction: {viscous: 0.1, stribeck: [0.15, 8]}}
    - {<<: *first, name: "three"}
loops:
  - {type: revolute, a: {body: link1, frame: {xyz: [1, 2, 3], rpy: [0, 0, 1]}}, b: {body: world}, axis: [0, 0, 1]}
)";
constexpr char good_tree[] = R"({"bodies": [
  {"name": "torso", "parent": "world", "frame": {"xyz": [0, 0, 1], "quat": [1, 0, 0, 0]}, "joint": {"type": "free"}, "mass": 8},
  {"name": "arm", "joint": {"type": "universal", "axis": [0, 1, 0], "axis2": [0, 0, 1]}, "mass": 1, "limits": {"lower": -1}}],
 "springs": [{"a": {"body": "arm", "point": [0, 0, 0]}, "b": {"body": "torso", "point": [0, 0, 0]}, "stiffness": 8e5}]}
)";
constexpr char good_mjcf[] = R"(<mujoco model="r">
<compiler angle="radian" eulerseq="zyx" settotalmass="4"/>
<default><joint damping="0.1"/><default class="leg"><geom type="capsule" size="0.05"/></default></default>
<worldbody>
  <frame pos="0 0 1" euler="0.1 0.2 0.3"><body name="a" pos="0 0 1" quat="1 0 0 1"><freejoint name="f"/><geom size="0.1"/>
    <body name="b" childclass="leg"><joint name="j" axis="0 1 0" ref="0.1" range="-1 1"/><joint name="k" type="slide"/>
      <geom fromto="0 0 0 0 0 1"/><replicate count="3" offset="0.1 0 0"><geom type="box" size="0.1 0.1 0.1"/></replicate></body>
  </body></frame>
  <body name="c" zaxis="1 1 0"><joint name="s" type="ball"/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1" axisangle="0 0 1 0.5"/></body>
</worldbody>
<equality><connect body1="b" body2="c" anchor="0 0 1"/><joint joint1="j" joint2="k" polycoef="0 1 0.5"/></equality>
<actuator><motor joint="j" gear="5"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.1 0 1 0 0 0"/></keyframe>
</mujoco>
)";
constexpr char good_urdf[] = R"(<?xml version="1.0"?>
<robot name="r"><!-- two -->
  <link name="a"/><link name="b"><inertial><origin xyz="0 0 1" rpy="0 0 1"/><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><origin xyz="0 0 1" rpy="0 0 0"/><parent link="a"/><child link="b"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="1"/></joint>
</robot>
)";
constexpr char good_state[] =
    R"([{"q": [1, 0, 0, 0], "v": [1, 2, 3], "wrenches": [{"body": "ball", "moment": [1, 2, 3], "force": [4, 5, 6]}]},
 {"q": [0, 1, 0, 0], "tau": [1, 2, 3]}]
)";

// Bytes changed, pieces cut, doubled and moved: what editors, disks and people do to files.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
  constexpr std::string_view favourites = "{}[]:,-&*!|>'\"%@`#?<=/\\ \t\n\r0e.\x01\x7f\x80\xff";
  const std::size_t changes = 1 + below(3);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = below(text.size() - 1), size = below(std::min<std::size_t>(20, text.size() - at));
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(255));
        break;
      case 1:
        text[at] = favourites[below(favourites.size() - 1)];
        break;
      case 2:
        text.erase(at, size);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() - 1), size));
        break;
      case 4:
        text.insert(at, std::string(1 + below(3), favourites[below(favourites.size() - 1)]));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(Robustness, SurvivesMutations) {
  const std::pair<const char*, const char*> files[] = {
      {"r.yaml", good_yaml}, {"r.json", good_tree}, {"r.urdf", good_urdf}, {"r.mjcf", good_mjcf}};
  std::mt19937 random(20240229);
  int refused = 0;
  for (const auto& [name, text] : files) {
    ASSERT_TRUE(read_text_as(name, text).faults.empty()) << name << "\n" << all_texts(read_text_as(name, text).faults);
    for (int i = 0; i < 3000; ++i) {
      const Document document = read_text_as(name, mutated(text, random));
      refused += document.faults.empty() ? 0 : 1;
      // What is accepted is sound.
      if (document.faults.empty()) {
        EXPECT_TRUE(faults_of(document.robot).empty());
      }
      for (const Fault& fault : document.faults) EXPECT_FALSE(fault.rule.empty());
    }
  }
  EXPECT_GT(refused, 5500);  // most changes are seen
}

TEST(Robustness, SurvivesMutatedStates) {
  Robot robot;
  Body ball;
  ball.name = "ball";
  ball.joint.type = JointType::spherical;
  robot.bodies.push_back(ball);
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const TemporaryFile file("s.json", mutated(good_state, random));
    try {
      for (const State& state : read_states(file.path(), robot).states) EXPECT_EQ(state.q.size(), 4u);
    } catch (const RobotError& error) {
      EXPECT_FALSE(error.faults.empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Robustness, ReadsLargeFilesInGoodTime) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 20000; ++i)
    text += "  - {joint: revolute, mass: 1, frame: {xyz: [0, 0, 1]}, inertia: [1, 1, 1, 0, 0, 0]}\n";
  const auto start = std::chrono::steady_clock::now();
  const Document document = read_text_as("r.yaml", text);
  EXPECT_TRUE(document.faults.empty());
  EXPECT_EQ(document.robot.bodies.size(), 20001u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));  // a second, or two under sanitizers
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
