// Arrays of NumPy (and whatever else has a buffer) as spans, without copies.
#pragma once
#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <utility>

#include "denoc/error.hpp"

namespace denoc::python {

namespace nb = nanobind;

// The letter that the buffer protocol has for a type of number.
template <class E> inline constexpr char letter_of = '?';
template <> inline constexpr char letter_of<double> = 'd';
template <> inline constexpr char letter_of<float> = 'f';

// Numbers in C order. The object is kept as long as this is.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(nb::handle object, bool is_writable = false) { hold(object, is_writable); }
  // Of an object without such a buffer: empty(). Never throws. To be called once.
  void hold(nb::handle object, bool is_writable = false) {
    const int flags = PyBUF_ND | PyBUF_FORMAT | (is_writable ? PyBUF_WRITABLE : 0);
    if (PyObject_CheckBuffer(object.ptr()) == 0) return;
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) == 0) {
      is_held_ = true;
    } else {
      PyErr_Clear();
    }
  }
  ~Buffer() {
    if (is_held_) PyBuffer_Release(&view_);
  }
  Buffer(Buffer&& other) noexcept : view_(other.view_), is_held_(std::exchange(other.is_held_, false)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;

  bool empty() const { return !is_held_; }
  // The letter stands alone where the machine reads the numbers as they lie: swapped bytes and fields of packed records
  // have a sign before it.
  template <class E> bool is_of() const {
    return is_held_ && view_.format != nullptr && view_.format[0] == letter_of<E> && view_.format[1] == '\0';
  }
  std::span<const Py_ssize_t> shape() const { return {view_.shape, size_t(view_.ndim)}; }
  std::size_t width() const { return view_.ndim == 0 ? 0 : std::size_t(view_.shape[view_.ndim - 1]); }
  // Throws ArgumentError: numbers of another type are not read as these.
  template <class E> std::span<E> numbers() const {
    using Number = std::remove_const_t<E>;
    if (!is_of<Number>())
      throw ArgumentError(std::string("an array of numbers '") + letter_of<Number> + "' in C order is wanted");
    return {static_cast<E*>(view_.buf), size_t(view_.len) / sizeof(E)};
  }

 private:
  Py_buffer view_{};
  bool is_held_ = false;
};

// Whether it is NumPy's array itself: kinds of it may mean more than their numbers (a mask).
bool is_plain_array(nb::handle object);

// numpy.empty(shape, dtype). The function is looked up once.
nb::object new_array(nb::handle shape);
nb::object new_array(nb::handle shape, nb::handle dtype);
// With these numbers in it.
nb::object array_of(std::span<const double> numbers);
nb::object array_of(std::span<const double> numbers, nb::handle shape);

}  // namespace denoc::python
