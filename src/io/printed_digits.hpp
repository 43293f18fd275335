// How far the digits that a file prints leave a tensor from the one that was meant.
#pragma once
#include <array>
#include <string_view>

namespace denoc::io {

// Of a tensor's entries as they stand in the file (xx, yy, zz, then the products): how far their rounding to the digits
// printed may have moved the largest principal moment less the sum of the others. A number counts as rounded, by half a
// unit of its last digit, where it shows as many decimals as any other of the tensor, or as many significant digits;
// one that shows fewer is what it says. No more than a hundredth of the largest entry is taken for rounding.
double printed_rounding(const std::array<std::string_view, 6>& entries);

}  // namespace denoc::io
