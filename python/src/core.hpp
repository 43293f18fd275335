// The robot behind denoc.Robot: its mechanism, where it is from, and the engines that answer for it.
#pragma once
#include <string>

#include "denoc/model/quaternions.hpp"
#include "denoc/scenario/scenario.hpp"

#include "engines.hpp"
#include "errors.hpp"
#include "questions.hpp"

namespace denoc::python {

class Core {
 public:
  // Throws RobotError.
  Core(Document document, std::string file, const LoadOptions& options);

  const std::string file, text, format;  // the text: with what it includes
  const LoadOptions options;
  const Mechanism mechanism;
  const std::vector<Fault> doubts, notes;
  const std::shared_ptr<const Model> model;  // the mechanism's, which lives as long as this
  Engines engines;
  // Of the answer to each question at one state, as NumPy takes it.
  std::vector<nb::object> shapes;
  const std::vector<QuaternionPlace> quaternions;  // in q
};

// A scenario whose text Python made: of what is wrong with it no lines are told, which nobody has seen.
Scenario generated(const std::string& text, const std::string& name, const Core& core);

// By subject: each adds its part to the module.
void bind_robot(nb::module_& module);
void bind_asking(nb::module_& module, nb::class_<Core>& core);
void bind_simulation(nb::module_& module, nb::class_<Core>& core);
void bind_kinematics(nb::class_<Core>& core);
void bind_counts(nb::class_<Core>& core);
void bind_motions(nb::module_& module, nb::class_<Core>& core);
void bind_gradients(nb::module_& module, nb::class_<Core>& core);
void bind_figures(nb::class_<Core>& core);

}  // namespace denoc::python
