#include "urdf_tree.hpp"

#include <fmt/format.h>

#include "denoc/model/lengths.hpp"

namespace denoc::io {

std::string LinkTree::unused_name(std::string name) const {
  while (names_.contains(name)) name += '_';
  return name;
}

int LinkTree::add(LinkRecord link, const std::string& said) {
  const int index = size();
  for (const std::string& name : {said, link.name}) link_of_.emplace(name, index);
  names_.insert(link.name);
  links_.push_back(std::move(link));
  return index;
}

// An edge of the tree, if it is one: both links known, not the same, the child without another parent.
void LinkTree::add(JointRecord record, const std::string& label) {
  const int index = static_cast<int>(joints_.size());
  if (record.child >= 0) {
    LinkRecord& below = link_at(record.child);
    below.is_some_child = true;
    if (record.parent == record.child) {
      report_.fault(record.line, label, fmt::format("link '{}' is its own parent", below.name));
    } else if (below.joint_above >= 0) {
      const JointRecord& first = joint_at(below.joint_above);
      report_.fault(record.line, label,
                    fmt::format("link '{}' has two parents: it is already the child of joint '{}' (line {})",
                                below.name, first.joint.name, first.line));
    } else if (record.parent >= 0) {
      below.joint_above = index;
      link_at(record.parent).joints_below.push_back(index);
    }
  }
  joints_.push_back(std::move(record));
}

int LinkTree::find(const std::string& link) const {
  const auto found = link_of_.find(link);
  return found != link_of_.end() ? found->second : -1;
}

Words LinkTree::names() const {
  Words names;
  for (const LinkRecord& link : links_) names.push_back(link.name);
  return names;
}

// Links that hang on nothing follow, on the ground, so that the rules of physics see them as well: the robot is refused
// anyway.
void LinkTree::build(Base base, Robot& robot) {
  check_roots();
  check_loops();
  std::vector<bool> done(links_.size(), false);
  if (root_ >= 0) add_subtree(robot, done);
  if (root_ >= 0 && base == Base::free) robot.bodies[1].joint.type = JointType::free;
  for (int i = 0; i < size(); ++i) {
    if (!done[static_cast<std::size_t>(i)]) add_body(i, 0, robot);
  }
  doubt_forgotten_inertials(robot);
}

void LinkTree::check_roots() {
  for (int i = 0; i < size(); ++i) {
    const LinkRecord& link = link_at(i);
    if (find(link.name) != i || link.is_some_child) continue;
    if (root_ < 0) {
      root_ = i;
    } else {
      report_.fault(
          link.source.line, link.source.element,
          fmt::format("several roots: it has no parent, and neither has '{}' (line {}); the links form one tree",
                      link_at(root_).name, link_at(root_).source.line));
    }
  }
}

// From every link up to a root, or to a link met before: each link is walked once.
void LinkTree::check_loops() {
  std::vector<int> walk_of(links_.size(), -1);
  for (int start = 0; start < size(); ++start) {
    int i = start;
    while (i >= 0 && walk_of[static_cast<std::size_t>(i)] < 0) {
      walk_of[static_cast<std::size_t>(i)] = start;
      i = parent_of(i);
    }
    if (i >= 0 && walk_of[static_cast<std::size_t>(i)] == start && parent_of(i) >= 0) refuse_loop(i);
  }
}

void LinkTree::refuse_loop(int link) {
  std::vector<std::string> names;
  const JointRecord* last = &joint_at(link_at(link).joint_above);
  int i = link;
  do {
    const JointRecord& joint = joint_at(link_at(i).joint_above);
    if (joint.line > last->line) last = &joint;
    if (names.size() < 8) names.push_back(link_at(i).name);
    i = parent_of(i);
  } while (i != link);
  report_.fault(last->line, fmt::format("joint {}", in_quotes(last->joint.name)),
                fmt::format("the links form a loop, not a tree: {} hang on each other", fmt::join(names, ", ")));
}

void LinkTree::add_subtree(Robot& robot, std::vector<bool>& done) {
  struct Pending {
    int link, parent_body;
  };
  std::vector<Pending> stack = {{root_, 0}};
  while (!stack.empty()) {
    const auto [link, parent_body] = stack.back();
    stack.pop_back();
    done[static_cast<std::size_t>(link)] = true;
    const int body = static_cast<int>(robot.bodies.size());
    add_body(link, parent_body, robot);
    const std::vector<int>& below = link_at(link).joints_below;
    for (auto joint = below.rbegin(); joint != below.rend(); ++joint) stack.push_back({joint_at(*joint).child, body});
  }
}

void LinkTree::add_body(int index, int parent_body, Robot& robot) {
  LinkRecord& link = link_at(index);
  Body body;
  body.name = link.name;
  body.parent = parent_body;
  body.inertial = link.inertial.value_or(Inertial{});
  body.shapes = std::move(link.shapes);
  body.source = std::move(link.source);
  report_.inertia_rounding.resize(robot.bodies.size() + 1);
  report_.inertia_rounding.back() = link.inertia_rounding;
  if (link.joint_above >= 0) {
    const JointRecord& record = joint_at(link.joint_above);
    body.joint = record.joint;
    body.joint_frame = record.frame;
    body.own_frame = record.own_frame;
    body.source.note("joint", record.line);
    for (const auto& [part, line] : record.parts) body.source.parts.emplace_back(part, line);
  } else {
    body.joint.name = unused_name("world_to_" + link.name);
  }
  robot.bodies.push_back(std::move(body));
  has_inertial_.push_back(link.inertial.has_value());
}

// A link without <inertial> between two moving joints has no mass. Where their axes cross that is meant; where it
// reaches from one to the other, or looks like something, it was forgotten. What is welded together is one link;
// tips first, so that it is complete when its carrier is reached.
void LinkTree::doubt_forgotten_inertials(const Robot& robot) {
  struct Welded {
    bool has_inertial = false, carries_joints = false, reaches = false;
  };
  std::vector<Welded> welded(robot.bodies.size());
  const double rounded = rounded_length(robot);
  for (std::size_t b = robot.bodies.size(); b-- > 1;) {
    const Body& body = robot.bodies[b];
    Welded &own = welded[b], &parent = welded[static_cast<std::size_t>(body.parent)];
    const bool is_fixed = body.joint.type == JointType::fixed;
    own.has_inertial |= has_inertial_[b];
    own.reaches |= !body.shapes.empty();
    if (is_fixed) {
      parent.has_inertial |= own.has_inertial;
      parent.reaches |= own.reaches;
    } else if (!own.has_inertial && own.carries_joints && own.reaches) {
      report_.warn(body.source.line, body.source.element,
                   "it has no <inertial>, and moves between joints without mass: was it forgotten? If it is meant, "
                   "say so by a mass of 0");
    }
    if (is_fixed && !own.carries_joints) continue;
    parent.carries_joints = true;
    parent.reaches |= norm(body.joint_frame.r) > rounded;
  }
}

}  // namespace denoc::io
