#include "commands/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "commands/closed.hpp"
#include "denoc/batch/batch.hpp"
#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/io/rows.hpp"
#include "denoc/model/quaternions.hpp"
#include "output/interrupt.hpp"
#include "output/progress.hpp"

namespace denoc::app {
namespace {

// Rows in memory at a time: enough for all threads, bounded for robots with many joints.
constexpr std::size_t most_rows = 65536, fewest_rows = 256, most_numbers = 1u << 21;

struct Names {
  std::vector<std::string> input, result;
  Names(BatchProblem problem, int nq, int nv) {
    const bool is_inverse = problem == BatchProblem::inverse;
    append(input, "q", nq);
    append(input, "v", nv);
    append(input, is_inverse ? "a" : "tau", nv);
    append(result, is_inverse ? "tau" : "a", nv);
  }
  static void append(std::vector<std::string>& names, std::string_view letter, int count) {
    for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  }
};

// The rows that have no result: the first of them, why, and how many there are.
struct BadRows {
  std::string first = {};
  std::size_t count = 0;
  std::string text() const { return count > 1 ? fmt::format("{} ({} such rows in all)", first, count) : first; }
};

// E is what is computed in.
template <class E> class Run {
 public:
  Run(BatchProblem problem, const Mechanism& robot, Forces forces, const BatchOptions& options,
      const std::string& output)
      : problem_(problem),
        robot_(robot),
        forces_(forces),
        names_(problem, robot.nq(), robot.nv()),
        reader_(*options.file, names_.input),
        writer_(output, names_.result, std::is_same_v<E, float> ? io::Precision::float32 : io::Precision::float64),
        keep_going_(options.keep_going),
        quaternions_(quaternions_of(robot.robot())),
        executor_(options.threads),
        batch_(robot, executor_, forces),
        table_(std::clamp(most_numbers / reader_.columns(), fewest_rows, most_rows) * reader_.columns()) {}

  BadRows all() {
    Progress progress;
    for (std::size_t count = 0; (count = reader_.read(table_)) > 0; done_ += count) {
      stop_if_interrupted();
      normalise(count);
      split(count);
      compute();
      inspect(count);
      if (bad_.count == 0 || keep_going_) writer_.write(std::vector<double>(y_.begin(), y_.end()));
      const std::size_t rows = done_ + count;
      progress.show(reader_.part_read(), [&](double seconds) {
        return fmt::format("{} rows, {:.0f} a second", rows, static_cast<double>(rows) / seconds);
      });
    }
    stop_if_interrupted();
    if (bad_.count == 0 || keep_going_) writer_.commit();
    return bad_;
  }

 private:
  std::span<double> row(std::size_t i) { return std::span(table_).subspan(i * reader_.columns(), reader_.columns()); }

  // Quaternions with entries that are not finite are left to the status of their row.
  void normalise(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      for (const QuaternionPlace& place : quaternions_) {
        const auto entries = row(i).subspan(static_cast<std::size_t>(place.first), 4);
        if (!std::all_of(entries.begin(), entries.end(), [](double x) { return std::isfinite(x); })) continue;
        if (std::string rule = denoc::normalise(place, row(i)); !rule.empty())
          throw RobotError({{reader_.source(done_ + i), std::move(rule)}});
      }
    }
  }

  // The columns of a row to arrays of their own.
  void split(std::size_t count) {
    const auto nq = static_cast<std::size_t>(robot_.nq()), nv = static_cast<std::size_t>(robot_.nv());
    const auto take = [&](std::vector<E>& to, std::size_t first, std::size_t n) {
      to.resize(count * n);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < n; ++k) to[i * n + k] = static_cast<E>(row(i)[first + k]);
    };
    take(q_, 0, nq);
    take(v_, nq, nv);
    take(x_, nq + nv, nv);
    y_.resize(count * nv);
    status_.resize(count);
  }

  void compute() {
    if (problem_ == BatchProblem::inverse) {
      batch_.inverse_dynamics(q_, v_, x_, y_, status_);
    } else {
      batch_.forward_dynamics(q_, v_, x_, y_, status_);
    }
  }

  // A row without a result is nan throughout.
  void inspect(std::size_t count) {
    const auto nv = static_cast<std::ptrdiff_t>(robot_.nv());
    for (std::size_t i = 0; i < count; ++i) {
      if (status_[i] == RowStatus::done) continue;
      if (bad_.count++ == 0) bad_.first = Fault{reader_.source(done_ + i), cause(i)}.text();
      std::fill_n(y_.begin() + static_cast<std::ptrdiff_t>(i) * nv, nv, std::numeric_limits<E>::quiet_NaN());
    }
  }

  std::string cause(std::size_t i) {
    for (std::size_t k = 0; k < reader_.columns(); ++k)
      if (!std::isfinite(row(i)[k])) return fmt::format("{} is not a finite number", names_.input[k]);
    if (std::string said = refusal(i); !said.empty()) return said;
    if (status_[i] == RowStatus::singular) return singular_joint(i);
    const auto nv = static_cast<std::size_t>(robot_.nv());
    for (std::size_t k = 0; k < nv; ++k) {
      if (!std::isfinite(y_[i * nv + k]))
        return not_finite(robot_.tree().joint_of_dof(static_cast<int>(k)),
                          problem_ == BatchProblem::inverse ? "tau" : "a");
    }
    return "the state's numbers are too large";
  }
  // What Dynamics, which takes one state at a time, says of it.
  std::string refusal(std::size_t i) const {
    const auto of_row = [&](const std::vector<E>& all) {
      const std::size_t n = all.size() / status_.size();
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * n);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(n));
    };
    Dynamics dynamics(robot_, forces_);
    try {
      if (problem_ == BatchProblem::inverse) {
        dynamics.inverse(of_row(q_), of_row(v_), of_row(x_));
      } else {
        dynamics.forward(of_row(q_), of_row(v_), of_row(x_));
      }
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  // In E, where it is none in double.
  std::string singular_joint(std::size_t i) const {
    const BasicModel<E> model(robot_.robot());
    const auto nq = static_cast<std::size_t>(model.nq());
    Configuration<E> at(model);
    Factor<E> factor(model);
    try {
      place<E>(model, std::span<const E>(q_).subspan(i * nq, nq), at);
      factorize<E>(model, at, factor);
    } catch (const SingularInertia& error) {
      return error.what();
    }
    return "the inertia matrix is singular";
  }

  BatchProblem problem_;
  const Mechanism& robot_;
  Forces forces_;
  Names names_;
  io::RowReader reader_;
  io::RowWriter writer_;
  bool keep_going_;
  std::vector<QuaternionPlace> quaternions_;
  Executor executor_;
  Batch<E> batch_;
  std::vector<double> table_;  // rows as the file has them
  std::vector<E> q_ = {}, v_ = {}, x_ = {}, y_ = {};
  std::vector<RowStatus> status_ = {};
  std::size_t done_ = 0;  // rows before those of the table
  BadRows bad_ = {};
};

template <class E>
BadRows run(BatchProblem problem, const Mechanism& robot, const DynamicsOptions& dynamics, const BatchOptions& options,
            const Session& session) {
  try {
    return Run<E>(problem, robot, forces_of(dynamics), options, session.output_file).all();
  } catch (const RobotError&) {
    stop_if_interrupted();  // while it waited for input
    throw;
  }
}

}  // namespace

Status batch(BatchProblem problem, const DynamicsOptions& dynamics, const BatchOptions& options, Session& session) {
  const bool is_inverse = problem == BatchProblem::inverse;
  if (!io::RowWriter::knows(session.output_file)) {
    throw Failure(Status::usage, fmt::format("denoc {}: --output {}: a batch is written to a file .npy or .csv",
                                             is_inverse ? "id" : "fd", session.output_file));
  }
  const Mechanism robot(load_robot(dynamics, session));
  if (robot.nv() == 0) throw Failure(Status::numbers, "denoc: no joint of the robot moves: a batch has no columns");
  remark_left_out(robot, dynamics, session);
  if (is_inverse) remark_followers(robot, " (with --state)", session);

  catch_interrupts();
  const BadRows bad = options.in_float ? run<float>(problem, robot, dynamics, options, session)
                                       : run<double>(problem, robot, dynamics, options, session);
  if (bad.count > 0 && !options.keep_going)
    throw Failure(Status::numbers, bad.text(), {"Nothing is written; --keep-going writes nan for such rows."});
  if (bad.count > 0) session.remarks.push_back(fmt::format("warning: written as nan: {}", bad.text()));
  session.is_delivered = true;
  return Status::done;
}

}  // namespace denoc::app
