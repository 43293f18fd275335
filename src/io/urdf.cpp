// URDF as it is found: every number must be one, and the links must form one tree; what the format wants and a file
// leaves out, or says twice, is doubted. The rules of physics are in faults_of.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "element.hpp"
#include "postures.hpp"
#include "printed_digits.hpp"
#include "readers.hpp"
#include "urdf_extensions.hpp"
#include "urdf_loops.hpp"
#include "urdf_shapes.hpp"
#include "urdf_tree.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace denoc::io {
namespace {

// R I R^T; exactly I where nothing turns.
Sym3<double> turned(const Mat3<double>& r, const Sym3<double>& inertia) {
  if (is_identity(r)) return inertia;
  return full<double>(turn(full<long double>(r), full<long double>(inertia)));
}

class UrdfReader {
 public:
  UrdfReader(const LoadOptions& options, Report& report) : options_(options), report_(report) {}

  Robot read(const tinyxml2::XMLElement& root) {
    const Element file(root, "robot", report_);
    file.expect_attributes({"name", "version"});
    file.expect_children({"link", "joint", "loop", "transmission", "gravity", "spring", "posture", "order"},
                         {"material", "gazebo", "sensor", "group", "mujoco", "ros2_control"});
    robot_.name = file.text("name", "");
    if (robot_.name.empty()) {
      robot_.name = std::filesystem::path(report_.file).stem().string();
      file.warn(fmt::format("it has no name: called {} by its file", in_quotes(robot_.name)));
    }
    leave_out(file, {"material", "gazebo", "sensor", "group", "mujoco", "ros2_control"});
    leave_out(file, {"transmission"}, ", but for its mechanicalReduction");
    doubt_forces_of_others(file);
    for (const char* kind : {"link", "joint"})
      file.each(kind, [&](const Element& element) { tree_.note_name(element.text("name", "")); });
    file.each("link", [&](const Element& element) { link(element); });
    if (tree_.size() == 0) {
      file.refuse("a robot has at least one link");
      return std::move(robot_);
    }
    file.each("joint", [&](const Element& element) { joint(element); });
    tree_.build(options_.base, robot_);
    if (const auto said = file.child("order")) order(*said);
    couple_mimics(robot_, report_);
    file.each("loop", [&](const Element& element) { read_loop(element, robot_, report_); });
    std::vector<int> geared = geared_bodies(robot_);
    file.each("transmission", [&](const Element& element) { read_transmission(element, robot_, geared); });
    read_extensions(file, robot_, report_);
    if (report_.faults.empty()) read_srdf_beside(report_.file, robot_, report_);
    return std::move(robot_);
  }

 private:
  // What a URDF has and the one that is written from it will not, once for each kind.
  void leave_out(const Element& owner, const Words& kinds, std::string_view but = "") {
    if (!options_.to_urdf) return;
    for (const std::string_view kind : kinds)
      owner.each(kind.data(), [&](const Element& element) {
        if (left_out_.emplace(kind).second)
          report_.note(element.line(), owner.label(), fmt::format("<{}> is not written again{}", kind, but));
      });
  }

  void link(const Element& element) {
    element.expect_attributes({"name", "type"});
    element.expect_children({"inertial", "visual", "collision"},
                            {"sensor", "self_collision_checking", "contact", "audio_source", "verbose"});
    LinkRecord link;
    const std::string said = element.text("name", "");
    link.name = said.empty() ? tree_.unused_name(fmt::format("link{}", tree_.size() + 1)) : said;
    if (said.empty()) element.warn(fmt::format("a link without a name: called '{}' by its number", link.name));
    link.source = {report_.file, element.line(), element.label()};
    if (const auto inertial = element.child("inertial"))
      link.inertial = read_inertial(*inertial, link.source, link.inertia_rounding);
    leave_out(element, {"sensor", "self_collision_checking", "contact", "audio_source", "verbose"});
    bool is_seen = false;
    element.each("visual", [&](const Element& visual) {
      is_seen = true;
      leave_out(visual, {"material"});
    });
    if (is_seen) leave_out(element, {"collision"}, " beside a <visual>");
    link.shapes = read_shapes(element, report_.file, options_.to_urdf);
    tree_.add(std::move(link), said);
  }

  Inertial read_inertial(const Element& element, Source& source, double& rounding) {
    Inertial inertial;
    element.expect_attributes({});
    element.expect_children({"origin", "mass", "inertia", "hub"}, {});
    const Pose<double> frame = read_origin(element);
    inertial.com = frame.r;
    if (const auto origin = element.child("origin")) source.note("com", origin->line());
    if (const auto mass = expected_child(element, "mass", "0")) {
      mass->expect_attributes({"value"});
      mass->expect("value", "0");
      inertial.mass = mass->number("value", 0);
      source.note("mass", mass->line());
    }
    if (const auto tensor = expected_child(element, "inertia", "zero")) {
      inertial.inertia = turned(frame.R, read_tensor(*tensor, rounding));
      source.note("inertia", tensor->line());
    }
    if (const auto hub = element.child("hub")) {
      double unused = 0;
      inertial.hub = turned(frame.R, read_tensor(*hub, unused));
      source.note("hub", hub->line());
    }
    return inertial;
  }

  // What URDF wants, and files leave out.
  static std::optional<Element> expected_child(const Element& owner, const char* name, const char* instead) {
    std::optional<Element> element = owner.child(name);
    if (!element) owner.warn(fmt::format("missing element <{}>: taken as {}", name, instead));
    return element;
  }

  // A tensor with an entry at fault would be doubted for no reason of its own: it is zero then.
  Sym3<double> read_tensor(const Element& tensor, double& rounding) {
    static constexpr const char* names[] = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
    tensor.expect_attributes({std::begin(names), std::end(names)});
    const std::size_t faults_before = report_.faults.size();
    std::array<double, 6> value{};
    std::array<std::string, 6> text;
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!tensor.has(names[i])) missing.emplace_back(names[i]);
      value[i] = tensor.number(names[i], 0);
      text[i] = tensor.text(names[i], "0");
    }
    if (!missing.empty()) tensor.warn(fmt::format("missing attributes, taken as 0: {}", fmt::join(missing, ", ")));
    if (report_.faults.size() != faults_before) return {0, 0, 0, 0, 0, 0};
    rounding = printed_rounding({text[0], text[1], text[2], text[3], text[4], text[5]});
    const auto& [xx, yy, zz, xy, yz, xz] = value;
    return {xx, xy, yy, xz, yz, zz};
  }

  void joint(const Element& element) {
    leave_out(element, {"calibration", "safety_controller"});
    JointRecord record = read_urdf_joint(element);
    record.parent = end(element, "parent");
    record.child = end(element, "child");
    tree_.add(std::move(record), element.label());
  }

  int end(const Element& joint, const char* which) {
    const auto element = joint.required_child(which);
    if (!element) return -1;
    element->expect_attributes({"link"});
    if (!element->has("link")) element->refuse("missing attribute 'link'");
    if (!element->has("link")) return -1;
    const std::string name = element->text("link", "");
    if (const int found = tree_.find(name); found >= 0) return found;
    if (name == "world" && std::string_view(which) == "parent") return undeclared_world(*element);
    element->refuse(unknown("link", name, tree_.names()));
    return -1;
  }

  // Drake's files hang on a world that no link declares.
  int undeclared_world(const Element& element) {
    element.warn("no link is called 'world': it is taken as the ground");
    if (options_.base == Base::free)
      element.refuse("a free base is asked for, and the file ties its root to the ground");
    LinkRecord world;
    world.name = "world";
    world.source = {report_.file, element.line(), "link 'world'"};
    return tree_.add(std::move(world), "world");
  }

  // <order links="a b c"/>, or <order><link name="a"/>..</order> where names have spaces.
  static std::vector<std::string> names_in(const Element& order) {
    order.only_attributes({"links"});
    order.only_children({"link"});
    std::vector<std::string> names;
    order.each("link", [&](const Element& link) { names.push_back(link.required("name")); });
    if (!names.empty() && order.has("links")) order.refuse("links", "either it or elements <link>, not both");
    std::istringstream words(order.text("links", ""));
    for (std::string name; words >> name;) names.push_back(name);
    return names;
  }

  // Of ours: every link once, a parent before its children, instead of depth first.
  void order(const Element& element) {
    std::vector<int> place(robot_.bodies.size(), -1);  // of the body that goes there
    std::vector<int> taken = {0};
    place[0] = 0;
    for (const std::string& name : names_in(element)) {
      const int b = robot_.find(name);
      if (b <= 0 || place[static_cast<std::size_t>(b)] >= 0)
        return element.refuse("links: " + unknown("link", name, tree_.names()));
      if (place[static_cast<std::size_t>(robot_.bodies[static_cast<std::size_t>(b)].parent)] < 0)
        return element.refuse(fmt::format("links: the parent of '{}' stands after it", name));
      place[static_cast<std::size_t>(b)] = static_cast<int>(taken.size());
      taken.push_back(b);
    }
    if (taken.size() != robot_.bodies.size()) return element.refuse("links: every link stands there once");
    std::vector<Body> bodies;
    std::vector<double> rounding;
    report_.inertia_rounding.resize(robot_.bodies.size());
    for (const int b : taken) {
      rounding.push_back(report_.inertia_rounding[static_cast<std::size_t>(b)]);
      bodies.push_back(std::move(robot_.bodies[static_cast<std::size_t>(b)]));
      bodies.back().parent = place[static_cast<std::size_t>(bodies.back().parent)];
    }
    robot_.bodies = std::move(bodies);
    report_.inertia_rounding = std::move(rounding);
  }

  const LoadOptions& options_;
  Report& report_;
  std::unordered_set<std::string> left_out_ = {};  // kinds of elements
  Robot robot_;
  LinkTree tree_{report_};
};

}  // namespace

Robot read_urdf(const std::string& text, const LoadOptions& options, Report& report) {
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLElement* const root = parse_xml(text, document, report);
  if (root == nullptr) return {};
  if (std::string_view(root->Value()) != "robot") {
    report.fault(root->GetLineNum(), "", fmt::format("the root element is <{}>, expected <robot>", root->Value()));
    return {};
  }
  return UrdfReader(options, report).read(*root);
}

}  // namespace denoc::io
