// Text in markup: escaped, measured, and numbers as people write them.
#pragma once
#include <string>
#include <string_view>

namespace denoc::figures {

// For text and attribute values of XML and HTML. What is no text (control characters, bytes that are
// no UTF-8) becomes U+FFFD.
std::string escaped(std::string_view text);
// At most about how wide the text is in a sans-serif font of that size.
double width_of(std::string_view text, double font_size);
// At most that many characters, with an ellipsis in the middle: names often differ at their ends.
std::string shortened(std::string_view text, std::size_t most);

// With a true minus sign: "-0.50" for (-0.5, 2).
std::string fixed(double x, int decimals);
// "10" with a raised exponent.
std::string power_of_ten(int exponent);
// A few significant digits for tables, with a power of ten where the plain number would be long: "1.25", "3.1 x 10^-9".
std::string readable(double x, int digits = 4);

}  // namespace denoc::figures
