// What must hold, or libFuzzer keeps the input.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace denoc::fuzz {

inline void require(bool is_so, std::string_view what, std::string_view more = "") {
  if (is_so) return;
  std::fprintf(stderr, "%.*s\n%.*s\n", int(what.size()), what.data(), int(more.size()), more.data());
  std::abort();
}

}  // namespace denoc::fuzz
