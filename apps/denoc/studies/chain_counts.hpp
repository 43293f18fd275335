// Folded counts of serial chains against their length: polynomials, where the O(n) method overtakes, and a figure.
#pragma once
#include <string>
#include <vector>

#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/model/serial_chain.hpp"

namespace denoc::app {

// What a problem costs as the papers count it: a division is a multiplication, a square root too.
struct Cost {
  long mul = 0, add = 0;
  long total() const { return mul + add; }
};
Cost cost(const OperationCount& c);

// One problem by one method, for chains of n = 1, 2, ... joints.
struct CountCourse {
  std::string problem, method;
  int degree;               // of the method's order: 1, 2 or 3
  std::vector<Cost> costs;  // [i] for n = i + 1, as long as the counts are folded
};
// With `factorize + solve` after `solve`.
std::vector<CountCourse> chain_counts(ChainLinks links, int longest);

// The numbers for n = first, first + 1, ... as a polynomial of at most third degree: exact ("81 n - 97"), from the
// first n on that it holds for, or else by least squares one of the given degree ("~").
std::string fitted(const std::vector<long>& numbers, int first, int degree);

// The least n from which on `linear` costs less than `other`; 0 if that is not so for the longest.
int crossover(const CountCourse& linear, const CountCourse& other);

// Operations against n, above of every forward dynamics, below with phi given beside the published ones.
//                                                                                                    [Shah13 Fig. 8]
std::string count_figure(const std::string& title, const std::vector<CountCourse>& courses);

}  // namespace denoc::app
