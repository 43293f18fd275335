#include "denoc/io/save.hpp"

#include <fmt/format.h>

#include "denoc/error.hpp"
#include "formats.hpp"

namespace denoc {

RobotText robot_text(const Robot& robot, const std::filesystem::path& file) {
  const io::Format* const format = io::format_of(file);
  if (format != nullptr && format->write != nullptr) {
    RobotText said;
    said.text = format->write(robot, said.unsaid);
    return said;
  }
  std::vector<std::string_view> known;
  for (const io::Format& each : io::formats())
    if (each.write != nullptr) known.insert(known.end(), each.extensions.begin(), each.extensions.end());
  throw ArgumentError(
      fmt::format("{}: a robot is written to {}: its extension says which", file.string(), fmt::join(known, ", ")));
}

}  // namespace denoc
