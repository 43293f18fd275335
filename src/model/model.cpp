#include "denoc/model/model.hpp"

#include <cmath>

#include "screw_form.hpp"

namespace denoc {

namespace {

using screw_form::Screwed;
using Wide = screw_form::Wide;

template <class R> Branch<R> base_of(const Screwed& s) {
  const auto rounded = [](const Planar<Wide>& p) { return Planar<R>{R(p.c), R(p.s)}; };
  const Planar<R> alpha = rounded(screw_form::planar(s.alpha)), gamma = rounded(screw_form::planar(s.gamma));
  return {{{alpha, R(s.r.x), PlanarTensor<R>(alpha)}, full<R>(s.r)}, gamma, PlanarTensor<R>(gamma)};
}

bool is_branch(Kind kind) { return kind >= Kind::RevoluteBranch; }
bool is_classified(Kind kind) { return kind == Kind::RevoluteQuarter || kind == Kind::RevoluteParallel; }

Kind kind_of(Elementary joint, const Screwed& s) {
  const bool branch = s.base == Screwed::branch, offset = s.base == Screwed::offset;
  switch (joint) {
    case Elementary::spherical:
      return Kind::Ball;
    case Elementary::free:
      return Kind::Floating;
    case Elementary::helical:
      return branch || offset ? Kind::HelicalBranch : Kind::HelicalScrew;
    case Elementary::prismatic:
      return branch ? Kind::PrismaticBranch : offset ? Kind::PrismaticOffset : Kind::PrismaticScrew;
    case Elementary::revolute:
      break;
  }
  if (branch || offset) return branch ? Kind::RevoluteBranch : Kind::RevoluteOffset;
  if (screw_form::planar(s.alpha).c == 0) return Kind::RevoluteQuarter;
  return s.alpha == 0 ? Kind::RevoluteParallel : Kind::RevoluteScrew;
}

// Consecutive main children of one kind. A classified angle pays along a run of at least two; alone it only breaks one.
std::vector<Run> runs_of(const std::vector<int>& parent, std::vector<Kind> kind) {
  const int n = int(parent.size()) - 1;
  const std::vector<Kind> found = kind;
  const auto follows = [&](int i) { return i > 1 && i <= n && parent[i] == i - 1 && found[i] == found[i - 1]; };
  for (int i = 1; i <= n; ++i)
    if (is_classified(found[i]) && !follows(i) && !follows(i + 1)) kind[i] = Kind::RevoluteScrew;

  std::vector<int> children(n + 1);
  std::vector<bool> branching(n + 1);
  for (int i = 1; i <= n; ++i) {
    ++children[parent[i]];
    if (is_branch(kind[i])) branching[parent[i]] = true;
  }
  std::vector<Run> runs;
  for (int i = 1; i <= n; ++i) {
    const bool joins =
        i > 1 && kind[i] == kind[i - 1] && parent[i] == i - 1 && children[i - 1] == 1 && !is_branch(kind[i]);
    if (!joins) runs.push_back({kind[i], i, i, false, false});
    Run& run = runs.back();
    run.last = i;
    run.branching = branching[i];
    run.tip = children[i] == 0;
  }
  return runs;
}

// Serial branches of the bodies that move on their own joint.
std::vector<Module> modules_of(const Robot& robot) {
  const int n = int(robot.bodies.size());
  std::vector<int> carrier(n), children(n), module(n);  // carrier: the body itself, or what it is fixed to
  for (int b = 1; b < n; ++b) {
    const int parent = carrier[robot.bodies[b].parent];
    carrier[b] = robot.bodies[b].joint.type == JointType::fixed ? parent : b;
    if (carrier[b] == b) ++children[parent];
  }
  std::vector<Module> modules = {{0, {}}};  // [0] is the ground's
  for (int b = 1; b < n; ++b) {
    if (carrier[b] != b) continue;
    const int parent = carrier[robot.bodies[b].parent];
    if (parent == 0 || children[parent] > 1) {
      module[b] = int(modules.size());
      modules.push_back({module[parent], {}});
    } else {
      module[b] = module[parent];
    }
    modules[module[b]].bodies.push_back(b);
  }
  return modules;
}

}  // namespace

template <class R> BasicModel<R>::BasicModel(Robot robot) : robot_(std::move(robot)) {
  if (auto faults = faults_of(robot_); !faults.empty()) throw RobotError(std::move(faults));

  const auto [pieces, standing] = screw_form::expand(robot_);
  const auto screws = screw_form::screws(pieces);
  const auto inertias = screw_form::inertias(pieces, screws);
  const auto scales = screw_form::scales(pieces, screws, inertias);

  for (size_t b = 0; b < robot_.bodies.size(); ++b) {
    const Body& body = robot_.bodies[b];
    const Pose<Wide> in_link = inverse(screws[standing[b].piece].link_in_piece()) * standing[b].frame;
    bodies_.push_back({body.parent, standing[b].piece, nq_, nv_, full<R>(in_link),
                       full<R>(screw_form::inertia_about_origin(body.inertial))});
    nq_ += coordinates(body.joint.type);
    nv_ += degrees_of_freedom(body.joint.type);
    body_of_dof_.resize(nv_, int(b));
  }
  pivot_floor_.resize(nv_);

  std::vector<int> parent;
  std::vector<Kind> kind;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = pieces[i];
    const Screwed& s = screws[i];
    const bool several = screw_form::has_several_columns(piece.joint);
    if (several) {
      const Pose<Wide> parent_link = inverse(screws[piece.parent].link_in_piece());
      pose_frames_.push_back(full<R>(parent_link * piece.frame));
    }
    links_.push_back({piece.parent, piece.q, piece.dof, several ? int(pose_frames_.size()) - 1 : -1, 0, 0, 0,
                      s.base != Screwed::screw, piece.joint, full<R>(inertias.grouped[i]), base_of<R>(s), R(s.theta),
                      R(s.d), R(piece.pitch)});
    parent.push_back(piece.parent);
    kind.push_back(kind_of(piece.joint, s));
    if (i == 0) continue;
    const bool turns = piece.joint == Elementary::revolute || piece.joint == Elementary::helical;
    const bool slides = piece.joint == Elementary::prismatic || piece.joint == Elementary::helical;
    if (turns) turning_.push_back({int(i), piece.q, R(s.theta)});
    if (slides) sliding_links_.push_back(int(i));
    if (several) posed_links_.push_back(int(i));
    Link<R>& link = links_.back();
    link.first = int(dofs_by_link_.size());
    const R rounding = 16 * std::numeric_limits<R>::epsilon();
    const screw_form::Scale scale = scales[i];
    columns(int(i), [&](int dof, const Twist<R>& p) {
      dofs_by_link_.push_back(dof);
      pivot_floor_[dof] = rounding * (dot(p.w, p.w) * R(scale.angular) + dot(p.v, p.v) * R(scale.mass));
    });
    link.columns = link.subtree = int(dofs_by_link_.size()) - link.first;
  }
  for (size_t i = links_.size() - 1; i > 0; --i) links_[links_[i].parent].subtree += links_[i].subtree;
  turning_count_ = int(turning_.size());
  while (turning_.size() % 4 != 0) turning_.push_back(turning_.back());
  runs_ = runs_of(parent, std::move(kind));
  modules_ = modules_of(robot_);
  const Vec3<Wide> g = back(screw_form::turned_about_z(screws[0].turn).R, full<Wide>(robot_.gravity));
  ground_acceleration_ = full<R>(-g);
}

template <class R> std::string BasicModel<R>::joint_name(int b) const {
  body(b);  // there is one
  const Body& named = robot_.bodies[b];
  return named.joint.name.empty() ? named.name : named.joint.name;
}

template class BasicModel<float>;
template class BasicModel<double>;
template class BasicModel<long double>;

}  // namespace denoc
