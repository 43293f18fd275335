// Arrays of small numbers as text [RFC 4648], the least byte first.
#pragma once
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace denoc::figures {

template <class T> std::string base64(const std::vector<T>& numbers) {
  static_assert(std::endian::native == std::endian::little, "browsers have the least byte first");
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8U | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace denoc::figures
