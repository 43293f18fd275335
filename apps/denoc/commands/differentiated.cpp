#include "commands/differentiated.hpp"

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

}  // namespace denoc::app
