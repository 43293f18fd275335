// The links and joints of a URDF, and the tree of bodies that they form.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "denoc/io/load.hpp"
#include "urdf_joints.hpp"

namespace denoc::io {

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

class LinkTree {
 public:
  explicit LinkTree(Report& report) : report_(report) {}

  // What a link or joint of the file is called: what is made up yields to it, wherever it stands.
  void note_name(std::string name) { names_.insert(std::move(name)); }
  std::string unused_name(std::string name) const;

  // Returns its index. The file calls it so, which may be nothing. Of two links with one name the first counts; the
  // rules refuse the second.
  int add(LinkRecord link, const std::string& said);
  // Between the links record.parent and record.child; -1: at fault, which is reported.
  void add(JointRecord record, const std::string& label);

  int size() const { return static_cast<int>(links_.size()); }
  int find(const std::string& link) const;  // or -1
  Words names() const;

  // Reports what keeps the links from being a tree, and makes bodies of them: depth first from the root, siblings as in
  // the file.
  void build(Base base, Robot& robot);

 private:
  void check_roots();
  void check_loops();
  void refuse_loop(int link);
  void add_subtree(Robot& robot, std::vector<bool>& done);
  void add_body(int index, int parent_body, Robot& robot);
  void doubt_forgotten_inertials(const Robot& robot);

  LinkRecord& link_at(int i) { return links_[static_cast<std::size_t>(i)]; }
  JointRecord& joint_at(int i) { return joints_[static_cast<std::size_t>(i)]; }
  int parent_of(int link) {
    const int above = link_at(link).joint_above;
    return above >= 0 ? joint_at(above).parent : -1;
  }

  Report& report_;
  std::vector<LinkRecord> links_ = {};
  std::vector<JointRecord> joints_ = {};
  std::unordered_map<std::string, int> link_of_ = {};  // by name
  std::unordered_set<std::string> names_ = {};         // of all links and joints of the file, and made up
  std::vector<bool> has_inertial_ = {false};           // by body: the file has an <inertial> for it
  int root_ = -1;
};

}  // namespace denoc::io
