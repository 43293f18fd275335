// What formulas are made of: the signs between values, and the list of functions.
#pragma once
#include <span>
#include <string_view>

#include "denoc/io/formula.hpp"

namespace denoc::io {

struct Formula::Operation {
  std::string_view name;  // as in a call; empty: a sign between values
  std::size_t arguments;
  double (*of_numbers)(double, double);
  Jet (*of_jets)(const Jet&, const Jet&);
};
using Operation = Formula::Operation;

extern const Operation plus, minus, times, over, negative;
const Operation& power();

std::span<const Operation> functions();
const Operation* function_named(std::string_view name);  // none: null

}  // namespace denoc::io
