// SRDF: of all it says, the group states.
#include <fmt/format.h>

#include <algorithm>

#include "element.hpp"
#include "postures.hpp"
#include "readers.hpp"
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
  SrdfReader(Robot& robot, Report& report) : robot_(robot), report_(report), by_name_(robot) {}

  // States of one name are one posture: each group tells its own joints.
  void read(const Element& root) {
    root.each("virtual_joint", [&](const Element& element) { virtual_joint_ = element.text("name", ""); });
    root.each("group_state", [&](const Element& state) {
      Posture& posture = named(state);
      state.each("joint", [&](const Element& joint) { set(state, joint, posture); });
    });
    for (Posture& posture : postures_) {
      if (is_said(posture)) continue;
      const Source source = posture.source;
      for (const std::string& rule : add_posture(std::move(posture), robot_))
        report_.warn(source.line, source.element, "passed over: " + rule);
    }
  }

 private:
  // In the URDF already, by the same numbers, as `convert` writes it.
  bool is_said(Posture posture) const {
    for (const QuaternionPlace& place : quaternions_of(robot_)) normalise(place, posture.q);
    return std::any_of(robot_.postures.begin(), robot_.postures.end(),
                       [&](const Posture& other) { return other.name == posture.name && other.q == posture.q; });
  }

  Posture& named(const Element& state) {
    const std::string name = state.required("name");
    for (Posture& posture : postures_)
      if (posture.name == name) return posture;
    return postures_.emplace_back(Posture{name, neutral_posture(robot_), {report_.file, state.line(), state.label()}});
  }

  void set(const Element& state, const Element& joint, Posture& posture) {
    const std::string name = joint.required("name");
    const std::vector<double> value = joint.numbers("value");
    const Coordinates* at = by_name_.find(name);
    const bool is_base = name == virtual_joint_ || name == "root_joint";
    if (at == nullptr && is_base) at = base();
    if (at == nullptr && is_base) return;  // on the ground
    if (at == nullptr) return state.warn(unknown("joint", name, by_name_.names()) + ": passed over");
    if (at->size != value.size()) {
      return state.warn(fmt::format("joint {} has {} coordinates, its value {} numbers: passed over", in_quotes(name),
                                    at->size, value.size()));
    }
    std::copy(value.begin(), value.end(), posture.q.begin() + static_cast<std::ptrdiff_t>(at->first));
    if (at->type != JointType::free && at->type != JointType::spherical) return;
    // SRDF's quaternions are x y z w.
    const auto end = posture.q.begin() + static_cast<std::ptrdiff_t>(at->first + at->size);
    std::rotate(end - 4, end - 1, end);
  }

  // The free joint of the root, if that is how it is carried.
  const Coordinates* base() const {
    const bool is_free = robot_.bodies.size() > 1 && robot_.bodies[1].joint.type == JointType::free;
    return is_free ? by_name_.find(robot_.bodies[1].name) : nullptr;
  }

  Robot& robot_;
  Report& report_;
  CoordinatesByName by_name_;
  std::vector<Posture> postures_ = {};
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
