#include <Eigen/Eigenvalues>

#include "eigen/views.hpp"
#include "geoms.hpp"

namespace denoc::io::mjcf {

Inertial read_inertial(const Tag& tag, const Pose<double>& around, const Compiler& compiler) {
  const Said said(tag);
  tag.element().only_attributes(
      {"pos", "quat", "mass", "diaginertia", "axisangle", "xyaxes", "zaxis", "euler", "fullinertia"});
  const Pose<double> frame = read_pose(said, compiler);
  Inertial inertial;
  inertial.mass = tag.element().required_number("mass");
  if (inertial.mass < 0) said.refuse("mass", "it is not negative");
  inertial.com = around.r + around.R * frame.r;
  const std::vector<double> diagonal = said.numbers("diaginertia", 3), tensor = said.numbers("fullinertia", 6);
  if (!diagonal.empty() && !tensor.empty()) said.refuse("either diaginertia or fullinertia, not both");
  if (!tensor.empty()) {  // xx yy zz xy xz yz
    if (frame.R.xx != 1 || frame.R.yy != 1 || frame.R.zz != 1)
      said.refuse("fullinertia: the tensor stands in the axes of the body; it is not turned besides");
    inertial.inertia = turn(around.R, Sym3<double>{tensor[0], tensor[3], tensor[1], tensor[4], tensor[5], tensor[2]});
  } else if (!diagonal.empty()) {
    inertial.inertia = turn(around.R * frame.R, Sym3<double>{diagonal[0], 0, diagonal[1], 0, 0, diagonal[2]});
  }
  return inertial;
}

Inertial bounded(const Inertial& inertial, const Compiler& compiler) {
  Inertial result = inertial;
  result.mass = std::max(result.mass, compiler.least_mass);
  if (!(compiler.least_moment > 0) && !compiler.balances_inertia) return result;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(views::dense(inertial.inertia));
  Eigen::Array3d moments = principal.eigenvalues().array().max(compiler.least_moment);
  const bool is_balanced = 2 * moments.maxCoeff() <= moments.sum();
  if (compiler.balances_inertia && !is_balanced) moments.setConstant(moments.mean());
  if ((moments == principal.eigenvalues().array()).all()) return result;
  const Eigen::Matrix3d& axes = principal.eigenvectors();
  result.inertia = views::sym3(axes * moments.matrix().asDiagonal() * axes.transpose());
  return result;
}

}  // namespace denoc::io::mjcf
