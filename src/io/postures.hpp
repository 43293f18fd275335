// Postures with names, as files tell them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/report.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::io {

// The coordinates of a joint, by its name or that of its body; null if there is none.
struct Coordinates {
  std::size_t first = 0, size = 0;
  JointType type = JointType::fixed;
};
class CoordinatesByName {
 public:
  explicit CoordinatesByName(const Robot& robot);
  const Coordinates* find(std::string_view joint) const;
  Words names() const;  // of the joints that have coordinates

 private:
  struct Row {
    std::string joint, body;
    Coordinates at;
  };
  std::vector<Row> rows_;
};

// Its quaternions brought to unit length. Returns the rules that it breaks: it is not added then.
std::vector<std::string> add_posture(Posture posture, Robot& robot);

// The group states of the SRDF beside a URDF (NAME.srdf, or ../srdf/NAME.srdf), if there is one. Whatever is wrong
// with it is doubted.
void read_srdf_beside(const std::filesystem::path& urdf, Robot& robot, Report& report);

}  // namespace denoc::io
