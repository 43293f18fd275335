#include "sha256.hpp"

#include <fmt/format.h>

#include <bit>

namespace denoc::io {
namespace {

using Word = std::uint32_t;
constexpr std::size_t block = 64, rounds = 64, length_bytes = 8;

// The fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Word, rounds> k = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

Word mixed(Word x, int a, int b, int c) { return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c); }
Word shifted(Word x, int a, int b, int c) { return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> c); }

}  // namespace

void Sha256::take(const unsigned char* bytes) {
  std::array<Word, rounds> w;
  for (std::size_t t = 0; t < 16; ++t, bytes += 4)
    w[t] = Word(bytes[0]) << 24 | Word(bytes[1]) << 16 | Word(bytes[2]) << 8 | Word(bytes[3]);
  for (std::size_t t = 16; t < rounds; ++t)
    w[t] = shifted(w[t - 2], 17, 19, 10) + w[t - 7] + shifted(w[t - 15], 7, 18, 3) + w[t - 16];
  auto [a, b, c, d, e, f, g, h] = hash_;
  for (std::size_t t = 0; t < rounds; ++t) {
    const Word t1 = h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + k[t] + w[t];
    const Word t2 = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<Word, 8> last = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < last.size(); ++i) hash_[i] += last[i];
}

void Sha256::append(std::string_view bytes) {
  bytes_ += bytes.size();
  const auto take_blocks = [&](std::string_view& from) {
    for (; from.size() >= block; from.remove_prefix(block)) take(reinterpret_cast<const unsigned char*>(from.data()));
  };
  if (!rest_.empty()) {
    const std::string_view missing = bytes.substr(0, block - rest_.size());
    rest_ += missing;
    bytes.remove_prefix(missing.size());
    if (rest_.size() < block) return;
    std::string_view full = rest_;
    take_blocks(full);
  }
  take_blocks(bytes);
  rest_ = bytes;
}

// A one bit, zeros up to a whole number of blocks, the last bytes of which are the length in bits.
std::string Sha256::digits() {
  const std::uint64_t bits = 8 * bytes_;
  std::string end = "\x80";
  while ((bytes_ + end.size() + length_bytes) % block != 0) end += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) end += static_cast<char>(bits >> (8 * (length_bytes - 1 - i)) & 0xFFu);
  append(end);
  std::string text;
  for (const Word x : hash_) text += fmt::format("{:08x}", x);
  return text;
}

}  // namespace denoc::io
