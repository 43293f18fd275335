// SRDF: of all it says, the group states.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "element.hpp"
#include "postures.hpp"
#include "readers.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace denoc::io {
namespace {

namespace fs = std::filesystem;

fs::path beside(const fs::path& urdf) {
  const fs::path name = urdf.stem().string() + ".srdf", folder = urdf.parent_path();
  for (const fs::path& file : {folder / name, folder / ".." / "srdf" / name}) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return {};
}

class SrdfReader {
 public:
  SrdfReader(Robot& robot, Report& report) : robot_(robot), report_(report), by_name_(robot) {
    for (const Body& body : robot.bodies) {
      if (!body.joint.mimic) continue;
      const Coordinates *at = by_name_.find(name_of_joint(body)), *leader = by_name_.find(body.joint.mimic->joint);
      if (at != nullptr && leader != nullptr) followers_.push_back({at->first, leader->first, *body.joint.mimic});
    }
  }

  // States of one name are one posture: each group tells its own joints. Of a joint told twice the first counts; one
  // that mimics another follows it unless it is told.
  void read(const Element& root) {
    root.each("rotor_params", [&](const Element& element) {  // Pinocchio's
      element.warn(
          "it is passed over, and with it the inertia of the rotors: <actuator gear rotor_inertia/> in a joint "
          "of the URDF says it");
    });
    root.each("virtual_joint", [&](const Element& element) { virtual_joint_ = element.text("name", ""); });
    root.each("group_state", [&](const Element& state) {
      Told& told = named(state);
      state.each("joint", [&](const Element& joint) { set(state, joint, told); });
    });
    for (Told& told : told_) {
      follow(told);
      Posture& posture = told.posture;
      if (is_said(posture)) continue;
      const Source source = posture.source;
      for (const std::string& rule : add_posture(std::move(posture), robot_))
        report_.warn(source.line, source.element, "passed over: " + rule);
    }
  }

 private:
  struct Told {
    Posture posture;
    std::set<std::size_t> joints = {};  // by their first coordinates
  };
  struct Follower {
    std::size_t at, leader;  // among the coordinates
    Mimic mimic;
  };
  // In the URDF already, by the same numbers, as `convert` writes it.
  bool is_said(Posture posture) const {
    for (const QuaternionPlace& place : quaternions_of(robot_)) normalise(place, posture.q);
    return std::any_of(robot_.postures.begin(), robot_.postures.end(),
                       [&](const Posture& other) { return other.name == posture.name && other.q == posture.q; });
  }

  Told& named(const Element& state) {
    const std::string name = state.required("name");
    for (Told& told : told_)
      if (told.posture.name == name) return told;
    return told_.emplace_back(Told{{name, neutral_posture(robot_), {report_.file, state.line(), state.label()}}});
  }

  void set(const Element& state, const Element& joint, Told& told) {
    const std::string name = joint.required("name");
    std::vector<double> value = joint.numbers("value");
    const Coordinates* at = by_name_.find(name);
    const bool is_base = name == virtual_joint_ || name == "root_joint";
    if (at == nullptr && is_base) at = base();
    if (at == nullptr && is_base) return;  // on the ground
    if (at == nullptr) return state.warn(unknown("joint", name, by_name_.names()) + ": passed over");
    if (at->size != value.size()) {
      return state.warn(fmt::format("joint {} has {} coordinates, its value {} numbers: passed over", in_quotes(name),
                                    at->size, value.size()));
    }
    // SRDF's quaternions are x y z w.
    if (at->type == JointType::free || at->type == JointType::spherical)
      std::rotate(value.end() - 4, value.end() - 1, value.end());
    const auto place = told.posture.q.begin() + static_cast<std::ptrdiff_t>(at->first);
    if (told.joints.insert(at->first).second) {
      std::copy(value.begin(), value.end(), place);
    } else if (!std::equal(value.begin(), value.end(), place)) {
      joint.warn(fmt::format("joint {} is told twice: the first counts", in_quotes(name)));
    }
  }

  // One after the other, as often as one may follow another that follows.
  void follow(Told& told) const {
    for (std::size_t round = 0; round < followers_.size(); ++round)
      for (const auto& [at, leader, mimic] : followers_)
        if (!told.joints.contains(at)) told.posture.q[at] = mimic.multiplier * told.posture.q[leader] + mimic.offset;
  }

  // The free joint of the root, if that is how it is carried.
  const Coordinates* base() const {
    const bool is_free = robot_.bodies.size() > 1 && robot_.bodies[1].joint.type == JointType::free;
    return is_free ? by_name_.find(robot_.bodies[1].name) : nullptr;
  }

  Robot& robot_;
  Report& report_;
  CoordinatesByName by_name_;
  std::vector<Follower> followers_ = {};
  std::vector<Told> told_ = {};
  std::string virtual_joint_ = {};
};

}  // namespace

void read_srdf_beside(const fs::path& urdf, Robot& robot, Report& report) {
  const fs::path file = beside(urdf);
  if (file.empty()) return;
  Report apart{file.string()};
  try {
    if (const auto text = read_text(file, apart)) {
      tinyxml2::XMLDocument document;
      if (const auto* const root = parse_xml(*text, document, apart))
        SrdfReader(robot, apart).read(Element(*root, "robot", apart));
    }
  } catch (const TooManyFaults&) {  // the report says so
  }
  for (std::vector<Fault>* found : {&apart.faults, &apart.warnings})
    report.warnings.insert(report.warnings.end(), found->begin(), found->end());
}

}  // namespace denoc::io
