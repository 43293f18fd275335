// The formats of robot files: a row each, with a reader and a writer in files of their own.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/load.hpp"
#include "denoc/io/report.hpp"

namespace denoc::io {

struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;
  // Whether a text whose file's name does not tell is of this format.
  bool (*is)(std::string_view text);
  Robot (*read)(const std::string& text, const LoadOptions& options, Report& report);
  // The robot as a file, and what such a file cannot say; null where the format is only read.
  std::string (*write)(const Robot& robot, std::vector<std::string>& unsaid);
  // Its root is the ground unless it is chosen to be free.
  bool root_is_ground = false;
};
std::span<const Format> formats();

// By the extension where one format has it, else by the text.
const Format& format_of(const std::filesystem::path& file, std::string_view text);
// By the extension alone; null: none has it.
const Format* format_of(const std::filesystem::path& file);

}  // namespace denoc::io
