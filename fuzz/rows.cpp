// Rows of NPY and CSV, some at a time.
#include "denoc/io/rows.hpp"

#include "target.hpp"

void denoc::fuzz::feed(const std::string& input) {
  static const InputFile file(".npy");
  io::RowReader reader(file.with(input), {"x", "y", "z"});
  std::vector<double> some(3 * 5);
  std::size_t all = 0;
  for (std::size_t rows = 5; rows == 5; all += rows) {
    rows = reader.read(some);
    require(rows <= 5, "more rows than fit");
  }
  if (const auto said = reader.rows()) require(all == *said, "other rows than the file says");
}
