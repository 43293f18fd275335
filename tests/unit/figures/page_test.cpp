#include "output/figures/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <regex>

#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/manifold.hpp"
#include "output/dofs.hpp"
#include "output/figures/assets.hpp"
#include "output/figures/film.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/run_figures.hpp"
#include "output/figures/solids.hpp"
#include "output/figures/three.hpp"
#include "output/figures/view.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
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
TEST(Record, RateOfFewSamplesIsThatOfTheirLine) {
  EXPECT_EQ(rate({1, 3}, {5, 2}), (std::vector<double>{-1.5, -1.5}));
  EXPECT_EQ(rate({1}, {5}), std::vector<double>{0});
  EXPECT_TRUE(rate({}, {}).empty());
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
    for (const auto& [from, to, carrier] : skeleton.sticks)
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
// What floats stands on no ground, and nothing ties it to the world.
TEST(Skeleton, WhatFloatsIsTiedToNothing) {
  const Model model(load("free_flying_arm"));
  const Skeleton skeleton = skeleton_of(model);
  EXPECT_TRUE(skeleton.ground.empty());
  EXPECT_FALSE(skeleton.sticks.empty());
  for (const auto& stick : skeleton.sticks) EXPECT_GT(stick.body, 0);
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

// Upright words begin within the page that the figure opens.
void expect_inside(const std::string& svg, const std::string& which) {
  const auto number = [&](std::size_t from, const std::string& name) {
    return std::stod(svg.substr(svg.find(name, from) + name.size()));
  };
  const double width = number(0, " width='"), height = number(0, " height='");
  for (std::size_t at = svg.find("<text "); at != std::string::npos; at = svg.find("<text ", at + 1)) {
    const std::string tag = svg.substr(at, svg.find('>', at) - at);
    if (contains(tag, "transform") || !contains(tag, " x='") || !contains(tag, " y='")) continue;
    const double x = number(at, " x='"), y = number(at, " y='");
    EXPECT_TRUE(x >= 0 && x <= width && y > 0 && y <= height)
        << which << ": " << tag << " of " << width << " x " << height;
  }
}
// A joint that slides is drawn as a square, one that turns is not.
TEST(Picture, OnlySlidingJointsAreSquares) {
  const auto squares = [](const char* name) {
    const Model model(load(name));
    const std::string picture = picture_of(model, wave(model));
    int count = 0;
    for (std::size_t at = 0; (at = picture.find("<rect class='s0 open'", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  for (const char* name : {"puma560", "planar3r", "two_link"}) EXPECT_EQ(squares(name), 0) << name;
  for (const char* name : {"cart_pole", "rp_arm", "pppr"}) EXPECT_GT(squares(name), 0) << name;
}
// What is asked for is the most: no picture is higher, and one of something tall is as high.
TEST(Picture, IsNoHigherThanAskedFor) {
  double highest = 0;
  for (const char* name : {"puma560", "pendulum", "planar3r", "humanoid", "gripper"}) {
    const Model model(load(name));
    const std::string picture = picture_of(model, wave(model), {720, 300});
    const double height = std::stod(picture.substr(picture.find(" height='") + 9));  // a whole number
    EXPECT_LE(height, 300) << name;
    highest = std::max(highest, height);
  }
  EXPECT_EQ(highest, 300);
}
// A joint that turns is a stroke along its axis, or a circle where that points at the reader. Of two axes at right
// angles at most one does: of the PUMA's at most every second.
TEST(Picture, JointsAreStrokesUnlessTheirAxesPointAtTheReader) {
  const auto strokes = [](const char* name) {
    const Model model(load(name));
    const std::string picture = picture_of(model, wave(model));
    int count = 0;
    for (std::size_t at = 0; (at = picture.find("stroke='#d55e00' stroke-width='5.5'", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  EXPECT_GE(strokes("puma560"), 3);
  EXPECT_EQ(strokes("planar3r"), 0) << "seen square on";
}
// The caption explains the lines of events where there are some.
TEST(RunFigures, ExplainTheMarksThatTheyHave) {
  const Model model(load("pendulum"));
  const std::vector<FrictionEvent> one = {{FrictionEvent::Kind::slip, 0.5, 0, 0.1}};
  for (const bool has_events : {false, true})
    for (const NamedFigure& figure :
         figures_of(model, wave(model), has_events ? std::span(one) : std::span(one).first(0)))
      EXPECT_EQ(contains(figure.caption, "Vertical lines"), has_events) << figure.name;
}

TEST(RunFigures, AreWellFormedForEveryShippedRobot) {
  for (const std::string& name : shipped_robots()) {
    const Model model(load(name));
    const Record record = wave(model);
    expect_well_formed(picture_of(model, record));
    for (const NamedFigure& figure : figures_of(model, record, {})) {
      expect_well_formed(figure.svg);
      expect_inside(figure.svg, name + " " + figure.name);
      EXPECT_FALSE(contains(figure.svg, "nan") || contains(figure.svg, "inf")) << name << ' ' << figure.name;
    }
  }
}
// As a crank that turns again and again: postures all around, from its first turn.
TEST(Picture, InstantsAreSpreadOverTheCycle) {
  const Model model(load("fourbar"));
  ClosedChain chain(model);
  Record record;
  std::vector<double> q = {0.5, 0, 1};
  for (int i = 0; i <= 400; ++i) {  // four turns in 4 s: at even times the crank would always be where it began
    q[0] = 0.5 + 2 * std::numbers::pi * i / 100.0;
    q = chain.assemble(q, {0});
    record.t.push_back(i * 0.01);
    record.q.push_back(q);
  }
  const std::string picture = picture_of(model, record);
  std::vector<double> times;
  const std::regex key("<text[^>]*>([0-9.]+) s</text>");
  for (std::sregex_iterator found(picture.begin(), picture.end(), key), end; found != end; ++found)
    times.push_back(std::stod((*found)[1]));
  ASSERT_EQ(times.size(), 5U);
  EXPECT_LT(times.back(), 1);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i] - times[i - 1], 0.07);
}

// What a run was asked to watch has its path and its name, in the picture and in the film.
TEST(Picture, WatchedPointsAreDrawn) {
  const Model model(load("planar3r"));
  Record record = wave(model);
  EXPECT_TRUE(contains(film_of(model, record).json, "\"watched\":[],"));
  EXPECT_FALSE(contains(picture_of(model, record), ">pen &amp; ink<"));
  record.watched = {{"pen & ink", 2, {0.1, 0.2, 0}}};
  EXPECT_TRUE(contains(picture_of(model, record), ">pen &amp; ink<"));
  EXPECT_FALSE(contains(film_of(model, record).json, "\"watched\":[],"));
  EXPECT_EQ(every_second(record).watched.size(), 1U);
}

TEST(RunFigures, RoundingNoiseIsNoFigure) {
  const Model model(load("planar3r"));
  Record record = wave(model);
  const auto find = [&](std::string_view name) -> std::string {
    for (const NamedFigure& figure : figures_of(model, record, {}))
      if (figure.name == name) return figure.svg + figure.caption;
    return "";
  };
  EXPECT_TRUE(contains(find("torques"), "N m"));
  EXPECT_TRUE(contains(find("energies"), "no more than rounding"));
  for (std::size_t i = 0; i < record.size(); ++i) {
    for (double& tau : record.tau[i]) tau = i % 2 == 0 ? 1e-16 : -1e-16;
    record.work[i] += 1e-9 * record.t[i];
  }
  EXPECT_EQ(find("torques"), "");
  EXPECT_TRUE(contains(film_of(model, record).json, "\"drives\":null")) << "no arrows of rounding either";
  EXPECT_TRUE(contains(find("energies"), "Defect of the energy balance"));
}
// Every curve has its name beside it: 36 in four panels.
TEST(RunFigures, ManyJointsAreInPanelsThatNameEachCurve) {
  const Model model(load("humanoid"));
  const std::vector<NamedFigure> all = figures_of(model, wave(model), {});
  const auto rates = std::find_if(all.begin(), all.end(), [](const NamedFigure& f) { return f.name == "rates"; });
  ASSERT_NE(rates, all.end());
  const auto count = [&](const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = rates->svg.find(part); at != std::string::npos; at = rates->svg.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("<g class='panel'"), 4U);
  for (const app::Dof& dof : app::dofs_of(model)) {
    if (!dof.angular) continue;
    EXPECT_EQ(count("data-name='" + dof.name() + "'"), 1U) << dof.name();
    EXPECT_EQ(count("<title>" + dof.name() + "</title>"), 2U) << dof.name();  // of the curve, and in the key
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

// What the integrator leaves undecided is no curve: a joint that trembles by less than atol is drawn still, a defect of the
// balance below rtol is told, not drawn; above it, it is drawn.
TEST(RunFigures, TellWhatIsWithinTheTolerance) {
  const Model model(load("two_link"));
  Record record = wave(model);
  for (std::size_t i = 0; i < record.size(); ++i) {
    record.v[i][1] = 1e-11 * std::sin(static_cast<double>(i));
    record.dissipated[i] = 1e-9 * std::sin(static_cast<double>(i));  // the rest of the record balances
  }
  const auto figure = [&](std::string_view name) {
    for (NamedFigure& each : figures_of(model, record, {}))
      if (each.name == name) return each;
    return NamedFigure{};
  };
  EXPECT_FALSE(contains(figure("rates").caption, "drawn as zero"));
  EXPECT_TRUE(contains(figure("energies").svg, "Defect of the energy balance"));
  record.rtol = 1e-8;
  record.atol = 1e-10;
  EXPECT_TRUE(contains(figure("rates").caption, "or the tolerance of the integrator is drawn as zero"));
  EXPECT_FALSE(contains(figure("energies").svg, "Defect of the energy balance"));
  EXPECT_TRUE(contains(figure("energies").caption, "no more than the tolerance of the integrator, rtol = 1e-08"));
  record.rtol = 1e-10;
  EXPECT_TRUE(contains(figure("energies").svg, "Defect of the energy balance"));
}
// Degrees of freedom in the words of `info`.
// Noise is measured by what moves: a motion is drawn however slow it is.
TEST(RunFigures, SlowMotionIsNoNoise) {
  const Model model(load("planar3r"));
  Record record = wave(model);
  for (auto& row : record.v)
    for (double& rate : row) rate *= 1e-15;
  const std::vector<NamedFigure> all = figures_of(model, record, {});
  const auto rates = std::find_if(all.begin(), all.end(), [](const NamedFigure& f) { return f.name == "rates"; });
  ASSERT_NE(rates, all.end());
  EXPECT_FALSE(contains(rates->caption, "drawn as zero")) << rates->caption;
}
// A drive that gives no more than rtol of the largest gives nothing that the integrator decides.
TEST(RunFigures, DrivesWithinTheToleranceOfTheLargestAreLeftOut) {
  const Model model(load("two_link"));
  Record record = wave(model);
  record.rtol = 1e-6;
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  const auto shows = [&](double second) {
    for (auto& row : record.tau) row = {1000, second};
    for (const NamedFigure& figure : figures_of(model, record, {}))
      if (figure.name == "torques") {
        EXPECT_TRUE(contains(figure.svg, "data-name='" + dofs[0].name() + "'"));
        return contains(figure.svg, "data-name='" + dofs[1].name() + "'");
      }
    ADD_FAILURE() << "no torques";
    return false;
  };
  EXPECT_FALSE(shows(0.9e-3));
  EXPECT_TRUE(shows(1.1e-3));
}

TEST(Page, SaysHowManyDegreesOfFreedomThereAre) {
  const Model model(load("fourbar"));
  EXPECT_TRUE(contains(page_of(model, wave(model), false), "3 bodies, 1 degree of freedom (3 of the tree)"));
}

// The library names addresses, but the page does not go there.
std::string without(std::string page, const std::string& part) {
  const std::size_t at = part.empty() ? std::string::npos : page.find(part);
  return at == std::string::npos ? page : page.erase(at, part.size());
}
TEST(Page, LoadsNothingFromElsewhere) {
  const Model model(load("puma560"));
  for (std::string page : {page_of(model, wave(model), true), robot_page(model, std::vector<double>(6))}) {
    page = without(page, three_library());
    page = std::regex_replace(page, std::regex("xmlns='http://www.w3.org/2000/svg'"), "");
    for (const char* part : {"http://", "https://", "src=", "@import", "<link", "url(", "import("})
      EXPECT_FALSE(contains(page, part)) << part;
  }
}
TEST(Page, HasTheLibraryOrSaysThatItIsMissing) {
  const Model model(load("puma560"));
  const char* was = std::getenv("DENOC_THREE");
  const std::string file = was != nullptr ? was : "";
  const std::string library = testing::TempDir() + "three.min.js";
  std::ofstream(library) << "const THREE = {};";
  setenv("DENOC_THREE", library.c_str(), 1);
  const std::string with = page_of(model, wave(model), true);
  EXPECT_TRUE(contains(with, "const THREE = {};"));
  EXPECT_FALSE(contains(with, "drawn as sticks, since"));
  setenv("DENOC_THREE", "/no/such/file", 1);
  EXPECT_TRUE(contains(page_of(model, wave(model), true), "drawn as sticks, since three.js was not found"));
  std::ofstream(library) << "</script><script>alert(1)";
  setenv("DENOC_THREE", library.c_str(), 1);
  EXPECT_FALSE(contains(page_of(model, wave(model), true), "alert(1)</script>"));
  if (was != nullptr)
    setenv("DENOC_THREE", file.c_str(), 1);
  else
    unsetenv("DENOC_THREE");
}
TEST(Page, OfTheRopeStaysSmall) {
  const Model model(load("rope50"));
  EXPECT_LT(page_of(model, wave(model, 2000), true).size(), 3'000'000U);
}
TEST(Page, OfARobotOrARunAlone) {
  const Model model(load("puma560"));
  const std::string still = robot_page(model, std::vector<double>(6));
  EXPECT_TRUE(contains(still, "<canvas") && contains(still, "const filmData = {") && contains(still, "<title>puma560"));
  const std::string data = still.substr(still.find("const filmData = {"));
  EXPECT_FALSE(contains(data.substr(0, data.find("};")), "nan") || contains(data.substr(0, data.find("};")), "inf"));
  Record record = wave(model);
  record.v.clear(), record.tau.clear();
  EXPECT_TRUE(contains(run_page(model, record), "\"drives\":null"));
  EXPECT_THROW(robot_page(model, std::vector<double>(5)), ArgumentError);
  EXPECT_THROW(run_page(model, {}), ArgumentError);
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
  EXPECT_FALSE(contains(page, "<title> & more") || contains(page, "<r&d>") || contains(page, "<b>"));
  EXPECT_TRUE(contains(page, "A &lt;title&gt; &amp; more") && contains(page, "&lt;r&amp;d&gt;"));
  EXPECT_TRUE(contains(page, "<td class='text'>&lt;b&gt;&amp;&#39;elbow&#39;</td><td class='text'>breaks loose</td>"));
}
TEST(Page, OneSampleIsEnoughAndNoneIsRefused) {
  const Model model(load("planar3r"));
  const std::string page = without(page_of(model, wave(model, 1), true), three_library());
  EXPECT_FALSE(contains(page, ":nan") || contains(page, ",nan") || contains(page, "'nan") || contains(page, "'inf"));
  EXPECT_THROW(page_of(model, {}, true), ArgumentError);
}
// Readers of HTML forgive much, and show something else then.
TEST(Page, ClosesWhatItOpens) {
  const Model model(load("free_flying_arm"));
  const std::vector<FrictionEvent> events(300, {FrictionEvent::Kind::slip, 0.5, 1, 0.1});
  const Record record = wave(model);
  for (std::string page :
       {page_of(model, record, true, events), page_of(model, record, false), run_page(model, record)}) {
    page = without(page, three_library());
    const auto count = [&](const std::string& what) {
      std::size_t n = 0;
      for (std::size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++n;
      return n;
    };
    for (const char* tag : {"dl",      "dt",      "dd",         "div",  "table",  "thead",  "tbody",  "tr",
                            "td",      "figure",  "figcaption", "main", "header", "footer", "script", "style",
                            "details", "summary", "pre",        "svg",  "body",   "head",   "html"})
      EXPECT_EQ(count(std::string("<") + tag + ">") + count(std::string("<") + tag + " "),
                count(std::string("</") + tag + ">"))
          << tag;
    EXPECT_TRUE(contains(page, asset("plots.js"))) << "curves are read by the pointer";
  }
}
TEST(Page, AnimatesOnlyWhenAsked) {
  const Model model(load("pendulum"));
  EXPECT_TRUE(contains(page_of(model, wave(model), true), "<canvas"));
  EXPECT_FALSE(contains(page_of(model, wave(model), false), "<canvas"));
}

// Seven numbers of 16 bits for each body and frame, and at most 600 frames: 8 digits of base64 are 6 bytes.
TEST(Film, FramesAreWholeAndFew) {
  const Model model(load("planar3r"));
  const std::string film = film_of(model, wave(model, 5000)).json;
  const auto text = [&](const std::string& name) {
    const std::size_t start = film.find("\"" + name + "\":");
    EXPECT_NE(start, std::string::npos) << name;
    return film.substr(start + name.size() + 3);
  };
  const std::string times = text("t").substr(0, text("t").find(']'));
  EXPECT_EQ(std::count(times.begin(), times.end(), ',') + 1, 600);
  const std::string poses = text("poses").substr(1, text("poses").find('"', 1) - 1);
  EXPECT_EQ(poses.size(), (600U * 4 * 7 * 2 + 2) / 3 * 4);
  EXPECT_FALSE(contains(film, "nan") || contains(film, "inf"));
}
// Every degree of freedom has its axis, whichever joint it is of: about which it turns, or along which it moves.
TEST(Film, HasAnAxisForEveryDegreeOfFreedom) {
  Robot robot;
  using enum JointType;
  for (const JointType type :
       {revolute, continuous, helical, prismatic, fixed, universal, cylindrical, planar, spherical, free})
    test::add(robot, test::joint(type), test::mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}), {0.3, 0, 0});
  const Model model(robot);
  const test::Json axes = YAML::Load(film_of(model, wave(model, 3)).json)["axes"];
  const std::vector<app::Dof> dofs = app::dofs_of(model);
  ASSERT_EQ(axes.size(), dofs.size());
  for (std::size_t k = 0; k < dofs.size(); ++k) EXPECT_EQ(axes[k][4].as<int>() == 1, dofs[k].angular) << dofs[k].name();
}
// Six numbers of 16 bits for each body and frame.
TEST(Film, ReactionsAreWhole) {
  const Model model(load("planar3r"));
  Record record = wave(model, 10);
  const std::vector<Wrench<double>> some(model.robot().bodies.size(), {{1, 2, 3}, {4, 5, 6}});
  record.reactions.assign(record.size(), some);
  const auto values = YAML::Load(film_of(model, record).json)["reactions"]["values"].as<std::string>();
  EXPECT_EQ(values.size(), (10U * 3 * 6 * 2 + 2) / 3 * 4);
}
// Every body that has something to show is shown, by shapes of its own or by those that follow from its joints.
TEST(Film, HasShapesOfEveryShippedRobot) {
  for (const std::string& name : shipped_robots()) {
    const Model model(load(name));
    const Skeleton skeleton = skeleton_of(model);
    const Solids solids = solids_of(model, skeleton);
    for (int b = 1; b < static_cast<int>(model.bodies().size()); ++b)
      EXPECT_TRUE(std::any_of(solids.all.begin(), solids.all.end(), [b](const Solid& s) { return s.body == b; }))
          << name << ", body " << b;
    for (const Solid& solid : solids.all) {
      const Point& s = solid.shape.size;
      EXPECT_TRUE(s.x > 0 && std::isfinite(s.x + s.y + s.z)) << name;
      for (const Point& corner : corners_of(solids, solid)) EXPECT_TRUE(std::isfinite(norm(corner))) << name;
    }
    EXPECT_FALSE(contains(film_of(model, wave(model, 3)).json, "nan")) << name;
  }
}
TEST(Solids, AreThoseOfTheFileWhereItHasAny) {
  Robot robot = load("planar3r");
  robot.bodies[2].shapes = {{Shape::Kind::box, {0.1, 0.2, 0.3}, {}, ""}};
  robot.bodies[3].shapes = {{Shape::Kind::mesh, {1, 1, 1}, {}, "/no/such.stl"}};
  const Model model(robot);
  const Solids solids = solids_of(model, skeleton_of(model));
  const auto count = [&](int body) {
    return std::count_if(solids.all.begin(), solids.all.end(), [body](const Solid& s) { return s.body == body; });
  };
  EXPECT_EQ(count(1), 0);  // a mere frame
  EXPECT_EQ(count(2), 1);
  EXPECT_GT(count(3), 0);  // its mesh is missing: drawn as if the file had none
  ASSERT_EQ(solids.missing.size(), 1U);
  EXPECT_TRUE(contains(solids.missing[0], "/no/such.stl"));
  Record record;
  record.t = {0};
  record.q = {{0, 0, 0}};
  EXPECT_TRUE(contains(run_page(model, record), "Not shown: /no/such.stl cannot be read."));
}
// A uniform block has its own edges back, whatever its axes.
TEST(Solids, ATrunkIsTheBlockWithItsInertia) {
  const Model model(load("humanoid"));
  const Solids solids = solids_of(model, skeleton_of(model));
  const auto foot = std::find_if(solids.all.begin(), solids.all.end(), [&](const Solid& s) {
    return s.body == model.robot().find("left_foot") && s.shape.kind == Shape::Kind::box;
  });
  ASSERT_NE(foot, solids.all.end());
  EXPECT_NEAR(foot->shape.size.z, 0.24, 0.01);
  EXPECT_NEAR(foot->shape.size.y, 0.09, 0.01);
}

}  // namespace
}  // namespace denoc::figures
