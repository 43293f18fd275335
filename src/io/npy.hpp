// The header of an NPY file: magic, version, length, and a Python dictionary.
#pragma once
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/rows.hpp"

namespace denoc::io {

constexpr char npy_first_byte = '\x93';

// What the array is, or the rule that the header breaks.
struct NpyHeader {
  Precision precision = Precision::float64;
  std::vector<std::size_t> shape = {};
  std::size_t bytes = 0;  // of the header itself: the numbers follow
  std::string rule = {};
};
NpyHeader read_npy_header(std::istream& in);

// Always of the same length, so that it can be replaced when the number of rows is known.
std::string npy_header(std::span<const std::size_t> shape, Precision precision);

inline std::size_t size_of(Precision precision) { return precision == Precision::float64 ? 8 : 4; }

}  // namespace denoc::io
