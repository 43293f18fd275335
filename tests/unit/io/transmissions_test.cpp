// Gears of URDF's transmissions: which number counts where it is said once, twice or of two joints, and what is told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;

// Two hinges j and k, a ball s; the transmissions begin in line 2.
Document with(const std::string& transmissions, const std::string& of_j = "") {
  const char* const body =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  return read_text_as("r.urdf", fmt::format(R"(<robot name="r">
{0}
<link name="a"/><link name="b">{1}</link><link name="c">{1}</link><link name="d">{1}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/>{2}</joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
<joint name="s" type="spherical"><parent link="c"/><child link="d"/></joint></robot>)",
                                            transmissions, body, of_j));
}
double gear(const Document& document, const char* link) {
  return document.robot.bodies[static_cast<std::size_t>(document.robot.find(link))].joint.actuator.gear;
}
std::string reduction(const std::string& number) { return "<mechanicalReduction>" + number + "</mechanicalReduction>"; }

// A transmission of joint j with a reduction in each of the places that has one, in the order in which they are read.
enum Place { itself = 1, in_actuator = 2, in_joint = 4 };
std::string transmission(int places, std::vector<std::string> numbers) {
  const auto next = [&](Place place) {
    if ((places & place) == 0) return std::string();
    const std::string number = numbers.front();
    numbers.erase(numbers.begin());
    return reduction(number);
  };
  const std::string own = next(itself), actuator = next(in_actuator), of_joint = next(in_joint);
  return fmt::format(
      "<transmission name='t'>{}<joint name='j'>{}</joint><actuator name='m'>{}</actuator></transmission>", own,
      of_joint, actuator);
}

// Wherever it stands, once it is the gear of the drive.
TEST(Transmissions, SayTheirGearAnywhere) {
  for (const int place : {itself, in_actuator, in_joint})
    for (const auto& [text, number] : {std::pair{"50", 50.0}, {"-63.5", -63.5}, {"1", 1.0}, {" 2e1 ", 20.0}}) {
      const Document document = with(transmission(place, {text}));
      EXPECT_EQ(gear(document, "b"), number) << place << text;
      EXPECT_EQ(gear(document, "c"), 1);
      EXPECT_TRUE(document.warnings.empty()) << place << all_texts(document.warnings);
      EXPECT_EQ(document.robot.bodies[2].joint.actuator.rotor_inertia, 0);
    }
}

// Two of them leave open whether one gear follows the other or is said again, so that neither counts and a warning says
// so; unless both are 1, which is no gear either way. The same with all three, and with one place that has two.
TEST(Transmissions, ThatSayTwoGearsHaveNone) {
  for (const int places : {itself | in_actuator, itself | in_joint, in_actuator | in_joint})
    for (const char* first : {"1", "50", "2"})
      for (const char* second : {"1", "50", "0", "two", ""}) {
        const Document document = with(transmission(places, {first, second}));
        const bool is_plain = std::string(first) == "1" && std::string(second) == "1";
        EXPECT_EQ(gear(document, "b"), 1) << places << first << second;
        EXPECT_EQ(document.warnings.empty(), is_plain) << places << first << second << all_texts(document.warnings);
        EXPECT_EQ(says(document.warnings, 2, "its mechanicalReduction is passed over: one drive and one joint have a"),
                  !is_plain)
            << places << first << second << all_texts(document.warnings);
      }
  for (const int odd : {0, 1, 2}) {
    std::vector<std::string> numbers = {"1", "1", "1"};
    EXPECT_TRUE(with(transmission(7, numbers)).warnings.empty());
    numbers[static_cast<std::size_t>(odd)] = "3";
    const Document document = with(transmission(7, numbers));
    EXPECT_EQ(gear(document, "b"), 1) << odd;
    EXPECT_TRUE(says(document.warnings, 2, "one drive and one joint have a gear")) << odd;
  }
  for (const char* place : {"<joint name='j'>{0}{1}</joint>", "<joint name='j'/><actuator name='m'>{0}{1}</actuator>",
                            "<joint name='j'/>{0}{1}",
                            "<joint name='j'/><actuator name='m'>{0}</actuator><actuator name='n'>{1}</actuator>"}) {
    const auto twice = [&](const char* a, const char* b) {
      return with("<transmission name='t'>" + fmt::format(fmt::runtime(place), reduction(a), reduction(b)) +
                  "</transmission>");
    };
    EXPECT_EQ(gear(twice("4", "4"), "b"), 1) << place;
    EXPECT_TRUE(says(twice("4", "4").warnings, 2, "one drive and one joint have a gear")) << place;
    EXPECT_TRUE(twice("1", "1").warnings.empty()) << place;
  }
}

// ... nor one of two joints: a differential. What has no reduction at all says nothing.
TEST(Transmissions, OfTwoJointsOrNoneHaveNoGear) {
  for (const char* joints : {"<joint name='j'/><joint name='k'/>", ""})
    for (const char* number : {"1", "3"}) {
      const Document document =
          with(fmt::format("<transmission name='t'>{}{}</transmission>", joints, reduction(number)));
      EXPECT_EQ(gear(document, "b") * gear(document, "c"), 1) << joints << number;
      EXPECT_EQ(says(document.warnings, 2, "one drive and one joint have a gear"), std::string(number) == "3")
          << joints << number << all_texts(document.warnings);
      EXPECT_EQ(document.warnings.empty(), std::string(number) == "1") << all_texts(document.warnings);
    }
  const Document silent = with("<transmission name='t'><joint name='j'/><joint name='k'/></transmission>");
  EXPECT_TRUE(silent.warnings.empty()) << all_texts(silent.warnings);
}

// What cannot be a gear, or a joint that can have none, is told by its reason.
TEST(Transmissions, PassOverWhatIsNoGear) {
  const auto of = [](const char* joint, const char* number) {
    return with(fmt::format("<transmission name='t'><joint name='{}'/>{}</transmission>", joint, reduction(number)));
  };
  const struct {
    const char *joint, *number, *words;
  } all[] = {{"j", "0", "a gear is not 0"},           {"j", "0.0", "a gear is not 0"},
             {"j", "fast", "'fast' is not a number"}, {"x", "3", "there is no joint 'x'"},
             {"b", "3", "there is no joint 'b'"},     {"s", "3", "joint 's' is spherical"}};
  for (const auto& each : all) {
    const Document document = of(each.joint, each.number);
    EXPECT_TRUE(says(document.warnings, 2, std::string("its mechanicalReduction is passed over: ") + each.words))
        << each.words << all_texts(document.warnings);
    EXPECT_EQ(document.warnings.size(), 1u) << all_texts(document.warnings);
    for (const char* link : {"b", "c", "d"}) EXPECT_EQ(gear(document, link), 1) << each.words;
  }
}

// Of several transmissions of a joint the first counts, and the joint's own <actuator> before them; one that says the
// same again is not told, and the other joint has its own.
TEST(Transmissions, TheFirstGearOfAJointCounts) {
  const auto one = [](const char* joint, const char* number) {
    return fmt::format("<transmission name='t'><joint name='{}'/>{}</transmission>", joint, reduction(number));
  };
  const std::string passed = "its mechanicalReduction is passed over: joint 'j' has a gear of {} already";
  for (const char* first : {"50", "1", "-3"})
    for (const char* second : {"50", "1", "-3"})
      for (const bool is_own : {false, true}) {
        const std::string own = is_own ? fmt::format("<actuator gear='{}'/>", first) : "";
        const Document document = with((is_own ? "" : one("j", first)) + one("k", "7") + one("j", second), own);
        const bool differs = std::string(first) != second;
        EXPECT_EQ(gear(document, "b"), std::stod(first)) << first << second << is_own;
        EXPECT_EQ(gear(document, "c"), 7) << first << second << is_own;
        EXPECT_EQ(document.warnings.size(), differs ? 1u : 0u) << all_texts(document.warnings);
        if (differs) {
          EXPECT_TRUE(says(document.warnings, 2, fmt::format(fmt::runtime(passed), first)));
        }
      }
  // An <actuator> that says no gear leaves it to the transmission, and keeps its rotor.
  const Document shared = with(one("j", "50"), "<actuator rotor_inertia='0.25'/>");
  EXPECT_EQ(gear(shared, "b"), 50);
  EXPECT_TRUE(shared.warnings.empty()) << all_texts(shared.warnings);
  EXPECT_EQ(shared.robot.bodies[2].joint.actuator.rotor_inertia, 0.25);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
