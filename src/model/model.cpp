#include "denoc/model/model.hpp"

#include "screw_form.hpp"

namespace denoc {

namespace {

const Robot& checked(const Robot& robot) {
  if (auto faults = faults_of(robot); !faults.empty()) throw RobotError(std::move(faults));
  return robot;
}

// Serial branches of the bodies that move on their own joint.
std::vector<Module> modules_of(const Robot& robot) {
  const int n = int(robot.bodies.size());
  std::vector<int> carrier(n), children(n), module(n);  // carrier: the body itself, or what it is fixed to
  for (int b = 1; b < n; ++b) {
    const int parent = carrier[robot.bodies[b].parent];
    carrier[b] = robot.bodies[b].joint.type == JointType::fixed ? parent : b;
    if (carrier[b] == b) ++children[parent];
  }
  std::vector<Module> modules = {{0, {}}};  // [0] is the ground's
  for (int b = 1; b < n; ++b) {
    if (carrier[b] != b) continue;
    const int parent = carrier[robot.bodies[b].parent];
    if (parent == 0 || children[parent] > 1) {
      module[b] = int(modules.size());
      modules.push_back({module[parent], {}});
    } else {
      module[b] = module[parent];
    }
    modules[module[b]].bodies.push_back(b);
  }
  return modules;
}

}  // namespace

// In braces, which are evaluated from the left: the form is made before the robot is moved from.
template <class R>
BasicModel<R>::BasicModel(Robot robot) : BasicModel{screw_form::Form(checked(robot)), std::move(robot)} {}

template <class R>
BasicModel<R>::BasicModel(const screw_form::Form& form, Robot robot) : Tree<R>(form), robot_(std::move(robot)) {
  int q = 0, v = 0;
  for (size_t b = 0; b < robot_.bodies.size(); ++b) {
    const Body& body = robot_.bodies[b];
    const auto& [piece, frame] = form.standing[b];
    const Pose<screw_form::Wide> in_link = inverse(form.screws[piece].link_in_piece()) * frame;
    bodies_.push_back(
        {body.parent, piece, q, v, full<R>(in_link), full<R>(screw_form::inertia_about_origin(body.inertial))});
    q += coordinates(body.joint.type);
    v += degrees_of_freedom(body.joint.type);
    body_of_dof_.resize(v, int(b));
  }
  modules_ = modules_of(robot_);
}

template <class R> std::string BasicModel<R>::joint_name(int b) const {
  body(b);  // there is one
  return name_of_joint(robot_.bodies[b]);
}

template class BasicModel<float>;
template class BasicModel<double>;
template class BasicModel<long double>;

}  // namespace denoc
