// Saha97: Table I, and the decomposition of a PUMA's inertia matrix by its recursion and by reverse elimination.
#include <fmt/format.h>

#include "denoc/dynamics/study.hpp"
#include "output/table.hpp"
#include "studies/reproduce/documents.hpp"
#include "studies/reproduce/published_costs.hpp"
#include "studies/reproduce/robot_at.hpp"

namespace denoc::app {
namespace {

void saha97_table_1(Page& page) {
  page.section("Table I: operations of forward dynamics, phi given");
  const auto ours = our_costs("phi given");
  cost_table(page,
             {published::saha97,
              {"[2], Featherstone", published::featherstone.cost},
              {"[4], Walker and Orin", {published::walker_orin.cost.mul, {{-46, 116. / 3, 7, 1. / 6}}}}},
             ours);
  page.say(
      "Ours are lower because a vector crosses a joint as two turns in a plane, the row and the column of the "
      "articulated inertia along the joint vanish and are not computed, and the work is about the joints, where what "
      "is left of an elimination needs no moving to a mass centre. Table I prints 38 2/3 n additions for [4], where "
      "Mohan07 Table 1 has 233/6 = 38 5/6 for the same method.");
  const PolynomialCost& linear = ours.front().cost;
  page.compare(
      {{"takes fewer multiplications than [4] from n =",
        fmt::format("{} (from Table I)", crossover(published::saha97.cost, published::walker_orin.cost, false)),
        fmt::to_string(crossover(linear, published::walker_orin.cost, false)), "fewer operations, as above"}});
}

void decomposition(Page& page) {
  page.section("The decomposition I = U D U^T of a PUMA 560");
  page.say(
      "The document derives U and D (24)-(27) and has no numerical example; these are of the shipped `puma560` at "
      "q = 0. The recursion never forms I; reverse Gaussian elimination of the dense I (appendix) must give the "
      "same (`denoc study puma560 --only elimination` writes its elementary matrices out).");
  const Model model(shipped("puma560"));
  RobotAt robot(model, Numbers(6), Numbers(6));
  const auto [U, D] = robot.factors();
  const auto eliminated = study::reverse_elimination({6, 6, robot.inertia()}, std::vector<int>(6, 1));
  Numbers D_dense;
  for (int k = 0; k < 6; ++k) D_dense.push_back(eliminated.D(k, k));
  std::vector<Page::Row> rows;
  for (std::size_t i = 0; i < 6; ++i) {
    Page::Row row = {fmt::format("{}", i + 1)};
    for (std::size_t k = 0; k < 6; ++k) row.push_back(k < i ? "" : shown(U[i * 6 + k], 1));
    row.push_back(shown(D[i]));
    rows.push_back(row);
  }
  page.table({"row of U", ">1", ">2", ">3", ">4", ">5", ">6", ">D"}, rows);
  page.compare({{"largest difference of U, recursion and elimination", "0 (both are the same factor)",
                 fmt::format("{:.1e}", largest_difference(U, eliminated.U.entries)), "rounding of the elimination"},
                {"the same of D", "0", fmt::format("{:.1e}", largest_difference(D, D_dense)), "rounding"}});
  page.say(
      "Read with its misprints corrected: (17) and (18) use the normalised psi, (25) is psihat_ik = B_ki^T psihat_k, "
      "and the second line of (27) starts with the link's own M_i.");
}

}  // namespace

void write_saha97(Page& page) {
  saha97_table_1(page);
  decomposition(page);
}

}  // namespace denoc::app
