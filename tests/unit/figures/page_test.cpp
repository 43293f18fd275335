#include "output/figures/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/manifold.hpp"
#include "output/dofs.hpp"
#include "output/figures/animation.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/run_figures.hpp"
#include "output/figures/view.hpp"
#include "unit/figures/markup.hpp"

namespace denoc::figures {
namespace {

// A motion of every joint at its own pace. Energies are those of nothing, but they balance.
Record wave(const Model& model, std::size_t samples = 200) {
  Record record;
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), tau = v;
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = 0.5 * std::sin(t + static_cast<double>(k)) + 0.6;
    normalise<double>(model, q);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.5 * std::cos(t + static_cast<double>(k)), tau[k] = 2 * v[k];
    const double kinetic = 1 + std::sin(t);
    store(record, {t, q, v, v, tau, kinetic, -1, std::cos(t), 0, std::sin(t), 0, {}, {}});
  }
  return record;
}
std::string page_of(const Model& model, const Record& record, bool animate,
                    const std::vector<FrictionEvent>& events = {}) {
  return report_page({model, record, Statistics{}, events, "A <title> & more", "robot: x # <script>alert(1)</script>\n",
                      "rk4", 0.5, animate});
}

TEST(Record, BalanceOfTheWaveHolds) {
  const Model model(load("pendulum"));
  for (const double defect : balance_defect(wave(model))) EXPECT_NEAR(defect, 0, 1e-15);
}
TEST(Record, RateOfAParabolaIsExact) {
  const std::vector<double> t = {0, 0.1, 0.3, 0.35, 1};
  std::vector<double> y;
  y.reserve(t.size());
  for (const double x : t) y.push_back(3 * x * x - 2 * x + 1);
  const std::vector<double> slopes = rate(t, y);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(slopes[i], 6 * t[i] - 2, 1e-13);
}
TEST(Record, InstantsAreEvenAndHaveTheEnds) {
  Record record;
  for (int i = 0; i < 1001; ++i) record.t.push_back(i * 0.01);
  record.t.push_back(10.003);
  EXPECT_EQ(instants(record, 5), (std::vector<std::size_t>{0, 250, 500, 750, 1001}));
  EXPECT_EQ(instants(record, 5000).size(), 1002U);
}

TEST(Coordinates, AreNamedOncePerEntry) {
  for (const std::string& name : shipped_robots()) {
    const Model model(load(name));
    EXPECT_EQ(app::coordinates_of(model).size(), static_cast<std::size_t>(model.nq())) << name;
    EXPECT_EQ(app::dofs_of(model).size(), static_cast<std::size_t>(model.nv())) << name;
  }
}

// Crank, coupler and rocker of a four-bar, and a pin that coupler and rocker share.
TEST(Skeleton, ALoopClosesAtItsPin) {
  const Model model(load("fourbar"));
  const Skeleton skeleton = skeleton_of(model);
  ASSERT_EQ(skeleton.sticks.size(), 3U);
  EXPECT_EQ(skeleton.joints.size(), 4U);
  EXPECT_TRUE(skeleton.tips.empty());
  const std::vector<std::vector<double>> closed = {ClosedChain(model).assemble(std::vector<double>{0.5, 0, 1})};
  const auto at = places(model, skeleton, closed).front();
  std::vector<double> lengths;
  for (const auto& [from, to, body] : skeleton.sticks)
    lengths.push_back(norm(at[static_cast<std::size_t>(to)] - at[static_cast<std::size_t>(from)]));
  std::sort(lengths.begin(), lengths.end());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(lengths[i], std::vector<double>({0.2, 0.4, 0.5})[i], 1e-15);
  const auto end_of = [&](int body) {
    for (const auto& [from, to, body] : skeleton.sticks)
      if (skeleton.points[static_cast<std::size_t>(to)].body == body) return at[static_cast<std::size_t>(to)];
    return Point{};
  };
  EXPECT_NEAR(norm(end_of(2) - end_of(3)), 0, 1e-10);
}
TEST(Skeleton, APendulumEndsAtItsMass) {
  const Model model(load("pendulum"));
  const Skeleton skeleton = skeleton_of(model);
  ASSERT_EQ(skeleton.tips.size(), 1U);
  const std::vector<std::vector<double>> q = {{0.0}, {0.7}};
  const auto frames = places(model, skeleton, q);
  EXPECT_NEAR(frames[1][static_cast<std::size_t>(skeleton.tips[0])].x, std::sin(0.7), 1e-15);
  EXPECT_NEAR(frames[1][static_cast<std::size_t>(skeleton.tips[0])].y, -std::cos(0.7), 1e-15);
}
TEST(Skeleton, ASlenderRodEndsAtItsTip) {
  const Model model(load("gripper"));  // rods of uniform mass: the finger's last link is 0.05 long
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, std::vector<std::vector<double>>{{0, 0, 0, 0}});
  ASSERT_EQ(skeleton.tips.size(), 2U);
  EXPECT_NEAR(frames[0][static_cast<std::size_t>(skeleton.tips[0])].x, 0.2, 1e-12);
  EXPECT_NEAR(frames[0][static_cast<std::size_t>(skeleton.tips[1])].x, 0.1, 1e-12);
}
TEST(Skeleton, AFlywheelIsACrankOfItsRadiusOfGyration) {
  Robot robot = load("pendulum");
  robot.bodies[1].inertial = {.mass = 2, .com = {0, 0, 0}, .inertia = {0.3, 0, 0.3, 0, 0, 0.5}};
  const Model model(robot);
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, std::vector<std::vector<double>>{{0}});
  const Point tip = frames[0][static_cast<std::size_t>(skeleton.tips[0])];
  EXPECT_NEAR(norm(tip), 0.5, 1e-15);
  EXPECT_NEAR(tip.z, 0, 1e-15);
}
TEST(Skeleton, SticksOfABodyKeepTheirLength) {
  const Model model(load("puma560"));
  const Skeleton skeleton = skeleton_of(model);
  const auto frames = places(model, skeleton, wave(model).q);
  for (const auto& [from, to, body] : skeleton.sticks) {
    const auto length = [&, a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to)](const auto& frame) {
      return norm(frame[a] - frame[b]);
    };
    for (const auto& frame : frames) EXPECT_NEAR(length(frame), length(frames.front()), 1e-14);
  }
}

TEST(View, PlanarMotionIsSeenSquareOnWithGravityDown) {
  for (const char* name : {"pendulum", "planar3r", "gripper"}) {
    const Model model(load(name));
    const View view = view_of(places(model, skeleton_of(model), wave(model).q), model.robot().gravity);
    EXPECT_NEAR(view.towards().z, 1, 1e-9) << name;
    EXPECT_NEAR(view.above().y, 1, 1e-9) << name;
    EXPECT_NEAR(view.right().x, 1, 1e-9) << name;
  }
}
TEST(View, MotionInSpaceIsSeenFromAboveWithGravityDown) {
  const Model model(load("puma560"));
  const View view = view_of(places(model, skeleton_of(model), wave(model).q), model.robot().gravity);
  EXPECT_NEAR(view.right().z, 0, 1e-15);
  EXPECT_GT(view.above().z, 0.8);
  EXPECT_GT(view.towards().z, 0.2);
}

TEST(RunFigures, AreWellFormedForEveryShippedRobot) {
  for (const std::string& name : shipped_robots()) {
    const Model model(load(name));
    const Record record = wave(model);
    expect_well_formed(picture_of(model, record));
    for (const NamedFigure& figure : figures_of(model, record, {})) {
      expect_well_formed(figure.svg);
      EXPECT_FALSE(contains(figure.svg, "nan") || contains(figure.svg, "inf")) << name << ' ' << figure.name;
    }
  }
}
TEST(RunFigures, DrivesThatGiveNothingHaveNone) {
  const Model model(load("free_flying_arm"));
  Record record = wave(model);
  const auto has = [&](std::string_view name) {
    const auto all = figures_of(model, record, {});
    return std::any_of(all.begin(), all.end(), [&](const NamedFigure& figure) { return figure.name == name; });
  };
  EXPECT_TRUE(has("torques") && has("forces") && has("quaternions") && has("displacements") && has("powers"));
  for (auto& row : record.tau) std::fill(row.begin(), row.end(), 0);
  EXPECT_FALSE(has("torques") || has("forces"));
}

TEST(Page, LoadsNothingFromElsewhere) {
  const Model model(load("puma560"));
  std::string page = page_of(model, wave(model), true);
  page = std::regex_replace(page, std::regex("xmlns='http://www.w3.org/2000/svg'"), "");
  for (const char* part : {"http://", "https://", "src=", "@import", "<link", "url("})
    EXPECT_FALSE(contains(page, part));
}
TEST(Page, SaysTheSameTwice) {
  const Model model(load("gripper"));
  const Record record = wave(model);
  EXPECT_EQ(page_of(model, record, true), page_of(model, record, true));
}
TEST(Page, EscapesWhatPeopleWrote) {
  Robot robot = load("planar3r");
  robot.name = "<r&d>";
  robot.bodies[2].joint.name = "<b>&'elbow'";
  const Model model(robot);
  const std::vector<FrictionEvent> events = {{FrictionEvent::Kind::slip, 0.5, 1, 0.1}};
  const std::string page = page_of(model, wave(model), false, events);
  EXPECT_FALSE(contains(page, "<script>") || contains(page, "<title> & more") || contains(page, "<b>"));
  EXPECT_TRUE(contains(page, "A &lt;title&gt; &amp; more") && contains(page, "&lt;r&amp;d&gt;"));
  EXPECT_TRUE(contains(page, "<td class='text'>&lt;b&gt;&amp;&#39;elbow&#39;</td><td class='text'>breaks loose</td>"));
}
TEST(Page, OneSampleIsEnoughAndNoneIsRefused) {
  const Model model(load("planar3r"));
  const std::string page = page_of(model, wave(model, 1), true);
  EXPECT_FALSE(contains(page, "nan") || contains(page, "'inf"));
  EXPECT_THROW(page_of(model, {}, true), ArgumentError);
}
TEST(Page, AnimatesOnlyWhenAsked) {
  const Model model(load("pendulum"));
  EXPECT_TRUE(contains(page_of(model, wave(model), true), "<canvas"));
  EXPECT_FALSE(contains(page_of(model, wave(model), false), "<canvas"));
}

// Every frame of the film has the skeleton's points, and there are at most 600.
TEST(Film, FramesAreWholeAndFew) {
  const Model model(load("planar3r"));
  const std::string film = film_of(model, wave(model, 5000));
  const std::size_t start = film.find("\"frames\":[[");
  ASSERT_NE(start, std::string::npos);
  const std::string frames = film.substr(start + 11);
  const auto count = [&](char c) { return static_cast<std::size_t>(std::count(frames.begin(), frames.end(), c)); };
  const std::size_t shown = count('[') + 1;
  EXPECT_EQ(shown, 600U);
  EXPECT_EQ(count(',') + 1, shown * 3 * skeleton_of(model).points.size());
  EXPECT_EQ(frames.find_first_not_of("0123456789-,[]}"), std::string::npos);
}

}  // namespace
}  // namespace denoc::figures
