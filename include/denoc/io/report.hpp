// What is said about a file: faults and warnings, and the words they are made of.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc::io {

/// A file has so many faults that reading on serves nobody.
class TooManyFaults : public Error {
 public:
  using Error::Error;
};

/// A file by its name, or `-`: standard input.
std::string shown_file(const std::filesystem::path& file);

/// Everything found in one file.
struct Report {
  std::string file;
  std::vector<Fault> faults = {}, warnings = {}, notes = {};
  // By body of the robot, where known: how far the printed digits may have moved its inertia (printed_digits.hpp).
  std::vector<double> inertia_rounding = {};
  std::string whole = {};  // the text of a file that includes others, with what stands in them where it does
  std::vector<std::filesystem::path> also_read = {};  // files that this one names, and that were read for it

  /// Throws TooManyFaults at the thousandth.
  void fault(int line, std::string element, std::string rule);
  void warn(int line, std::string element, std::string rule);
  void note(int line, std::string element, std::string rule);
};

/// The text in quotes, shortened and without control characters: fit for a terminal whatever the file holds.
std::string in_quotes(std::string_view text);

using Words = std::vector<std::string_view>;
/// The choice a mistyped word most likely means, if any is near.
std::optional<std::string_view> nearest(std::string_view word, const Words& choices);
/// "unknown key 'mas'; did you mean 'mass'?", or what the choices are if none is near.
std::string unknown(std::string_view kind, std::string_view word, const Words& choices);

}  // namespace denoc::io
