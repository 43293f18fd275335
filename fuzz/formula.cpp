// Formulas of t and two variables, and their derivatives.
#include "denoc/io/formula.hpp"

#include "target.hpp"

namespace denoc::fuzz {
namespace {

const std::vector<std::string> variables = {"x", "q.elbow"};
const double values[] = {0.5, -2};

// What stands in the parentheses behind a word, of a text in which all of them are closed.
std::string_view argument(std::string_view behind) {
  const std::size_t first = behind.find('(') + 1;
  std::size_t last = first;
  for (int open = 1; open > 0; ++last) open += (behind[last] == '(') - (behind[last] == ')');
  return behind.substr(first, last - 1 - first);
}

// Whether a step of the formula jumps at t: its argument is zero there.
bool jumps(std::string_view formula, double t) {
  constexpr std::string_view step = "step";
  for (std::size_t at = 0; (at = formula.find(step, at)) != std::string_view::npos; at += step.size())
    if (io::Formula::parse(argument(formula.substr(at)), variables).formula(t, values) == 0) return true;
  return false;
}

}  // namespace

void feed(const std::string& input) {
  const io::ParsedFormula parsed = io::Formula::parse(input, variables);
  if (!parsed) return;
  for (const double t : {0.0, 0.7, 1e9}) {
    const double value = parsed.formula(t, values), by_jet = parsed.formula.jet(t, values).x;
    // The same operations on the same numbers; where a step jumps, the jet is that of just after.
    const bool are_same = value == by_jet || (value != value && by_jet != by_jet);
    require(are_same || jumps(input, t), "a formula and its jet differ", input);
  }
}

}  // namespace denoc::fuzz
