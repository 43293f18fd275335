#include "studies/reproduce/robot_at.hpp"

#include <fmt/format.h>

#include "output/table.hpp"

namespace denoc::app {

std::string listed(const Numbers& x) {
  std::vector<std::string> cells;
  for (const double y : x) cells.push_back(shown(y, largest(x)));
  return fmt::format("{}", fmt::join(cells, ", "));
}

}  // namespace denoc::app
