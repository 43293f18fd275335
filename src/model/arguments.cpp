#include "denoc/model/arguments.hpp"
#include "denoc/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace denoc {

void throw_wrong_size(const char* name, size_t found, size_t expected) {
  throw ArgumentError(std::string(name) + " has " + std::to_string(found) + " entries, the model needs " +
                      std::to_string(expected));
}

void throw_no_number(const char* name, std::span<const double> x) {
  const auto is_none = [](double each) { return !std::isfinite(each); };
  throw ArgumentError(std::string(name) + ": entry " +
                      std::to_string(std::find_if(x.begin(), x.end(), is_none) - x.begin() + 1) + " is not a number");
}

void throw_unknown_body(const Robot& robot, int body) {
  const auto named = [&](size_t b) { return std::to_string(b) + " ('" + robot.bodies[b].name + "')"; };
  throw ArgumentError("there is no body " + std::to_string(body) + ": the bodies of this model are " + named(0) +
                      " to " + named(robot.bodies.size() - 1) +
                      (body == -1 ? "; -1 is what find gives for a name that no body has" : ""));
}

void throw_unknown_dof(int dof, int nv) {
  throw ArgumentError("there is no degree of freedom " + std::to_string(dof) + ": " +
                      (nv == 0 ? "this model has none" : "those of this model are 0 to " + std::to_string(nv - 1)));
}

}  // namespace denoc
