// Operation counts of serial chains of n revolute joints: the documents' polynomials beside ours, folded as they count.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "denoc/model/model.hpp"
#include "denoc/scalar/counted.hpp"
#include "studies/published_counts.hpp"
#include "studies/reproduce/page.hpp"

namespace denoc::app {

// Multiplications (a division is one, as in the documents) and additions.
struct PolynomialCost {
  Polynomial mul, add;
  std::string text() const { return mul.text() + " M, " + add.text() + " A"; }
  std::string at(int n) const;
};
struct NamedCost {
  std::string name;
  PolynomialCost cost;
  std::string only_six = {};  // where there is no polynomial of the third degree: the count for n = 6
};

// What is printed in that table, each named by its author or by the document.
std::vector<NamedCost> printed_in(std::string_view table);
// One row of it, by the beginning of its name. Throws std::out_of_range.
NamedCost printed_in(std::string_view table, std::string_view name);

enum class CountedLinks { general, rods };
// Ours, by method: the polynomials through the counts for n = 5 to 12, which lie on them exactly. `problem` is one of
// operation_counts, or phi_given: factor and solution without the bias, as the documents count forward dynamics.
// Of forward dynamics without what is the code of another method.
std::vector<NamedCost> our_costs(std::string_view problem, CountedLinks links = CountedLinks::general);

// The same of whatever is counted on a chain of general links.
NamedCost counted_cost(const std::string& name, const std::function<OperationCount(const Model&)>& count);

// Both one below the other, for n = 6 as well.
void cost_table(Page& page, const std::vector<NamedCost>& published, const std::vector<NamedCost>& ours);

// By what an O(n) method is said to win.
enum class Criterion { multiplications, both, sum };
// The least n from which on the first takes less than the second, by that criterion; 0: none up to 1000.
int crossover(const PolynomialCost& linear, const PolynomialCost& cubic, Criterion criterion);

// Costs against n, on logarithmic axes, up to `most` joints: multiplications and additions together.
figures::Plot cost_plot(const std::vector<NamedCost>& costs, int most);

}  // namespace denoc::app
