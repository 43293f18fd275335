#include "denoc/io/csv.hpp"

#include <algorithm>

namespace denoc::io {
namespace {

constexpr std::string_view formula_begins = "=+-@", blanks = " \t\r";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// The entry that the line begins with, taken off. Blanks around it go, but for those in quotes.
std::string take_entry(std::string_view& line) {
  const std::string_view text = line.substr(0, end_of_entry(line));
  line.remove_prefix(text.size());
  std::string entry;
  std::size_t kept = 0;  // of the entry: up to the last that is no blank or in quotes
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_doubled = is_quoted && text.substr(i, 2) == "\"\"";
    if (text[i] == '"' && !is_doubled) {
      is_quoted = !is_quoted;
      continue;
    }
    const bool stays = is_quoted || !is_blank(text[i]);
    if (stays || kept > 0) entry += text[i];
    if (stays) kept = entry.size();
    if (is_doubled) ++i;
  }
  entry.resize(kept);
  return entry;
}

}  // namespace

std::string csv_entry(std::string_view name) {
  std::string entry(name);
  if (!name.empty() && (name.front() == '\'' || formula_begins.find(name.front()) != std::string_view::npos))
    entry.insert(0, 1, '\'');
  const bool has_blanks = !entry.empty() && (is_blank(entry.front()) || is_blank(entry.back()));
  if (!has_blanks && entry.find_first_of(",\"\r\n") == std::string::npos) return entry;
  for (std::size_t at = 0; (at = entry.find('"', at)) != std::string::npos; at += 2) entry.insert(at, 1, '"');
  return '"' + entry + '"';
}

std::size_t end_of_entry(std::string_view line) {
  bool is_quoted = false;
  std::size_t i = 0;
  for (; i < line.size() && (is_quoted || line[i] != ','); ++i)
    if (line[i] == '"') is_quoted = !is_quoted;
  return i;
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
