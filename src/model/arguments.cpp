#include "denoc/model/arguments.hpp"
#include "denoc/model/error.hpp"

#include <string>

namespace denoc {

void throw_wrong_size(const char* name, size_t found, size_t expected) {
  throw ArgumentError(std::string(name) + " has " + std::to_string(found) + " entries, the model needs " +
                      std::to_string(expected));
}

void throw_unknown_body(int body, size_t bodies) {
  throw ArgumentError("a wrench acts on body " + std::to_string(body) + "; the model's bodies are 0 to " +
                      std::to_string(bodies - 1));
}

}  // namespace denoc
