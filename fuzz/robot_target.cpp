#include "robot_target.hpp"

#include <functional>

#include "denoc/io/load.hpp"
#include "denoc/io/save.hpp"
#include "denoc/model/model.hpp"
#include "require.hpp"

namespace denoc::fuzz {

void read_as_robot(const std::string& input, const char* name) {
  const Document document = read_robot_text(input, name);
  const Robot& robot = document.robot;
  if (!document.faults.empty() || robot.bodies.size() > 60) return;
  const Model model(robot);
  static constexpr const char* files[] = {"again.yaml", "again.urdf", "again.xml"};
  const std::string_view file = files[std::hash<std::string>()(input) % std::size(files)];
  const RobotText said = robot_text(robot, std::string(file));
  const Document again = read_robot_text(said.text, std::string(file));
  require(again.faults.empty(), again.faults.empty() ? "" : again.faults.front().text(), said.text);
  const bool splits_screws = file == "again.xml";
  require(Model(again.robot).nv() == model.nv() || splits_screws, "other degrees of freedom", said.text);
}

}  // namespace denoc::fuzz
