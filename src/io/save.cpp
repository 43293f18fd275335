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
  for (const io::Format& each : io::formats()) {
    for (const std::string_view extension : each.extensions) {
      const bool is_its = io::format_of("robot" + std::string(extension)) == &each;
      if (is_its && each.write != nullptr) known.push_back(extension);
    }
  }
  throw ArgumentError(
      fmt::format("{}: a robot is written to {}: its extension says which", file.string(), fmt::join(known, ", ")));
}

}  // namespace denoc
