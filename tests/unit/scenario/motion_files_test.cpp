// Motions that are read from the rows of a file: which columns are taken, passed over or refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "denoc/model/dofs.hpp"
#include "denoc/model/quaternions.hpp"
#include "unit/scenario/scenario_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::says;
using test::TemporaryFile;
using Row = std::vector<double>;

// A rail, a ball, a cross of two axes and a hinge, with postures of their own.
const std::shared_ptr<const Model>& four_joints() {
  static const auto model = std::make_shared<const Model>(read_robot_text(R"(bodies:
  - {name: cart, parent: world, joint: {type: prismatic, name: rail}, mass: 1, neutral: [0.25]}
  - {name: ball, parent: cart, joint: {type: spherical, name: hip}, mass: 1, neutral: [0.6, 0, 0.8, 0]}
  - {name: arm, parent: ball, joint: {type: universal, name: elbow}, mass: 1, neutral: [-0.5, 0.75]}
  - {name: hand, parent: arm, joint: {type: revolute, name: wrist}, mass: 1, neutral: [1.5]}
)",
                                                                          "robot.yaml")
                                                              .robot);
  return model;
}
Scenario of_file(const std::string& text, const std::shared_ptr<const Model>& model = four_joints()) {
  const TemporaryFile file("points.csv", text);
  return read_scenario(
      "duration: 9\nmotion: {type: file, file: " + file.path().string() + "}\ncontrol: {type: feedforward}\n",
      "run.yaml", model);
}
Row q_at(const Scenario& s, double t) {
  Row q(static_cast<std::size_t>(s.model->nq())), v(static_cast<std::size_t>(s.model->nv())), a(v);
  s.motion->at(t, q, v, a);
  return q;
}
void expect_refused(const std::string& text, const std::string& words,
                    const std::shared_ptr<const Model>& model = four_joints()) {
  try {
    of_file(text, model);
    ADD_FAILURE() << text << "was read";
  } catch (const RobotError& error) {
    EXPECT_TRUE(says(error.faults, 2, words)) << text << all_texts(error.faults);
    EXPECT_EQ(error.faults.size(), 1u) << text << all_texts(error.faults);
  }
}

// Whatever order its columns stand in, and whatever stands between them, a file says the same.
TEST(MotionFile, ColumnsStandInAnyOrder) {
  const double rows[4][6] = {{0, 0.1, 0.2, 0.3, 0.4, 0.6},
                             {1, 0.7, -0.8, 0.9, 0.2, -0.6},
                             {3, 0.4, 0.4, 0.1, 0.5, 0},
                             {4, 1.1, 0.3, 0.6, 0.3, 0.1}};
  const char* const names[6] = {"t", "q.rail", "q.elbow.1", "q.elbow.2", "q.wrist", "tau.wrist"};
  const std::size_t places[4] = {0, 5, 6, 7};  // in q, of rail, elbow and wrist
  std::array<std::size_t, 6> order{};
  std::iota(order.begin(), order.end(), 0u);
  do {
    std::string text;
    for (int line = -1; line < 4; ++line)
      for (std::size_t i = 0; i < 6; ++i)
        text += fmt::format("{}{}", line < 0 ? names[order[i]] : fmt::format("{}", rows[line][order[i]]),
                            i == 5 ? "\n" : ",");
    const Scenario s = of_file(text);
    EXPECT_EQ(s.motion->duration(), 4);
    for (const auto& row : rows) {
      const Row q = q_at(s, row[0]);
      for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(q[places[j]], row[j + 1], 1e-15 * 8) << text << j;
      EXPECT_EQ(Row(q.begin() + 1, q.begin() + 5), (Row{0.6, 0, 0.8, 0})) << "the ball stays";
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// Joints that have no column stay at their neutral q, those that are named before and behind them move.
TEST(MotionFile, JointsWithoutAColumnStayNeutral) {
  const Row neutral = neutral_posture(four_joints()->robot());
  for (const auto& [name, place] : {std::pair{"q.rail", 0}, {"q.elbow.1", 5}, {"q.elbow.2", 6}, {"q.wrist", 7}}) {
    const Scenario s = of_file(fmt::format("t,{}\n0,3\n2,7\n", name));
    Row expected = neutral;
    for (const double t : {0.0, 1.0, 2.0}) {
      expected[static_cast<std::size_t>(place)] = 3 + 2 * t;
      const Row found = q_at(s, t);
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << name << i;
    }
  }
}

// Times count from the first, wherever that is: the same motion.
TEST(MotionFile, TimesCountFromTheFirst) {
  for (const double first : {0.0, 2.0, -3.0, 1024.0}) {
    std::string text = "t,q.wrist\n";
    for (const double t : {0.0, 0.5, 1.25, 2.0}) text += fmt::format("{},{}\n", first + t, t * (2 - t));
    const Scenario s = of_file(text);
    EXPECT_EQ(s.motion->duration(), 2) << first;
    for (const double t : {0.0, 0.3, 1.0, 1.9}) EXPECT_NEAR(q_at(s, t).back(), t * (2 - t), 1e-14) << first;
  }
}

// v, a, tau, energies and a text are passed over, whatever they are, also where one of them is no number.
TEST(MotionFile, OtherColumnsArePassedOver) {
  for (const char* name : {"v.wrist", "a.wrist", "tau.wrist", "kinetic", "note", "time", "T", "Q.wrist"})
    for (const char* value : {"7", "nan", "inf", "", "at the start"})
      for (const char* line : {"t,{0},q.wrist\n0,{1},1\n1,{1},2\n", "{0},t,q.wrist\n{1},0,1\n{1},1,2\n",
                               "t,q.wrist,{0}\n0,1,{1}\n1,2,{1}\n"})
        EXPECT_EQ(q_at(of_file(fmt::format(fmt::runtime(line), name, value)), 0.5).back(), 1.5) << name << value;
}

// A column of q that no joint has is a slip of the pen, beside others that are known, too; so is one that is said
// twice.
TEST(MotionFile, ColumnsThatCannotBeMeantAreRefused) {
  const std::string rows2 = "0,1\n1,2\n", rows3 = "0,1,2\n1,2,3\n", rows4 = "0,1,2,3\n1,2,3,4\n";
  for (const char* wrong : {"q.wrst", "q.elbow", "q", "q.elbow.3", "qwrist", "q.hip.w"}) {
    const std::string unknown = fmt::format("unknown column '{}'", wrong);
    expect_refused(fmt::format("t,q.wrist,{}\n", wrong) + rows3, unknown);
    expect_refused(fmt::format("{},t,q.wrist\n", wrong) + rows3, unknown);
    expect_refused(fmt::format("t,{}\n", wrong) + rows2, unknown);
  }
  expect_refused("t,q.wrst,q.rail\n" + rows3, "did you mean 'q.wrist'?");
  expect_refused("t,q.wrist,q.wrist\n" + rows3, "there are 2 columns 'q.wrist'");
  expect_refused("t,q.wrist,q.rail,q.wrist\n" + rows4, "there are 2 columns 'q.wrist'");
  expect_refused("q.rail,q.rail,t,q.rail\n" + rows4, "there are 3 columns 'q.rail'");
  expect_refused("t,t,q.rail\n" + rows3, "there are 2 columns 't'");
  expect_refused("q.wrist,q.rail\n" + rows2, "there is no column 't'");
  expect_refused("q.wrist,time\n" + rows2, "there is no column 't'");
  expect_refused("t;q.wrist;q.rail\n0;1;2\n", "points.csv:1: columns are separated by semicolons: commas are wanted");
  for (const char* none : {"t,v.wrist\n", "t,note\n", "tau.wrist,t\n"})
    expect_refused(none + rows2, "there is no column of a joint, such as 'q.wrist'");
}

// What is taken is finite, and where it is not, line and column are told.
TEST(MotionFile, EntriesAreFinite) {
  for (const char* wrong : {"nan", "inf", "-inf"}) {
    expect_refused(fmt::format("t,q.rail,q.wrist\n0,1,2\n1,{},3\n", wrong),
                   "points.csv:3: rows[1]: q.rail: it is not a");
    expect_refused(fmt::format("t,q.rail,q.wrist\n0,1,{}\n1,2,3\n", wrong),
                   "points.csv:2: rows[0]: q.wrist: it is not a");
    expect_refused(fmt::format("q.rail,t\n0,1\n2,{}\n", wrong), "points.csv:3: rows[1]: t: it is not a");
  }
}

// Two joints whose columns have one name: the file does not say which it means, unless it has no line of names.
TEST(MotionFile, ColumnsOfTwoJointsAreRefused) {
  const auto model = std::make_shared<const Model>(read_robot_text(R"(bodies:
  - {name: a, parent: world, joint: {type: universal, name: elbow}, mass: 1}
  - {name: b, parent: a, joint: {type: revolute, name: elbow.1}, mass: 1}
)",
                                                                   "robot.yaml")
                                                       .robot);
  ASSERT_EQ(coordinates_of(*model)[0].name, coordinates_of(*model)[2].name);
  expect_refused("t,q.elbow.1\n0,1\n1,2\n", "column 'q.elbow.1' may be of two joints of the robot", model);
  EXPECT_EQ(q_at(of_file("t,q.elbow.2\n0,1\n1,2\n", model), 0.5), (Row{0, 1.5, 0})) << "of one alone";
  EXPECT_EQ(q_at(of_file("0,1,2,3\n1,3,5,7\n", model), 0.5), (Row{2, 3.5, 5}));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
