// The robot with all it has: tree, loops, rotors, forces. Const after construction and shared by all threads; Dynamics
// (dynamics.hpp) answers questions about it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "denoc/error.hpp"
#include "denoc/io/load.hpp"
#include "denoc/model/model.hpp"

namespace denoc {

/// What is changed of a robot when a mechanism is made of it.
struct Changes {
  /// A joint that moves no more: it stands at q (one number for each of its coordinates).
  struct Lock {
    std::string joint;
    std::vector<double> q;
  };
  /// A payload or tool fixed to a body; mass centre and inertia in the body's own frame.
  struct Payload {
    std::string body;
    Inertial inertial;
  };
  std::vector<Lock> locked = {};
  std::vector<Payload> payloads = {};
};
/// The robot with these changes, its postures included. Throws ArgumentError for a name that is not known or a q that is
/// none of the joint, NotCovered for a joint that loops couple to another.
Robot changed(Robot robot, const Changes& changes);

/// A body or a joint, by its name or its index.
class Which {
 public:
  Which(int index) : which_(index) {}
  Which(const char* name) : which_(std::string_view(name)) {}
  Which(std::string_view name) : which_(name) {}
  Which(const std::string& name) : which_(std::string_view(name)) {}
  const std::variant<int, std::string_view>& value() const { return which_; }

 private:
  std::variant<int, std::string_view> which_;
};

/// The robot that every question is about.
class Mechanism {
 public:
  /// The robot of a file (URDF, YAML), or a shipped one by its name. Throws RobotError with everything that is wrong
  /// with it.
  explicit Mechanism(const std::string& file_or_shipped_name, const LoadOptions& options = {},
                     const Changes& changes = {});
  explicit Mechanism(Robot robot, const Changes& changes = {});

  const std::string& name() const { return robot().name; }
  /// The robot as its file says it.
  const Robot& robot() const { return tree_.robot(); }
  /// The tree that is left when the loops are cut open, rotors included: what the recursions work on. Whoever asks for
  /// it of a robot with loops means it.
  const Model& tree() const { return tree_; }
  bool has_loops() const { return !robot().loops.empty(); }
  /// Numbers in q, and in v, a and tau.
  int nq() const { return tree_.nq(); }
  int nv() const { return tree_.nv(); }
  /// What looks like a mistake in the file, but is legal.
  const std::vector<Fault>& warnings() const { return warnings_; }

  /// Index of a body; 0 is the ground. Throws ArgumentError with the nearest name that is known.
  int body(const Which& which) const;
  /// Index of the body that a joint carries. Throws ArgumentError.
  int joint(const Which& which) const;
  /// The degrees of freedom of a joint: where it begins in v, and how many there are. Throws ArgumentError for one that
  /// does not move.
  struct Freedoms {
    int first, count;
  };
  Freedoms freedoms(const Which& joint_name) const;
  /// Those of several joints, in the order of their names.
  std::vector<int> freedoms(std::span<const std::string> joint_names) const;
  /// All degrees of freedom but those of joints that follow another (mimic, `b` of a coupling): where inverse dynamics
  /// looks for forces unless it is told otherwise.
  const std::vector<int>& leading() const { return leading_; }
  /// Of these, without those of free joints: where a control law acts unless it is told otherwise.
  const std::vector<int>& driven() const { return driven_; }

  /// q = 0, with unit quaternions. Loops may be open there: Dynamics::assemble closes them.
  std::vector<double> neutral() const;

 private:
  Model tree_;
  std::vector<Fault> warnings_;
  std::vector<int> leading_, driven_;
};

}  // namespace denoc
