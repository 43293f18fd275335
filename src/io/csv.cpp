#include "denoc/io/csv.hpp"

#include <algorithm>

namespace denoc::io {
namespace {

constexpr std::string_view formula_begins = "=+-@", blanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// The entry that the line begins with, taken off together with the comma behind it.
std::string take_entry(std::string_view& line) {
  std::string entry;
  bool is_quoted = false;
  std::size_t i = 0;
  for (; i < line.size() && (is_quoted || line[i] != ','); ++i) {
    const bool is_doubled = is_quoted && line.substr(i, 2) == "\"\"";
    if (line[i] != '"' || is_doubled) entry += line[i];
    if (is_doubled)
      ++i;
    else if (line[i] == '"')
      is_quoted = !is_quoted;
  }
  line.remove_prefix(std::min(i, line.size()));
  return std::string(without_blanks(entry));
}

}  // namespace

std::string csv_entry(std::string_view name) {
  std::string entry(name);
  if (!name.empty() && (name.front() == '\'' || formula_begins.find(name.front()) != std::string_view::npos))
    entry.insert(0, 1, '\'');
  if (entry.find_first_of(",\"\r\n") == std::string::npos) return entry;
  for (std::size_t at = 0; (at = entry.find('"', at)) != std::string::npos; at += 2) entry.insert(at, 1, '"');
  return '"' + entry + '"';
}

std::vector<std::string> csv_names(std::string_view line) {
  std::vector<std::string> names;
  while (true) {
    std::string entry = take_entry(line);
    if (entry.starts_with('\'')) entry.erase(0, 1);
    names.push_back(std::move(entry));
    if (line.empty()) return names;
    line.remove_prefix(1);  // the comma
  }
}

}  // namespace denoc::io
