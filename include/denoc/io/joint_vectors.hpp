// Vectors as long as q or v, as files write them: a list of numbers, or a map by joint.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/fields.hpp"
#include "denoc/model/robot.hpp"

namespace denoc::io {

/// Which entries of q, or of v, belong to which joint.
class Layout {
 public:
  struct Joint {
    std::string name;
    int first, size;
    bool turns;  // by one angle
  };
  static Layout of_coordinates(const Robot& robot) { return {robot, coordinates}; }
  static Layout of_rates(const Robot& robot) { return {robot, degrees_of_freedom}; }

  int size() const { return size_; }
  const std::vector<Joint>& joints() const { return joints_; }
  /// "6 numbers (joint1, joint2, ..., joint6)"
  std::string description() const;

 private:
  Layout(const Robot& robot, int (*size_of)(JointType));
  std::vector<Joint> joints_ = {};
  int size_ = 0;
};

// The value of each entry; null: not given.
using Entries = std::vector<const Node*>;
/// The entries under the key, of a list or of a map by joint; none if it is not there or at fault, which is reported.
Entries entries(const Fields& fields, std::string_view key, const Layout& layout, Report& report);
/// The entries of a list that stands in this line.
Entries listed(const Node& list, int line, const std::string& element, const Layout& layout, Report& report);
/// The numbers that are given, the others as in `fallback`. Faults are reported for the element.
std::vector<double> numbers(const Entries& entries, const std::string& element, std::vector<double> fallback,
                            Report& report);
/// Warns of angles that were probably meant in degrees: whole numbers beyond a turn, such as 90.
void doubt_degrees(const Entries& entries, const std::string& element, const Layout& of_coordinates, Report& report);

}  // namespace denoc::io
