// Tables for people.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace denoc::app {

// Columns as wide as their widest entry. A heading that begins with '>' is of a column of numbers, set flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> headings);
  void row(std::vector<std::string> entries);  // missing ones are empty
  bool empty() const { return rows_.empty(); }
  // Indented by two, columns that are empty throughout left out.
  std::string text() const;

 private:
  std::vector<std::string> headings_;
  std::vector<bool> right_ = {};
  std::vector<std::vector<std::string>> rows_ = {};
};

// Six significant digits.
std::string shown(double x);
// The same, and plainly 0 for what is only rounding of a sum of so many numbers of that size: a chain of that many joints.
std::string shown(double x, double size, int terms = 6);
double largest(std::span<const double> values);

// A matrix by rows. noise: what rounding explains of each entry, which is printed as 0; empty: as of a sum of numbers as
// large as the largest.
std::string matrix_table(std::span<const double> matrix, const std::vector<std::string>& rows,
                         const std::vector<std::string>& columns, std::span<const double> noise = {});

}  // namespace denoc::app
