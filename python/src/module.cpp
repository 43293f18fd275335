// denoc._core: what the Python layer (denoc/*.py) stands on. Its arrays are in C order and of the right shape; people
// call the layer.
#include "denoc/version.hpp"

#include <string>

#include "core.hpp"

NB_MODULE(_core, module) {
  nanobind::set_leak_warnings(false);  // a thread that Python leaves behind at its end keeps what it was asking
  denoc::python::translate_errors();
  module.attr("version") = std::string(denoc::version).c_str();
  denoc::python::bind_robot(module);
}
