// A robot as MuJoCo sees it: the same tree as MJCF, coordinates and rates turned into MuJoCo's. For robots without
// helical joints whose free joints stand on the ground.
#pragma once
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc::test {

class MujocoRobot {
 public:
  explicit MujocoRobot(const Robot& robot) : robot_(robot) {
    speak_up();
    load(mjcf());
    for (size_t b = 1; b < robot_.bodies.size(); ++b) joint_names_.push_back(robot_.bodies[b].name + "/0");
    for (size_t b = 1; b < robot_.bodies.size(); ++b) set_inertia(int(b));
    data_.reset(mj_makeData(model()));
    mj_setConst(model(), data());
  }
  // MuJoCo's own reading of the file that `robot` was read from, in which every joint has a name. Rigid bodies only:
  // springs, damping, contacts and equalities are switched off.
  MujocoRobot(const Robot& robot, const std::string& file) : robot_(robot) {
    speak_up();
    load(file, nullptr);
    for (size_t b = 1; b < robot_.bodies.size(); ++b) joint_names_.push_back(robot_.bodies[b].joint.name);
    model()->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
    data_.reset(mj_makeData(model()));
  }
  mjModel* model() const { return model_.get(); }
  mjData* data() const { return data_.get(); }

  // Brings MuJoCo to our q and v, up to where velocities are known.
  void set_state(const std::vector<double>& q, const std::vector<double>& v) {
    int i = 0, k = 0;
    rates_ = Eigen::MatrixXd::Zero(model()->nv, model()->nv);
    drift_ = Eigen::VectorXd::Zero(model()->nv);
    for (size_t b = 1; b < robot_.bodies.size(); ++b) {
      const Body& body = robot_.bodies[b];
      const int n = degrees_of_freedom(body.joint.type);
      if (n == 0) continue;
      const int joint = mj_name2id(model(), mjOBJ_JOINT, joint_names_[b - 1].c_str());
      if (joint < 0) throw ArgumentError("MuJoCo knows no joint " + joint_names_[b - 1]);
      mjtNum* qpos = data()->qpos + model()->jnt_qposadr[joint];
      const int dof = model()->jnt_dofadr[joint];
      if (body.joint.type == JointType::free) {
        // Theirs: the pose in the world, its origin's velocity in world axes, angular velocity in body axes.
        const Eigen::Matrix3d frame = dense(body.joint_frame.R);
        const Eigen::Quaterniond turn(q[i + 3], q[i + 4], q[i + 5], q[i + 6]),
            attitude = Eigen::Quaterniond(frame) * turn;
        const Eigen::Vector3d origin = dense(body.joint_frame.r) + frame * Eigen::Vector3d(q[i], q[i + 1], q[i + 2]);
        const double pose[] = {origin.x(),   origin.y(),   origin.z(),  attitude.w(),
                               attitude.x(), attitude.y(), attitude.z()};
        std::copy(std::begin(pose), std::end(pose), qpos);
        const Eigen::Matrix3d R = frame * turn.toRotationMatrix();
        rates_.block<3, 3>(dof, k + 3) = R;
        rates_.block<3, 3>(dof + 3, k).setIdentity();
        const Eigen::Vector3d w(v[k], v[k + 1], v[k + 2]), linear(v[k + 3], v[k + 4], v[k + 5]);
        drift_.segment<3>(dof) = R * w.cross(linear);
      } else {
        std::copy(&q[i], &q[i] + coordinates(body.joint.type), qpos);
        rates_.block(dof, k, n, n).setIdentity();
      }
      i += coordinates(body.joint.type);
      k += n;
    }
    const Eigen::VectorXd qvel = rates_ * Eigen::Map<const Eigen::VectorXd>(v.data(), model()->nv);
    std::copy(qvel.begin(), qvel.end(), data()->qvel);
  }

  // Forces for the accelerations a, accelerations for the forces tau, and the inertia matrix by rows, all in our terms.
  std::vector<double> inverse(const std::vector<double>& a) {
    const Eigen::VectorXd qacc = rates_ * Eigen::Map<const Eigen::VectorXd>(a.data(), model()->nv) + drift_;
    std::copy(qacc.begin(), qacc.end(), data()->qacc);
    mj_inverse(model(), data());
    return ours(Eigen::Map<const Eigen::VectorXd>(data()->qfrc_inverse, model()->nv));
  }
  std::vector<double> forward(const std::vector<double>& tau) {
    const Eigen::VectorXd applied = rates_ * Eigen::Map<const Eigen::VectorXd>(tau.data(), model()->nv);
    std::copy(applied.begin(), applied.end(), data()->qfrc_applied);
    mj_forward(model(), data());
    return ours(Eigen::Map<const Eigen::VectorXd>(data()->qacc, model()->nv) - drift_);
  }
  // Needs a call of the others first.
  std::vector<double> inertia() {
    const int n = model()->nv;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> theirs(n, n);
    mj_fullM(model(), theirs.data(), data()->qM);
    const decltype(theirs) I = rates_.transpose() * theirs * rates_;
    return {I.data(), I.data() + n * n};
  }
  // A wrench on a body, in its own frame about its origin, for `forward`. Needs set_state.
  void apply(int b, const Vec3<double>& moment, const Vec3<double>& force) {
    mj_kinematics(model(), data());
    mj_comPos(model(), data());
    const Body& body = robot_.bodies[b];
    const int i = id(b);
    const Eigen::Matrix3d moving = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data()->xmat + 9 * i);
    const Eigen::Map<const Eigen::Vector3d> at(data()->xpos + 3 * i), centre(data()->xipos + 3 * i);
    const Eigen::Matrix3d R = moving * dense(body.own_frame.R);
    const Eigen::Vector3d origin = at + moving * dense(body.own_frame.r), f = R * dense(force);
    const Eigen::Vector3d n = R * dense(moment) + (origin - centre).cross(f);
    for (int k = 0; k < 3; ++k) {
      data()->xfrc_applied[6 * i + k] = f[k];
      data()->xfrc_applied[6 * i + 3 + k] = n[k];
    }
  }

 private:
  static void speak_up() {
    mju_user_warning = [](const char* message) { fmt::print(stderr, "MuJoCo: {}\n", message); };
    mju_user_error = [](const char* message) {
      fmt::print(stderr, "MuJoCo: {}\n", message);
      std::abort();
    };
  }
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  static Eigen::Matrix3d dense(const Mat3<double>& m) {
    return (Eigen::Matrix3d() << m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz).finished();
  }
  static Eigen::Vector3d dense(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
  int id(int b) const { return mj_name2id(model(), mjOBJ_BODY, robot_.bodies[b].name.c_str()); }
  std::vector<double> ours(const Eigen::VectorXd& theirs) const {
    const Eigen::VectorXd x = rates_.transpose() * theirs;  // rates_ is orthogonal
    return {x.begin(), x.end()};
  }

  // MuJoCo's body frame is our joint's moving frame.
  std::string mjcf() const {
    const auto& g = robot_.gravity;
    return fmt::format(
        "<mujoco><compiler angle='radian'/><option gravity='{:.17g} {:.17g} "
        "{:.17g}'/><worldbody>{}</worldbody></mujoco>",
        g.x, g.y, g.z, children_of(0));
  }
  std::string children_of(int parent) const {
    std::string all;
    for (size_t b = 1; b < robot_.bodies.size(); ++b) {
      const Body& body = robot_.bodies[b];
      if (body.parent != parent) continue;
      const Pose<double> frame = robot_.bodies[parent].own_frame * body.joint_frame;
      const Eigen::Quaterniond q(dense(frame.R));
      all += fmt::format(
          "<body name='{}' pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>{}"
          "<inertial pos='1 1 1' mass='1' diaginertia='1 1 1'/>{}</body>",
          body.name, frame.r.x, frame.r.y, frame.r.z, q.w(), q.x(), q.y(), q.z(), joints_of(body), children_of(int(b)));
    }
    return all;
  }
  std::string joints_of(const Body& body) const {
    int count = 0;
    const auto one = [&](const char* type, const Vec3<double>& axis) {
      const Actuator& drive = body.joint.actuator;
      const double armature = drive.gear * drive.gear * drive.rotor_inertia + body.joint.armature;
      return fmt::format("<joint name='{}/{}' type='{}' axis='{:.17g} {:.17g} {:.17g}' armature='{:.17g}'/>", body.name,
                         count++, type, axis.x, axis.y, axis.z, armature);
    };
    const Joint& j = body.joint;
    switch (j.type) {
      case JointType::fixed:
        return {};
      case JointType::revolute:
      case JointType::continuous:
        return one("hinge", j.axis);
      case JointType::prismatic:
        return one("slide", j.axis);
      case JointType::universal: {
        const std::string first = one("hinge", j.axis);
        return first + one("hinge", j.axis2);
      }
      case JointType::cylindrical: {
        const std::string first = one("hinge", j.axis);
        return first + one("slide", j.axis);
      }
      case JointType::planar: {
        std::string all = one("slide", {1, 0, 0});
        all += one("slide", {0, 1, 0});
        return all + one("hinge", {0, 0, 1});
      }
      case JointType::spherical:
        return one("ball", {0, 0, 1});
      case JointType::free:
        if (body.parent == 0) return fmt::format("<freejoint name='{}/0'/>", body.name);
        break;
      case JointType::helical:
        break;
    }
    throw ArgumentError("MuJoCo has no such joint: " + body.name);
  }
  void load(const std::string& text) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const int file = mj_makeEmptyFileVFS(files.get(), "robot.xml", int(text.size()));
    std::memcpy(files->filedata[file], text.data(), text.size());
    load("robot.xml", files.get());
    mj_deleteVFS(files.get());
  }
  void load(const std::string& file, const mjVFS* files) {
    char error[1000] = "";
    model_.reset(mj_loadXML(file.c_str(), files, error, sizeof error));
    if (model_ == nullptr) throw std::runtime_error(error);
  }
  // Principal moments and axes, written past MuJoCo's reader: it refuses rods, massless links and hubs, which its
  // equations of motion take as well as any.
  void set_inertia(int b) {
    const Body& body = robot_.bodies[b];
    const Sym3<double> I = body.inertial.inertia + body.inertial.hub;
    Eigen::Matrix3d tensor;
    tensor << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    const Eigen::Matrix3d own = dense(body.own_frame.R);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(own * tensor * own.transpose());
    Eigen::Matrix3d axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Eigen::Quaterniond q(axes);
    const Eigen::Vector3d com = dense(body.own_frame.r) + own * dense(body.inertial.com);
    const int i = id(b);
    model()->body_mass[i] = body.inertial.mass;
    model()->body_sameframe[i] = 0;
    const double attitude[] = {q.w(), q.x(), q.y(), q.z()};
    for (int k = 0; k < 3; ++k) {
      model()->body_ipos[3 * i + k] = com[k];
      model()->body_inertia[3 * i + k] = principal.eigenvalues()[k];
    }
    for (int k = 0; k < 4; ++k) model()->body_iquat[4 * i + k] = attitude[k];
  }

  Robot robot_;
  std::vector<std::string> joint_names_;  // in MuJoCo, of the first joint of each body but the ground
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  Eigen::MatrixXd rates_;  // their v from ours: orthogonal
  Eigen::VectorXd drift_;  // their accelerations where ours are zero
};

}  // namespace denoc::test
