// denoc count: what each problem costs for a robot.
#include <algorithm>

#include "commands/list.hpp"
#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/dynamics/operation_counts.hpp"
#include "output/json.hpp"
#include "output/table.hpp"
#include "studies/chain.hpp"
#include "studies/chain_counts.hpp"
#include "studies/published_counts.hpp"

namespace denoc::app {
namespace {

constexpr int longest_figure = 40;

std::string json_count(const OperationCount& c) {
  return json::object({{"mul", json::number(c.mul)},
                       {"add", json::number(c.add)},
                       {"div", json::number(c.div)},
                       {"sqrt", json::number(c.sqrt)},
                       {"sincos", json::number(c.sincos)}});
}

std::string json_row(const ProblemCount& row) {
  std::vector<json::Member> members = {
      {"problem", json::text(row.problem)}, {"method", json::text(row.method)}, {"executed", json_count(row.executed)}};
  if (row.folded) members.emplace_back("folded", json_count(*row.folded));
  return json::object(members);
}

void add_counts(std::vector<std::string>& cells, const std::optional<OperationCount>& c) {
  if (!c) return;
  for (const long x : {c->mul, c->add, c->div, c->sqrt, c->sincos}) cells.push_back(std::to_string(x));
}

bool is_chain_of_revolute_joints(const Model& model) {
  const auto links = model.links();
  for (int i = 1; i <= model.link_count(); ++i)
    if (links[i].joint != Elementary::revolute || links[i].parent != i - 1) return false;
  return model.nv() > 0;
}

// Ours, folded, beside what the papers print for the same problem.
std::string beside_the_papers(const std::vector<ProblemCount>& rows, int n) {
  Table table({"problem", "method", ">ours: M", ">A", ">published: M", ">A", "where"});
  const auto add = [&](std::string_view problem, std::string_view method, const Cost& ours) {
    bool is_first = true;
    for (const PublishedCount& p : published_counts()) {
      if (p.problem != problem || p.method != method || (p.only_at != 0 && p.only_at != n)) continue;
      const auto once = [&](std::string text) { return is_first ? std::move(text) : std::string(); };
      table.row({once(std::string(problem)), once(std::string(method)), once(std::to_string(ours.mul)),
                 once(std::to_string(ours.add)), fmt::format("{:.0f}", p.mul(n)), fmt::format("{:.0f}", p.add(n)),
                 p.where()});
      is_first = false;
    }
  };
  Cost factorize;
  for (const ProblemCount& row : rows) {
    if (!row.folded) continue;
    const Cost ours = cost(*row.folded);
    add(row.problem, row.method, ours);
    if (row.problem == "factorize") factorize = ours;
    if (row.problem == "solve") add(phi_given, row.method, {factorize.mul + ours.mul, factorize.add + ours.add});
  }
  return fmt::format(
      "\nfolded, beside what is published for general chains of {} revolute joints (M with divisions and roots)\n{}", n,
      table.text());
}

constexpr int fit_from = 4, fit_to = 12;

std::string polynomials(const std::vector<CountCourse>& courses) {
  Table table({"problem", "method", "M", "A"});
  for (const CountCourse& course : courses) {
    std::vector<long> mul, add;
    for (int n = fit_from; n <= fit_to; ++n) {
      mul.push_back(course.costs[static_cast<std::size_t>(n - 1)].mul);
      add.push_back(course.costs[static_cast<std::size_t>(n - 1)].add);
    }
    table.row(
        {course.problem, course.method, fitted(mul, fit_from, course.degree), fitted(add, fit_from, course.degree)});
  }
  return fmt::format("\nfolded, for chains of n = {} to {} joints of this kind (~: least squares, no polynomial)\n{}",
                     fit_from, fit_to, table.text());
}

// From which n on the O(n) forward dynamics costs less than each of the others.
std::string crossovers(const std::vector<CountCourse>& courses) {
  const CountCourse* linear = nullptr;
  std::vector<std::string> all;
  for (const CountCourse& course : courses) {
    if (course.problem != "forward") continue;
    if (linear == nullptr) linear = &course;
    if (course.degree == 1) continue;
    const int n = crossover(*linear, course);
    all.push_back(n == 0 ? fmt::format("{} beyond n = {}", course.method, course.costs.size())
                         : fmt::format("{} from n = {}", course.method, n));
  }
  return fmt::format(
      "{}, O(n), takes fewer operations (M + A) than {} on.\n"
      "(Mohan07 Table 1 says from n = 12 for its own, against composite body and Cholesky.)\n",
      linear->method, fmt::join(all, ", "));
}

struct CountOptions : RobotOptions {
  std::string plot = {};  // a file
};

Status count(const CountOptions& options, Session& session) {
  const std::optional<Chain> chain = chain_named(options.model);
  if (!options.plot.empty() && !chain)
    throw Failure(Status::usage, "denoc count: --plot is over the length of a chain: serial:N or serial-rods:N");
  const Model model(load_robot_or_chain(options, session));
  std::vector<ProblemCount> rows;
  try {
    rows = operation_counts(model);
  } catch (const SingularInertia& error) {
    throw Failure(Status::numbers, fmt::format("denoc: {}", error.what()));
  }

  if (!options.plot.empty()) {
    const int longest = std::clamp(chain->n, fit_to, longest_figure);
    write_file(options.plot, count_figure(fmt::format("Chains of n revolute joints, {}",
                                                      chain->links == ChainLinks::rods ? "bent rods" : "general"),
                                          chain_counts(chain->links, longest)));
  }
  if (options.json) {
    std::vector<json::Member> members = {{"n", json::number(model.nv())}};
    append_of_tree(model, members);
    members.emplace_back("counts", json::lines(json::each(rows, json_row)));
    session.out = json::object(members) + "\n";
    return Status::done;
  }
  Table table({"problem", "method", ">mul", ">add", ">div", ">sqrt", ">sincos", ">folded: mul", ">add", ">div", ">sqrt",
               ">sincos"});
  for (const ProblemCount& row : rows) {
    std::vector<std::string> cells = {row.problem, row.method};
    add_counts(cells, row.executed);
    add_counts(cells, row.folded);
    table.row(cells);
  }
  session.out = fmt::format("{}: operations executed, n = {}{} (zeros too; a subtraction is an addition)\n{}",
                            printable(model.robot().name), model.nv(), of_tree(model), table.text());
  session.out +=
      "folded: without zeros, ones, constants known off-line and what no result needs, as the papers count.\n"
      "place evaluates q once for all problems: the other rows are without it, but for its sines and cosines.\n";
  if (model.nv() > most_for_cubes)
    session.out += fmt::format("Methods of order n^3 are counted up to n = {}, of order n^2 up to n = {}.\n",
                               most_for_cubes, most_for_squares);
  if (is_chain_of_revolute_joints(model)) session.out += beside_the_papers(rows, model.nv());
  if (chain) {
    const std::vector<CountCourse> courses = chain_counts(chain->links, fit_to);
    session.out += polynomials(courses) + crossovers(courses);
  }
  return Status::done;
}

}  // namespace

Command commands::count() {
  return command<CountOptions>(
      "count", "operations executed, for a robot, serial:N or serial-rods:N", "",
      {{"denoc count serial:6", "operations executed"},
       {"denoc count serial:20 --plot counts.svg", "and a figure of them against the length of the chain"}},
      [](Arguments& arguments, CountOptions& options) {
        robot_arguments(arguments, options);
        arguments.option("--plot", "FILE", options.plot, "of a chain: the operations against its length (SVG)")
            .names_a(Argument::File::written);
      },
      app::count);
}

}  // namespace denoc::app
