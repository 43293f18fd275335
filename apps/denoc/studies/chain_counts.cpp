#include "studies/chain_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "denoc/dynamics/formulation.hpp"
#include "output/figures/plot.hpp"
#include "studies/polynomial_fit.hpp"
#include "studies/published_counts.hpp"

namespace denoc::app {
namespace {

constexpr int cubic = 3;
constexpr std::size_t fewest_to_check = 2;  // numbers that a polynomial must give besides those that determine it

// k! C(m, k) as polynomials of m, times 6/k!.
constexpr long six_binomials[4][4] = {{6, 0, 0, 0}, {0, 6, 0, 0}, {0, -3, 3, 0}, {0, 2, -3, 1}};

using SixCoefficients = std::array<long, 4>;  // six times those of 1, n, n^2, n^3

// p(m) -> p(n - first), by Horner's scheme.
SixCoefficients shifted(const SixCoefficients& p, long first) {
  SixCoefficients q{};
  for (int k = cubic; k >= 0; --k) {
    for (int i = cubic; i > 0; --i) q[i] = q[i - 1] - first * q[i];
    q[0] = p[k] - first * q[0];
  }
  return q;
}

// By Newton's differences; none if the fourth ones do not vanish.
std::optional<SixCoefficients> exact(std::vector<long> numbers, long first) {
  SixCoefficients in_m{};
  for (int k = 0; k <= cubic; ++k) {
    for (int i = 0; i <= cubic; ++i) in_m[i] += numbers[0] * six_binomials[k][i];
    std::adjacent_difference(numbers.begin(), numbers.end(), numbers.begin());
    numbers.erase(numbers.begin());
  }
  const bool is_polynomial = std::all_of(numbers.begin(), numbers.end(), [](long x) { return x == 0; });
  return is_polynomial ? std::optional(shifted(in_m, first)) : std::nullopt;
}

std::string text(const std::array<std::string, 4>& magnitudes, const std::array<bool, 4>& negative) {
  static constexpr const char* powers[] = {"", "n", "n^2", "n^3"};
  std::string all;
  for (int k = cubic; k >= 0; --k) {
    if (magnitudes[k] == "0") continue;
    const bool is_one = magnitudes[k] == "1" && k > 0;
    all += all.empty() ? (negative[k] ? "-" : "") : (negative[k] ? " - " : " + ");
    all += fmt::format("{}{}{}", is_one ? "" : magnitudes[k], k > 0 && !is_one ? " " : "", powers[k]);
  }
  return all.empty() ? "0" : all;
}
std::string text(const SixCoefficients& c) {
  std::array<std::string, 4> magnitudes;
  std::array<bool, 4> negative{};
  for (std::size_t k = 0; k < 4; ++k) {
    const long six = std::abs(c[k]), common = std::gcd(six, 6L);
    magnitudes[k] = common == 6 ? fmt::format("{}", six / 6) : fmt::format("{}/{}", six / common, 6 / common);
    negative[k] = c[k] < 0;
  }
  return text(magnitudes, negative);
}

std::string least_squares(const std::vector<long>& numbers, int first, int degree) {
  const std::vector<double> c = polynomial_fit({numbers.begin(), numbers.end()}, first, degree);
  std::array<std::string, 4> magnitudes{"0", "0", "0", "0"};
  std::array<bool, 4> negative{};
  for (std::size_t k = 0; k < c.size(); ++k) {
    magnitudes[k] = fmt::format("{:.3g}", std::abs(c[k]));
    negative[k] = c[k] < 0;
  }
  return "~ " + text(magnitudes, negative);
}

template <class Methods> int degree_of(const Methods& methods, std::string_view name) {
  for (const auto& method : methods)
    if (method.name == name) return method.order == "n" ? 1 : method.order == "n^2" ? 2 : cubic;
  return cubic;
}
int degree_of(std::string_view problem, std::string_view method) {
  if (problem == "inverse") return degree_of(inverse_formulations<double>(), method);
  if (problem == "inertia") return degree_of(inertia_formulations<double>(), method);
  if (problem == "forward") return degree_of(forward_formulations<double>(), method);
  return 1;
}

figures::Curve curve(const CountCourse& course) {
  figures::Curve c{course.method, {}, {}};
  for (std::size_t i = 0; i < course.costs.size(); ++i) {
    c.x.push_back(static_cast<double>(i + 1));
    c.y.push_back(static_cast<double>(course.costs[i].total()));
  }
  return c;
}
figures::Curve curve(const PublishedCount& published, std::size_t longest) {
  const std::string_view name = published.who.empty() ? published.tables.substr(0, published.tables.find(' '))
                                                      : published.who.substr(0, published.who.find(','));
  figures::Curve c{std::string(name), {}, {}, figures::Curve::Draw::points};
  for (std::size_t n = 2; n <= longest; n += 1 + longest / 16) {
    const int joints = static_cast<int>(n);
    c.x.push_back(joints);
    c.y.push_back(published.mul(joints) + published.add(joints));
  }
  return c;
}

}  // namespace

Cost cost(const OperationCount& c) { return {c.mul + c.div + c.sqrt, c.add}; }

std::vector<CountCourse> chain_counts(ChainLinks links, int longest) {
  std::vector<CountCourse> courses;
  const auto add = [&](std::string_view problem, std::string_view method, const Cost& c) {
    const auto is_that = [&](const CountCourse& course) {
      return course.problem == problem && course.method == method;
    };
    const auto found = std::find_if(courses.begin(), courses.end(), is_that);
    if (found != courses.end()) return found->costs.push_back(c);
    courses.push_back({std::string(problem), std::string(method), degree_of(problem, method), {c}});
  };
  for (int n = 1; n <= longest; ++n) {
    Cost factorize;
    for (const ProblemCount& count : operation_counts(Model(serial_chain(n, links)))) {
      if (!count.folded) continue;
      const Cost c = cost(*count.folded);
      add(count.problem, count.method, c);
      if (count.problem == "factorize") factorize = c;
      if (count.problem == "solve") add(phi_given, count.method, {factorize.mul + c.mul, factorize.add + c.add});
    }
  }
  return courses;
}

std::string fitted(const std::vector<long>& numbers, int first, int degree) {
  for (std::size_t skipped = 0; numbers.size() - skipped >= cubic + 1 + fewest_to_check; ++skipped) {
    const int from = first + static_cast<int>(skipped);
    const auto c = exact({numbers.begin() + static_cast<std::ptrdiff_t>(skipped), numbers.end()}, from);
    if (c) return skipped == 0 ? text(*c) : fmt::format("{} (n >= {})", text(*c), from);
  }
  return least_squares(numbers, first, degree);
}

int crossover(const CountCourse& linear, const CountCourse& other) {
  std::size_t n = linear.costs.size();
  while (n > 0 && linear.costs[n - 1].total() < other.costs[n - 1].total()) --n;
  return n == linear.costs.size() ? 0 : static_cast<int>(n) + 1;
}

std::string count_figure(const std::string& title, const std::vector<CountCourse>& courses) {
  const figures::Quantity n{"n", ""};
  figures::Plot forward{title, n, {"forward dynamics, M + A", ""}};
  figures::Plot given{"", n, {"with phi given, M + A", ""}};
  for (const CountCourse& course : courses) {
    if (course.problem == "forward") forward.curves.push_back(curve(course));
    if (course.problem == phi_given) given.curves.push_back(curve(course));
  }
  const std::size_t longest = courses.front().costs.size();
  for (const PublishedCount& published : published_counts()) {
    // What Mohan07 alone quotes of others would be more curves than one can tell apart.
    if (published.only_at != 0 || published.tables == "Mohan07 Table 1") continue;
    if (published.problem == "forward") forward.curves.push_back(curve(published, longest));
    if (published.problem == phi_given) given.curves.push_back(curve(published, longest));
  }
  const figures::Plot panels[] = {forward, given};
  return figures::svg(panels, {820, 340});
}

}  // namespace denoc::app
