#include "denoc/io/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "denoc/model/utf8.hpp"

namespace denoc::io {
namespace {

constexpr std::size_t longest_word = 40, longest_list = 24;
constexpr std::size_t most_choices = 1000, most_faults = 1000;

// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<int, longest_word + 1>, longest_word + 1> d{};
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string lowered(std::string_view word) {
  std::string low(word);
  for (char& c : low) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return low;
}

}  // namespace

void Report::fault(int line, std::string element, std::string rule) {
  faults.push_back({{file, line, std::move(element)}, std::move(rule)});
  if (faults.size() < most_faults) return;
  faults.push_back({{file, line, ""}, "too many faults: the rest of the file is not read"});
  throw TooManyFaults(faults.back().text());
}
void Report::warn(int line, std::string element, std::string rule) {
  warnings.push_back({{file, line, std::move(element)}, std::move(rule)});
}
void Report::note(int line, std::string element, std::string rule) {
  notes.push_back({{file, line, std::move(element)}, std::move(rule)});
}

std::string shown_file(const std::filesystem::path& file) {
  return file == "-" ? "standard input" : file.empty() ? "''" : file.string();
}

std::string in_quotes(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(utf8_character(text), 1);
    if (shown.size() + size > longest_word) return fmt::format("'{}...'", shown);
    const bool is_shown = begins_with_text(text) && static_cast<unsigned char>(text.front()) >= ' ';
    shown += is_shown ? text.substr(0, size) : "?";
    text.remove_prefix(size);
  }
  return fmt::format("'{}'", shown);
}

std::optional<std::string_view> nearest(std::string_view word, const Words& choices) {
  if (word.size() > longest_word || choices.size() > most_choices) return std::nullopt;
  const std::string typed = lowered(word);
  int best = std::numeric_limits<int>::max();
  std::optional<std::string_view> found;
  for (const std::string_view choice : choices) {
    if (choice.size() > longest_word) continue;
    const int distance = edit_distance(typed, lowered(choice));
    const int longer = static_cast<int>(std::max(typed.size(), choice.size()));
    const bool is_near = distance <= std::clamp(longer / 3, 1, 3) && distance < longer;
    if (!is_near || distance >= best) continue;
    best = distance;
    found = choice;
  }
  return found;
}

std::string unknown(std::string_view kind, std::string_view word, const Words& choices) {
  if (const auto meant = nearest(word, choices)) {
    return fmt::format("unknown {} {}; did you mean {}?", kind, in_quotes(word), in_quotes(*meant));
  }
  if (choices.empty() || choices.size() > longest_list) return fmt::format("unknown {} {}", kind, in_quotes(word));
  return fmt::format("unknown {} {}; known: {}", kind, in_quotes(word), fmt::join(choices, ", "));
}

}  // namespace denoc::io
