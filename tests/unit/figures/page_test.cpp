#include "output/figures/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "denoc/io/load.hpp"
#include "output/dofs.hpp"
#include "output/figures/assets.hpp"
#include "output/figures/film.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/solids.hpp"
#include "output/figures/three.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "unit/figures/markup.hpp"
#include "unit/figures/wave.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

std::string page_of(const Model& model, const Record& record, bool animate,
                    const std::vector<FrictionEvent>& events = {}) {
  return report_page({model, record, Statistics{}, events, "A <title> & more", "robot: x # <script>alert(1)</script>\n",
                      "rk4", 0.5, animate});
}

TEST(Page, SaysHowManyDegreesOfFreedomThereAre) {
  const Model model(load("fourbar"));
  EXPECT_TRUE(contains(page_of(model, wave(model), false), "3 bodies, 1 degree of freedom (3 of the tree)"));
}

// What people should hear of the run, in its own words.
TEST(Page, Warns) {
  const Model model(load("pendulum"));
  const Record record = wave(model);
  const Statistics none;
  ReportInput input{model, record, none, {}, "title", "robot: pendulum\n", "rk4"};
  EXPECT_FALSE(contains(report_page(input), "class='warning'"));
  input.warnings = {"7 J are unaccounted for & lost", "arm.yaml:3: the second"};
  const std::string page = report_page(input);
  EXPECT_TRUE(contains(page, "<p class='warning'>7 J are unaccounted for &amp; lost</p>"));
  EXPECT_TRUE(contains(page, "<p class='warning'>arm.yaml:3: the second</p>"));
}

// One table row for each, and no heading above none.
TEST(Page, ListsTheEventsThatThereAre) {
  const Model model(load("pendulum"));
  EXPECT_FALSE(contains(page_of(model, wave(model), false), "Events"));
  const std::vector<FrictionEvent> two = {{FrictionEvent::Kind::slip, 0.125, 0, 0.1},
                                          {FrictionEvent::Kind::stick, 0.375, 0, 0.2}};
  const std::string page = page_of(model, wave(model), false, two);
  const std::size_t at = page.find("<h2>Events</h2>");
  ASSERT_NE(at, std::string::npos);
  const std::string table = page.substr(at, page.find("</tbody>", at) - at);
  for (const char* cell : {"<td>0.125", "<td>0.375", "<td>0.1", "<td>0.2"})
    EXPECT_TRUE(contains(table, cell)) << cell << table;
}

// Least and largest, of every angle, rate and torque.
TEST(Page, HasTheExtremesOfEveryJoint) {
  const Model model(load("pendulum"));
  const std::string page = page_of(model, wave(model), false);
  const std::size_t table = page.find("<th scope='col'>least</th><th scope='col'>largest</th>");
  ASSERT_NE(table, std::string::npos);
  const std::string rows = page.substr(table, page.find("</tbody>", table) - table);
  std::size_t count = 0;
  for (std::size_t at = rows.find("<tr><th scope='row'>"); at != std::string::npos; at = rows.find("<tr><th", at + 1))
    ++count;
  EXPECT_EQ(count, 3u) << rows;
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
// Where a joint comes to rest the mark is a full line, where it moves on a broken one.
TEST(Page, BreaksTheMarksOfWhatMovesOn) {
  const Model model(load("planar3r"));
  using Kind = FrictionEvent::Kind;
  for (const auto& [kind, words] :
       {std::pair(Kind::stick, "comes to rest at"), {Kind::slip, "breaks loose at"}, {Kind::turn, "turns round at"}}) {
    const std::string page = page_of(model, wave(model), false, {{kind, 0.5, 1, 0.1}});
    const std::size_t title = page.find(words);
    ASSERT_NE(title, std::string::npos) << words;
    const std::size_t path = page.rfind("<path", title);
    EXPECT_EQ(contains(page.substr(path, title - path), "stroke-dasharray"), kind != Kind::stick) << words;
  }
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

// Seven numbers of 16 bits for each body and frame, 8 digits of base64 are 6 bytes: 600 frames, and as many again until no
// body turns far between them. What is left out is said.
TEST(Film, FramesAreWholeAndFew) {
  const Model model(load("planar3r"));
  for (const auto& [samples, frames] : {std::pair{5000U, 600U}, {10000U, 1200U}}) {
    const std::string film = film_of(model, wave(model, samples)).json;
    const test::Json json = YAML::Load(film);
    EXPECT_EQ(json["t"].size(), frames);
    EXPECT_EQ(json["poses"].as<std::string>().size(), (frames * 4 * 7 * 2 + 2) / 3 * 4);
    EXPECT_EQ(json["told"].as<std::string>(),
              fmt::format("Shown are {} of {} samples, {} s apart.", frames, samples, "0.17"));
    EXPECT_FALSE(contains(film, "nan") || contains(film, "inf"));
  }
}
// A page carries so many, whatever they leave out: it says how far bodies turn unseen, and how many samples the run had.
TEST(Film, FramesAreNoMoreThanAPageCarries) {
  const Model model(load("rope50"));
  Record record = wave(model, 2000);
  for (std::size_t i = 0; i < record.size(); ++i) record.q[i][0] = i % 2 == 0 ? 0 : 1;
  const test::Json film = YAML::Load(film_of(model, record, 4000).json);
  EXPECT_EQ(film["t"].size(), 40'000U / 51);
  EXPECT_EQ(
      film["told"].as<std::string>(),
      "Shown are 784 of 4000 samples, 0.051 s apart. Where bodies turn by more than 30\u00b0 from one to the next, "
      "the film jumps, and traces are straight.");
}
TEST(Film, SaysNothingOfWhatIsShownWhole) {
  const Model model(load("planar3r"));
  EXPECT_EQ(YAML::Load(film_of(model, wave(model, 500)).json)["told"].as<std::string>(), "");
  EXPECT_EQ(YAML::Load(film_of(model, wave(model, 1)).json)["told"].as<std::string>(), "");
}
// A block that swings along a line goes far without turning.
TEST(Film, HasMoreFramesOfWhatSlidesFar) {
  const Model model(load("belt_block"));
  Record record = wave(model, 5000);
  for (std::size_t i = 0; i < record.size(); ++i) record.q[i][0] = std::sin(0.15 * double(i));
  EXPECT_EQ(YAML::Load(film_of(model, record).json)["t"].size(), 4800U);
}
// Paths go through more samples than that.
TEST(Page, SaysWhichSamplesPathsLeaveOut) {
  const Model small(load("pendulum")), large(load("rope50"));
  EXPECT_TRUE(contains(page_of(small, wave(small, 5000), false), "the paths of its tips.</figcaption>"));
  EXPECT_TRUE(contains(page_of(large, wave(large, 3000), false),
                       "the paths of its tips, straight between 2000 of 3000 samples.</figcaption>"));
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
// About the joint, wherever the body's own frame is: a DH table has it at the far end of the link, at (a, 0, 0).
TEST(Film, ReactionsAreAboutTheirJoints) {
  const Wrench<double> about_joint{{1, -2, 3}, {40, 50, -60}};
  const auto reactions = [&](const Model& model, const std::vector<double>& lengths) {
    Record record = wave(model, 10);
    std::vector<Wrench<double>> all(model.robot().bodies.size(), about_joint);
    for (std::size_t b = 1; b < all.size(); ++b)
      all[b].n = all[b].n + cross(Vec3<double>{-lengths[b - 1], 0, 0}, all[b].f);
    record.reactions.assign(record.size(), all);
    return YAML::Load(film_of(model, record).json)["reactions"];
  };
  Robot at_joints;
  for (int i = 0; i < 3; ++i)
    test::add(at_joints, test::joint(JointType::revolute), test::mass(1, {1, 0, 0}), {1, 0, 0});
  const test::Json expected = reactions(Model(at_joints), {0, 0, 0}),
                   found = reactions(Model(load("planar3r")), {0.9, 0.7, 0.5});
  ASSERT_TRUE(expected.IsMap());
  for (const auto& entry : expected) {
    const auto name = entry.first.as<std::string>();
    if (name == "values")
      EXPECT_EQ(found[name].as<std::string>(), entry.second.as<std::string>());
    else
      EXPECT_NEAR(found[name].as<double>(), entry.second.as<double>(), 1e-12) << name;
  }
}
// Of a run that has none, none are drawn.
TEST(Film, ReactionsThatWereNotAskedForAreNone) {
  const Model model(load("planar3r"));
  Record record = wave(model, 10);
  EXPECT_TRUE(YAML::Load(film_of(model, record).json)["reactions"].IsNull());
  record.reactions.resize(record.size());
  EXPECT_TRUE(YAML::Load(film_of(model, record).json)["reactions"].IsNull());
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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
