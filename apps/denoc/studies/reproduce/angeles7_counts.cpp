// Angeles7, what its algorithms cost: Tables 7.1 to 7.4, (7.112)-(7.118), Exercises 7.10 and 7.12.
#include <fmt/format.h>

#include <algorithm>

#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/model/serial_chain.hpp"
#include "output/table.hpp"
#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/counts.hpp"
#include "studies/reproduce/recorded.hpp"

namespace denoc::app {
namespace {

// Both recursions of Newton and Euler, in symbols.                               [Angeles7 Algorithms 7.4.1, 7.4.2]
struct RecordedNewtonEuler : Recorded {
  explicit RecordedNewtonEuler(const Model& of)
      : Recorded(of), newton_euler(of), tau(static_cast<std::size_t>(of.nv())) {
    newton_euler.run(model, at, inputs(model.nv()), inputs(model.nv()), tau);
  }
  Symbols motion(bool with_velocities) const {
    Symbols all;
    for (int i = 1; i <= model.link_count(); ++i) {
      const MassCentres<Symbol>& c = newton_euler.centres;
      const auto link = static_cast<std::size_t>(i);
      const Mat3<Symbol>& Q = c.pose[link].R;
      for (const auto& column : {column_x(Q), column_y(Q), column_z(Q)}) append(all, column);
      append(all, c.t[link].w), append(all, c.rate[link].w), append(all, c.rate[link].v);
      if (with_velocities) append(all, c.t[link].v);
    }
    return all;
  }
  NewtonEuler<Symbol> newton_euler;
  Symbols tau;
};
OperationCount outward_recursion(const Model& model) {
  const RecordedNewtonEuler at(model);
  return at.cost(at.motion(true));
}
OperationCount outward_without_velocities(const Model& model) {
  const RecordedNewtonEuler at(model);
  return at.cost(at.motion(false));
}
OperationCount inward_recursion(const Model& model) {
  const RecordedNewtonEuler at(model);
  return at.cost(at.tau, at.motion(true));
}

struct NamedCount {
  std::string method;
  OperationCount count;
};
// Inverse dynamics of six links, folded, by method.
std::vector<NamedCount> inverse_counts(const Robot& robot) {
  std::vector<NamedCount> counts;
  for (const ProblemCount& row : operation_counts(Model(robot))) {
    if (row.problem == "inverse") counts.push_back({row.method, row.folded.value()});
  }
  return counts;
}

}  // namespace

void counts_of_inverse_dynamics(Page& page) {
  page.section("tables-1-2", "Tables 7.1 and 7.2: operations of the outward and of the inward recursion");
  std::vector<NamedCost> printed = {printed_in("Angeles7 Table 7.1").front(), printed_in("Angeles7 Table 7.2").front()};
  printed[0].name = "Table 7.1, kinematics", printed[1].name = "Table 7.2, dynamics";
  cost_table(page, printed,
             {counted_cost("outward: Q_i, w_i, c'_i, w'_i, c''_i", outward_recursion),
              counted_cost("the same without c'_i", outward_without_velocities),
              counted_cost("inward: tau from these", inward_recursion)});
  page.say(
      "Of `newton-euler`, which is Algorithms 7.4.1 and 7.4.2 about mass centres. The rows of Table 7.1 add up to 74n "
      "M, 56n A; its total has the positions c_i besides (8n M, 10n A), which are nowhere needed, and neither are "
      "c'_i. Ours leave out what the first link does not feel, and constants.");

  page.section("tables-3-4", "Tables 7.3 and 7.4: operations of inverse dynamics");
  std::vector<NamedCost> table = printed_in("Angeles7 Table 7.3");
  NamedCost total = printed_in("Angeles7 (7.43)").front();
  total.name = "(7.43), Newton-Euler";
  table.push_back(total);
  const auto ours = our_costs("inverse");
  cost_table(page, table, ours);
  page.say(
      "137n-22 M, 110n-14 A include the positions and velocities of the mass centres (Table 7.1), which inverse "
      "dynamics does not need. Table 7.4, for n = 6, beside ours by the method that does the same:");
  std::vector<Page::Row> six;
  for (const PublishedCount& p : published_counts()) {
    if (!p.is_in("Angeles7 Table 7.4")) continue;
    const auto same = std::find_if(ours.begin(), ours.end(), [&](const NamedCost& c) { return c.name == p.method; });
    six.push_back({std::string(p.who), PolynomialCost{p.mul, p.add}.at(6), fmt::format("`{}`", p.method),
                   same->only_six.empty() ? same->cost.at(6) : same->only_six});
  }
  page.table({"", ">Table 7.4", "ours", ">folded"}, six);
  page.say(
      "Hollerbach and Sahar, and Kane and Levinson, are printed for n = 6 only. Table 7.4 has 420 A for Balafoutis and "
      "Patel, where 81n-65 of Table 7.3 gives 421 (Mata02 prints 81n-66). `denoc` stands for what works in tensors.");
}

namespace {

// P = H T, and I = P^T P with P given.                                                  [Angeles7 Algorithms 7.6.1, 7.6.2]
struct RecordedComplement : Recorded {
  explicit RecordedComplement(const Model& of) : Recorded(of), noc(of) {
    weighted_complement<Symbol>(model, at, noc);
    for (const Twist<Symbol>& p : noc.P) append(P, p.w), append(P, p.v);
  }
  NocInertia<Symbol> noc;
  Symbols P = {};
};
OperationCount complement_count(const Model& model) {
  const RecordedComplement at(model);
  return at.cost(at.P);
}
OperationCount product_of_complement_count(const Model& model) {
  const RecordedComplement at(model);
  Symbols I(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()));
  square_of_complement<Symbol>(model, at.noc, I);
  return at.cost(I, at.P);
}

}  // namespace

void counts_of_forward_dynamics(Page& page) {
  page.section("forward-counts", "(7.112)-(7.118): operations of the inertia matrix and of forward dynamics");
  const auto printed = [](const char* equation, const char* what) {
    NamedCost cost = printed_in(fmt::format("Angeles7 {}", equation)).front();
    cost.name = fmt::format("{}, {}", equation, what);
    return cost;
  };
  const NamedCost P = printed("(7.112)", "P"), I = printed("(7.113)", "I = P^T P"),
                  L = printed("(7.114)", "Cholesky's decomposition"), x = printed("(7.115)", "two triangular systems"),
                  bias = printed("(7.116)", "bias"), total = printed("(7.117)", "total"),
                  six = printed("(7.118)", "total for n = 6");
  cost_table(page, {P, I},
             {counted_cost("Algorithm 7.6.1, P, as `noc` runs it", complement_count),
              counted_cost("Algorithm 7.6.2, I from P, the same", product_of_complement_count)});
  const PolynomialCost as_written{{{0, 2, 3, 1}}, {}};
  page.say(fmt::format(
      "(7.113) counts one inner product of six entries for each of the n(n+1)/2 entries of I; Algorithm "
      "7.6.2 sums over k = i to n, so that as written it takes {} multiplications, {:.0f} for n = 6, where (7.113) "
      "gives {:.0f}. Ours leave out that N_k e_k of a link's own axis has one entry, and e_k x r no part along it.",
      as_written.mul.text(), as_written.mul(6), I.cost.mul(6)));
  cost_table(page, {}, our_costs("inertia"));
  cost_table(page, {P, I, L, x, bias, total, six}, our_costs("forward"));
  PolynomialCost sum;
  for (const NamedCost* part : {&P, &I, &L, &x, &bias})
    for (int k = 0; k < 4; ++k) sum.mul.c[k] += part->cost.mul.c[k], sum.add.c[k] += part->cost.add.c[k];
  page.say(
      fmt::format("The printed parts (7.112) to (7.116) add up to {}, for n = 6 {}; (7.117) is {}, {} there, and "
                  "(7.118) says {}: three totals that do not agree, and none is the sum. With the sum over k of "
                  "Algorithm 7.6.2 counted, it is more: {:.0f} M for n = 6. Articulated bodies are left out of ours: "
                  "they are the code of `denoc`. Of others the book quotes:",
                  sum.text(), sum.at(6), total.cost.text(), total.cost.at(6), six.only_six,
                  sum.mul(6) - I.cost.mul(6) + as_written.mul(6)));
  cost_table(page, printed_in("Angeles7 7.6"), {});
}

void exercise_10(Page& page) {
  page.section("exercise-10", "Exercise 7.10: operations of Coriolis and centrifugal forces by Newton and Euler");
  const auto bias = [](bool with_gravity) {
    return [with_gravity](const Model& model) {
      Robot robot = model.robot();
      if (!with_gravity) robot.gravity = {0, 0, 0};
      const Model of(robot);
      Recorded at(of);
      NewtonEuler<Symbol> newton_euler(of);
      Symbols tau(static_cast<std::size_t>(of.nv()));
      newton_euler.run(of, at.at, at.inputs(of.nv()), newton_euler.centres.none, tau);
      return at.cost(tau);
    };
  };
  cost_table(page, {printed_in("Angeles7 (7.116)").front()},
             {counted_cost("`newton-euler`, theta'' = 0, no gravity", bias(false)),
              counted_cost("`newton-euler`, theta'' = 0, with gravity (7.44)", bias(true)),
              counted_cost("`newton-euler`, all of inverse dynamics", [](const Model& model) {
                const RecordedNewtonEuler at(model);
                return at.cost(at.tau);
              })});
  page.say(
      "The published row is (7.116), which the book takes for the term although it is that of all inverse dynamics. "
      "Gravity as an acceleration of the base (7.44) costs little: it makes the first links' accelerations numbers "
      "that are not zero. The recursion about the joints takes less:");
  cost_table(page, {}, our_costs("bias"));
}

void exercise_12(Page& page) {
  page.section("exercise-12", "Exercise 7.12: what links save whose inertia is isotropic");
  Robot isotropic = serial_chain(6);
  for (Body& body : isotropic.bodies) {
    const double moment = body.inertial.inertia.xx;
    body.inertial.inertia = {moment, 0, moment, 0, 0, moment};
  }
  const auto general = inverse_counts(serial_chain(6)), alike = inverse_counts(isotropic);
  std::vector<Page::Row> rows;
  for (std::size_t i = 0; i < general.size(); ++i) {
    const auto text = [](const OperationCount& c) { return fmt::format("{} M, {} A", c.mul + c.div, c.add); };
    rows.push_back({general[i].method, text(general[i].count), text(alike[i].count)});
  }
  page.table({"inverse dynamics, n = 6", ">general links", ">isotropic links"}, rows);
  page.say(
      "Isotropic about the mass centre, and so not about the joint: methods that work about the joints, and need no "
      "less there, save nothing.");
}

}  // namespace denoc::app
