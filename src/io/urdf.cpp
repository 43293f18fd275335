// URDF as it is found: every number must be one, and the links must form one tree; what the format wants and a file
// leaves out, or says twice, is doubted. The rules of physics are in faults_of.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "denoc/model/lengths.hpp"
#include "element.hpp"
#include "postures.hpp"
#include "printed_digits.hpp"
#include "readers.hpp"
#include "urdf_extensions.hpp"
#include "urdf_joints.hpp"
#include "urdf_loops.hpp"
#include "urdf_shapes.hpp"
#include "writers.hpp"
#include "xml.hpp"

namespace denoc::io {
namespace {

struct LinkRecord {
  std::string name;
  std::optional<Inertial> inertial;  // none where the file has no <inertial>
  double inertia_rounding = 0;
  std::vector<Shape> shapes = {};
  Source source;
  int joint_above = -1;        // index into the joints
  bool is_some_child = false;  // even of a joint at fault
  std::vector<int> joints_below = {};
};

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
      file.each(kind, [&](const Element& element) { names_.insert(element.text("name", "")); });
    file.each("link", [&](const Element& element) { link(element); });
    if (links_.empty()) {
      file.refuse("a robot has at least one link");
      return std::move(robot_);
    }
    file.each("joint", [&](const Element& element) { joint(element); });
    check_roots();
    check_loops();
    build_tree();
    doubt_forgotten_inertials();
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
    link.name = said.empty() ? unused_name(fmt::format("link{}", links_.size() + 1)) : said;
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
    // Of two links with one name the first counts; the rules refuse the second.
    link_of_.emplace(said, static_cast<int>(links_.size()));
    link_of_.emplace(link.name, static_cast<int>(links_.size()));
    names_.insert(link.name);
    links_.push_back(std::move(link));
  }

  // What is made up yields to what the file says anywhere.
  std::string unused_name(std::string name) const {
    while (names_.contains(name)) name += '_';
    return name;
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
    connect(element, record);
    joints_.push_back(std::move(record));
  }

  // An edge of the tree, if it is one: both links known, not the same, the child without another parent.
  void connect(const Element& element, JointRecord& record) {
    const int parent = end(element, "parent"), child = end(element, "child");
    if (child < 0) return;
    LinkRecord& below = link_at(child);
    const int above = below.joint_above;
    below.is_some_child = true;
    if (parent == child) {
      element.refuse(fmt::format("link '{}' is its own parent", below.name));
    } else if (above >= 0) {
      const JointRecord& first = joint_at(above);
      element.refuse(fmt::format("link '{}' has two parents: it is already the child of joint '{}' (line {})",
                                 below.name, first.joint.name, first.line));
    } else if (parent >= 0) {
      const int index = static_cast<int>(joints_.size());
      record.parent = parent;
      record.child = child;
      below.joint_above = index;
      link_at(parent).joints_below.push_back(index);
    }
  }

  int end(const Element& joint, const char* which) {
    const auto element = joint.required_child(which);
    if (!element) return -1;
    element->expect_attributes({"link"});
    if (!element->has("link")) element->refuse("missing attribute 'link'");
    if (!element->has("link")) return -1;
    const std::string name = element->text("link", "");
    if (const auto found = link_of_.find(name); found != link_of_.end()) return found->second;
    if (name == "world" && std::string_view(which) == "parent") return undeclared_world(*element);
    element->refuse(unknown("link", name, link_names()));
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
    const int index = link_count();
    link_of_.emplace(world.name, index);
    links_.push_back(std::move(world));
    return index;
  }

  Words link_names() const {
    Words names;
    for (const LinkRecord& link : links_) names.push_back(link.name);
    return names;
  }

  bool is_in_tree(int link) const {
    const auto found = link_of_.find(links_[static_cast<std::size_t>(link)].name);
    return found != link_of_.end() && found->second == link;
  }

  void check_roots() {
    for (int i = 0; i < link_count(); ++i) {
      const LinkRecord& link = link_at(i);
      if (!is_in_tree(i) || link.is_some_child) continue;
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
  void check_loops() {
    std::vector<int> walk_of(links_.size(), -1);
    for (int start = 0; start < link_count(); ++start) {
      int i = start;
      while (i >= 0 && walk_of[static_cast<std::size_t>(i)] < 0) {
        walk_of[static_cast<std::size_t>(i)] = start;
        i = parent_of(i);
      }
      if (i >= 0 && walk_of[static_cast<std::size_t>(i)] == start && parent_of(i) >= 0) refuse_loop(i);
    }
  }

  void refuse_loop(int link) {
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

  // Depth first from the root, siblings as in the file. Links that hang on nothing follow, on the ground, so that the
  // rules of physics see them as well: the robot is refused anyway.
  void build_tree() {
    std::vector<bool> done(links_.size(), false);
    if (root_ >= 0) add_subtree(root_, done);
    for (int i = 0; i < link_count(); ++i) {
      if (!done[static_cast<std::size_t>(i)]) add_body(i, 0);
    }
  }

  void add_subtree(int root, std::vector<bool>& done) {
    struct Pending {
      int link, parent_body;
    };
    std::vector<Pending> stack = {{root, 0}};
    while (!stack.empty()) {
      const auto [link, parent_body] = stack.back();
      stack.pop_back();
      done[static_cast<std::size_t>(link)] = true;
      const int body = static_cast<int>(robot_.bodies.size());
      add_body(link, parent_body);
      const std::vector<int>& below = link_at(link).joints_below;
      for (auto joint = below.rbegin(); joint != below.rend(); ++joint) stack.push_back({joint_at(*joint).child, body});
    }
  }

  void add_body(int index, int parent_body) {
    LinkRecord& link = link_at(index);
    Body body;
    body.name = link.name;
    body.parent = parent_body;
    body.inertial = link.inertial.value_or(Inertial{});
    body.shapes = std::move(link.shapes);
    body.source = std::move(link.source);
    report_.inertia_rounding.resize(robot_.bodies.size() + 1);
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
      if (index == root_ && options_.base == Base::free) body.joint.type = JointType::free;
    }
    robot_.bodies.push_back(std::move(body));
    has_inertial_.push_back(link.inertial.has_value());
  }

  // A link without <inertial> between two moving joints has no mass. Where their axes cross that is meant; where it
  // reaches from one to the other, or looks like something, it was forgotten. What is welded together is one link;
  // tips first, so that it is complete when its carrier is reached.
  void doubt_forgotten_inertials() {
    struct Welded {
      bool has_inertial = false, carries_joints = false, reaches = false;
    };
    std::vector<Welded> welded(robot_.bodies.size());
    const double rounded = rounded_length(robot_);
    for (std::size_t b = robot_.bodies.size(); b-- > 1;) {
      const Body& body = robot_.bodies[b];
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
        return element.refuse("links: " + unknown("link", name, link_names()));
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

  int link_count() const { return static_cast<int>(links_.size()); }
  LinkRecord& link_at(int i) { return links_[static_cast<std::size_t>(i)]; }
  JointRecord& joint_at(int i) { return joints_[static_cast<std::size_t>(i)]; }
  int parent_of(int link) {
    const int above = link_at(link).joint_above;
    return above >= 0 ? joint_at(above).parent : -1;
  }

  const LoadOptions& options_;
  Report& report_;
  std::unordered_set<std::string> left_out_ = {};  // kinds of elements
  Robot robot_;
  std::vector<LinkRecord> links_;
  std::vector<JointRecord> joints_;
  std::unordered_map<std::string, int> link_of_;  // by name
  std::unordered_set<std::string> names_;         // of all links and joints of the file, and made up
  std::vector<bool> has_inertial_ = {false};      // by body: the file has an <inertial> for it
  int root_ = -1;
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
