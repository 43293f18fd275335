// Derivatives against Pinocchio's, all taking turns in one run on one pinned thread: one call, batches, and the gradient
// of a product against forward dynamics. Fails where results disagree; a missed bar is said, not a failure.
#include <fmt/format.h>
#include <sched.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

#include "denoc/batch/batch.hpp"
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "peers/derivative_peer.hpp"
#include "robots.hpp"
#include "side_by_side.hpp"

namespace denoc::benchmarks {
namespace {

constexpr int turns = 101, states_each = 16;
constexpr double agreement = 1e-9;
constexpr int batch_sizes[] = {64, 1024};

// How many times faster than Pinocchio, by robot in the order of `robots()`: one call and in batches, of inverse and of
// forward dynamics; zero: no bar.
struct DerivativeBars {
  double inverse, inverse_batch, forward, forward_batch;
};
constexpr DerivativeBars bars[] = {{3.5, 0, 0, 0}, {3.5, 13, 3, 12},  {0, 0, 0, 0},
                                   {0, 0, 0, 0},   {3.5, 12, 2.5, 8}, {3.5, 12, 2.5, 8}};
constexpr double gradient_bar = 4;  // times forward dynamics, at most

// One state at a time, `place` included.
class OneState {
 public:
  OneState(const Model& model, const std::vector<State>& states)
      : model_(model), states_(states), at_(model), scratch_(model), gradients_(model) {
    const size_t n = size_t(model.nv());
    found.dq.resize(n * n), found.dv.resize(n * n), found.dx.resize(n * n);
    for (auto* each : {&by_q_, &by_v_, &by_x_}) each->resize(n);
    ones_.assign(n, 1.0);
  }
  void differentiate(bool forward, int state) {
    const State& s = placed(state);
    if (forward)
      forward_derivatives<double>(model_, at_, s.v, s.tau, scratch_, found.dq, found.dv, found.dx);
    else
      inverse_derivatives<double>(model_, at_, s.v, s.a, scratch_.inverse, found.dq, found.dv, found.dx);
  }
  void gradient(int state) {
    const State& s = placed(state);
    forward_gradient<double>(model_, at_, s.v, s.tau, ones_, gradients_, by_q_, by_v_, by_x_);
  }
  void accelerate(int state) {
    const State& s = placed(state);
    forward_dynamics<double>(model_, at_, s.v, s.tau, scratch_.forward, by_x_);
  }
  PlainDerivatives found;

 private:
  const State& placed(int state) {
    const State& s = states_[size_t(state)];
    place<double>(model_, s.q, at_);
    return s;
  }
  const Model& model_;
  const std::vector<State>& states_;
  Configuration<double> at_;
  ForwardDerivativesScratch<double> scratch_;
  GradientScratch<double> gradients_;
  std::vector<double> by_q_, by_v_, by_x_, ones_;
};

// The states again and again.
class ManyStates {
 public:
  ManyStates(const Model& model, Executor& executor, const std::vector<State>& states, int count)
      : batch_(model, executor), dq_(size_t(count) * size_t(model.nv()) * size_t(model.nv())), dv_(dq_), dx_(dq_) {
    for (int k = 0; k < count; ++k) {
      const State& s = states[size_t(k) % states.size()];
      q_.insert(q_.end(), s.q.begin(), s.q.end());
      v_.insert(v_.end(), s.v.begin(), s.v.end());
      a_.insert(a_.end(), s.a.begin(), s.a.end());
      tau_.insert(tau_.end(), s.tau.begin(), s.tau.end());
    }
  }
  void run(bool forward) {
    if (forward)
      batch_.forward_derivatives(q_, v_, tau_, dq_, dv_, dx_);
    else
      batch_.inverse_derivatives(q_, v_, a_, dq_, dv_, dx_);
  }

 private:
  Batch<double> batch_;
  std::vector<double> q_, v_, a_, tau_, dq_, dv_, dx_;
};

double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(y[i]));
  }
  return most / size;
}

class Table {
 public:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    const std::string text = fmt::format(format, std::forward<Args>(args)...) + "\n";
    fmt::print("{}", text);
    text_ += text;
  }
  // "3.61" or "3.61 (bar 4: **missed**)"
  std::string against(double ratio, double bar) {
    if (bar == 0) return fmt::format("{:.2f}", ratio);
    missed_ += ratio < bar;
    return fmt::format("{:.2f} (bar {:g}{})", ratio, bar, ratio < bar ? ": **missed**" : "");
  }
  int missed() const { return missed_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int missed_ = 0;
};

void measure(Table& table, const Named& named, const DerivativeBars& bar, Executor& one) {
  const Model model(named.robot);
  const std::vector<State> states = random_states(model, states_each);
  OneState ours(model, states);
  std::unique_ptr<DerivativePeer> peer;
#ifdef DENOC_PEER_PINOCCHIO
  peer = pinocchio_derivatives(plain(named.robot));
  peer->set_states(states);
#endif
  SideBySide race;
  const auto each_state = [&](auto&& f) -> Contender& {
    return race.add(
        [f] {
          for (int k = 0; k < states_each; ++k) f(k);
        },
        states_each);
  };
  std::deque<ManyStates> batches;
  for (const int count : batch_sizes) batches.emplace_back(model, one, states, count);
  struct Row {
    Contender *one, *theirs, *many[std::size(batch_sizes)];
  } rows[2]{};
  for (const bool forward : {false, true}) {
    Row& row = rows[forward];
    if (peer)
      for (int k = 0; k < states_each; ++k) {
        ours.differentiate(forward, k);
        peer->run(forward, k);
        const PlainDerivatives theirs = peer->result(forward);
        const double most = std::max(
            {apart(ours.found.dq, theirs.dq), apart(ours.found.dv, theirs.dv), apart(ours.found.dx, theirs.dx)});
        if (!(most < agreement))
          throw std::runtime_error(fmt::format("{}: Pinocchio and denoc differ by {:.1e}", named.name, most));
      }
    row.one = &each_state([&ours, forward](int k) { ours.differentiate(forward, k); });
    if (peer) row.theirs = &each_state([&peer, forward](int k) { peer->run(forward, k); });
    for (size_t b = 0; b < std::size(batch_sizes); ++b)
      row.many[b] = &race.add([&batches, b, forward] { batches[b].run(forward); }, batch_sizes[b]);
  }
  const Contender& gradient = each_state([&](int k) { ours.gradient(k); });
  const Contender& dynamics = each_state([&](int k) { ours.accelerate(k); });
  race.take_turns(turns);
  for (const bool forward : {false, true}) {
    const Row& row = rows[forward];
    const double call = row.one->time(), near = row.many[0]->time(), far = row.many[1]->time(),
                 theirs = row.theirs != nullptr ? row.theirs->time() : 0;
    table.line(
        "| {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {} | {} | {} |", named.name, forward ? "forward" : "inverse",
        call, near, far, theirs, table.against(theirs / call, forward ? bar.forward : bar.inverse),
        table.against(theirs / near, forward ? bar.forward_batch : bar.inverse_batch), table.against(theirs / far, 0));
  }
  const double ratio = gradient.time() / dynamics.time();
  table.line("| {} | gradient of lambda . a | {:.0f} | | | | {:.2f} forward dynamics (bar {:g}{}) | | |", named.name,
             gradient.time(), ratio, gradient_bar, ratio > gradient_bar ? ": **missed**" : "");
}

int compare() {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(0, sizeof first, &first);
  Executor one(1);
  Table table;
  table.line(
      "| robot | derivatives of | denoc, ns per call | {} states, ns each | {} states | Pinocchio | times faster: one "
      "call | {} states | {} states |\n|---|---|---|---|---|---|---|---|---|",
      batch_sizes[0], batch_sizes[1], batch_sizes[0], batch_sizes[1]);
  const std::vector<Named> all = robots();
  for (size_t r = 0; r < all.size(); ++r)
    if (Model(all[r].robot).nv() <= 100) measure(table, all[r], bars[r], one);
  std::ofstream(DENOC_RESULTS) << table.text();
  fmt::print("\n{} bars missed; the table is in {}\n", table.missed(), DENOC_RESULTS);
  return 0;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() try { return denoc::benchmarks::compare(); } catch (const std::exception& e) {
  fmt::print(stderr, "denoc_bench_derivatives: {}\n", e.what());
  return 1;
}
