// A number that counts what is done with it: every executed operation, those with zeros and ones too. A sign change is
// free.
#pragma once
#include "denoc/scalar/scalar.hpp"

namespace denoc {

struct OperationCount {
  long mul = 0, add = 0, div = 0, sqrt = 0, sincos = 0;
  friend bool operator==(const OperationCount&, const OperationCount&) = default;
  friend OperationCount operator-(const OperationCount& a, const OperationCount& b) {
    return {a.mul - b.mul, a.add - b.add, a.div - b.div, a.sqrt - b.sqrt, a.sincos - b.sincos};
  }
};

template <std::floating_point R> class Counted {
 public:
  static OperationCount& count() {  // of this thread
    thread_local OperationCount so_far;
    return so_far;
  }
  Counted() = default;
  constexpr Counted(R x) : x_(x) {}
  friend R value(const Counted& a) { return a.x_; }

  friend Counted operator+(Counted a, Counted b) { return ++count().add, a.x_ + b.x_; }
  friend Counted operator-(Counted a, Counted b) { return ++count().add, a.x_ - b.x_; }
  friend Counted operator*(Counted a, Counted b) { return ++count().mul, a.x_ * b.x_; }
  friend Counted operator/(Counted a, Counted b) { return ++count().div, a.x_ / b.x_; }
  friend Counted operator-(Counted a) { return -a.x_; }
  friend bool operator<(Counted a, Counted b) { return a.x_ < b.x_; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  friend void sincos(Counted a, Counted& s, Counted& c) { ++count().sincos, sincos(a.x_, s.x_, c.x_); }
  friend Counted sqrt(Counted a) { return ++count().sqrt, std::sqrt(a.x_); }
  friend Counted atan2(Counted y, Counted x) { return ++count().sincos, std::atan2(y.x_, x.x_); }

 private:
  R x_ = 0;
};
template <class R> struct real_of<Counted<R>> { using type = R; };

}  // namespace denoc
