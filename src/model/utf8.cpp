#include "denoc/model/utf8.hpp"

#include <fmt/format.h>

namespace denoc {
namespace {

unsigned byte(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
}

// Of a whole character: the bits of the first byte behind its length, then six of each that follows.
unsigned code_point(std::string_view character) {
  if (character.size() == 1) return byte(character, 0);
  unsigned code = byte(character, 0) & (0xFFu >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(character, i) & 0x3Fu);
  return code;
}

bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }
bool is_never_assigned(unsigned code) { return (code & 0xFFFEu) == 0xFFFEu || (code >= 0xFDD0 && code <= 0xFDEF); }

}  // namespace

std::size_t utf8_character(std::string_view text) {
  const auto follows = [&](std::size_t i) { return (byte(text, i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(text, 0), second = byte(text, 1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xC2 && first <= 0xDF && follows(1)) return 2;
  const bool overlong3 = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
  if (first >= 0xE0 && first <= 0xEF && follows(1) && follows(2) && !overlong3 && !surrogate) return 3;
  const bool overlong4 = first == 0xF0 && second < 0x90, beyond = first == 0xF4 && second > 0x8F;
  if (first >= 0xF0 && first <= 0xF4 && follows(1) && follows(2) && follows(3) && !overlong4 && !beyond) return 4;
  return 0;
}

bool begins_with_text(std::string_view text) {
  const std::size_t size = utf8_character(text);
  if (size == 0) return false;
  const unsigned code = code_point(text.substr(0, size));
  return code == '\t' || code == '\n' || code == '\r' || (!is_control(code) && !is_never_assigned(code));
}

std::string fault_of_name(std::string_view name) {
  while (!name.empty()) {
    const std::size_t size = utf8_character(name);
    if (size == 0) return fmt::format("its name is not UTF-8: there is the byte 0x{:02X}", byte(name, 0));
    const unsigned code = code_point(name.substr(0, size));
    if (is_control(code)) return fmt::format("its name has the control character U+{:04X}", code);
    if (is_never_assigned(code)) return fmt::format("its name has U+{:04X}, which is no character", code);
    name.remove_prefix(size);
  }
  return "";
}

}  // namespace denoc
