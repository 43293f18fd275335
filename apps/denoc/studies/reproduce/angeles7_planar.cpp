// Angeles7, Exercise 7.13: Algorithm 7.6.1 in a plane, and what it costs.
#include <fmt/format.h>

#include <cmath>

#include "denoc/scalar/symbol.hpp"
#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/counts.hpp"

namespace denoc::app {
namespace {

using Symbols = std::vector<Symbol>;

// Link i turns by (c, s)_i about a point at `joint` of the link before, its
// mass centre at `rho` from there; e is 1 and no vector, r has two entries.
template <class T> struct PlanarLink {
  double joint_x, joint_y, rho_x, rho_y, mass, inertia;
  T c, s;
};
template <class T> struct PlanarColumn { T w, x, y; };
// p_ij = [N_i; n_i E r_ij], i >= j, by rows of n.
template <class T> std::vector<PlanarColumn<T>> planar_complement(const std::vector<PlanarLink<T>>& links) {
  const std::size_t n = links.size();
  std::vector<PlanarColumn<T>> P(n * n, {T(0), T(0), T(0)});
  for (std::size_t j = 0; j < n; ++j) {
    T x(links[j].rho_x), y(links[j].rho_y);
    for (std::size_t i = j; i < n; ++i) {
      const PlanarLink<T>& link = links[i];
      if (i > j) {  // r_ij = Q_i^T (r_i-1,j + delta_i-1) + rho_i
        const T from_x = x + T(link.joint_x - links[i - 1].rho_x), from_y = y + T(link.joint_y - links[i - 1].rho_y);
        x = link.c * from_x + link.s * from_y + T(link.rho_x);
        y = link.c * from_y - link.s * from_x + T(link.rho_y);
      }
      const T root(std::sqrt(link.mass));
      P[i * n + j] = {T(std::sqrt(link.inertia)), -(y * root), x * root};
    }
  }
  return P;
}
// I = P^T P                                                                                [Angeles7 Algorithm 7.6.2]
template <class T> std::vector<T> planar_inertia(const std::vector<PlanarColumn<T>>& P, std::size_t n) {
  std::vector<T> I(n * n, T(0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      for (std::size_t k = i; k < n; ++k) {
        const PlanarColumn<T>&a = P[k * n + i], &b = P[k * n + j];
        I[i * n + j] += a.w * b.w + a.x * b.x + a.y * b.y;
      }
      I[j * n + i] = I[i * n + j];
    }
  }
  return I;
}
std::vector<PlanarLink<Symbol>> any_planar_links(Graph& graph, std::size_t n, Symbols& given) {
  std::vector<PlanarLink<Symbol>> links;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = 1 + 0.1 * static_cast<double>(i);  // no two alike
    given.insert(given.end(), {graph.input("c"), graph.input("s")});
    links.push_back({x, 0, 0.41 * x, 0.07 * x, 2.3 * x, 0.6 * x, given[2 * i], given[2 * i + 1]});
  }
  return links;
}
OperationCount planar_complement_count(const Model& model) {
  Graph graph;
  Symbols given, entries;
  for (const auto& [w, x, y] : planar_complement(any_planar_links(graph, static_cast<std::size_t>(model.nv()), given)))
    entries.insert(entries.end(), {w, x, y});
  return graph.operations(entries, given);
}
OperationCount planar_inertia_count(const Model& model) {
  Graph graph;
  Symbols given;
  const auto n = static_cast<std::size_t>(model.nv());
  return graph.operations(planar_inertia(planar_complement(any_planar_links(graph, n, given)), n), given);
}

}  // namespace

void exercise_13(Page& page) {
  page.section("exercise-13", "Exercise 7.13: the inertia matrix of planar robots");
  page.say(
      "Algorithm 7.6.1 for planar robots, and what it costs. Twists have three entries: the axis is no vector to be "
      "turned, and N_i e_j is the constant sqrt(I_i), so that an inner step is a planar rotation, two sums and two "
      "products.");
  cost_table(page, printed_in("Angeles7 (7.112)"),
             {counted_cost("P in a plane", planar_complement_count),
              counted_cost("I = P^T P in a plane", planar_inertia_count)});
  const Model model(shipped("planar3r"));
  const Numbers q = {0.4, -0.7, 1.1};
  std::vector<PlanarLink<double>> links;
  for (std::size_t i = 1; i <= 3; ++i) {
    const Body &body = model.robot().bodies[i], &before = model.robot().bodies[i - 1];
    links.push_back({before.own_frame.r.x, 0, body.own_frame.r.x + body.inertial.com.x, 0, body.inertial.mass,
                     body.inertial.inertia.zz, std::cos(q[i - 1]), std::sin(q[i - 1])});
  }
  const Numbers ours = planar_inertia(planar_complement(links), 3), spatial = RobotAt(model, q, Numbers(3)).inertia();
  page.table({"`planar3r` at (0.4, -0.7, 1.1)", "I, by rows [kg m^2]"},
             {{"P^T P in the plane", listed(ours)},
              {"composite bodies in space", listed(spatial)},
              {"largest difference", fmt::format("{:.0e}", largest_difference(ours, spatial))}});
}

}  // namespace denoc::app
