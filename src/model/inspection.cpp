#include "inspection.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "eigen/views.hpp"

namespace denoc::inspection {

Source part_of(const Source& whole, std::string_view part) {
  return {whole.file, whole.line_of(part), fmt::format("{}: {}", whole.element, part)};
}
Source source_of(const Body& body) {
  Source source = body.source;
  if (source.element.empty()) source.element = fmt::format("body '{}'", body.name);
  return source;
}
Source source_of_joint(const Body& body) {
  Source source = source_of(body);
  source.line = source.line_of("joint");
  if (name_of_joint(body) != body.name) source.element = fmt::format("joint '{}'", name_of_joint(body));
  return source;
}

// The iterative solver: the closed form of a cubic would lose half the digits where two moments agree.
std::array<double, 3> principal_moments(const Sym3<double>& s) {
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(views::dense(s), Eigen::EigenvaluesOnly).eigenvalues();
  return {moments[0], moments[1], moments[2]};
}

}  // namespace denoc::inspection
