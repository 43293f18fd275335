#include "formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "digits.hpp"
#include "readers.hpp"
#include "writers.hpp"

namespace denoc::io {
namespace {

std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return extension;
}

bool is_xml(std::string_view text) { return trimmed(text.substr(0, 4096)).starts_with('<'); }
// Comments and declarations may stand before the root element.
bool is_mjcf(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) return false;
    } else if (!rest.starts_with("<?") && !rest.starts_with("<!")) {
      return rest.starts_with("<mujoco") && rest.find_first_of(" \t\r\n/>") == std::string_view("<mujoco").size();
    }
  }
  return false;
}
bool is_yaml(std::string_view text) { return !is_xml(text); }
bool never(std::string_view) { return false; }  // only by its extension

Robot read_model(const std::string& text, const LoadOptions& options, Report& report) {
  if (options.base == Base::free)
    report.fault(0, "", "a free base is chosen for URDF only: here the first body says it (<freejoint/>)");
  return read_mjcf(text, report.file, report);
}

// A macro file has no robot in it yet.
Robot refuse_xacro(const std::string&, const LoadOptions&, Report& report) {
  report.fault(0, "",
               fmt::format("it is xacro, which makes URDF: expand it first (`xacro {} > robot.urdf`)", report.file));
  return {};
}

// The first whose text it may be is taken: the last of XML takes what is left, to say what is wrong with it.
const Format all[] = {
    {"YAML", {".yaml", ".yml"}, is_yaml, read_yaml, write_yaml},
    {"JSON", {".json"}, never, read_yaml, nullptr},  // which is YAML
    {"xacro", {".xacro"}, never, refuse_xacro, nullptr},
    {"MJCF", {".mjcf", ".xml"}, is_mjcf, read_model, write_mjcf},
    {"URDF", {".urdf", ".xml"}, is_xml, read_urdf, write_urdf, true},
};

bool has(const Format& format, std::string_view extension) {
  return std::count(format.extensions.begin(), format.extensions.end(), extension) > 0;
}

}  // namespace

std::span<const Format> formats() { return all; }

const Format* format_of(const std::filesystem::path& file) {
  const auto* const found = std::find_if(std::begin(all), std::end(all),
                                         [&](const Format& format) { return has(format, extension_of(file)); });
  return found == std::end(all) ? nullptr : found;
}

const Format& format_of(const std::filesystem::path& file, std::string_view text) {
  const std::string extension = extension_of(file);
  const auto having = std::count_if(std::begin(all), std::end(all), [&](const Format& f) { return has(f, extension); });
  if (having == 1) return *format_of(file);
  return *std::find_if(std::begin(all), std::end(all), [&](const Format& format) {
    return (having == 0 || has(format, extension)) && (format.is(text) || &format == std::end(all) - 1);
  });
}

}  // namespace denoc::io
