// Saha97: the complement decoupled about mass centres, Table I, and the decomposition of a PUMA's inertia matrix by its
// recursion, about mass centres and about joints, and by reverse elimination.
#include <fmt/format.h>

#include <algorithm>

#include "denoc/dynamics/study.hpp"
#include "output/table.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/robot_at.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

// The document has no numerical example: a posture that is nothing special.
const Numbers puma_q = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1}, puma_v = {0.5, 1, -0.7, 1.2, 0.4, -0.9};

std::string block(const study::Matrix& m, int i, int k) {
  Numbers entries;
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) entries.push_back(m(6 * i + r, 6 * k + c));
  return listed(entries);
}

void decoupled_complement(Page& page) {
  page.section("complements", "(1)-(8): the complement decoupled, about mass centres");
  page.say(fmt::format(
      "T = T_l T_d with blocks B_ij in T_l and p_i in T_d, and M~ = T_l^T M T_l of composite bodies: what the document "
      "has in letters, of the shipped `puma560` at q = ({}). `denoc study puma560 --only T_l,T_d,Mtil` writes them out "
      "for any robot and state. M~ by its recursion (7), I by composite bodies about the joints, which is another "
      "code.",
      fmt::join(puma_q, ", ")));
  const Model model(shipped("puma560"));
  const study::Matrices m = study::matrices(model, puma_q, puma_v);
  std::vector<Page::Row> rows;
  for (const auto& [law, residual, rounding] : study::identities(model, puma_q, puma_v, m)) {
    if (law != "T_l T_d = T" && law != "T_l^T M T_l = Mtil" && law != "T_d^T Mtil T_d = I") continue;
    rows.push_back({fmt::format("`{}`", law), fmt::format("{:.1e}", residual), fmt::format("{:.1e}", rounding)});
  }
  page.table({"law", ">largest entry left", ">what rounding explains"}, rows);
  page.table({"block", "by rows: angular entries first"}, {{"B_21 (6)", block(m.T_l, 1, 0)},
                                                           {"B_61", block(m.T_l, 5, 0)},
                                                           {"M~_6 = M_6 (7)", block(m.M_tilde, 5, 5)},
                                                           {"M~_1, all of the arm", block(m.M_tilde, 0, 0)}});
}

void saha97_table_1(Page& page) {
  page.section("table-1", "Table I: operations of forward dynamics, phi given");
  const auto ours = our_costs(phi_given);
  cost_table(page, printed_in("Saha97 Table I"), ours);
  page.say(
      "Ours are lower because a vector crosses a joint as two turns in a plane, the row and the column of the "
      "articulated inertia along the joint vanish and are not computed, and the work is about the joints, where what "
      "is left of an elimination needs no moving to a mass centre. Table I prints 38 2/3 n additions for [4], where "
      "Mohan07 Table 1 has 233/6 = 38 5/6 for the same method.");
  const PolynomialCost& linear = ours.front().cost;
  const PolynomialCost own = printed_in("Saha97 Table I", "Saha97").cost,
                       cubic = printed_in("Saha97 Table I", "Walker").cost,
                       articulated = printed_in("Saha97 Table I", "Featherstone").cost;
  const auto from = [&](const PolynomialCost& of, Criterion criterion) {
    return fmt::to_string(crossover(of, cubic, criterion));
  };
  const std::string lower = "fewer operations, as above";
  page.compare(
      {{"O(n) takes fewer multiplications than [4] from n =",
        fmt::format("{} (by its polynomials)", from(own, Criterion::multiplications)),
        from(linear, Criterion::multiplications), lower},
       {"fewer multiplications and fewer additions from n =",
        fmt::format("{} (by its polynomials)", from(own, Criterion::both)), from(linear, Criterion::both), lower},
       {"[2] is not suitable below n = 12: fewer multiplications than [4] from n =", "12",
        fmt::format("{} (by its polynomials)", from(articulated, Criterion::multiplications))}});
}

void decomposition(Page& page) {
  page.section("decomposition", "(9)-(13), (20)-(27): the decomposition I = U D U^T");
  page.say(
      "These are of the shipped `puma560` at q = 0. The recursion never forms I; reverse Gaussian elimination of the "
      "dense I (appendix) must give the same. The document works about mass centres, denoc about the joints: U and D "
      "are the same, Mhat and psi on the way are not. `denoc study puma560 --only elimination` writes the elementary "
      "matrices out, `--only mass-centres` the recursion of the document.");
  const Model model(shipped("puma560"));
  const Numbers q(6);
  RobotAt robot(model, q, q);
  const auto [U, D] = robot.factors();
  const auto eliminated = study::reverse_elimination({6, 6, robot.inertia()}, std::vector<int>(6, 1));
  const auto about = [&](study::About points) { return study::modular(model, q, study::Grouping::links, points); };
  const study::Modular centres = about(study::About::mass_centres), origins = about(study::About::origins);
  const auto diagonal = [](const study::Matrix& m) {
    Numbers all;
    for (int k = 0; k < m.rows; ++k) all.push_back(m(k, k));
    return all;
  };
  std::vector<Page::Row> rows;
  for (std::size_t i = 0; i < 6; ++i) {
    Page::Row row = {fmt::format("{}", i + 1)};
    for (std::size_t k = 0; k < 6; ++k) row.push_back(k < i ? "" : shown(U[i * 6 + k], 1));
    row.push_back(shown(D[i]));
    rows.push_back(row);
  }
  page.table({"row of U", ">1", ">2", ">3", ">4", ">5", ">6", ">D"}, rows);
  const auto off = [](const Numbers& x, const Numbers& y) { return fmt::format("{:.1e}", largest_difference(x, y)); };
  page.table({"largest difference from the recursion about joints", ">of U", ">of D"},
             {{"reverse elimination of the dense I", off(U, eliminated.U.entries), off(D, diagonal(eliminated.D))},
              {"recursion about mass centres, (24)-(27)", off(U, centres.U.entries), off(D, diagonal(centres.D))},
              {"the same recursion about joints, dense", off(U, origins.U.entries), off(D, diagonal(origins.D))}});
  std::vector<Page::Row> psi;
  for (std::size_t i = 0; i < 6; ++i)
    psi.push_back(
        {fmt::format("psi_{}", i + 1), listed(centres.modules[i].Psi.entries), listed(origins.modules[i].Psi.entries)});
  page.table({"[moment; force]", "about the link's mass centre", "about the link's origin"}, psi);
  page.say(
      "Read with its misprints corrected: (17) and (18) use the normalised psi, (25) is psihat_ik = B_ki^T psihat_k, "
      "and the second line of (27) starts with the link's own M_i. What the point of reference does to rounding is on "
      "the page of Mata02, Table 5.");
}

void triangular_systems(Page& page) {
  page.section("solution", "(14)-(19): forward dynamics by three systems");
  page.say(fmt::format(
      "U tauhat = tau, D tautil = tauhat, U^T theta'' = tautil, by the recursions (16)-(19); tau here is what is left "
      "of unit torques after the bias, of the shipped `puma560` at q = ({}) rad, v = ({}) rad/s.",
      fmt::join(puma_q, ", "), fmt::join(puma_v, ", ")));
  const Model model(shipped("puma560"));
  RobotAt here(model, puma_q, puma_v);
  Numbers phi = here.torques(Numbers(6));
  for (double& x : phi) x = 1 - x;
  std::vector<Page::Row> rows;
  for (const auto& [name, points] : {std::pair{"recursion about mass centres", study::About::mass_centres},
                                     {"recursion about joints", study::About::origins}})
    rows.push_back({name, listed(study::solve(study::modular(model, puma_q, study::Grouping::links, points), phi))});
  for (Page::Row& row : here.by_each(distinct_forward_methods<double>(), Numbers(6, 1.0)))
    rows.push_back(std::move(row));
  page.table({"", "theta'' [rad/s^2]"}, rows);
}

void smoother(Page& page) {
  page.section("smoother", "Introduction: smoother solutions, faster convergence");
  page.say(
      "The document quotes that accelerations by O(n) algorithms are smoother and their integration takes fewer steps. "
      "Its own example is none; here is the motion of Mohan07 (right robot, 5 s, before errors grow), by every "
      "method:");
  Scenario forced = example("puma_forced");
  forced.setup.duration = 5;
  std::vector<Page::Row> rows;
  for (const auto& method : distinct_forward_methods<double>()) {
    forced.setup.method = method.name;
    const Run found = run(forced);
    const auto error = distance(found.record.q, desired(forced, found.record.t).q);
    rows.push_back({std::string(method.name), std::string(method.order), fmt::to_string(found.statistics.steps),
                    fmt::to_string(found.statistics.evaluations),
                    fmt::format("{:.1e}", *std::max_element(error.begin(), error.end()))});
  }
  page.table({"method", "order", ">steps", ">evaluations", ">largest error of an angle [rad]"}, rows);
  page.say(
      "Rounding is far below the tolerance (1e-8), so the integrator sees one motion. In double precision and at this "
      "condition number (below 1.2e4) the claim does not hold; with numbers that cancel it may, see Mata02, Table 5.");
}

}  // namespace

void write_saha97(Page& page) {
  decoupled_complement(page);
  saha97_table_1(page);
  decomposition(page);
  triangular_systems(page);
  smoother(page);
}

}  // namespace denoc::app
