// What the library throws when it cannot do what it is asked: everything is a denoc::Error.
#pragma once
#include <stdexcept>
#include <string>

namespace denoc {

/// The one type under all: what() says what is wrong and, where there is something, what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that makes no sense: a vector of the wrong size, an unknown name. what() says what was given and what is
/// known.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// Something the robot has (loops, a joint without a drive, ...) that this call cannot take into account.
class NotCovered : public Error {
 public:
  using Error::Error;
};

/// An answer beyond what numbers hold: the state is too large, or the robot's numbers are.
class NotFinite : public Error {
 public:
  using Error::Error;
};

}  // namespace denoc
