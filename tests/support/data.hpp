// Reference numbers (tests/data/*.json) and the robots they belong to. JSON is YAML: yaml-cpp reads it. A key that is
// not there throws.
#pragma once
#include <yaml-cpp/yaml.h>

#include <cstdlib>

#include "denoc/io/load.hpp"
#include "support/expect.hpp"

namespace denoc::test {

using Json = YAML::Node;

inline Json data(const std::string& file) { return YAML::LoadFile(std::string(DENOC_TEST_DATA "/") + file); }
inline Robot shipped(const std::string& name) { return load(DENOC_MODELS_DIR "/" + name + ".yaml"); }

// 1.5, "1.5" or "3/2", correctly rounded to R.
template <class R> R number(const std::string& text) {
  const auto read = [](const char* begin, char** end) {
    if constexpr (std::is_same_v<R, long double>)
      return std::strtold(begin, end);
    else
      return std::strtod(begin, end);
  };
  char* end = nullptr;
  R x = read(text.c_str(), &end);
  if (*end == '/') x /= read(end + 1, &end);
  if (text.empty() || *end != '\0') throw std::runtime_error("no number: '" + text + "'");
  return x;
}
template <class R = double> R number(const Json& node) { return number<R>(node.Scalar()); }
// A list, or a matrix by rows.
template <class R = double> std::vector<R> numbers(const Json& node) {
  if (!node.IsSequence()) throw std::runtime_error("no list in the data");
  std::vector<R> all;
  for (const Json& item : node) {
    if (item.IsSequence()) {
      for (const R& x : numbers<R>(item)) all.push_back(x);
    } else {
      all.push_back(number<R>(item));
    }
  }
  return all;
}

}  // namespace denoc::test
