// denoc stability --sweep, --path: the errors of forward dynamics along a motion, beside the condition number.
#include <cmath>
#include <numbers>

#include "commands/stability.hpp"
#include "denoc/model/manifold.hpp"
#include "output/figures/plot.hpp"
#include "output/json.hpp"
#include "output/table.hpp"
#include "studies/chain.hpp"
#include "studies/statistics.hpp"
#include "studies/trials.hpp"

namespace denoc::app {
namespace {

using std::numbers::pi;

// The states lie on the straight line q + s * direction of the manifold.
struct Along {
  std::string what;
  figures::Quantity parameter;
  std::vector<double> parameters, s, direction;
};
// The last joint that turns about an axis turns once, two degrees at a time.                           [Mata02 5.1]
Along sweep_of(const Model& model, const std::vector<Dof>& dofs) {
  std::size_t last = dofs.size();
  const auto turns = [&](std::size_t k) {
    const Body& body = model.robot().bodies[static_cast<std::size_t>(model.body_of_dof(static_cast<int>(k)))];
    return dofs[k].angular && has_plain_coordinates(body.joint.type);
  };
  while (last > 0 && !turns(last - 1)) --last;
  if (last == 0)
    throw Failure(Status::numbers, "denoc stability: no joint turns about an axis, so that --sweep can turn none",
                  {"--path moves every joint."});
  const std::string name = printable(dofs[last - 1].name());
  Along along{fmt::format("{} turns once, in steps of 2 degrees", name),
              {name, "degrees"},
              {},
              {},
              std::vector<double>(static_cast<std::size_t>(model.nv()))};
  along.direction[last - 1] = 1;
  for (int degrees = 0; degrees < 360; degrees += 2) {
    along.parameters.push_back(degrees);
    along.s.push_back(degrees * pi / 180);
  }
  return along;
}
// All joints by theta = pi t/T - sin(2 pi t/T)/2 with T = 10 s, taken at rest.                         [Mohan07 (38)]
Along path_of(const Model& model) {
  Along along{"all joints go from 0 to pi (rad, or m) along the path of Mohan07 (38)",
              {"t", "s"},
              {},
              {},
              std::vector<double>(static_cast<std::size_t>(model.nv()), 1.0)};
  for (int step = 0; step <= 200; ++step) {
    const double t = step / 20.0, w = 2 * pi / 10;
    along.parameters.push_back(t);
    along.s.push_back((w * t - std::sin(w * t)) / 2);
  }
  return along;
}

// One forward dynamics along the way: errors, and the acceleration of the first joint in single precision.
struct Course {
  std::string_view method;
  std::vector<double> in_float, in_double, first;
};
struct Greatest {
  double value = 0, at = 0;
};
Greatest greatest(const std::vector<double>& x, const std::vector<double>& at) {
  const auto most = std::max_element(x.begin(), x.end());
  return {*most, at[static_cast<std::size_t>(most - x.begin())]};
}
Greatest least(const std::vector<double>& x, const std::vector<double>& at) {
  const auto most = std::min_element(x.begin(), x.end());
  return {*most, at[static_cast<std::size_t>(most - x.begin())]};
}
// All of them.
struct Courses {
  Along along;
  std::vector<Course> methods;
  std::vector<double> exact, conditions;  // the acceleration of the first joint; of the inertia matrix
  double size = 0;                        // the largest acceleration
};

// Where the motion begins. Throws Failure for several states.
State start_of(const StabilityOptions& options, const Model& model, Session& session) {
  const StateFile start = trial_states(options, 1, model, session);
  if (start.states.size() != 1)
    throw Failure(Status::file,
                  fmt::format("{}: a motion starts from one state, here are {}", options.states, start.states.size()));
  return options.has_states() ? start.states[0] : rest(model);
}

// v and tau stay those of the start.
StateFile states_of(const Along& along, const State& start, const Model& model) {
  StateFile way{.is_array = true, .states = {}};
  std::vector<double> step(along.direction.size());
  for (const double s : along.s) {
    for (std::size_t k = 0; k < step.size(); ++k) step[k] = s * along.direction[k];
    way.states.push_back(start);
    integrate<double>(model, start.q, step, way.states.back().q);
  }
  return way;
}

// Throws Failure where nothing accelerates, or something without bound.
Courses courses_along(Along along, const State& start, const Model& model) {
  Courses found{std::move(along), {}, {}, {}};
  Precisions precisions(model.robot());
  for_each_state(states_of(found.along, start, model), [&](const State& here) {
    found.conditions.push_back(hardness(model, here.q).of_matrix.value().condition);
    std::size_t m = 0;
    for (const MethodError& e : precisions.errors(here)) {
      if (e.problem != forward_dynamics_name) continue;
      if (m == found.methods.size()) found.methods.push_back({e.method, {}, {}, {}});
      found.methods[m].in_float.push_back(e.in_float);
      found.methods[m++].in_double.push_back(e.in_double);
      found.size = std::max(found.size, e.size);
    }
    const Accelerations a = precisions.accelerations(here);
    found.exact.push_back(a.exact[0]);
    for (std::size_t i = 0; i < found.methods.size(); ++i)
      found.methods[i].first.push_back(a.in_float[i].a.empty() ? std::nan("") : a.in_float[i].a[0]);
  });
  require_finite(found.size, "a");
  if (found.size == 0)
    throw Failure(Status::numbers, "denoc stability: nothing accelerates along this motion, so nothing can err",
                  {"Give joint forces with --state FILE: {\"q\": [..], \"tau\": [..]}."});
  require_finite(greatest(found.conditions, found.along.parameters).value, "the condition number of I");
  return found;
}

// As [Mata02 Fig. 2]: accelerations of the first joint and the condition number; and the errors, which are too small to
// be seen there.
std::string figure_of(const Courses& courses, const std::string& robot, const Dof& first) {
  const Along& along = courses.along;
  figures::Plot accelerations{
      fmt::format("{}: {}", robot, along.what),
      along.parameter,
      {fmt::format("{} in single precision", printable(first.name())), std::string(first.acceleration_unit())}};
  figures::Plot errors{"", along.parameter, {"error in single precision", "rad/s^2, m/s^2"}};
  errors.y_scale = figures::Scale::logarithmic;
  for (const Course& course : courses.methods) {
    accelerations.curves.push_back({std::string(course.method), along.parameters, course.first});
    errors.curves.push_back({std::string(course.method), along.parameters, course.in_float});
  }
  accelerations.curves.push_back({"exact", along.parameters, courses.exact});
  figures::Plot condition{"", along.parameter, {"condition number", ""}};
  condition.curves.push_back({"condition number of I", along.parameters, courses.conditions});
  const figures::Plot panels[] = {accelerations, errors, condition};
  return figures::svg(panels, {720, 300});
}

std::string json_number(double x) { return std::isfinite(x) ? json::number(x) : std::string(json::nothing); }
std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.3g}", x) : "no result"; }

std::string json_of(const Courses& courses, const Model& model) {
  const Along& along = courses.along;
  const Greatest worst = greatest(courses.conditions, along.parameters),
                 easiest = least(courses.conditions, along.parameters);
  const auto of_method = [&](const Course& c) {
    return json::object({{"method", json::text(c.method)},
                         {"float_greatest", json_number(greatest(c.in_float, along.s).value)},
                         {"float_mean", json_number(mean(c.in_float))},
                         {"double_greatest", json_number(greatest(c.in_double, along.s).value)},
                         {"double_mean", json_number(mean(c.in_double))}});
  };
  std::vector<json::Member> members = {{"along", json::text(along.what)},
                                       {"states", json::number(static_cast<long>(along.s.size()))}};
  append_of_tree(model, members);
  members.emplace_back("largest_acceleration", json::number(courses.size));
  members.emplace_back("condition", json::object({{"least", json::number(easiest.value)},
                                                  {"least_at", json::number(easiest.at)},
                                                  {"greatest", json::number(worst.value)},
                                                  {"greatest_at", json::number(worst.at)}}));
  members.emplace_back("methods", json::lines(json::each(courses.methods, of_method)));
  return json::object(members) + "\n";
}

std::string text_of(const Courses& courses, const std::string& robot, const Model& model) {
  const Along& along = courses.along;
  const Greatest worst = greatest(courses.conditions, along.parameters),
                 easiest = least(courses.conditions, along.parameters);
  Table table({"forward dynamics", ">float: greatest error", ">mean", ">double: greatest", ">mean"});
  std::vector<MethodError> worst_errors;
  for (const Course& c : courses.methods) {
    const double in_float = greatest(c.in_float, along.s).value, in_double = greatest(c.in_double, along.s).value;
    table.row({std::string(c.method), number(in_float), number(mean(c.in_float)), number(in_double),
               number(mean(c.in_double))});
    worst_errors.push_back({forward_dynamics_name, c.method, in_float, in_double, courses.size});
  }
  const auto& [parameter, unit] = along.parameter;
  return fmt::format(
      "{}: errors of the accelerations (up to {:.4g} rad/s^2, m/s^2) against long double, {} states\n"
      "{}{}\n{}condition number from {:.7g} ({} = {:g} {}) to {:.7g} ({} = {:g} {})\n"
      "To be trusted along this motion in single precision: {}.\n",
      robot, courses.size, along.s.size(), along.what, of_tree(model), table.text(), easiest.value, parameter,
      easiest.at, unit, worst.value, parameter, worst.at, unit, trusted(forward_dynamics_name, worst_errors));
}

}  // namespace

Status stability_along(const StabilityOptions& options, const Model& model, Session& session) {
  if (model.nv() > most_for_cubes)
    throw Failure(Status::numbers,
                  fmt::format("denoc stability: along a motion the condition number is shown, for up to {} degrees of "
                              "freedom; here are {}",
                              most_for_cubes, model.nv()));
  const std::vector<Dof> dofs = dofs_of(model);
  const Courses courses =
      courses_along(options.sweep ? sweep_of(model, dofs) : path_of(model), start_of(options, model, session), model);
  const std::string robot = printable(model.robot().name);
  if (!options.plot.empty()) write_file(options.plot, figure_of(courses, robot, dofs[0]));
  session.out = options.json ? json_of(courses, model) : text_of(courses, robot, model);
  return Status::done;
}

}  // namespace denoc::app
