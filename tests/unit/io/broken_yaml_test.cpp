// YAML files that are refused, each for one reason.
#include <gtest/gtest.h>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::Broken;
using test::read_text_as;
using test::says;

#define BODIES(items) "name: r\nbodies:\n" items
#define BODY(more) BODIES("  - {name: arm, joint: revolute, mass: 1}\n  - {" more "}\n")
#define DISTAL(link) "dh:\n  convention: distal\n  links:\n    - {" link "}\n"
#define PROXIMAL(link) "dh:\n  convention: proximal\n  links:\n    - {" link "}\n"
#define TWO BODIES("  - {name: a, joint: revolute, mass: 1}\n  - {name: b, joint: revolute, mass: 1}\n")

const Broken broken_files[] = {
    // keys and kinds
    {"misspelt key", BODY("joint: revolute, mas: 1"), 4, "body 'link2': unknown key 'mas'; did you mean 'mass'?"},
    {"unknown key", BODY("joint: revolute, colour: red"), 4, "unknown key 'colour'; known: name, parent"},
    {"misspelt top key", "bodys:\n  - {joint: revolute}\n", 1, "unknown key 'bodys'; did you mean 'bodies'?", 2},
    {"misspelt friction key", BODY("joint: revolute, friction: {viscos: 1}"), 4,
     "friction: unknown key 'viscos'; did you mean 'viscous'?"},
    {"duplicate key", BODY("joint: revolute, mass: 1, mass: 2"), 4, "mass: given twice (first on line 4)"},
    {"duplicate key lines below", BODY("mass: 1,\n     joint: revolute,\n     mass: 2"), 6,
     "mass: given twice (first on line 4)"},
    {"missing space", BODY("joint: revolute, mass:1"), 4, "unknown key 'mass:1': a space is missing behind the colon"},
    {"decimal comma in a map", BODY("joint: revolute, mass: 0,3"), 4,
     "unknown key '3': decimals are written with a point, not with a comma"},
    {"formula with commas in a map", BODY("joint: revolute, mass: max(1, 2)"), 4,
     "unknown key '2)': a formula with commas stands in quotes", 2},
    {"list as key", BODY("joint: revolute, [1, 2]: 3"), 4, "a key is a word, not a list"},
    {"missing joint", BODY("mass: 1"), 4, "body 'link2': missing key 'joint'"},
    {"misspelt joint", BODY("joint: revolut"), 4, "joint: unknown word 'revolut'; did you mean 'revolute'?"},
    {"limits in the joint", BODY("joint: {type: revolute, limit: {upper: 1}}"), 4,
     "joint: unknown key 'limit'; known: type, axis, axis2, pitch, name; beside joint: friction, spring, limits,"},
    {"damping in the joint", BODY("joint: {type: revolute, damping: 1}"), 4, "name; beside joint: friction, spring"},
    {"misspelt joint type", BODY("joint: {type: sperical}"), 4,
     "joint: type: unknown word 'sperical'; did you mean 'spherical'?"},
    {"joint without type", BODY("joint: {axis: [0, 0, 1]}"), 4, "joint: missing key 'type'"},
    {"joint list", BODY("joint: [revolute]"), 4, "joint: expected a map of keys and values, found a list"},
    {"body text", BODIES("  - arm\n"), 3, "expected a map of keys and values, found the text 'arm'"},
    {"bodies map", "bodies: {name: arm}\n", 1, "bodies: expected a list, found a map"},
    {"no bodies", "bodies: []\n", 1, "at least one body"},
    {"empty bodies", "bodies:\n", 1, "bodies: expected a list, found nothing"},
    {"no table", "name: r\n", 1, "a robot has a 'dh' table or 'bodies'"},
    {"both tables", TWO "dh: {convention: distal, links: [{joint: revolute}]}\n", 2, "either a 'dh' table or 'bodies'"},
    {"list at the top", "- 1\n", 1, "expected a map of keys and values, found a list"},
    {"text at the top", "hello\n", 1, "found the text 'hello'"},
    {"misspelt convention", "dh: {convention: distel, links: [{joint: revolute}]}\n", 1,
     "convention: unknown word 'distel'; did you mean 'distal'?"},
    {"no convention", "dh: {links: [{joint: revolute}]}\n", 1, "dh: missing key 'convention'"},
    {"no links", "dh: {convention: distal}\n", 1, "dh: missing key 'links'"},
    {"short gravity", TWO "gravity: [0, 9.81]\n", 5, "gravity: expected 3 numbers, found 2"},
    {"gravity number", TWO "gravity: 9.81\n", 5, "gravity: expected a list of 3 numbers, found the text '9.81'"},
    {"name list", TWO "name2: 1\n", 5, "did you mean 'name'?"},
    // numbers
    {"word for number", BODY("joint: revolute, mass: heavy"), 4,
     "body 'link2': mass: 'heavy': 'heavy' is not a number"},
    {"list for number", BODY("joint: revolute, mass: [1]"), 4, "mass: expected a number, found a list"},
    {"nothing for number", BODIES("  - name: a\n    joint: revolute\n    mass:\n    com: [0, 0, 0]\n"), 5,
     "mass: expected a number, found nothing"},
    {"empty text for number", BODY("joint: revolute, mass: ''"), 4, "empty where a number is expected"},
    {"decimal comma", BODIES("  - name: a\n    joint: revolute\n    mass: 1,5\n"), 5, "a point, not with a comma"},
    {"nan", BODY("joint: revolute, mass: .nan"), 4, "'.nan' is not a finite number"},
    {"inf", BODY("joint: revolute, mass: -.inf"), 4, "'-.inf' is not a finite number"},
    {"too large", BODY("joint: revolute, mass: 1e999"), 4, "'1e999' is too large"},
    {"unit", BODY("joint: revolute, mass: 1.5kg"), 4, "'kg' follows the number"},
    {"division by zero", BODY("joint: revolute, mass: 1/0"), 4, "divides by zero"},
    {"root of a negative", BODY("joint: revolute, mass: sqrt(-2)"), 4, "square root of a negative"},
    {"number in a list", BODIES("  - name: a\n    joint: revolute\n    com:\n      - 1\n      - x\n      - 3\n"), 7,
     "body 'a': com: 'x'"},
    {"com of two", BODY("joint: revolute, com: [1, 2]"), 4, "com: expected 3 numbers, found 2"},
    {"inertia of three", BODY("joint: revolute, inertia: [1, 2, 3]"), 4, "inertia: expected 6 numbers, found 3"},
    {"nested list", BODY("joint: revolute, com: [1, [2], 3]"), 4, "com: expected a number, found a list"},
    // names and parents
    {"duplicate name", BODY("name: arm, joint: revolute"), 4,
     "body 'arm': duplicate name: 'arm' is already the name of another body (line 3)"},
    {"duplicate default name", BODIES("  - {name: link2, joint: revolute}\n  - {joint: revolute}\n"), 4,
     "duplicate name: 'link2'"},
    {"duplicate joint name", BODIES("  - {joint: {type: revolute, name: j}}\n  - {joint: {type: revolute, name: j}}\n"),
     4, "joint 'j': duplicate name"},
    {"called world", BODY("name: world, joint: revolute"), 4, "name: 'world' is the ground"},
    {"unknown parent", BODY("parent: amr, joint: revolute"), 4, "parent: unknown body 'amr'; did you mean 'arm'?"},
    {"own parent", BODY("name: x, parent: x, joint: revolute"), 4, "parent: a body is not its own parent"},
    {"later parent", BODIES("  - {name: a, parent: b, joint: revolute}\n  - {name: b, joint: revolute}\n"), 3,
     "'b' stands further down"},
    {"parent list", BODY("parent: [arm], joint: revolute"), 4, "parent: expected a text, found a list"},
    // axes and frames
    {"zero axis", BODIES("  - name: a\n    joint:\n      type: revolute\n      axis: [0, 0, 0]\n"), 6,
     "body 'a': axis: a zero vector is no axis"},
    {"zero axis2", BODY("joint: {type: universal, axis2: [0, 0, 0]}"), 4, "axis2: a zero vector is no axis"},
    {"parallel axes", BODY("joint: {type: universal, axis: [0, 1, 1], axis2: [0, -2, -2]}"), 4,
     "axis2: the two axes of a universal joint are not parallel"},
    {"axis of two", BODY("joint: {type: revolute, axis: [0, 1]}"), 4, "joint: axis: expected 3 numbers, found 2"},
    {"axis word", BODY("joint: {type: revolute, axis: z}"), 4,
     "axis: expected a list of 3 numbers, found the text 'z'"},
    {"zero quaternion", BODY("joint: free, frame: {quat: [0, 0, 0, 0]}"), 4,
     "frame: quat: a zero quaternion is no rotation"},
    {"short quaternion", BODY("joint: free, frame: {quat: [0, 0, 1]}"), 4, "expected 4 numbers, found 3"},
    {"rpy and quat", BODY("joint: free, frame: {quat: [1, 0, 0, 0], rpy: [0, 0, 0]}"), 4, "either rpy or quat"},
    {"frame list", BODY("joint: free, frame: [0, 0, 0]"), 4, "frame: expected a map"},
    // physics
    {"negative mass", BODIES("  - name: a\n    joint: revolute\n    mass: -1\n"), 5,
     "body 'a': mass: a mass is not negative: -1"},
    {"negative mass and payload", DISTAL("joint: revolute, mass: -1, payload: 2"), 4, "a mass is not negative: -1"},
    {"negative rod", DISTAL("joint: revolute, mass: -1, a: 1, rod: true"), 4, "a mass is not negative: -1"},
    {"negative hub", DISTAL("joint: revolute, mass: 1, hub: -0.1"), 4,
     "link 'link1': hub: an inertia is positive semidefinite"},
    {"negative payload", DISTAL("joint: revolute, mass: 1, payload: -0.1"), 4, "payload: a mass is not negative: -0.1"},
    {"negative coulomb", BODY("joint: revolute, friction: {coulomb: -1}"), 4, "Coulomb friction is not negative: -1"},
    {"friction that pushes", BODY("joint: revolute, friction: {coulomb: 1, stribeck: [-2, 8]}"), 4,
     "friction: dry friction holds at rest: coulomb + epsilon is positive, not -1"},
    {"spring of a ball", BODY("joint: spherical, spring: {stiffness: 3}"), 4,
     "spring: a joint of type spherical has no spring: its q is a quaternion"},
    {"spring that is no map", DISTAL("joint: revolute, mass: 1") "springs: [3]\n", 5, "springs[0]: expected a map"},
    {"stops without a limit", BODY("joint: revolute, limits: {stiffness: 1e4}"), 4,
     "limits: end stops stand at a lower or an upper limit"},
    {"stops of a ball", BODY("joint: spherical, limits: {lower: 0, stiffness: 1e4}"), 4,
     "limits: a joint of type spherical has no end stops: its q is a quaternion"},
    {"neutral that is no turn", BODY("joint: spherical, neutral: [2, 0, 0, 0]"), 4,
     "body 'link2': neutral: the quaternion of joint 'link2' has length 2, not 1"},
    {"no gear", BODY("joint: revolute, actuator: {gear: 0}"), 4, "actuator: a gear is not 0"},
    {"misspelt actuator", BODY("joint: revolute, actuator: {geer: 2}"), 4,
     "actuator: unknown key 'geer'; did you mean 'gear'?"},
    {"drive of a ball", BODY("joint: spherical, actuator: {gear: 10}"), 4,
     "actuator: a joint of type spherical has no geared drive"},
    // DH tables
    {"spherical in dh", DISTAL("joint: spherical"), 4,
     "joint: unknown word 'spherical'; known: revolute, continuous, prismatic"},
    {"frame in dh", DISTAL("joint: revolute, frame: {}"), 4, "unknown key 'frame'"},
    {"rod and com", DISTAL("joint: revolute, a: 1, mass: 1, rod: true, com: [0, 0, 0]"), 4, "com: a rod has its own"},
    {"rod and inertia", DISTAL("joint: revolute, a: 1, mass: 1, rod: true, inertia: [1, 1, 1, 0, 0, 0]"), 4,
     "inertia: a rod has its own"},
    {"rod without length", DISTAL("joint: revolute, mass: 1, rod: true"), 4,
     "rod: a rod without length (a = b = 0) has no mass"},
    {"rod without mass", DISTAL("joint: revolute, a: 1, rod: true"), 4, "rod: a rod needs a mass"},
    {"prismatic rod", DISTAL("joint: prismatic, a: 1, mass: 1, rod: true"), 4, "rod: a rod needs a revolute joint"},
    {"proximal rod", PROXIMAL("joint: revolute, a: 1, mass: 1, rod: true"), 4,
     "rod: a rod needs the distal convention"},
    {"proximal payload", PROXIMAL("joint: revolute, a: 1, payload: 1"), 4,
     "payload: a payload needs the distal convention"},
    {"rod in bodies", BODY("joint: revolute, mass: 1, rod: true"), 4, "rod: it belongs to DH tables"},
    {"payload in bodies", BODY("joint: revolute, mass: 1, payload: 1"), 4, "payload: it belongs to DH tables"},
    {"hub of a ball", BODY("joint: spherical, mass: 1, hub: 1"), 4, "hub: a hub turns about the axis of its joint"},
    {"negative hub of a ball", BODY("joint: spherical, mass: 1, hub: [1, 1, -1, 0, 0, 0]"), 4,
     "hub: an inertia is positive semidefinite"},
    {"hub of five numbers", BODY("joint: spherical, mass: 1, hub: [1, 1, 1, 0, 0]"), 4,
     "hub: expected 6 numbers, found 5"},
    {"rod maybe", DISTAL("joint: revolute, mass: 1, rod: maybe"), 4, "rod: unknown word 'maybe'; known: true, false"},
    // loops and springs
    {"loop type", TWO "loops: [{type: hinge, a: {body: a}, b: {body: b}}]\n", 5,
     "loops[0]: type: unknown word 'hinge'"},
    {"loop body", TWO "loops:\n  - {type: weld, a: {body: a}, b: {body: c}}\n", 6,
     "loops[0]: b: body: unknown body 'c'"},
    {"loop end", TWO "loops: [{type: weld, a: {body: a}}]\n", 5, "loops[0]: missing key 'b'"},
    {"loop on one body", TWO "loops: [{type: weld, a: {body: a}, b: {body: a}}]\n", 5,
     "loops[0]: both its ends are on 'a'"},
    {"loop axis", TWO "loops: [{type: revolute, a: {body: a}, b: {body: b}, axis: [0, 0, 0]}]\n", 5,
     "loops[0]: axis: a zero vector"},
    {"loop text", TWO "loops: [weld]\n", 5, "loops[0]: expected a map"},
    {"spring stiffness", TWO "springs: [{a: {body: a}, b: {body: b}}]\n", 5, "springs[0]: missing key 'stiffness'"},
    {"spring damping", TWO "springs: [{a: {body: a}, b: {body: b}, stiffness: 1, damping: -1}]\n", 5,
     "springs[0]: damping: damping is not negative"},
    {"spring point", TWO "springs: [{a: {body: a, point: [1]}, b: {body: b}, stiffness: 1}]\n", 5,
     "springs[0]: a: point: expected 3 numbers"},
    // syntax
    {"unclosed bracket", "bodies: [{joint: revolute}\n", 0,
     "not YAML: end of sequence flow not found (a bracket, a quote or a comma is missing, here or further up)"},
    {"unclosed quote", "bodies:\n  - {name: 'a, joint: revolute}\n", 0,
     "not YAML: end of map flow not found (a bracket, a quote or a comma is missing, here or further up)"},
    {"missing comma", "bodies: [{joint: revolute mass: 1}]\n", 1, "a bracket, a quote or a comma is missing"},
    {"other bracket", "bodies: [{joint: revolute]}\n", 1,
     "not YAML: illegal flow end (brackets close in the order in which they open)"},
    {"colon in a text", "name: Versuch: 1\nbodies: [{joint: revolute}]\n", 1,
     "not YAML: illegal map value (a text with a colon stands in quotes, and the keys of a map are indented alike)"},
    {"indented key", "name: r\n bodies: [{joint: revolute}]\n", 2, "the keys of a map are indented alike"},
    {"less indented key", "bodies:\n  - name: a\n    joint: revolute\n   mass: 1\n", 4, "indented alike"},
    {"no break space", "name:\u00a0r\nbodies: [{joint: revolute}]\n", 2, "line 1 has a no-break space"},
    {"sign at the front", "name: @r\nbodies: [{joint: revolute}]\n", 1,
     "not YAML: unknown token (a text that begins with a sign stands in quotes)"},
    {"armature of a free joint",
     "bodies:\n  - name: a\n    joint: {type: free}\n    mass: 1\n    inertia: [1, 1, 1, 0, 0, 0]\n    armature: 0.1\n",
     6, "body 'a': armature: a joint of type free has no armature"},
    {"tab", "bodies:\n  - name: a\n\tjoint: revolute\n", 3, "line 3 is indented with a tab: YAML wants spaces"},
    {"bad indent", "bodies:\n  - name: a\n   joint: revolute\n", 3, "not YAML"},
    {"two documents", "bodies: [{joint: revolute}]\n---\nbodies: [{joint: revolute}]\n", 2,
     "several documents in one file"},
    {"unknown alias", "bodies: *ghost\n", 1, "not YAML"},
    {"alias in itself", "bodies: &b [*b]\n", 1, "an alias stands inside what it stands for"},
    {"only comments", "# nothing\n", 1, "there is nothing in the file"},
    {"xml in yaml", "<robot name='r'><link name='a'/></robot>\n", 1, "found the text"},
};

class BrokenYaml : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenYaml, IsRefusedWithLineAndRule) {
  const Broken& broken = GetParam();
  const Document document = read_text_as("robot.yaml", broken.text);
  EXPECT_TRUE(says(document.faults, broken.line, broken.fragment)) << broken.name << "\n" << all_texts(document.faults);
  EXPECT_EQ(document.faults.size(), broken.faults) << broken.name << "\n" << all_texts(document.faults);
}

std::string test_name(const ::testing::TestParamInfo<Broken>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, BrokenYaml, ::testing::ValuesIn(broken_files), test_name);

TEST(BrokenYamlFile, TellsEveryFaultAtOnceInTheOrderOfLines) {
  const Document document = read_text_as("robot.yaml", R"(gravity: [0, 0, down]
bodies:
  - {name: a, joint: revolute, mass: -1}
  - {name: b, joint: {type: revolute, axis: [0, 0, 0]}, mas: 2}
  - {name: a, parent: ghost, joint: ball}
)");
  const int lines[] = {1, 3, 4, 4, 5, 5, 5};
  ASSERT_EQ(document.faults.size(), std::size(lines)) << all_texts(document.faults);
  for (std::size_t i = 0; i < std::size(lines); ++i)
    EXPECT_EQ(document.faults[i].source.line, lines[i]) << all_texts(document.faults);
}

// Longer keys the parser takes for something else, and its words help nobody.
TEST(BrokenYamlFile, SaysHowLongAKeyMayBe) {
  const std::string key(3000, 'k');
  for (const std::string& text :
       {"\n{\"" + key + "\": 1}\n", "\n" + key + ": 1\n", "{a: 'x: y',\n '" + key + "': 1}"}) {
    const Document document = read_text_as("robot.yaml", text);
    EXPECT_TRUE(says(document.faults, 2, "a key has at most 1024 characters")) << all_texts(document.faults);
  }
  const Document other = read_text_as("robot.yaml", "{name: '" + key + "', bodies: [}");
  EXPECT_TRUE(says(other.faults, 1, "not YAML")) << "a long value is none: " << all_texts(other.faults);
}

// Quotes end where YAML ends them, after a backslash only in double ones: what follows is told of as what it is.
TEST(BrokenYamlFile, CountsAKeyFromQuoteToQuote) {
  const std::string filling(3000, 'k'), long_key(1100, 'k');
  for (const char* key :
       {R"('\')", R"('a\')", R"('a''b')", R"('"')", R"('')", R"("\\")", R"("a\"b")", R"("'")", R"("")"}) {
    const auto told = [&](const std::string& after) {
      const Document document =
          read_text_as("robot.yaml", std::string("{") + key + ": " + filling + after + "\n'b': 1, \"c\": [}");
      EXPECT_EQ(document.faults.size(), 1u) << key << all_texts(document.faults);
      return document.faults;
    };
    EXPECT_TRUE(says(told(","), 0, "not YAML")) << key;
    EXPECT_TRUE(says(told(",\n" + long_key + ": 1,"), 2, "a key has at most 1024 characters")) << key;
  }
}

TEST(BrokenYamlFile, StopsAfterAThousandFaults) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 20000; ++i) text += "  - {joint: nothing, parent: nobody}\n";
  const Document document = read_text_as("robot.yaml", text);
  EXPECT_EQ(document.faults.size(), 1001u);
  EXPECT_TRUE(says(document.faults, 0, "too many faults"));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
