// Closed postures: how they are found, from near by and from anywhere, and which motions they leave.
#include <algorithm>

#include "closed_chain_parts.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_newton_steps = 200;
constexpr double longest_newton_step = 0.3;  // units, over all joints: far postures are approached, not jumped to
constexpr double posture_closed = 1e-13;
constexpr double nearly_closed = 1e-10;  // what rounding may leave of a large robot
constexpr int most_damped_steps = 200;
constexpr double least_damping = 1e-6, most_damping = 1e12;
constexpr int most_restarts = 8;        // near by, ever further away:
constexpr double first_restart = 0.1;   // units
constexpr double far = 3;               // units: anywhere
constexpr double same_posture = 1e-6;   // of postures: no further apart than this, over all joints
constexpr int most_searches = 100;      // for other ways to close the loops, and from anywhere
constexpr double search_effort = 4e6;   // their number times the cube of the degrees of freedom
constexpr int most_slides = 100;        // steps along a motion from one posture to another
constexpr double no_way_nearer = 1e-3;  // of the distance: so much of the way there that the loops leave
constexpr double few_digits = 1e-3;     // a gap that angles written with 3 to 5 digits leave
constexpr double near_by = 0.05;        // the farthest a joint goes to look at the mobility there

}  // namespace

// Steps and distances are counted in units, rad or the length of the loops: ClosureSystem::units.
void ClosedChain::Parts::step(std::span<const double> q, const VectorXd& by, std::vector<double>& to) const {
  to.resize(q.size());
  integrate<double>(model, q, entries(by.cwiseProduct(closure.units)), to);
}
// From one posture to another; a turn more or less is the same posture.
VectorXd ClosedChain::Parts::way(std::span<const double> from, std::span<const double> to) const {
  VectorXd d(model.nv());
  difference<double>(model, from, to, {d.data(), static_cast<std::size_t>(d.size())});
  for (const auto& link : model.links().subspan(1)) {
    if (link.joint == Elementary::revolute) d[link.dof] = std::remainder(d[link.dof], 2 * M_PI);
  }
  return d.cwiseQuotient(closure.units);
}
// Somewhere around a posture; what no loop ties has no reason to move.
std::vector<double> ClosedChain::Parts::around(std::span<const double> q, double reach, const std::vector<int>& held) {
  std::uniform_real_distribution<double> uniform(-reach, reach);
  VectorXd d(model.nv());
  for (double& x : d) x = uniform(random);
  for (const int k : held) d[k] = 0;
  for (const int k : closure.untied()) d[k] = 0;
  std::vector<double> result;
  step(q, d, result);
  return result;
}
// Where Newton's method with bounded steps gets to: on the loops, or to where the gap is as small as it gets.
std::vector<double> ClosedChain::Parts::newton(std::span<const double> from, const std::vector<int>& held) {
  std::vector<double> q(from.begin(), from.end()), next = q;
  for (int i = 0; i < most_newton_steps; ++i) {
    evaluate(q, zero);
    const double size = left();
    if (size <= posture_closed) return q;
    VectorXd d = -closure.inverse(held).transposed(facing());
    const double length = d.norm();
    if (length < posture_closed) return q;
    if (length > longest_newton_step) d *= longest_newton_step / length;
    step(q, d, next);
    evaluate(next, zero);
    // The last digits: a step that no longer shortens the gap has done what rounding allows.
    if (size < nearly_closed && left() >= size) return q;
    q.swap(next);
  }
  return q;
}
// The residual in units, but of loops beyond a quarter turn the other way: their rows would lead on to the half turn,
// where they are zero as well.
VectorXd ClosedChain::Parts::facing() const {
  VectorXd rows = closure.residual.cwiseQuotient(closure.row_units);
  for (Index i = 0; i < rows.size(); ++i) {
    if (closure.row(i).kind == ClosureRow::Kind::square && closure.is_turned(closure.row(i).loop)) rows[i] = -rows[i];
  }
  return rows;
}
// Where damped steps get to, (J^T J + mu |r|^2) d = -J^T r, as least squares of [J; sqrt(mu) |r|] d = [-r; 0]: squaring
// J would lose what is small in it. With this damping the last steps are Newton's although the rows of overconstrained
// mechanisms become dependent where they close.                                           [Yamashita & Fukushima 2001]
std::vector<double> ClosedChain::Parts::damped(std::span<const double> from, const std::vector<int>& held) {
  if (searches() == 0) return newton(from, held);  // dense equations of a large robot take too long
  if (!from_far) from_far.emplace(model, ClosureRows::of(model, assembly_rows(model.robot())));
  std::vector<double> q(from.begin(), from.end()), next = q;
  const auto residual_at = [&](const std::vector<double>& posture) {
    place<double>(model, posture, own);
    from_far->evaluate(own, posture, zero);
    return from_far->residual.cwiseQuotient(from_far->row_units).norm();
  };
  const Index n = model.nv(), m = from_far->size();
  MatrixXd A = MatrixXd::Zero(m + n, n);
  VectorXd b = VectorXd::Zero(m + n);
  double size = residual_at(q), mu = 1;
  for (int i = 0; i < most_damped_steps && size > posture_closed && mu < most_damping; ++i) {
    from_far->differentiate(own);
    A.topRows(m) = from_far->measured(held).transpose();
    b.head(m) = -from_far->residual.cwiseQuotient(from_far->row_units);
    double there = size;
    for (; there >= size && mu < most_damping; mu *= 4) {
      A.bottomRows(n).diagonal().setConstant(std::sqrt(mu) * size);
      step(q, A.householderQr().solve(b), next);
      there = residual_at(next);
    }
    if (there >= size) break;
    q.swap(next);
    size = there;
    mu = std::max(mu / 16, least_damping);  // the last one was good
  }
  return newton(q, held);
}
// Whether a motion with these degrees of freedom held leads from one closed posture to another: on towards it as far
// as the loops let, until it is there or gets no nearer.
bool ClosedChain::Parts::leads_to(std::vector<double> q, const std::vector<double>& goal,
                                  const std::vector<int>& held) {
  std::vector<double> next = q;
  for (int i = 0; i < most_slides; ++i) {
    const VectorXd left = way(q, goal);
    if (left.norm() < same_posture) return true;
    evaluate(q, zero);
    VectorXd d = closure.inverse(held).beside(left);
    for (const int k : held) d[k] = 0;
    const double length = d.norm();
    if (length < no_way_nearer * left.norm()) return false;
    if (length > longest_newton_step) d *= longest_newton_step / length;
    step(q, d, next);
    next = newton(next, held);
    if (left_at(next) > nearly_closed || distance(next, goal) >= left.norm()) return false;
    q = next;
  }
  return false;
}
// Whether anything moves at a closed posture with these degrees of freedom held.
bool ClosedChain::Parts::can_move(std::span<const double> q, const std::vector<int>& held) {
  evaluate(q, zero);
  return closure.inverse(held).rank() + static_cast<Index>(held.size()) < model.nv();
}
// Of these degrees of freedom, those that are held by their values: of a joint with a quaternion some rates being zero
// hold nothing, all of them do.
std::vector<int> ClosedChain::Parts::held_by_value(std::vector<int> dofs) const {
  std::vector<int> of_body(model.bodies().size());
  for (const int k : dofs) ++of_body[static_cast<std::size_t>(model.body_of_dof(k))];
  std::erase_if(dofs, [&](int k) {
    const auto b = static_cast<std::size_t>(model.body_of_dof(k));
    const JointType type = model.robot().bodies[b].joint.type;
    return !has_plain_coordinates(type) && of_body[b] < degrees_of_freedom(type);
  });
  return dofs;
}
double ClosedChain::Parts::left_at(std::span<const double> q) {
  move_to(q, zero);
  return left();
}
// How many searches from anywhere a robot of this size is worth.
int ClosedChain::Parts::searches() const {
  const double n = model.nv();
  return static_cast<int>(std::min<double>(most_searches, search_effort / (n * n * n)));
}

// Newton's method leads to the nearest. Where it does not get there (rods in one line, a start far away, more rows than
// are independent), damped steps try from the same posture, from others near by, ever further away, then from anywhere.
std::vector<double> ClosedChain::assemble(In<double> q, const std::vector<int>& held, Search search) {
  Parts& p = *parts_;
  require_dofs(p.model, held);
  p.random.seed(1);
  std::vector<double> best = p.newton(q, held);
  double left = p.left_at(best);
  const int attempts = most_restarts + (search == Search::anywhere ? p.searches() : 0);
  for (int attempt = 0; attempt <= attempts && left > nearly_closed; ++attempt) {
    const double reach = attempt <= most_restarts ? first_restart * attempt : far;
    std::vector<double> another = p.damped(p.around(q, reach, held), held);
    if (const double here = p.left_at(another); here < left) {
      left = here;
      best = std::move(another);
    }
  }
  if (left <= nearly_closed) return best;
  const Gap open = gap(best);
  if (p.closure.turned_loop() >= 0 && p.closure.left() <= nearly_closed)
    throw NotAssembled(fmt::format(
        "{}: its ends meet with opposite axes only, half a turn the wrong way round: turn the frame of one end by pi",
        open.loop));
  throw NotAssembled(fmt::format(
      "{}: it cannot be closed from this posture, a gap of {:.3g} m (or rad) is left; start "
      "nearer to a closed posture, or check the lengths{}",
      open.loop, open.size,
      left < few_digits ? ", and that angles of the file have digits enough (1.5708 is no right angle)" : ""));
}

std::vector<double> ClosedChain::closed_rates(In<double> q, In<double> v, const std::vector<int>& held) {
  Parts& p = *parts_;
  require_dofs(p.model, held);
  p.stand(q, v);
  const VectorXd d = p.closure.inverse(held).transposed(p.closure.rate.cwiseQuotient(p.closure.row_units));
  return list(vector(v) - d.cwiseProduct(p.closure.units));
}

std::vector<int> ClosedChain::independent(In<double> q) {
  Parts& p = *parts_;
  p.stand(q, p.zero);
  return p.closure.inverse().independent();
}

std::vector<std::vector<double>> ClosedChain::assemblies(In<double> q, int most, const std::vector<int>& held) {
  Parts& p = *parts_;
  require_dofs(p.model, held);
  const auto is_closed = [&](In<double> posture) { return p.left_at(posture) <= nearly_closed; };
  std::vector<double> first;
  try {
    first = assemble(q, held);
  } catch (const NotAssembled&) {
    return {};
  }
  p.evaluate(first, p.zero);
  const std::vector<int> still = p.closure.inverse(held).independent();  // those given among them
  const std::vector<int> fixed = p.held_by_value(still);
  std::vector<std::vector<double>> found = {first};
  // Another posture, not one that a motion leads to from one found before.
  const auto is_new = [&](const std::vector<double>& posture) {
    const bool moves = p.can_move(posture, fixed);
    return std::none_of(found.begin(), found.end(), [&](const auto& f) {
      return p.distance(f, posture) < same_posture || (moves && p.leads_to(posture, f, fixed));
    });
  };
  for (int attempt = 0; attempt < p.searches(); ++attempt) {
    const std::vector<double> start = p.around(first, far, still);
    std::vector<double> another = p.newton(start, still);
    if (!is_closed(another)) another = p.damped(start, still);
    if (is_closed(another) && is_new(another)) found.push_back(std::move(another));
  }
  std::sort(found.begin(), found.end(),
            [&](const auto& a, const auto& b) { return p.distance(first, a) < p.distance(first, b); });
  if (static_cast<int>(found.size()) > most) found.resize(static_cast<std::size_t>(most));
  return found;
}

Mobility ClosedChain::mobility(In<double> q) {
  Parts& p = *parts_;
  p.random.seed(1);
  p.stand(q, p.zero);
  p.gap().require_closed();
  const std::vector<double> closed = p.posture;
  const Pseudoinverse loops = p.closure.inverse();
  const int n = p.model.nv(), here = static_cast<int>(loops.rank());
  int anywhere = here;
  // Postures near by along the motions that are left.
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int attempt = 0; attempt < 4 && here > 0 && here < n; ++attempt) {
    VectorXd d(n);
    for (double& x : d) x = uniform(p.random);
    d = loops.beside(d);
    d *= near_by / d.cwiseAbs().maxCoeff();
    std::vector<double> near;
    p.step(closed, d, near);
    near = p.newton(near, {});
    if (p.left_at(near) > nearly_closed) continue;
    p.closure.differentiate(*p.at);
    anywhere = std::max(anywhere, static_cast<int>(p.closure.inverse().rank()));
  }
  return {n, rows(), here, anywhere};
}

}  // namespace denoc
