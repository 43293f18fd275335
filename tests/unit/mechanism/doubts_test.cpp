// What is doubted of a robot, as data of its mechanism.
#include <gtest/gtest.h>

#include "denoc/mechanism/mechanism.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

TEST(MechanismDoubts, AreThoseOfTheReaderOfTheRulesAndOfTheCondition) {
  const Mechanism robot(test::read_text_as("r.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 8000, inertia: [1, 1, 5, 0, 0, 0]}
  - {name: speck, joint: revolute, mass: 1e-20, inertia: [1e-20, 1e-20, 1e-20, 0, 0, 0]}
)")
                            .robot);
  EXPECT_TRUE(test::says(robot.warnings(), 2, "triangle inequality"));
  EXPECT_TRUE(test::says(robot.warnings(), 2, "8000 kg: is it in grams?"));
  EXPECT_TRUE(test::says(robot.warnings(), 3, "the inertia that it feels, 1e-20 kg m^2 (or kg), is too small"))
      << test::all_texts(robot.warnings());
}

TEST(MechanismDoubts, AreRefusedByStrict) {
  const test::TemporaryFile file("r.yaml", R"(bodies:
  - {name: arm, joint: revolute, mass: 1e3, inertia: [1e5, 1e5, 1e5, 0, 0, 0]}
  - {name: speck, joint: revolute, mass: 1e-9, inertia: [1e-11, 1e-11, 1e-11, 0, 0, 0]}
)");
  EXPECT_EQ(Mechanism(file.path().string()).warnings().size(), 1u);
  try {
    const Mechanism strict(file.path().string(), {.strict = true});
    FAIL() << "taken";
  } catch (const RobotError& error) {
    EXPECT_TRUE(test::says(error.faults, 3, "the inertia that it feels, 1e-11 kg m^2 (or kg), is too small"));
  }
}

// What `denoc check` doubts: a slide that is to follow another stands elsewhere in a posture with a name.
TEST(MechanismDoubts, AreOfPosturesThatLeaveALoopOpen) {
  const test::TemporaryFile file("r.yaml", R"(bodies:
  - {name: left, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1}
  - {name: right, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 1}
loops: [{type: coupler, ratio: 1, a: {body: left}, b: {body: right}}]
postures: {together: [1, 1], apart: [1, 0]}
)");
  const std::vector<Fault> doubts = Mechanism(file.path().string()).warnings();
  ASSERT_EQ(doubts.size(), 1u) << test::all_texts(doubts);
  EXPECT_NE(doubts[0].rule.find("posture 'apart' leaves loops[0] open by 1 m (or rad)"), std::string::npos);
  EXPECT_THROW(Mechanism(file.path().string(), {.strict = true}), RobotError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
