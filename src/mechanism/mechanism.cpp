#include "denoc/mechanism/mechanism.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/io/report.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/loops/closure.hpp"
#include "denoc/mechanism/doubts.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc {
namespace {

// The body that `which` means; name_of(body) is what it may be called by, what: "body" or "joint".
template <class NameOf> int index_of(const Which& which, const Robot& robot, std::string_view what, NameOf&& name_of) {
  const std::vector<Body>& bodies = robot.bodies;
  if (const int* const index = std::get_if<int>(&which.value())) {
    if (*index >= 0 && static_cast<std::size_t>(*index) < bodies.size()) return *index;
    throw ArgumentError(
        fmt::format("there is no {} {}: they are numbered from 0 to {}", what, *index, bodies.size() - 1));
  }
  const std::string_view name = std::get<std::string_view>(which.value());
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return name_of(body) == name; });
  if (found != bodies.end()) return static_cast<int>(found - bodies.begin());
  io::Words names;
  for (const Body& body : bodies) names.emplace_back(name_of(body));
  throw ArgumentError(io::unknown(what, name, names));
}
const std::string& body_name(const Body& body) { return body.name; }

// Whether a loop speaks of the coordinate of this body's joint.
bool is_coupled(const Robot& robot, int body) {
  return std::any_of(robot.loops.begin(), robot.loops.end(), [&](const Loop& loop) {
    return couples_coordinates(loop.type) && (loop.a.body == body || loop.b.body == body);
  });
}

void lock(Robot& robot, const Changes::Lock& lock) {
  const int b = index_of(lock.joint, robot, "joint", name_of_joint);
  Body& body = robot.bodies[static_cast<std::size_t>(b)];
  const int size = coordinates(body.joint.type);
  if (size == 0) throw ArgumentError(fmt::format("joint '{}' is fixed already", lock.joint));
  if (lock.q.size() != static_cast<std::size_t>(size))
    throw ArgumentError(fmt::format("joint '{}' has {} coordinates, it cannot be locked at {} numbers", lock.joint,
                                    size, lock.q.size()));
  if (!std::all_of(lock.q.begin(), lock.q.end(), [](double x) { return std::isfinite(x); }))
    throw ArgumentError(fmt::format("joint '{}' cannot be locked where its q is not finite", lock.joint));
  if (is_coupled(robot, b) || body.joint.mimic)
    throw NotCovered(fmt::format("joint '{}' is coupled to another one: it cannot be locked by itself", lock.joint));
  // Where the body stands in its parent's frame then.
  const Model model(robot);
  const std::ptrdiff_t first = model.bodies()[static_cast<std::size_t>(b)].q;
  std::vector<double> q = neutral_posture(robot);
  std::copy(lock.q.begin(), lock.q.end(), q.begin() + first);
  for (const QuaternionPlace& place : quaternions_of(robot))
    if (const std::string broken = normalise(place, q); !broken.empty()) throw ArgumentError("a lock: " + broken);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  const Pose<double> stands =
      inverse(pose_in_world<double>(model, kin, body.parent)) * pose_in_world<double>(model, kin, b);
  body.joint_frame = stands * inverse(body.own_frame);
  Joint fixed;
  fixed.name = body.joint.name;
  body.joint = fixed;
  for (Posture& posture : robot.postures) posture.q.erase(posture.q.begin() + first, posture.q.begin() + first + size);
}

void add(Robot& robot, const Changes::Payload& payload) {
  const int found = robot.find(payload.body);
  const int carrier = found >= 0 ? found : index_of(payload.body, robot, "body", body_name);
  Body body;
  const auto is_taken = [&](const std::string& name) { return robot.find(name) >= 0; };
  body.name = payload.body + ".payload";
  for (int i = 2; is_taken(body.name); ++i) body.name = fmt::format("{}.payload{}", payload.body, i);
  body.parent = carrier;
  body.inertial = payload.inertial;
  body.source.element = fmt::format("payload on '{}'", payload.body);
  robot.bodies.push_back(body);
}

}  // namespace

Robot changed(Robot robot, const Changes& changes) {
  for (const Changes::Lock& each : changes.locked) lock(robot, each);
  for (const Changes::Payload& each : changes.payloads) add(robot, each);
  return robot;
}

Mechanism::Mechanism(const std::string& file_or_shipped_name, const LoadOptions& options, const Changes& changes)
    : Mechanism(load(file_or_shipped_name, options), changes) {
  if (options.strict) require_no_doubts(tree_);
}

Mechanism::Mechanism(Robot robot, const Changes& changes) : tree_(changed(std::move(robot), changes)) {
  warnings_ = this->robot().doubts;
  for (const std::vector<Fault>& further : {warnings_of(this->robot()), doubts_of(tree_)})
    warnings_.insert(warnings_.end(), further.begin(), further.end());
  leading_ = leading_freedoms(tree_);
  driven_ = driven_freedoms(tree_);
}

int Mechanism::body(const Which& which) const {
  if (const auto* const name = std::get_if<std::string_view>(&which.value()))
    if (const int found = robot().find(*name); found >= 0) return found;  // "world" and "base", too
  return index_of(which, robot(), "body", body_name);
}

int Mechanism::joint(const Which& which) const { return index_of(which, robot(), "joint", name_of_joint); }

Mechanism::Freedoms Mechanism::freedoms(const Which& joint_name) const {
  const auto b = static_cast<std::size_t>(joint(joint_name));
  const int count = degrees_of_freedom(robot().bodies[b].joint.type);
  if (count > 0) return {tree_.bodies()[b].v, count};
  throw ArgumentError(fmt::format("'{}' is no joint that moves; there are {}", tree_.joint_name(static_cast<int>(b)),
                                  fmt::join(joint_names(tree_), ", ")));
}

std::vector<int> Mechanism::freedoms(std::span<const std::string> joint_names) const {
  std::vector<int> all;
  for (const std::string& joint : joint_names) {
    const auto [first, count] = freedoms(joint);
    for (int k = first; k < first + count; ++k) all.push_back(k);
  }
  return all;
}

std::vector<double> Mechanism::neutral() const { return neutral_posture(robot()); }

}  // namespace denoc
