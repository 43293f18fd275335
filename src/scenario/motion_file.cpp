#include "denoc/scenario/motion_file.hpp"

#include <cmath>

#include "denoc/error.hpp"
#include "io/readers.hpp"
#include "parts.hpp"

namespace denoc {
namespace {

bool begins_at(const std::vector<double>& here, const Trajectory& motion, const Model& model) {
  constexpr double same = 1e-6;
  std::vector<double> q(here.size()), v(static_cast<std::size_t>(model.nv())), a = v;
  motion.at(0, q, v, a);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (std::abs(q[i] - here[i]) > same) return false;
  return true;
}

void read(const io::Node& root, const std::filesystem::path& folder, const std::shared_ptr<const Model>& model,
          io::Report& report, MotionFile& result) {
  if (io::has_key(root, "robot")) {
    report.fault(
        root.line, "",
        "it is a scenario, which `denoc simulate` runs: put its `motion` into a file of its own, with `duration`, "
        "`every` and `start: {q}` if wanted");
    return;
  }
  const io::Fields file(root, "", {"title", "motion", "duration", "every", "start"}, report);
  if (root.kind != io::Node::Kind::map) return;
  file.require("motion");
  const io::Vectors vectors(*model, report);
  std::vector<double> here = vectors.neutral();
  const auto start = file.map("start", {"q"});
  if (start) here = vectors.posture(*start, "q");
  result.every = io::positive(file, "every", result.every);
  result.duration = io::positive(file, "duration", 0);
  const io::MakeMotion make =
      io::read_motion(file, {model, vectors, folder, result.duration, start && start->has("q"), report});
  if (!make || !report.faults.empty()) return;
  try {
    result.motion = make(here);
    io::require_finite_start(file, *result.motion, *model);
  } catch (const ArgumentError& error) {
    file.refuse("motion", error.what());
    return;
  }
  if (start && start->has("q") && !begins_at(here, *result.motion, *model))
    start->warn("q", "the motion begins elsewhere, as it says itself");
  if (result.duration == 0) result.duration = result.motion->duration();
  io::doubt_end(file, *result.motion, *model, result.duration);
}

}  // namespace

MotionFile load_motion(const std::filesystem::path& file, const std::shared_ptr<const Model>& model) {
  io::Report report{io::shown_file(file)};
  MotionFile result;
  if (const auto text = io::read_text(file, report))
    io::parse_yaml(*text, report, [&](const io::Node& root) { read(root, file.parent_path(), model, report, result); });
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  result.warnings = std::move(report.warnings);
  result.also_read = std::move(report.also_read);
  return result;
}

}  // namespace denoc
