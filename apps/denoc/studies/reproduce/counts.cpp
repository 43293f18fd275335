#include "studies/reproduce/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/model/serial_chain.hpp"
#include "output/interrupt.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/polynomial_fit.hpp"

namespace denoc::app {
namespace {

constexpr int first = 5, last = 12, highest_degree = 3;

// Of all chains, by problem and method: multiplications and additions for n = first to last.
struct Samples {
  std::vector<double> mul, add;
};
using AllSamples = std::map<std::string, std::vector<std::pair<std::string, Samples>>>;

Samples& entry(AllSamples& all, const std::string& problem, const std::string& method) {
  auto& methods = all[problem];
  for (auto& [name, samples] : methods) {
    if (name == method) return samples;
  }
  return methods.emplace_back(method, Samples{}).second;
}

void add(Samples& samples, const OperationCount& count) {
  samples.mul.push_back(static_cast<double>(count.mul + count.div + count.sqrt));
  samples.add.push_back(static_cast<double>(count.add));
}

AllSamples counted(CountedLinks links) {
  AllSamples all;
  for (int n = first; n <= last; ++n) {
    stop_if_interrupted();
    const ChainLinks kind = links == CountedLinks::rods ? ChainLinks::rods : ChainLinks::general;
    OperationCount solved;
    for (const ProblemCount& row : operation_counts(Model(serial_chain(n, kind)))) {
      const OperationCount folded = row.folded.value();
      add(entry(all, row.problem, row.method), folded);
      if (row.problem == "factorize" || row.problem == "solve") solved = solved - (OperationCount{} - folded);
    }
    add(entry(all, std::string(phi_given), "denoc"), solved);
  }
  return all;
}

// Every page asks for the same ones.
const AllSamples& samples_of(CountedLinks links) {
  static std::map<CountedLinks, AllSamples> known;
  const auto found = known.find(links);
  return found != known.end() ? found->second : known.emplace(links, counted(links)).first->second;
}

// The polynomial of the least degree through all of them, if there is one.
std::optional<Polynomial> through(const std::vector<double>& y) {
  for (int degree = 0; degree <= highest_degree; ++degree) {
    Polynomial found;
    std::ranges::copy(polynomial_fit(y, first, degree), std::begin(found.c));
    double off = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      off = std::max(off, std::abs(found(first + static_cast<double>(i)) - y[i]));
    if (off <= 1e-6) return found;
  }
  return std::nullopt;
}

NamedCost named(const std::string& name, const Samples& samples) {
  const auto mul = through(samples.mul), add = through(samples.add);
  if (mul && add) return {name, {*mul, *add}};
  return {name, {}, fmt::format("{} M, {} A", samples.mul[6 - first], samples.add[6 - first])};
}

}  // namespace

std::string PolynomialCost::at(int n) const { return fmt::format("{:.0f} M, {:.0f} A", mul(n), add(n)); }

std::vector<NamedCost> printed_in(std::string_view table) {
  std::vector<NamedCost> costs;
  for (const PublishedCount& p : published_counts()) {
    if (!p.is_in(table)) continue;
    const PolynomialCost cost{p.mul, p.add};
    const std::string name(p.who.empty() ? table.substr(0, table.find(' ')) : p.who);
    costs.push_back({name, cost, p.only_at == 0 ? "" : cost.at(p.only_at)});
  }
  return costs;
}
NamedCost printed_in(std::string_view table, std::string_view name) {
  for (const NamedCost& cost : printed_in(table))
    if (cost.name.starts_with(name)) return cost;
  throw std::out_of_range(fmt::format("{} has no row of {}", table, name));
}

NamedCost counted_cost(const std::string& name, const std::function<OperationCount(const Model&)>& count) {
  Samples samples;
  for (int n = first; n <= last; ++n) add(samples, count(Model(serial_chain(n))));
  return named(name, samples);
}

std::vector<NamedCost> our_costs(std::string_view problem, CountedLinks links) {
  std::vector<NamedCost> costs;
  for (const auto& [method, samples] : samples_of(links).at(std::string(problem)))
    if (problem != "forward" || is_of_its_own(method)) costs.push_back(named(method, samples));
  return costs;
}

void cost_table(Page& page, const std::vector<NamedCost>& published, const std::vector<NamedCost>& ours) {
  static constexpr std::string_view ours_is = "ours";
  std::vector<Page::Row> rows;
  const auto add = [&](std::string_view whose, const std::vector<NamedCost>& costs) {
    for (const auto& [name, cost, only_six] : costs) {
      if (only_six.empty()) {
        rows.push_back({std::string(whose), name, cost.text(), cost.at(6)});
      } else {
        rows.push_back(
            {std::string(whose), name, whose == ours_is ? "no polynomial of the third degree" : "", only_six});
      }
    }
  };
  add("published", published);
  add(ours_is, ours);
  page.table({"", "", "operations", ">n = 6"}, rows);
}

int crossover(const PolynomialCost& linear, const PolynomialCost& cubic, Criterion criterion) {
  const auto is_less = [&](int n) {
    if (criterion == Criterion::sum) return linear.mul(n) + linear.add(n) < cubic.mul(n) + cubic.add(n);
    return linear.mul(n) < cubic.mul(n) && (criterion == Criterion::multiplications || linear.add(n) < cubic.add(n));
  };
  int from = 0;
  for (int n = 1000; n > 0 && is_less(n); --n) from = n;
  return from;
}

figures::Plot cost_plot(const std::vector<NamedCost>& costs, int most) {
  figures::Plot plot{"", {"joints n", ""}, {"operations", ""}};
  plot.x_scale = plot.y_scale = figures::Scale::logarithmic;
  for (const auto& [name, cost, only_six] : costs) {
    if (!only_six.empty()) continue;
    figures::Curve curve;
    curve.name = name;
    for (int n = 3; n <= most; ++n) {
      curve.x.push_back(n);
      curve.y.push_back(cost.mul(n) + cost.add(n));
    }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

}  // namespace denoc::app
