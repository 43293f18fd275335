// Mata02: operation counts (Tables 1 to 4), single precision on a two-body arm (5.1), a PUMA on a straight line (5.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "denoc/control/controllers.hpp"
#include "denoc/motion/line.hpp"
#include "output/table.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/precision.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/recorded.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"
#include "studies/statistics.hpp"

namespace denoc::app {
namespace {

// The steps of forward dynamics that Table 3 lists, each with what it is given.
OperationCount bias_count(const Model& model) {
  Recorded at(model);
  GibbsAppell<Symbol> method(model);
  Symbols tau(static_cast<std::size_t>(model.nv()));
  method.run(model, at.at, at.inputs(model.nv()), method.wrenches.rest, tau, {});
  return at.cost(tau);
}
OperationCount decomposition_count(const Model& model) {
  Recorded at(model);
  CholeskyScratch<Symbol> dense(model);
  dense.inertia = at.inputs(model.nv() * model.nv());
  const Symbols given = dense.inertia;
  factorize_dense<Symbol>(dense);
  Symbols factors = dense.inertia;
  factors.insert(factors.end(), dense.d_inv.begin(), dense.d_inv.end());
  return at.cost(factors, given);
}
OperationCount triangles_count(const Model& model) {
  Recorded at(model);
  CholeskyScratch<Symbol> dense(model);
  dense.inertia = at.inputs(model.nv() * model.nv());
  dense.d_inv = at.inputs(model.nv());
  Symbols x = at.inputs(model.nv());
  solve_dense<Symbol>(dense, x);
  return at.cost(x);
}

const NamedCost& of_method(const std::vector<NamedCost>& costs, std::string_view name) {
  return *std::find_if(costs.begin(), costs.end(), [&](const NamedCost& cost) { return cost.name == name; });
}

void tables_1_to_4(Page& page) {
  page.section("table-1", "Table 1: operations of inverse dynamics");
  cost_table(page, printed_in("Mata02 Table 1"), our_costs("inverse"));
  page.say(
      "`gibbs-appell` is the algorithm of section 4.1, with the misprints of (7e), (9) and its step 3 corrected; "
      "structural zeros and what the first link does not feel are left out, as the document leaves some of it.");
  page.section("table-2", "Table 2: operations of the inertia matrix");
  cost_table(page, printed_in("Mata02 Table 2"), our_costs("inertia"));
  page.say("`gibbs-appell` is the algorithm of section 4.2, the Hessian of Gibbs's function, (21) and (22) corrected.");

  page.section("table-3", "Table 3: operations of forward dynamics, part by part");
  const NamedCost whole = of_method(our_costs("forward"), "gibbs-appell-cholesky");
  const auto text = [](const NamedCost& cost) { return cost.only_six.empty() ? cost.cost.text() : cost.only_six; };
  const auto printed = printed_in("Mata02 Table 3");  // bias, D, decomposition, solution, total
  const std::pair<const char*, std::pair<NamedCost, NamedCost>> parts[] = {
      {"calculation of D", {printed[1], of_method(our_costs("inertia"), "gibbs-appell")}},
      {"bias vector", {printed[0], counted_cost("", bias_count)}},
      {"Cholesky decomposition", {printed[2], counted_cost("", decomposition_count)}},
      {"solution of the linear system", {printed[3], counted_cost("", triangles_count)}},
      {"total", {printed[4], whole}}};
  std::vector<Page::Row> rows;
  PolynomialCost sum;
  for (const auto& [name, costs] : parts) {
    const auto& [theirs, ours] = costs;
    rows.push_back({name, text(theirs), text(ours), theirs.cost.at(6), ours.cost.at(6)});
    for (int k = 0; k < 4 && std::string_view(name) != "total"; ++k)
      sum.mul.c[k] += ours.cost.mul.c[k], sum.add.c[k] += ours.cost.add.c[k];
  }
  page.table({"", "printed", "ours, `gibbs-appell-cholesky`", ">printed, n = 6", ">ours, n = 6"}, rows);
  page.say(
      fmt::format("The printed parts add up to the printed total. Ours add up to {}; the total is what is left when D "
                  "and the bias, which both turn the same vectors, are counted together, and tau - bias is taken (n "
                  "A). The decomposition is that without roots, U D U^T: the multiplications by 1/d are in it.",
                  sum.text()));

  page.section("table-4", "Table 4: operations of forward dynamics for six joints");
  const auto ours = our_costs("forward");
  const std::pair<const char*, const char*> same[] = {{"Walker", "composite-cholesky"},
                                                      {"Featherstone", "denoc"},
                                                      {"Angeles", "noc-cholesky"},
                                                      {"Mata02", "gibbs-appell-cholesky"}};
  std::vector<Page::Row> six;
  for (const auto& [who, method] : same) {
    const NamedCost theirs = printed_in("Mata02 Table 4", who);
    six.push_back({theirs.name, theirs.cost.at(6), fmt::format("`{}`", method),
                   of_method(ours, method).only_six.empty() ? of_method(ours, method).cost.at(6)
                                                            : of_method(ours, method).only_six});
  }
  page.table({"", ">printed", "ours", ">folded"}, six);
  page.say(
      "Featherstone's articulated bodies are the code of `denoc`. Ours differ where the grouping of the sums does; "
      "what is computed is the same.");
}

void two_body_arm(Page& page) {
  page.section("table-5", "Table 5 and Fig. 2: single precision on two bodies of very different length");
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
    if (is_of_its_own(error.name))
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
      "`denoc`, U D U^T about joint origins, is what articulated bodies are: one code. 180 positions, the acceleration "
      "of joint 1 (about -491 rad/s^2) against double precision. The last row is the "
      "elimination of the first one written about mass centres instead of joints: **the reference point decides, not "
      "the recursion.** About the joint the inertia of body 1 as joint 1 feels it is a sum of small positive numbers; "
      "about the mass centre it is a difference of numbers ten thousand times larger.");
  std::vector<figures::Plot> panels;
  for (const char* method : {"denoc", "udut about mass centres", "composite-cholesky", "gibbs-appell-cholesky"}) {
    const auto curve =
        std::find_if(single.begin(), single.end(), [&](const figures::Curve& c) { return c.name == method; });
    panels.push_back({"", angle, {"joint 1", "rad/s^2"}, {*curve, exact}});
  }
  panels.push_back({"", angle, {"condition", ""}, {conditions}});
  page.figure(
      "fig2",
      "Acceleration of joint 1 in single precision (lines) and in double (dashed), and the condition number of the "
      "inertia matrix, as in Fig. 2; U D U^T (articulated bodies) about joint origins and about mass centres.",
      panels, {600, 190});
  std::erase_if(errors, [](const figures::Curve& error) { return !is_of_its_own(error.name); });
  figures::Plot plot{"", angle, {"error", "rad/s^2"}, errors};
  plot.y_scale = figures::Scale::logarithmic;
  page.figure("fig2-errors", "Error of the accelerations, by every method.", plot);
}

const Vec3<double> displacement{0.12, 0.30, 0.06};

// The pose that the line starts from: Z, Y, Z by 0, 90 and 180 degrees.                                [Mata02 5.2]
Pose<double> start_of_line() {
  Pose<double> pose;
  pose.R.xz = pose.R.zx = 1, pose.R.yy = -1, pose.R.xx = pose.R.zz = 0;
  pose.r = {0.50, 0, 0.05};
  return pose;
}

// Under the torques of that motion; when an angle is off by more than 0.01 rad, if ever.
struct Followed {
  Run run;
  Desired path;
  std::vector<double> error;
  std::string leaves() const {
    for (std::size_t i = 0; i < error.size(); ++i)
      if (!(error[i] <= 0.01)) return fmt::format("{:.1f}", run.record.t[i]);
    return "stays";
  }
};
Followed followed(Scenario line, const std::vector<double>& start) {
  line.motion = straight_line(line.model, 6, start, displacement, 5, Profile::linear);
  line.setup.control = feed_forward(line.model, line.motion);
  std::vector<double> a(6);
  line.setup.q.resize(6), line.setup.v.resize(6);
  line.motion->at(0, line.setup.q, line.setup.v, a);
  Followed all{run(line), {}, {}};
  all.path = desired(line, all.run.record.t);
  all.error = distance(all.run.record.q, all.path.q);
  return all;
}

void line_of_the_puma(Page& page) {
  page.section("line", "5.2: a PUMA on a straight line");
  Scenario line = example("puma_line_feedforward");
  const auto postures = wrist_partitioned_postures(*line.model, 6, start_of_line());
  page.compare({{"speed of the hand [m/s]", "0.1",
                 fmt::format("{:.4f}", std::hypot(displacement.x, displacement.y, displacement.z) / 5),
                 "the printed points are 0.3286 m apart, and 5 s are printed"},
                {"average errors of angles, rates, accelerations (Table 6)", "not in the scan", "tables below"},
                {"time and evaluations by method (Table 7)", "not in the scan", "tables below"}});
  page.say(
      fmt::format("The paper gives the pose of the hand, (0.50, 0, 0.05) m turned by Z, Y, Z angles of 0, 90 and 180 "
                  "degrees, and not the posture of the arm: {} postures reach it. All of them are tried at the paper's "
                  "tolerance, 1e-6, with torques from inverse dynamics and nothing that corrects errors (`denoc ik "
                  "puma560 --body link6 --pose FILE` lists them).",
                  postures.size()));
  std::vector<Page::Row> tried;
  std::size_t leaving = 0;
  line.setup.integrator.rtol = line.setup.integrator.atol = 1e-6;
  for (const ArmPosture& posture : postures) {
    Page::Row row = {posture.branch, listed(posture.q)};
    try {
      const Followed found = followed(line, posture.q);
      const auto average = [](const std::vector<double>& x) { return fmt::format("{:.1e}", mean(x)); };
      leaving += found.leaves() == "stays" ? 0 : 1;
      row.insert(row.end(),
                 {found.leaves(), average(found.error), average(distance(found.run.record.v, found.path.v)),
                  average(distance(found.run.a, found.path.a)), fmt::to_string(found.run.statistics.evaluations)});
    } catch (const Error& error) {
      row.push_back(error.what());
      row.resize(7);
    }
    tried.push_back(row);
  }
  page.table({"posture", "q [rad]", ">leaves [s]", ">angles [rad]", ">rates [rad/s]", ">accelerations [rad/s^2]",
              ">evaluations"},
             tried);
  page.say(fmt::format(
      "Leaves: when an angle is off by more than 0.01 rad. {} of {} leave the line before its end at this tolerance. "
      "Averages are over the samples, of the largest error of the joints. In what follows the posture of the scenario "
      "`puma_line_feedforward` is taken, which the reference data of the tests has, and the tolerance changes.",
      leaving, postures.size()));
  std::vector<Page::Row> rows;
  figures::Plot plot{"", {"t", "s"}, {"largest error of the angles", "rad"}};
  plot.y_scale = figures::Scale::logarithmic;
  const std::vector<double> start = line.setup.q;
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    line.setup.integrator.rtol = line.setup.integrator.atol = tolerance;
    for (const auto& method : distinct_forward_methods<double>()) {
      line.setup.method = method.name;
      const Followed found = followed(line, start);
      const auto average = [](const std::vector<double>& x) { return fmt::format("{:.1e}", mean(x)); };
      rows.push_back({fmt::format("{:.0e}", tolerance), std::string(method.name), average(found.error),
                      average(distance(found.run.record.v, found.path.v)), average(distance(found.run.a, found.path.a)),
                      fmt::to_string(found.run.statistics.evaluations),
                      fmt::format("{:.1f}", 1e3 * found.run.seconds)});
      if (method.name == forward_formulations<double>().front().name)
        plot.curves.push_back({fmt::format("{:.0e}", tolerance), found.run.record.t, found.error});
    }
  }
  page.table({">tolerance", "method", ">angles [rad]", ">rates [rad/s]", ">accelerations [rad/s^2]", ">evaluations",
              ">CPU [ms]"},
             rows);
  page.figure("line", "Largest error of the angles along the line, by tolerance: growth of an unstable motion.", plot);
  page.say(
      "This motion is unstable, so that errors grow exponentially whatever the method, and the tolerance sets how long "
      "the hand stays on the line. What the paper had is in its missing tables, and its robot is only called a PUMA.");
}

}  // namespace

void write_mata02(Page& page) {
  tables_1_to_4(page);
  two_body_arm(page);
  line_of_the_puma(page);
}

}  // namespace denoc::app
