#include "denoc/model/arguments.hpp"

#include <stdexcept>
#include <string>

namespace denoc {

void throw_wrong_size(const char* name, size_t found, size_t expected) {
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) + " entries, the model needs " +
                              std::to_string(expected));
}

}  // namespace denoc
