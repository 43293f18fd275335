#include "commands/command.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"

namespace denoc::app {
namespace {

constexpr std::string_view fine;

// Exactly three numbers between commas; what is wrong with them, or nothing.
std::string three_numbers(std::string_view text, std::array<double, 3>& numbers) {
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t comma = text.find(',');
    const io::Number number = io::expression(text.substr(0, comma));
    if (!number) return fmt::format("three numbers x,y,z: {}", number.rule);
    if (count < 3) numbers[count] = number.value;
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return count == 3 ? "" : fmt::format("three numbers x,y,z, not {}", count);
}

}  // namespace

Argument& Argument::without(std::vector<std::string> others) {
  excludes.insert(excludes.end(), others.begin(), others.end());
  return *this;
}

Argument& Arguments::flag(std::string names, bool& to, std::string what) {
  return add({.names = std::move(names),
              .value = "",
              .what = std::move(what),
              .take = [&to](const std::string&) { return to = true, std::string(fine); },
              .is_flag = true});
}
Argument& Arguments::option(std::string names, std::string value, std::string& to, std::string what) {
  return add({std::move(names), std::move(value), std::move(what),
              [&to](const std::string& word) { return to = word, std::string(fine); }});
}
Argument& Arguments::option(std::string names, std::string value, std::optional<std::string>& to, std::string what) {
  return add({std::move(names), std::move(value), std::move(what),
              [&to](const std::string& word) { return to = word, std::string(fine); }});
}
Argument& Arguments::whole_number(std::string names, int lowest, int highest, int& to, std::string what) {
  return add({std::move(names), "N", std::move(what), [lowest, highest, &to](const std::string& word) {
                int n = 0;
                const char* const end = word.data() + word.size();
                const auto [rest, error] = std::from_chars(word.data(), end, n);
                if (error != std::errc() || rest != end || n < lowest || n > highest)
                  return fmt::format("a whole number from {} to {}, not {}", lowest, highest, io::in_quotes(word));
                to = n;
                return std::string(fine);
              }});
}
Argument& Arguments::one_of(std::string names, std::vector<std::string_view> words, std::string what,
                            std::function<void(std::string_view)> take) {
  return add({std::move(names), "WORD", std::move(what),
              [words = std::move(words), take = std::move(take)](const std::string& word) {
                if (std::find(words.begin(), words.end(), word) == words.end()) return io::unknown("word", word, words);
                take(word);
                return std::string(fine);
              }});
}
Argument& Arguments::vec3(std::string names, std::function<void(std::span<const double, 3>)> take, std::string what) {
  return add({std::move(names), "X,Y,Z", std::move(what), [take = std::move(take)](const std::string& word) {
                std::array<double, 3> numbers{};
                std::string rule = three_numbers(word, numbers);
                if (rule.empty()) take(numbers);
                return rule;
              }});
}
Argument& Arguments::place(std::string name, std::string& to, std::string what) {
  return option(std::move(name), "", to, std::move(what)).required();
}

}  // namespace denoc::app
