// <worldbody>: bodies within bodies, their joints and what they are made of.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "geoms.hpp"
#include "passed_over.hpp"

namespace denoc::io::mjcf {

// A point of a body with a name.
struct Site {
  Said said;
  Pose<double> frame;  // of <frame> around it, in the body
  int body;
};

class Bodies {
 public:
  Bodies(const Compiler& compiler, const Classes& classes, Meshes& meshes, Files& files, PassedOver& passed_over,
         Robot& robot)
      : compiler_(compiler),
        classes_(classes),
        geoms_(compiler, meshes, passed_over),
        files_(files),
        passed_over_(passed_over),
        robot_(robot) {}
  // Before any is read: what has no name is called by its number, unless something else is called so.
  void note_names(const Tag& tag);
  void read_world(const Tag& tag);
  // After all are read: masses scaled to the total that <compiler> wants, fixed joints called as no other.
  void finish();

  // By name; -1, which is reported, if there is none.
  int body(const Said& said, const char* attribute) const;
  int joint(const Said& said, const char* attribute) const;
  const Site* site(const Said& said, const char* attribute) const;
  // The same of all attributes of an element that is passed over.
  void check_names(const Tag& tag) const;
  // Whether elements of that kind are called so, and something more, because they are replicated.
  bool is_replicated(const char* kind, const std::string& name) const;
  Pose<double> pose(const Site& site) const { return site.frame * site_pose(site.said, compiler_); }
  // Where the file draws a body, in the world.
  const Pose<double>& drawn(int body) const { return drawn_[static_cast<std::size_t>(body)]; }
  // The same where every hinge and slide is at its springref.
  const Pose<double>& relaxed(int body) const { return relaxed_[static_cast<std::size_t>(body)]; }

 private:
  // What stands around an element: the frame of the <frame>s, the class, and what <replicate> adds to names.
  struct Around {
    Pose<double> frame = {};
    std::string classname = {}, suffix = {};
    Quaternion<double> turn = {1, 0, 0, 0};  // of the frame
  };
  struct Placed {
    Tag tag;
    Around around;
  };
  // What a body is made of, frames opened.
  struct Parts {
    std::vector<Placed> joints = {}, sites = {}, bodies = {}, inertials = {};
    std::vector<Geom> geoms = {};
  };
  void collect(const Tag& tag, const Around& around, Parts& parts);
  void collect_replicas(const Tag& tag, const Around& around, Parts& parts);
  void read_body(const Placed& placed, int parent);
  void add_joints(Body body, const Pose<double>& frame, const Quaternion<double>& turn, const Parts& parts);
  void add_floating(const Body& body, const Joint& joint, const Tag& tag, const Pose<double>& drawn);
  // A free body is as drawn when it is relaxed.
  void add(Body body, const Pose<double>& drawn, bool is_free);
  // Of a body whose parent is added already.
  Pose<double> relaxed_pose(const Body& body) const;
  Inertial inertial(const Tag& tag, const Body& body, const Parts& parts) const;
  // Whether MuJoCo makes it a part of the body that it is welded to, as if nothing else in the file named it.
  bool is_fused(const Tag& tag, const Body& body, const Parts& parts) const;
  bool moves(int body) const;
  void add_sites(const Parts& parts, int body);
  std::string class_within(const Tag& tag, const std::string& outer) const;

  const Compiler& compiler_;
  const Classes& classes_;
  Geoms geoms_;
  Files& files_;
  PassedOver& passed_over_;
  Robot& robot_;
  std::vector<Pose<double>> drawn_ = {Pose<double>{}}, relaxed_ = {Pose<double>{}};
  int body_number_ = 0, joint_number_ = 0;
  std::size_t element_count_ = 0;
  std::unordered_map<std::string, int> bodies_, joints_;  // by name, indices into the robot's bodies
  std::unordered_map<std::string, Site> sites_;
  std::unordered_set<std::string> replicated_;  // kind and name as the file says them, without what <replicate> adds
  std::unordered_set<std::string> names_of_bodies_, names_of_joints_;  // of the file, and made up
};

}  // namespace denoc::io::mjcf
