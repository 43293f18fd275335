// Numbers of a film, read back.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace denoc::figures {

inline constexpr double whole = 32'767;  // parts are 16-bit numbers

// RFC 4648, read back.
inline std::vector<std::int16_t> parts(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6U | unsigned(digits.find(c));
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += char(bits >> unsigned(count) & 255U);
  }
  std::vector<std::int16_t> values(bytes.size() / 2);
  std::memcpy(values.data(), bytes.data(), 2 * values.size());
  return values;
}

}  // namespace denoc::figures
