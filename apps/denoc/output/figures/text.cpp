#include "output/figures/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "denoc/model/utf8.hpp"

namespace denoc::figures {
namespace {

constexpr std::string_view minus = "\u2212";

// Bytes of UTF-8 that continue a character.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// How markup says a character that means something in it.
std::string_view entity_of(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

std::string with_minus(std::string number) {
  if (number.find_first_of("123456789") == std::string::npos && number.starts_with('-')) number.erase(0, 1);
  return number.starts_with('-') ? fmt::format("{}{}", minus, number.substr(1)) : number;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t size = 0; !text.empty(); text.remove_prefix(size)) {
    size = std::max<std::size_t>(utf8_character(text), 1);
    if (const std::string_view entity = entity_of(text.front()); !entity.empty())
      result += entity;
    else if (begins_with_text(text))
      result += text.substr(0, size);
    else
      result += "\uFFFD";
  }
  return result;
}

double width_of(std::string_view text, double font_size) {
  double em = 0;
  for (const char c : text) {
    if (continues(c)) continue;
    if (std::string_view("iljtfI.,:;'|! ()[]/").find(c) != std::string_view::npos)
      em += 0.36;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      em += 0.93;
    else
      em += c >= 'A' && c <= 'Z' ? 0.72 : 0.62;
  }
  return em * font_size;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!continues(text[i])) starts.push_back(i);
  if (starts.size() <= most) return std::string(text);
  const std::size_t head = most / 2, tail = most - 1 - head;
  return fmt::format("{}\u2026{}", text.substr(0, starts[head]), text.substr(starts[starts.size() - tail]));
}

std::string fixed(double x, int decimals) { return with_minus(fmt::format("{:.{}f}", x, decimals)); }

std::string power_of_ten(int exponent) {
  constexpr std::string_view raised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "10";
  if (exponent < 0) text += "\u207B";
  for (const char digit : std::to_string(std::abs(exponent))) text += raised[digit - '0'];
  return text;
}

std::string readable(double x, int digits) {
  if (!std::isfinite(x)) return "\u2013";
  if (x == 0) return "0";
  const std::string scientific = fmt::format("{:.{}e}", x, digits - 1);  // rounding may carry into the exponent
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  if (exponent >= -3 && exponent < 6) return fixed(x, std::max(0, digits - 1 - exponent));
  return fmt::format("{}\u00A0\u00D7\u00A0{}", with_minus(scientific.substr(0, e)), power_of_ten(exponent));
}

}  // namespace denoc::figures
