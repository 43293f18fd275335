// What a file was read as, to be held against another file that says the same in other words.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/io/files.hpp"

namespace denoc::test {

// All that a robot says, but where it was said: its words, and its numbers in their order.
struct Reading {
  std::string words;
  std::vector<double> numbers;

  void add(const Vec3<double>& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z}); }
  void add(const Sym3<double>& s) { numbers.insert(numbers.end(), {s.xx, s.xy, s.yy, s.xz, s.yz, s.zz}); }
  void add(const Pose<double>& pose) {
    const Mat3<double>& R = pose.R;
    numbers.insert(numbers.end(), {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz});
    add(pose.r);
  }
  void add_numbers(const std::vector<double>& all) { numbers.insert(numbers.end(), all.begin(), all.end()); }
  void add(const Joint& joint) {
    words += fmt::format(" {} '{}' {}", name_of(joint.type), joint.name, joint.neutral.size());
    add(joint.axis);
    add_numbers({joint.friction.viscous, joint.friction.coulomb, joint.spring.stiffness, joint.spring.rest,
                 joint.limits.lower, joint.limits.upper, joint.limits.effort, joint.actuator.gear, joint.armature});
    add_numbers(joint.neutral);
  }
  void add(const Body& body) {
    words += fmt::format("\nbody '{}' on {} by", body.name, body.parent);
    add(body.joint_frame);
    add(body.joint);
    add(body.own_frame);
    numbers.push_back(body.inertial.mass);
    add(body.inertial.com);
    add(body.inertial.inertia);
    for (const Shape& shape : body.shapes) {
      words += fmt::format(" shape {} '{}'", static_cast<int>(shape.kind), shape.mesh);
      add(shape.size);
      add(shape.frame);
    }
  }
  void add(const Loop& loop) {
    words += fmt::format("\nloop {} {} {} {}", static_cast<int>(loop.type), loop.a.body, loop.b.body,
                         loop.coefficients.size());
    add(loop.a.frame);
    add(loop.b.frame);
    add_numbers({loop.ratio, loop.offset, loop.phase});
    add_numbers(loop.coefficients);
  }
  void add(const PointSpring& spring) {
    words += fmt::format("\nspring {} {}", spring.a.body, spring.b.body);
    add(spring.a.frame);
    add(spring.b.frame);
    add_numbers({spring.stiffness, spring.damping, spring.rest});
  }
};

// With what is refused and doubted, without the lines.
inline Reading reading_of(const Document& document) {
  Reading reading;
  for (const Fault& fault : document.faults) reading.words += "refused: " + fault.rule + "\n";
  for (const Fault& warning : document.warnings) reading.words += "doubted: " + warning.rule + "\n";
  reading.add(document.robot.gravity);
  for (const Body& body : document.robot.bodies) reading.add(body);
  for (const Loop& loop : document.robot.loops) reading.add(loop);
  for (const PointSpring& spring : document.robot.springs) reading.add(spring);
  for (const Posture& posture : document.robot.postures) {
    reading.words += fmt::format("\nposture '{}' {}", posture.name, posture.q.size());
    reading.add_numbers(posture.q);
  }
  return reading;
}

// To some roundings of the largest number that is finite; 0: to the last bit.
inline bool is_same(const Reading& one, const Reading& other, double roundings = 0) {
  if (one.words != other.words || one.numbers.size() != other.numbers.size()) return false;
  double largest = 0;
  for (const double x : one.numbers)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  const double tolerance = roundings * std::numeric_limits<double>::epsilon() * largest;
  for (std::size_t i = 0; i < one.numbers.size(); ++i) {
    const double x = one.numbers[i], y = other.numbers[i];
    if (x != y && !(std::abs(x - y) <= tolerance)) return false;
  }
  return true;
}
inline std::string text_of(const Reading& reading) {
  return fmt::format("{}\n{}\n", reading.words, fmt::join(reading.numbers, " "));
}

}  // namespace denoc::test
