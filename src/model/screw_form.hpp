// Brings a robot to the form of Model, in long double: elementary joints about z, numbered depth first, Craig's frames
// for each link's main child, grouped inertias. Every constant is rounded once, at the end.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc::screw_form {

using Wide = long double;

// An elementary joint and the link after it, in the joint's own frame (z along its axis).
struct Piece {
  int parent = 0;
  Elementary joint = Elementary::revolute;
  Pose<Wide> frame;          // of the joint at q = 0, in the parent's joint frame
  Wide turn = 0, slide = 0;  // its column, if it has one, is (turn z; slide z)
  Wide rotor = 0;            // added to the inertia of each of its degrees of freedom
  int q = 0, dof = 0;
  RigidInertia<Wide> inertia = zero_inertia<Wide>;
};

// Where a body stands: on which piece, and where its own frame is in that piece's.
struct Standing {
  int piece = 0;
  Pose<Wide> frame;
};

struct Expanded {
  std::vector<Piece> pieces;       // [0] is the ground; depth first, a parent right before its main child
  std::vector<Standing> standing;  // of every body
};

RigidInertia<Wide> inertia_about_origin(const Inertial& inertial);
Expanded expand(const Robot& robot);

// How a piece's frame is turned and shifted to become the link's: x_link = Rz(-turn) (x - shift z). And its placement:
// frame = [T(r) Rz(gamma)] Tx(a) Rx(alpha) Rz(theta) Tz(d).
struct Screwed {
  Wide turn = 0, shift = 0;
  Wide gamma = 0, alpha = 0, theta = 0, d = 0;
  Vec3<Wide> r = zero3<Wide>;
  enum { branch, screw, offset } base = branch;

  Pose<Wide> link_in_piece() const;
  Pose<Wide> in_parent_link() const;
};
std::vector<Screwed> screws(const std::vector<Piece>& pieces);

// Inertias in link frames, and what grouping leaves of them.
struct Inertias {
  std::vector<RigidInertia<Wide>> own, grouped;
};
Inertias inertias(const std::vector<Piece>& pieces, const std::vector<Screwed>& screws);

// How large the terms are that a link's articulated inertia is summed from: angular and linear.
struct Scale {
  Wide angular = 0, mass = 0;
};
std::vector<Scale> scales(const std::vector<Piece>& pieces, const std::vector<Screwed>& screws,
                          const Inertias& inertias);

// All of it: what the links of a tree are made from.
struct Form {
  std::vector<Piece> pieces;
  std::vector<Standing> standing;
  std::vector<Screwed> screws;
  Inertias inertias;
  std::vector<Scale> scales;
  Vec3<Wide> gravity;
  int nq = 0, nv = 0;
  explicit Form(const Robot& robot);
};

bool has_several_columns(Elementary joint);
// Cosine and sine; exactly zero at the multiples of a right angle.
Planar<Wide> planar(Wide angle);
Pose<Wide> turned_about_z(Wide angle);

}  // namespace denoc::screw_form
