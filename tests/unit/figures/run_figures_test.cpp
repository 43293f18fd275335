// Pictures of a robot, and the figures of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <regex>

#include "denoc/io/load.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "output/dofs.hpp"
#include "output/figures/film.hpp"
#include "output/figures/page.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/run_figures.hpp"
#include "output/figures/view.hpp"
#include "support/data.hpp"
#include "unit/figures/markup.hpp"
#include "unit/figures/wave.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

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

// All that a pattern finds, as rows of the numbers in its brackets.
std::vector<std::vector<double>> numbers_at(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::vector<std::vector<double>> all;
  for (std::sregex_iterator found(text.begin(), text.end(), wanted), end; found != end; ++found) {
    auto& row = all.emplace_back();
    for (std::size_t k = 1; k < found->size(); ++k) row.push_back(std::stod((*found)[k]));
  }
  return all;
}
// Where the links of planar3r end, the base first: its picture is seen square on, y upward.
std::vector<Point> joints_of(const std::vector<double>& q) {
  std::vector<Point> all = {{0, 0, 0}};
  double angle = 0;
  for (const auto& [k, length] : {std::pair{0U, 0.9}, {1U, 0.7}, {2U, 0.5}}) {
    angle += q[k];
    all.push_back(all.back() + Point{length * std::cos(angle), length * std::sin(angle), 0});
  }
  return all;
}

// What the picture shows is the robot at the times that it names: every stick, joint and watched point is where the
// robot's angles have it, by the picture's own scale, however many samples there are.
TEST(Picture, ShowsTheRobotAtTheTimesThatItNames) {
  const Model model(load("planar3r"));
  const Point pen{-0.1, 0.2, 0};  // on the third link, seen from its end
  for (const bool comes_back : {true, false})
    for (const int steps : {40, 400, 4000, 12000}) {
      SCOPED_TRACE(std::to_string(steps) + (comes_back ? " steps, four turns" : " steps, half a turn"));
      Record record;
      record.watched = {{"pen", 3, pen}};
      for (int i = 0; i <= steps; ++i) {
        const double t = 4.0 * i / steps, turn = 2 * std::numbers::pi * t;
        record.t.push_back(t);
        if (comes_back)
          record.q.push_back({0.3 + turn, 0.5 + 0.4 * std::sin(turn), -0.4 + 0.3 * std::cos(turn)});
        else
          record.q.push_back({0.3 + turn / 8, 0.5 + 0.1 * t, -0.4 - 0.2 * t});
      }
      const std::string picture = picture_of(model, record);
      const auto bar = numbers_at(picture, "v6M30 [0-9.]+h([0-9.]+)m0 -3v6"),
                 metres = numbers_at(picture, ">([0-9.]+) m<");
      ASSERT_TRUE(bar.size() == 1 && metres.size() == 1);
      const double scale = bar[0][0] / metres[0][0];
      const auto ground = numbers_at(picture, "d='M([-0-9.]+) ([-0-9.]+)l-8 12h16z");
      ASSERT_EQ(ground.size(), 1U);
      // Two digits of a pixel, of the picture's places and of the bar, which is a tenth of the picture or longer.
      const double pixel = 0.12;
      const auto is_at = [&](double x, double y, const Point& p) {
        return std::hypot(x - ground[0][0] - scale * p.x, y - ground[0][1] + scale * p.y) < pixel;
      };

      const auto times = numbers_at(picture, "<text[^>]*>([0-9.]+) s</text>");
      ASSERT_EQ(times.size(), 5U);
      EXPECT_EQ(times[0][0], 0);
      if (comes_back) {  // all around, in the first turn
        EXPECT_LT(times.back()[0], 1);
        EXPECT_GT(times.back()[0], 0.6);
      } else {  // from the first to the last
        for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(times[i][0], double(i), 2.0 / steps + 1e-3);
      }
      for (std::size_t i = 0; i < times.size(); ++i) {
        const std::string words = fmt::format("<path class='s{}' d='", i);
        const std::size_t from = picture.find(words) + words.size();
        const auto sticks = numbers_at(picture.substr(from, picture.find('\'', from) - from),
                                       "M([-0-9.]+) ([-0-9.]+)L([-0-9.]+) ([-0-9.]+)");
        ASSERT_EQ(sticks.size(), 3U);
        bool is_shown = false;
        for (std::size_t k = 0; k < record.size(); ++k) {
          if (fmt::format("{:.3g}", record.t[k]) != fmt::format("{:.3g}", times[i][0])) continue;
          const std::vector<Point> at = joints_of(record.q[k]);
          bool fits = true;
          for (std::size_t link = 0; link < 3; ++link)
            fits = fits && is_at(sticks[link][0], sticks[link][1], at[link]) &&
                   is_at(sticks[link][2], sticks[link][3], at[link + 1]);
          is_shown = is_shown || fits;
        }
        EXPECT_TRUE(is_shown) << "not the robot at " << times[i][0] << " s";
      }
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i][0] - times[i - 1][0], 0.07);

      const auto circles = numbers_at(picture, "cx='([-0-9.]+)' cy='([-0-9.]+)' r='4.5'");
      const std::vector<Point> start = joints_of(record.q[0]);
      ASSERT_EQ(circles.size(), 3U);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(is_at(circles[k][0], circles[k][1], start[k])) << k;

      std::vector<Point> way;
      for (const std::vector<double>& q : record.q) {
        const double angle = q[0] + q[1] + q[2];
        way.push_back(joints_of(q)[3] + Point{pen.x * std::cos(angle) - pen.y * std::sin(angle),
                                              pen.x * std::sin(angle) + pen.y * std::cos(angle), 0});
      }
      const auto mark = numbers_at(picture, "cx='([-0-9.]+)' cy='([-0-9.]+)' r='2.5'");
      ASSERT_EQ(mark.size(), 1U);
      EXPECT_TRUE(is_at(mark[0][0], mark[0][1], way.front()));
      const std::size_t end = picture.find("stroke-opacity='0.75'"), begin = picture.rfind("<path", end);
      const auto points = numbers_at(picture.substr(begin, end - begin), "[ML]([-0-9.]+) ([-0-9.]+)");
      ASSERT_GT(points.size(), 5U);
      EXPECT_TRUE(is_at(points.front()[0], points.front()[1], way.front()));
      EXPECT_TRUE(is_at(points.back()[0], points.back()[1], way.back()));
      for (const auto& p : points)
        EXPECT_TRUE(std::any_of(way.begin(), way.end(), [&](const Point& w) { return is_at(p[0], p[1], w); }));
    }
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
  Record half = record;
  thin(half);
  EXPECT_EQ(half.size(), (record.size() + 1) / 2);
  EXPECT_EQ(half.watched.size(), 1U);
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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
