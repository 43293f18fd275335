#include "commands/differentiated.hpp"

#include "output/table.hpp"

namespace denoc::app {

void differentiated_arguments(Arguments& arguments, DifferentiatedOptions& options) {
  state_arguments(arguments, options, "state or states to differentiate at");
  arguments.flag("--forces", options.forces, "springs, friction and end stops of the file act, too");
}

std::vector<Axes> axes_of(const State& state) {
  std::vector<Axes> axes;
  for (const StateWrench& w : state.wrenches) axes.push_back(w.in_world_axes ? Axes::world : Axes::body);
  return axes;
}

std::string matrix_table(std::span<const double> matrix, const std::vector<std::string>& rows,
                         const std::vector<std::string>& columns) {
  std::vector<std::string> headings = {""};
  for (const std::string& column : columns) headings.push_back(fmt::format(">{}", column));
  Table table(headings);
  const double size = largest(matrix);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> row = {rows[i]};
    for (const double x : matrix.subspan(i * columns.size(), columns.size())) row.push_back(shown(x, size));
    table.row(row);
  }
  return table.text();
}

}  // namespace denoc::app
