#include "errors.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

#include "denoc/dynamics/singular_inertia.hpp"
#include "denoc/io/draft.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/simulation/simulation.hpp"

namespace denoc::python {
namespace {

nb::object exceptions() { return nb::module_::import_("denoc.errors"); }

// What the library calls in C++, as arguments of Python.
constexpr std::pair<std::string_view, std::string_view> in_python[] = {{"Loops::open", "loops=\"open\""},
                                                                       {"Forces::all", "forces=True"}};
std::string translated(std::string text) {
  for (const auto& [cpp, python] : in_python)
    if (const std::size_t at = text.find(cpp); at != std::string::npos) text.replace(at, cpp.size(), python);
  return text;
}

// The exception of that name, ready for what else it has to say.
nb::object made(const char* name, const std::string& text) { return exceptions().attr(name)(translated(text)); }
void raise(const nb::object& error) { PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr()); }

void set(const std::exception_ptr& cause, const std::string& where) {
  try {
    std::rethrow_exception(cause);
  } catch (const AtRow& at) {
    set(at.cause, "row " + std::to_string(at.row) + ": ");
  } catch (const RobotError& error) {
    raise(exceptions().attr("RobotError")(where + error.what(), as_python(error.faults)));
  } catch (const SingularInertia& error) {
    const nb::object python = made("SingularInertia", where + error.what());
    python.attr("dof") = error.dof;
    raise(python);
  } catch (const SimulationFailure& error) {
    const nb::object python = made("SimulationFailure", where + error.what());
    python.attr("t") = error.t;
    python.attr("q") = array_of(error.q);
    python.attr("v") = array_of(error.v);
    raise(python);
  } catch (const NotAssembled& error) {
    raise(made("NotAssembled", where + error.what()));
  } catch (const NotDriveable& error) {
    raise(made("NotDriveable", where + error.what()));
  } catch (const NoEquilibrium& error) {
    raise(made("NoEquilibrium", where + error.what()));
  } catch (const io::WriteError& error) {
    raise(made("WriteError", where + error.what()));
  } catch (const Unreachable& error) {
    raise(made("Unreachable", where + error.what()));
  } catch (const NotCovered& error) {
    raise(made("NotCovered", where + error.what()));
  } catch (const ArgumentError& error) {
    raise(made("ArgumentError", where + error.what()));
  } catch (const Error& error) {
    raise(made("Error", where + error.what()));
  }
}

}  // namespace

nb::list as_python(const std::vector<Fault>& faults) {
  const nb::object fault = exceptions().attr("Fault");
  nb::list all;
  for (const Fault& each : faults)
    all.append(fault(each.source.file.c_str(), each.source.line, each.source.element.c_str(), each.rule.c_str()));
  return all;
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& cause, void*) { set(cause, ""); });
}

}  // namespace denoc::python
