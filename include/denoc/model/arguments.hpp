// What public calls take: spans of the scalar, checked once at the door.
#pragma once
#include <span>
#include <type_traits>

#include "denoc/model/model.hpp"
#include "denoc/scalar/counted.hpp"
#include "denoc/scalar/dual.hpp"
#include "denoc/scalar/instruction_set.hpp"

namespace denoc {

/// Not deduced, so that vectors, arrays and spans all fit: T comes from the scratch and the configuration.
template <class T> using In = std::type_identity_t<std::span<const T>>;
template <class T> using Out = std::type_identity_t<std::span<T>>;

/// A wrench acting on a body, in the body's own frame, about its origin.
template <class T> struct BodyWrench {
  int body;
  Wrench<T> wrench;
};
template <class T> using Wrenches = std::type_identity_t<std::span<const BodyWrench<T>>>;

/// Throws ArgumentError: `name` has this many entries, not that many.
[[noreturn]] void throw_wrong_size(const char* name, size_t found, size_t expected);
/// Throws ArgumentError where a vector has not the size the robot wants.
template <class T> DENOC_INLINE void require_size(std::span<T> x, int expected, const char* name) {
  if (x.size() != size_t(expected)) throw_wrong_size(name, x.size(), size_t(expected));
}

/// Whether every entry is a finite number.
DENOC_INLINE bool all_finite(std::span<const double> x) {
  double sum = 0;
  for (const double each : x) sum += each - each;  // zero for what is finite
  return sum == 0;
}
/// Throws ArgumentError: the first entry of `name` that is not finite.
[[noreturn]] void throw_no_number(const char* name, std::span<const double> x);
/// Throws ArgumentError where an entry is no finite number.
DENOC_INLINE void require_numbers(std::span<const double> x, const char* name) {
  if (!all_finite(x)) throw_no_number(name, x);
}
/// ... or there are not as many as the robot wants.
DENOC_INLINE void require_numbers(std::span<const double> x, int expected, const char* name) {
  require_size(x, expected, name);
  require_numbers(x, name);
}

/// Throws ArgumentError where a wrench acts on a body that is not there.
template <class T> void require_bodies(const ModelOf<T>& model, Wrenches<T> wrenches) {
  for (const BodyWrench<T>& e : wrenches) model.body(e.body);
}
/// Some degrees of freedom, by their numbers.
template <class R> void require_dofs(const BasicModel<R>& model, const std::vector<int>& dofs) {
  for (const int k : dofs) model.require_dof(k);
}

// The library is compiled for these scalars once; others are instantiated where they are used.
#define DENOC_FOR_SCALARS(DO) DO(double) DO(float) DO(long double) DO(Counted<double>) DO(Dual<double>)
// PASSES(template, T) instantiates the passes of a header for T. In double the library has them for several instruction
// sets, and which one runs is picked when the program does: specialisations, in src/dynamics/for_double.cpp.
#define DENOC_COMPILED(PASSES)             \
  PASSES(template <>, double)              \
  PASSES(extern template, float)           \
  PASSES(extern template, long double)     \
  PASSES(extern template, Counted<double>) \
  PASSES(extern template, Dual<double>)

}  // namespace denoc
