// Mata02: operation counts (Tables 1 to 4), single precision on a two-body arm (5.1), a PUMA on a straight line (5.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "output/table.hpp"
#include "studies/precision.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/published_costs.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"
#include "studies/statistics.hpp"

namespace denoc::app {
namespace {

void tables_1_to_4(Page& page) {
  page.section("Table 1: operations of inverse dynamics");
  cost_table(page,
             {{"Luh and others, Newton-Euler", {{{-48, 150}}, {{-48, 131}}}},
              {"Angeles and others, Kane", {{{-109, 105}}, {{-105, 90}}}},
              {"Balafoutis and Patel, Newton-Euler", {{{-69, 93}}, {{-66, 81}}}},
              {"Mata02, Gibbs-Appell", {{{-101, 96}}, {{-100, 84}}}}},
             our_costs("inverse"));
  page.section("Table 2: operations of the inertia matrix");
  cost_table(page,
             {{"Walker and Orin, composite bodies", {{{-27, 56, 12}}, {{-56, 67, 7}}}},
              {"Angeles and Ma, NOC", {{{8, -21, 17, 1}}, {{5, -16, 14, 1}}}},
              {"Mata02, Gibbs-Appell", {{{-49, 19.5, 11.5}}, {{-69, 31.5, 8.5}}}}},
             our_costs("inertia"));
  page.section("Tables 3 and 4: operations of forward dynamics");
  cost_table(
      page,
      {{"Mata02, Gibbs-Appell (total of Table 3)", {{{-157, 695. / 6, 13, 1. / 6}}, {{-174, 683. / 6, 10, 1. / 6}}}}},
      our_costs("forward"));
  page.say(
      "For n = 6 Table 4 has Walker and Orin 1627 M, 1261 A; Featherstone 1533 M, 1415 A; Angeles and Ma 1353 M, "
      "1165 A; Mata02 1042 M, 905 A. Ours differ where the grouping of the sums does; what is computed is the same.");
}

void two_body_arm(Page& page) {
  page.section("Table 5 and Fig. 2: single precision on two bodies of very different length");
  const Model model(shipped("two_body_mata02"));
  Precisions precisions(model.robot());
  const figures::Quantity angle{"angle of body 2", "degrees"};
  figures::Curve exact{"double precision", {}, {}}, conditions;
  std::vector<figures::Curve> single, errors;  // by method
  State state{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {}};
  for (int degrees = 0; degrees < 360; degrees += 2) {
    state.q[1] = degrees * std::numbers::pi / 180;
    const Accelerations found = precisions.accelerations(state);
    exact.x.push_back(degrees), exact.y.push_back(found.exact[0]);
    conditions.x.push_back(degrees);
    conditions.y.push_back(RobotAt(model, state.q, state.v).condition_number());
    for (std::size_t m = 0; m < found.in_float.size(); ++m) {
      const auto& [method, a] = found.in_float[m];
      if (m == single.size()) single.push_back({std::string(method), {}, {}}), errors.push_back(single.back());
      single[m].x.push_back(degrees), single[m].y.push_back(a[0]);
      errors[m].x.push_back(degrees), errors[m].y.push_back(std::abs(a[0] - found.exact[0]));
    }
  }
  std::vector<Page::Row> rows;
  rows.reserve(errors.size());
  for (const figures::Curve& error : errors)
    rows.push_back({error.name, fmt::format("{:.2g}", *std::max_element(error.y.begin(), error.y.end())),
                    fmt::format("{:.2g}", mean(error.y))});
  const auto ours = [&](std::string_view name) {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Page::Row& row) { return row[0] == name; });
    return at == rows.end() ? std::string() : fmt::format("{}, {} ({})", (*at)[1], (*at)[2], name);
  };
  page.compare({{"articulated bodies: largest, average error [rad/s^2]", "0.497600, 0.013240", ours("denoc"),
                 "ours is about joint origins; about mass centres (last row) the largest error is as theirs, the "
                 "average is not"},
                {"composite bodies: the same", "1.292200, 0.275063", ours("composite-cholesky"),
                 "rounding goes with the grouping of sums, and theirs is not printed; nor are the inertias"},
                {"Gibbs-Appell: the same", "0.534002, 0.0087611", ours("gibbs-appell-cholesky"),
                 "the same; an average so far below the largest error was not found"}});
  page.table({"method, in single precision", ">largest error [rad/s^2]", ">average"}, rows);
  page.say(
      "180 positions, the acceleration of joint 1 (about -491 rad/s^2) against double precision. The last row is the "
      "elimination of the first one written about mass centres instead of joints: **the reference point decides, not "
      "the recursion.** About the joint the inertia of body 1 as joint 1 feels it is a sum of small positive numbers; "
      "about the mass centre it is a difference of numbers ten thousand times larger.");
  std::vector<figures::Plot> panels;
  for (const char* method :
       {"articulated-body", "udut about mass centres", "composite-cholesky", "gibbs-appell-cholesky"}) {
    const auto curve =
        std::find_if(single.begin(), single.end(), [&](const figures::Curve& c) { return c.name == method; });
    panels.push_back({"", angle, {"joint 1", "rad/s^2"}, {*curve, exact}});
  }
  panels.push_back({"", angle, {"condition", ""}, {conditions}});
  page.figure(
      "fig2",
      "Acceleration of joint 1 in single precision (lines) and in double (dashed), and the condition number of the "
      "inertia matrix, as in Fig. 2; of articulated bodies about joint origins and about mass centres.",
      panels, {600, 190});
  figures::Plot plot{"", angle, {"error", "rad/s^2"}, errors};
  plot.y_scale = figures::Scale::logarithmic;
  page.figure("fig2-errors", "Error of the accelerations, by every method.", plot);
}

void straight_line(Page& page) {
  page.section("5.2: a PUMA on a straight line");
  Scenario line = example("puma_line_feedforward");
  page.compare({{"speed of the hand [m/s]", "0.1", fmt::format("{:.4f}", std::hypot(0.12, 0.30, 0.06) / 5),
                 "the printed points are 0.3286 m apart, and 5 s are printed"},
                {"average errors of angles, rates, accelerations (Table 6)", "not in the scan", "table below"},
                {"time and evaluations by method (Table 7)", "not in the scan", "table below"}});
  std::vector<Page::Row> rows;
  figures::Plot plot{"", {"t", "s"}, {"largest error of the angles", "rad"}};
  plot.y_scale = figures::Scale::logarithmic;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    line.setup.integrator.rtol = line.setup.integrator.atol = tolerance;
    for (const auto& method : forward_formulations<double>()) {
      line.setup.method = method.name;
      const Run found = run(line);
      const Desired path = desired(line, found.record.t);
      const auto error = distance(found.record.q, path.q);
      const auto average = [](const std::vector<double>& x) { return fmt::format("{:.1e}", mean(x)); };
      rows.push_back({fmt::format("{:.0e}", tolerance), std::string(method.name), average(error),
                      average(distance(found.record.v, path.v)), average(distance(found.a, path.a)),
                      fmt::to_string(found.statistics.evaluations), fmt::format("{:.1f}", 1e3 * found.seconds)});
      if (method.name == forward_formulations<double>().front().name)
        plot.curves.push_back({fmt::format("{:.0e}", tolerance), found.record.t, error});
    }
  }
  page.table({">tolerance", "method", ">angles [rad]", ">rates [rad/s]", ">accelerations [rad/s^2]", ">evaluations",
              ">CPU [ms]"},
             rows);
  page.figure("line", "Largest error of the angles along the line, by tolerance: growth of an unstable motion.", plot);
  page.say(
      "Averages over the samples of the largest error of the joints. The torques are given and nothing corrects "
      "errors; "
      "this motion is unstable, so that they grow exponentially whatever the method, and the tolerance sets how long "
      "the "
      "hand stays on the line. At the paper's tolerance, 1e-6, it leaves it before the end. What the paper had is in "
      "its "
      "missing tables, and its robot is only called a PUMA.");
}

}  // namespace

void write_mata02(Page& page) {
  tables_1_to_4(page);
  two_body_arm(page);
  straight_line(page);
}

}  // namespace denoc::app
