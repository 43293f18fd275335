#include "pose_search.hpp"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "least_squares.hpp"

namespace denoc::kinematics {
namespace {

// The rotation vector of R, of the shorter way.
Vec3<double> rotation_vector(const Mat3<double>& R) {
  const Eigen::Quaterniond q(views::dense(R));
  return detail::logarithm(Quaternion<double>{q.w(), q.x(), q.y(), q.z()});
}

struct Decomposed {
  Eigen::MatrixXd U, V;
  Eigen::ArrayXd s;
};
// J = U diag(s) V^T by way of a square matrix, J^T P = Q R, J = (P R^T) Q^T. JacobiSVD would go the same way, but
// gives its memory back twice where it gets no more of it.
Decomposed singular_values(const Eigen::MatrixXd& J) {
  if (J.size() == 0) return {{J.rows(), 0}, {J.cols(), 0}, Eigen::ArrayXd(0)};
  if (J.rows() > J.cols()) {
    Decomposed transposed = singular_values(J.transpose());
    transposed.U.swap(transposed.V);
    return transposed;
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J.transpose());
  const Eigen::MatrixXd R = qr.matrixR().topRows(J.rows()).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<Eigen::MatrixXd> square(qr.colsPermutation() * R.transpose(),
                                                 Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::MatrixXd V = Eigen::MatrixXd::Zero(J.cols(), J.rows());
  V.topRows(J.rows()) = square.matrixV();
  V.applyOnTheLeft(qr.householderQ());
  return {square.matrixU(), std::move(V), square.singularValues()};
}

}  // namespace

PoseSearch::PoseSearch(const Model& model, Aim aim, const Pose<double>& pose)
    : model_(model),
      aim_(std::move(aim)),
      pose_(pose),
      at_(model),
      kin_(model),
      units_(model.nv()),
      error_(Eigen::VectorXd::Zero(pose_rows() + (aim_.beside ? aim_.beside->values().size() : 0))),
      whole_(6, model.nv()),
      jacobian_(error_.size(), model.nv()),
      takes_part_(size_t(model.nv()), aim_.moving.empty()),
      trial_(model.nq()) {
  std::ranges::copy(units_of(model), units_.begin());
  for (const int k : aim_.moving) takes_part_[size_t(k)] = true;
  // As far as the wrist is from the ground at most, whatever q: rounding of the positions is a part of it.
  double length =
      norm(pose.r) + norm(model.bodies()[0].in_link.r) + norm(model.bodies()[aim_.body].in_link.r) + norm(aim_.point);
  for (int i = model.bodies()[aim_.body].link; i > 0; i = model.links()[i].parent)
    length += norm(model.links()[i].base.r) + std::abs(model.links()[i].d);
  if (length > rounded_length(model.robot())) size_ = length;
  unit_ = std::max(1.0, size_);
}

Vec3<double> PoseSearch::arm() const { return pose_in_world<double>(model_, kin_, aim_.body).R * aim_.point; }

// error: the turn and the displacement from the body's frame at its point to the pose, in the world.
void PoseSearch::go_to(const std::vector<double>& q) {
  place<double>(model_, q, at_);
  positions<double>(model_, at_, kin_);
  const Pose<double> found = pose_in_world<double>(model_, kin_, aim_.body);
  const Vec3<double> shift = (pose_.r - (found.r + found.R * aim_.point)) * (1 / size_);
  if (aim_.with_attitude) {
    const Vec3<double> turn = rotation_vector(pose_.R * transposed(found.R));
    error_.head<3>() << turn.x, turn.y, turn.z;
  }
  error_.segment<3>(pose_rows() - 3) << shift.x, shift.y, shift.z;
  if (!aim_.beside) return;
  aim_.beside->evaluate(q);
  error_.tail(error_.size() - pose_rows()) = -aim_.beside->values() / unit_;
}

// The point's velocity is that of the origin and w x arm.
const Rows& PoseSearch::jacobian() {
  jacobian_in_world<double>(model_, kin_, aim_.body, std::span(whole_.data(), size_t(whole_.size())));
  const Vec3<double> from_origin = arm();
  const Eigen::Vector3d a(from_origin.x, from_origin.y, from_origin.z);
  for (Eigen::Index k = 0; k < whole_.cols(); ++k) {
    if (!takes_part_[size_t(k)]) whole_.col(k).setZero();
    const Eigen::Vector3d w = whole_.col(k).head<3>();
    whole_.col(k).tail<3>() += w.cross(a);
  }
  jacobian_.topRows(pose_rows()) = whole_.bottomRows(pose_rows());
  jacobian_.middleRows<3>(pose_rows() - 3) /= size_;
  if (aim_.beside) jacobian_.bottomRows(error_.size() - pose_rows()) = aim_.beside->jacobian() / unit_;
  return jacobian_;
}

bool PoseSearch::reached() const {
  return error_.norm() <= rounding() + (aim_.beside ? Conditions::met_to / unit_ : 0);
}

// Keeps the step of so many units if the miss shrinks by it.
bool PoseSearch::take(const Eigen::VectorXd& by, std::vector<double>& q) {
  const double before = error_.norm();
  const Eigen::VectorXd step = units_.cwiseProduct(by);
  integrate<double>(model_, q, std::span(step.data(), size_t(step.size())), trial_);
  go_to(trial_);
  if (error_.norm() < before) {
    q = trial_;
    return true;
  }
  go_to(q);
  return false;
}

bool PoseSearch::newton(std::vector<double>& q, int steps) {
  for (go_to(q); steps > 0 && error_.norm() > std::numeric_limits<double>::epsilon(); --steps) {
    if (!take(least_squares(measured(), error_), q)) break;
  }
  return reached();
}

// (J^T J + mu |e|^2) step = J^T e, by singular values: J J^T would lose the small ones. With this damping the last
// steps are Newton's, in singular postures too.                                            [Yamashita & Fukushima 2001]
bool PoseSearch::damped(std::vector<double>& q, int steps) {
  constexpr double least = 1e-6, most = 1e12;
  double mu = 1;
  for (go_to(q); steps > 0 && !reached() && mu < most; --steps) {
    const auto [U, V, s] = singular_values(measured());
    const Eigen::ArrayXd e = U.transpose() * error_;
    const double squared = error_.squaredNorm();
    while (mu < most && !take(V * (e * s / (s * s + mu * squared)).matrix(), q)) mu *= 4;
    mu = mu < most ? std::max(mu / 4, least) : most;
  }
  return newton(q, 10);
}

}  // namespace denoc::kinematics
