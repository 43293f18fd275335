// Lists of types, from which tables and switches are made.
#pragma once
#include <utility>

#include "denoc/scalar/scalar.hpp"

namespace denoc {

template <class T> struct Type { using type = T; };

template <class... T> struct TypeList {
  static constexpr int size = sizeof...(T);
  // Where a type stands, or -1.
  template <class X> static constexpr int index_of() {
    int i = 0;
    return ((std::is_same_v<X, T> || (++i, false)) || ...) ? i : -1;
  }
  // f(Type<...>) for the i-th.
  template <class F> DENOC_INLINE static void at(int i, F&& f) {
    [&]<int... k>(std::integer_sequence<int, k...>) DENOC_INLINED { (void)((i == k && (f(Type<T>{}), true)) || ...); }
    (std::make_integer_sequence<int, size>{});
  }
};

template <class... Lists> struct Concatenated;
template <class... T> struct Concatenated<TypeList<T...>> { using type = TypeList<T...>; };
template <class... A, class... B, class... Rest>
struct Concatenated<TypeList<A...>, TypeList<B...>, Rest...> : Concatenated<TypeList<A..., B...>, Rest...> {};

}  // namespace denoc
