// The methods of forward dynamics that are code of their own: Featherstone's passes are those of denoc, and would say
// everything twice.
#pragma once
#include <vector>

#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/forward/denoc.hpp"

namespace denoc::app {

inline bool is_of_its_own(std::string_view forward_method) {
  return forward_method != ArticulatedBody<double>::method.name;
}
template <class T> std::vector<ForwardFormulation<T>> distinct_forward_methods() {
  std::vector<ForwardFormulation<T>> some;
  for (const auto& method : forward_formulations<T>())
    if (is_of_its_own(method.name)) some.push_back(method);
  return some;
}

}  // namespace denoc::app
