// Angeles7, what its algorithms cost: Tables 7.1 to 7.4, (7.112)-(7.117), Exercises 7.10 and 7.12.
#include <fmt/format.h>

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
  page.section("Tables 7.1 and 7.2: operations of the outward and of the inward recursion");
  cost_table(page,
             {{"Table 7.1, kinematics", {{{0, 82}}, {{0, 66}}}}, {"Table 7.2, dynamics", {{{-22, 55}}, {{-14, 44}}}}},
             {counted_cost("outward: Q_i, w_i, c'_i, w'_i, c''_i", outward_recursion),
              counted_cost("the same without c'_i", outward_without_velocities),
              counted_cost("inward: tau from these", inward_recursion)});
  page.say(
      "Of `newton-euler`, which is Algorithms 7.4.1 and 7.4.2 about mass centres. The rows of Table 7.1 add up to 74n "
      "M, "
      "56n A; its total has the positions c_i besides (8n M, 10n A), which are nowhere needed, and neither are c'_i. "
      "Ours "
      "leave out what the first link does not feel, and constants.");

  page.section("Tables 7.3 and 7.4: operations of inverse dynamics");
  cost_table(page,
             {{"Hollerbach, Euler-Lagrange", {{{-277, 412}}, {{-201, 320}}}},
              {"Luh and others, Newton-Euler", {{{-48, 150}}, {{-48, 131}}}},
              {"Walker and Orin, Newton-Euler", {{{-22, 137}}, {{-11, 101}}}},
              {"(7.43), Newton-Euler", {{{-22, 137}}, {{-14, 110}}}},
              {"Khalil and others, Newton-Euler", {{{-92, 105}}, {{-86, 94}}}},
              {"Angeles and others, Kane", {{{-109, 105}}, {{-105, 90}}}},
              {"Balafoutis and Patel, tensors", {{{-69, 93}}, {{-65, 81}}}},
              {"Li and Sankar, Euler-Lagrange", {{{-69, 88}}, {{-66, 76}}}}},
             our_costs("inverse"));
  page.say(
      "137n-22 M, 110n-14 A include the positions and velocities of the mass centres (Table 7.1), which inverse "
      "dynamics does not need. Table 7.4 has 420 A for Balafoutis and Patel, where "
      "81n-65 of "
      "Table 7.3 gives 421 (Mata02 prints 81n-66).");
}

void counts_of_forward_dynamics(Page& page) {
  page.section("(7.112)-(7.117): operations of the inertia matrix and of forward dynamics");
  cost_table(page, {{"(7.112) and (7.113), P and I", {{{0, -12, 20}}, {{0, -7.5, 12.5}}}}}, our_costs("inertia"));
  cost_table(page,
             {{"(7.117), NOC and Cholesky", {{{-22, 367. / 3, 37. / 2, 1. / 6}}, {{-14, 298. / 3, 23. / 2, 1. / 6}}}}},
             our_costs("forward"));
  page.say("(7.117) is not the sum of its parts, (7.112) to (7.116); it is shown as printed.");
}

void exercise_10(Page& page) {
  page.section("Exercise 7.10: operations of Coriolis and centrifugal forces");
  cost_table(page, {}, our_costs("bias"));
  page.say("With gravity, which costs nothing: the base accelerates (7.44).");
}

void exercise_12(Page& page) {
  page.section("Exercise 7.12: what links save whose inertia is isotropic");
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
      "less "
      "there, save nothing.");
}

}  // namespace denoc::app
