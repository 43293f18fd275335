// SHA-256 of bytes that come piece by piece, as `sha256sum` gives it.                               [FIPS 180-4, 6.2]
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace denoc::io {

class Sha256 {
 public:
  void append(std::string_view bytes);
  // Of all that was appended, in 64 hexadecimal digits; nothing can be appended after it.
  std::string digits();

 private:
  void take(const unsigned char* bytes);  // a block

  std::array<std::uint32_t, 8> hash_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_ = {};  // less than a block
  std::uint64_t bytes_ = 0;
};

}  // namespace denoc::io
