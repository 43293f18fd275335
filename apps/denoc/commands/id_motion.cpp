#include "commands/id_motion.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "commands/closed.hpp"
#include "denoc/io/npz.hpp"
#include "denoc/io/rows.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/forces_along.hpp"
#include "denoc/scenario/motion_file.hpp"
#include "output/figures/run_figures.hpp"
#include "output/interrupt.hpp"
#include "output/json.hpp"
#include "output/one_file.hpp"
#include "output/recorder.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

namespace fs = std::filesystem;

// Where the samples go: CSV, or arrays for NumPy.
class AlongWriter {
 public:
  AlongWriter(const std::string& file, const Model& model) {
    const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
    if (fs::path(file).extension() == ".npz") {
      arrays_.emplace(file,
                      std::vector<io::NpzWriter::Array>{
                          {"t"}, {"q", {nq}}, {"v", {nv}}, {"a", {nv}}, {"tau", {nv}}, {"kinetic"}, {"potential"}});
    } else if (fs::path(file).extension() == ".csv") {
      rows_.emplace(file, motion_columns(model, {"kinetic", "potential"}), io::Precision::float64);
    } else {
      throw Failure(
          Status::usage,
          fmt::format("denoc id: --output {}: forces along a motion are written to a file .csv or .npz", file));
    }
  }
  void write(const AlongSample& s) {
    row_ = {s.t};
    for (const auto& numbers : {s.q, s.v, s.a, s.tau}) row_.insert(row_.end(), numbers.begin(), numbers.end());
    row_.insert(row_.end(), {s.kinetic, s.potential});
    if (rows_) rows_->write(row_);
    if (arrays_) arrays_->write(row_);
  }
  void commit() {
    if (rows_) rows_->commit();
    if (arrays_) arrays_->complete().commit();
  }

 private:
  std::optional<io::RowWriter> rows_ = {};
  std::optional<io::NpzWriter> arrays_ = {};
  std::vector<double> row_ = {};
};

// The most that each drive gives, and when.
struct Peaks {
  std::vector<double> tau, t;
  explicit Peaks(std::size_t n) : tau(n), t(n) {}
  void look(const AlongSample& s) {
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (!(std::abs(s.tau[k]) > std::abs(tau[k]))) continue;
      tau[k] = s.tau[k];
      t[k] = s.t;
    }
  }
};

std::string json_peaks(const std::vector<Dof>& dofs, const Peaks& peaks, double duration) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < dofs.size(); ++k)
    all.push_back(json::object(
        {{"joint", json::text(dofs[k].name())}, {"tau", json::number(peaks.tau[k])}, {"t", json::number(peaks.t[k])}}));
  return json::object({{"duration", json::number(duration)}, {"peaks", json::array(all)}}) + "\n";
}
std::string peak_table(const std::vector<Dof>& dofs, const Peaks& peaks) {
  Table table({"joint", "", ">most tau", "unit", ">at t [s]"});
  for (std::size_t k = 0; k < dofs.size(); ++k)
    table.row(
        {dofs[k].joint, dofs[k].component, shown(peaks.tau[k]), std::string(dofs[k].force_unit()), shown(peaks.t[k])});
  return table.text();
}

// Whoever asks for an instant of it hears of an interrupt: between two samples, however far apart they are.
class Interruptible final : public Trajectory {
 public:
  explicit Interruptible(std::shared_ptr<const Trajectory> motion) : motion_(std::move(motion)) {}
  double duration() const override { return motion_->duration(); }
  std::vector<double> breaks() const override { return motion_->breaks(); }
  std::vector<double> knots() const override { return motion_->knots(); }
  std::vector<int> along_curve() const override { return motion_->along_curve(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    stop_if_interrupted();
    motion_->at(t, q, v, a);
  }

 private:
  std::shared_ptr<const Trajectory> motion_;
};

// Powers and works play no part here.
Sample as_sample(const AlongSample& s) { return {s.t, s.q, s.v, s.a, s.tau, s.kinetic, s.potential, 0, 0, 0, 0, {}}; }

}  // namespace

const char* const along_format =
    R"(A motion, as YAML: motion: {type: formula, q: {elbow: sin(t)}, duration: 3}, and every: 0.01 (s between rows);
docs/scenario-files.md has all types. -o FILE.csv or FILE.npz: t, q, v, a, tau. The base of a floating robot is solved for.)";

Argument& along_arguments(Arguments& arguments, AlongMotion& options) {
  arguments.flag("--plot", options.plot, "along a motion: figures (SVG) beside the output").with("--motion");
  arguments
      .option("--lead", "J1,J2", options.lead,
              "along a motion of a robot with loops: joints that move as it says, the others follow; those driven by "
              "default")
      .list()
      .with("--motion");
  return arguments.option("--motion", "FILE", options.file, "along a motion, instead of states; see below")
      .without({"--state", "--posture", "--method"});
}

Status id_along(const DynamicsOptions& robot_options, const AlongMotion& options,
                const std::optional<std::string>& driven, Session& session) {
  const Mechanism mechanism(load_robot(robot_options, session));
  const Model& model = mechanism.tree();
  remark_left_out(mechanism, robot_options, session);
  const auto shared = std::make_shared<const Model>(mechanism.robot());
  const MotionFile file = load_motion_file(*options.file, shared, session);
  AlongOptions along{file.duration, file.every, forces_of(robot_options), driven_freedoms_of(driven, mechanism)};
  std::sort(along.driven.begin(), along.driven.end());
  const std::vector<int> lead = options.lead ? driven_freedoms_of(options.lead, mechanism, "--lead") : along.driven;
  if (options.lead && !mechanism.has_loops())
    throw Failure(Status::usage,
                  "denoc id: --lead is for robots with loops: in a tree every joint moves as the motion says");

  const bool has_file = !session.output_file.empty();
  if (robot_options.json && has_file)
    throw Failure(Status::usage,
                  "denoc id: --json is for the most that drives give, --output for every sample: one of "
                  "them");
  if (options.plot && !has_file)
    throw Failure(Status::usage, "denoc id: --plot draws beside the output: name it with --output FILE.csv");
  if (has_file) refuse_replacing(file.also_read, session.output_file);
  catch_interrupts();
  std::optional<AlongWriter> writer;
  if (has_file) writer.emplace(session.output_file, model);
  const std::vector<Dof> dofs = dofs_of(model);
  Peaks peaks(static_cast<std::size_t>(model.nv()));
  figures::Record record;
  try {
    std::shared_ptr<const Trajectory> motion = std::make_shared<Interruptible>(file.motion);
    if (mechanism.has_loops()) motion = closed_motion(shared, motion, lead);
    const auto look = [&](const AlongSample& s) {
      require_finite(s.tau, dofs, fmt::format("tau at t = {} s", s.t));
      if (writer) writer->write(s);
      peaks.look(s);
      if (options.plot) figures::store(record, as_sample(s));
    };
    try {
      forces_along(mechanism, *motion, along, look);
    } catch (const ArgumentError& error) {  // times that the file has
      throw Failure(Status::file, fmt::format("{}: {}", *options.file, error.what()));
    }
    stop_if_interrupted();
  } catch (const Failure&) {
    throw;
  } catch (const io::WriteError&) {
    throw;
  } catch (const NotDriveable& error) {
    throw Failure(Status::numbers, fmt::format("{}: {}", *options.file, error.what()),
                  options.lead ? std::vector<std::string>{"Those that --lead names count as driven here."}
                               : std::vector<std::string>{});
  } catch (const Error& error) {
    throw Failure(Status::numbers, fmt::format("{}: {}", *options.file, error.what()));
  }
  if (writer) writer->commit();
  if (options.plot) {
    const fs::path beside = fs::path(session.output_file).replace_extension();
    for (const figures::NamedFigure& figure : figures::figures_of(model, record, {}))
      if (figure.name != "energies" && figure.name != "powers")
        write_file(fmt::format("{}.{}.svg", beside.string(), figure.name), figure.svg);
  }
  session.out = robot_options.json
                    ? json_peaks(dofs, peaks, file.duration)
                    : fmt::format("{}: the most that its drives give along the motion of {} s\n{}",
                                  printable(model.robot().name), shown(file.duration), peak_table(dofs, peaks));
  session.is_delivered = has_file;
  return Status::done;
}

}  // namespace denoc::app
