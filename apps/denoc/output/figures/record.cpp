#include "output/figures/record.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace denoc::figures {

void store(Record& record, const Sample& sample) {
  const auto put = [](std::vector<std::vector<double>>& rows, std::span<const double> row) {
    rows.emplace_back(row.begin(), row.end());
  };
  record.t.push_back(sample.t);
  put(record.q, sample.q);
  put(record.v, sample.v);
  put(record.tau, sample.tau);
  if (!sample.reactions.empty()) record.reactions.emplace_back(sample.reactions.begin(), sample.reactions.end());
  record.kinetic.push_back(sample.kinetic);
  record.potential.push_back(sample.potential);
  record.input_power.push_back(sample.input_power);
  record.dissipated_power.push_back(sample.dissipated_power);
  record.work.push_back(sample.work);
  record.dissipated.push_back(sample.dissipated);
}

void watch(const Record& record, Skeleton& skeleton) {
  for (const auto& [name, body, point] : record.watched) {
    skeleton.watched.push_back(static_cast<int>(skeleton.points.size()));
    skeleton.points.push_back({body, point});
  }
}

namespace {

// f(each series of the record).
template <class F> void for_each_series(Record& record, F f) {
  f(record.t);
  f(record.q);
  f(record.v);
  f(record.tau);
  if (!record.reactions.empty()) f(record.reactions);
  for (auto* series : {&record.kinetic, &record.potential, &record.input_power, &record.dissipated_power, &record.work,
                       &record.dissipated})
    f(*series);
}

}  // namespace

void thin(Record& record) {
  for_each_series(record, [](auto& series) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < series.size(); i += 2) std::swap(series[kept++], series[i]);
    series.resize(kept);
  });
}
void drop_last(Record& record) {
  for_each_series(record, [](auto& series) { series.pop_back(); });
}

std::vector<std::size_t> instants(const Record& record, std::size_t most) {
  const std::vector<double>& t = record.t;
  std::vector<std::size_t> chosen;
  if (t.size() <= most) {
    chosen.resize(t.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  for (std::size_t i = 0, k = 0; i < most; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(most - 1);
    const double wanted = t.front() + part * (t.back() - t.front());
    while (k + 1 < t.size() && std::abs(t[k + 1] - wanted) <= std::abs(t[k] - wanted)) ++k;
    if (chosen.empty() || chosen.back() != k) chosen.push_back(k);
  }
  return chosen;
}

std::vector<std::vector<double>> selected(const std::vector<std::vector<double>>& rows,
                                          const std::vector<std::size_t>& samples) {
  std::vector<std::vector<double>> chosen;
  chosen.reserve(samples.size());
  for (const std::size_t k : samples) chosen.push_back(rows[k]);
  return chosen;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> entries;
  entries.reserve(rows.size());
  for (const auto& row : rows) entries.push_back(row[k]);
  return entries;
}

std::vector<double> energy(const Record& record) {
  std::vector<double> sum = record.kinetic;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += record.potential[i];
  return sum;
}

std::vector<double> balance_defect(const Record& record) {
  std::vector<double> defect = energy(record);
  const double start = defect.empty() ? 0 : defect.front();
  for (std::size_t i = 0; i < defect.size(); ++i) defect[i] += record.dissipated[i] - record.work[i] - start;
  return defect;
}

std::vector<double> rate(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  if (n < 3) return std::vector<double>(n, n == 2 ? (y[1] - y[0]) / (t[1] - t[0]) : 0.0);
  std::vector<double> slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t m = std::clamp<std::size_t>(i, 1, n - 2);  // the middle of the three
    const double h0 = t[m] - t[m - 1], h1 = t[m + 1] - t[m];
    const double s0 = (y[m] - y[m - 1]) / h0, s1 = (y[m + 1] - y[m]) / h1;
    // Newton's form: s0 + (t - t_(m-1) + t - t_m) (s1 - s0)/(h0 + h1)
    slopes[i] = s0 + (2 * t[i] - t[m - 1] - t[m]) * (s1 - s0) / (h0 + h1);
  }
  return slopes;
}

}  // namespace denoc::figures
