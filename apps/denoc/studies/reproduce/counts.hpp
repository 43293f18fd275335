// Operation counts of serial chains of n revolute joints: the documents' polynomials beside ours, folded as they count.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "denoc/model/model.hpp"
#include "denoc/scalar/counted.hpp"
#include "studies/reproduce/page.hpp"

namespace denoc::app {

// c[0] + c[1] n + c[2] n^2 + c[3] n^3
struct Polynomial {
  double c[4] = {};
  double operator()(double n) const { return c[0] + n * (c[1] + n * (c[2] + n * c[3])); }
  std::string text() const;
};
// Multiplications (a division is one, as in the documents) and additions.
struct PolynomialCost {
  Polynomial mul, add;
  std::string text() const { return mul.text() + " M, " + add.text() + " A"; }
  std::string at(int n) const;
};
struct NamedCost {
  std::string name;
  PolynomialCost cost;
  std::string only_six = {};  // where counts lie on no polynomial of the third degree: that of n = 6
};

enum class CountedLinks { general, rods };
// Ours, by method: the polynomials through the counts for n = 5 to 12, which lie on them exactly. `problem` is one of
// operation_counts, or "phi given": factor and solution without the bias, as the documents count forward dynamics.
std::vector<NamedCost> our_costs(std::string_view problem, CountedLinks links = CountedLinks::general);

// The same of whatever is counted on a chain of general links.
NamedCost counted_cost(const std::string& name, const std::function<OperationCount(const Model&)>& count);

// Both one below the other, for n = 6 as well.
void cost_table(Page& page, const std::vector<NamedCost>& published, const std::vector<NamedCost>& ours);

// The least n from which on the first takes fewer multiplications than the second, and fewer additions if they matter;
// 0: none up to 1000.
int crossover(const PolynomialCost& linear, const PolynomialCost& cubic, bool with_additions);

// Costs against n, on logarithmic axes, up to `most` joints: multiplications and additions together.
figures::Plot cost_plot(const std::vector<NamedCost>& costs, int most);

}  // namespace denoc::app
