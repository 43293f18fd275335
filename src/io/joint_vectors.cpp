#include "denoc/io/joint_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace denoc::io {
namespace {

constexpr std::size_t most_names = 12;

Entries none(const Layout& layout) { return Entries(static_cast<std::size_t>(layout.size())); }

// A number, or all entries of the joint.
void take(const Fields& map, const Layout::Joint& joint, const Node& node, Entries& entries) {
  const bool is_list = node.kind == Node::Kind::list;
  if (!is_list && joint.size == 1) {
    entries[static_cast<std::size_t>(joint.first)] = &node;
  } else if (is_list && std::ssize(node.children) == joint.size) {
    std::copy(node.children.begin(), node.children.end(), entries.begin() + joint.first);
  } else {
    map.refuse(joint.name,
               fmt::format("expected {}, found {}",
                           joint.size == 1 ? "a number" : fmt::format("a list of {} numbers", joint.size),
                           is_list ? fmt::format("a list of {}", node.children.size()) : description(node)));
  }
}

Entries named(const Fields& fields, std::string_view key, const Layout& layout) {
  Words names;
  for (const Layout::Joint& joint : layout.joints()) names.push_back(joint.name);
  const auto map = fields.map(key, names);
  Entries entries = none(layout);
  for (const Layout::Joint& joint : layout.joints())
    if (const Node* node = map->node(joint.name)) take(*map, joint, *node, entries);
  return entries;
}

}  // namespace

Layout::Layout(const Robot& robot, int (*size_of)(JointType)) {
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const denoc::Joint& joint = robot.bodies[b].joint;
    const int entries = size_of(joint.type);
    const bool turns = joint.type == JointType::revolute || joint.type == JointType::continuous;
    if (entries > 0) joints_.push_back({name_of_joint(robot.bodies[b]), size_, entries, turns});
    size_ += entries;
  }
}

std::string Layout::description() const {
  std::vector<std::string> names;
  for (const Joint& j : joints_) names.push_back(j.size == 1 ? j.name : fmt::format("{} of {}", j.size, j.name));
  if (names.size() > most_names) {
    names.erase(names.begin() + most_names - 2, names.end() - 1);
    names.insert(names.end() - 1, "...");
  }
  return fmt::format("{} numbers ({})", size_, fmt::join(names, ", "));
}

Entries listed(const Node& list, int line, const std::string& element, const Layout& layout, Report& report) {
  if (std::ssize(list.children) == layout.size()) return list.children;
  report.fault(line, element, fmt::format("expected {}, found {}", layout.description(), list.children.size()));
  return none(layout);
}

Entries entries(const Fields& fields, std::string_view key, const Layout& layout, Report& report) {
  const Node* node = fields.node(key);
  if (node == nullptr) return none(layout);
  if (node->kind == Node::Kind::list) return listed(*node, fields.line(key), fields.path(key), layout, report);
  if (node->kind == Node::Kind::map) return named(fields, key, layout);
  fields.refuse(
      key, fmt::format("expected a list of {}, or a map by joint, found {}", layout.description(), description(*node)));
  return none(layout);
}

std::vector<double> numbers(const Entries& entries, const std::string& element, std::vector<double> fallback,
                            Report& report) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] == nullptr) continue;
    const Number number = number_of(*entries[i]);
    if (number) fallback[i] = number.value;
    if (!number) report.fault(entries[i]->line, element, number.rule);
  }
  return fallback;
}

void doubt_degrees(const Entries& entries, const std::string& element, const Layout& of_coordinates, Report& report) {
  for (const Layout::Joint& joint : of_coordinates.joints()) {
    const Node* entry = entries[static_cast<std::size_t>(joint.first)];
    if (!joint.turns || entry == nullptr || entry->kind != Node::Kind::scalar) continue;
    const Number number = plain_number(entry->text);
    if (number && number.value == std::round(number.value) && std::abs(number.value) > 2 * std::numbers::pi)
      report.warn(entry->line, element,
                  fmt::format("joint {}: {} rad is more than a whole turn: deg({}) if it is in degrees",
                              in_quotes(joint.name), number.value, number.value));
  }
}

}  // namespace denoc::io
