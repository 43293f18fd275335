// Ctrl-C while the interpreter is released.
#pragma once
#include <chrono>

#include "interpreter.hpp"

namespace denoc::python {

class Signals {
 public:
  // Whether so much time has gone by since the last look that it is time for another.
  bool are_due() const { return Clock::now() >= next_; }
  // Throws what Python's handlers raise (KeyboardInterrupt). For threads with or without the interpreter.
  void look() {
    const Held interpreter;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    next_ = Clock::now() + patience;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds patience{20};
  Clock::time_point next_ = Clock::now() + patience;
};

}  // namespace denoc::python
