// What the targets of the formats of robots share.
#pragma once
#include <string>

namespace denoc::fuzz {

// Whatever a file holds, it is a robot or is refused; a robot becomes a model, and what is written of it in one of the
// formats (which, the input decides) is read again without a fault.
void read_as_robot(const std::string& input, const char* name);

}  // namespace denoc::fuzz
