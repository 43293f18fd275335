// The interpreter, released and held. Where Python ends while other threads go on (daemon threads), it takes such a
// thread away as soon as it asks for the interpreter: the stack is unwound through whatever is on it, which destructors
// and handlers of exceptions do not stand. Here it rests for ever instead, as it does from Python 3.14 on.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <thread>

namespace denoc::python {

namespace nb = nanobind;

[[noreturn]] inline void rest_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
}

// f(), in which Python may end. What comes out of it and is no exception is the end of Python: it is not let through.
// Who asks when it has ended already would find nothing there.
template <class F> auto ask_python(const F& f) {
  if (Py_IsInitialized() == 0) rest_for_ever();
  try {
    return f();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    rest_for_ever();
  }
}

// As long as it lives, other threads of Python may run.
class Released {
 public:
  Released() : thread_(PyEval_SaveThread()) {}
  ~Released() {
    ask_python([&] { PyEval_RestoreThread(thread_); });
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* thread_;
};

// As long as it lives, this thread has the interpreter.
class Held {
 public:
  Held() : state_(ask_python([] { return PyGILState_Ensure(); })) {}
  ~Held() { PyGILState_Release(state_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace denoc::python
