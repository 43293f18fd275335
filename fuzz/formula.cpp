// Formulas of t and two variables, and their derivatives.
#include "denoc/io/formula.hpp"

#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) {
  const std::vector<std::string> variables = {"x", "q.elbow"};
  const io::ParsedFormula parsed = io::Formula::parse(input, variables);
  if (!parsed) return;
  const double values[] = {0.5, -2};
  for (const double t : {0.0, 0.7, 1e9}) {
    const double value = parsed.formula(t, values), by_jet = parsed.formula.jet(t, values).x;
    // The same operations on the same numbers.
    require(value == by_jet || (value != value && by_jet != by_jet), "a formula and its jet differ", input);
  }
}
