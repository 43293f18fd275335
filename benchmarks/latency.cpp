// How long a call takes at worst, where a controller waits for it: inverse and forward dynamics once in every period, as
// in a control loop that sleeps in between.
//   denoc_bench_latency [RATE] [COUNT] [ROBOT...]    calls per second (10000), how many of each (100000), which robots
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <vector>

#include "denoc/denoc.hpp"
#include "denoc/mechanism/random_posture.hpp"

namespace denoc::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int postures = 64, first_periods = 1000;  // not counted: the processor wakes, caches fill
constexpr double bar = 5;                           // times the median, that 9999 of 10000 calls take at most

void sleep_until(std::chrono::nanoseconds t) {
  const timespec at{.tv_sec = t.count() / 1'000'000'000, .tv_nsec = t.count() % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
  }
}

struct State {
  std::vector<double> q, v, a, tau;
};
// Loops are at rest: not every v keeps them closed.
std::vector<State> states(const Mechanism& mechanism) {
  std::vector<State> all;
  Chance chance(1);
  const std::vector<double> zero(static_cast<std::size_t>(mechanism.nv()));
  for (int k = 0; k < postures; ++k) {
    State& s = all.emplace_back(State{random_posture(mechanism, chance), zero, zero, zero});
    for (int i = 0; i < mechanism.nv(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      s.tau[at] = 0.5 * ((2 * i + k) % 5 - 2);
      if (mechanism.has_loops()) continue;
      s.v[at] = 0.1 * ((i + k) % 7 - 3);
      s.a[at] = 0.3 * ((3 * i + k) % 11 - 5);
    }
  }
  return all;
}

// Seconds of every call, and how often it was disturbed meanwhile.
struct Measured {
  std::vector<double> inverse, forward;
  long switches, faults;
};

Measured measure(const Mechanism& mechanism, double rate, int count) {
  Dynamics dynamics(mechanism);
  const std::vector<State> all = states(mechanism);
  Measured found{std::vector<double>(count), std::vector<double>(count), 0, 0};
  const auto timed = [](const auto& call) {
    const auto start = Clock::now();
    call();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const std::chrono::nanoseconds start = Clock::now().time_since_epoch();
  rusage before{}, after{};
  for (int i = -first_periods; i < count; ++i) {
    if (i == 0) getrusage(RUSAGE_THREAD, &before);
    sleep_until(start + std::chrono::nanoseconds(static_cast<long>(1e9 / rate * (i + first_periods))));
    const State& s = all[static_cast<unsigned>(i) % postures];
    const double inverse = timed([&] { dynamics.inverse(s.q, s.v, s.a); });
    const double forward = timed([&] { dynamics.forward(s.q, s.v, s.tau); });
    if (i < 0) continue;
    found.inverse[i] = inverse;
    found.forward[i] = forward;
  }
  getrusage(RUSAGE_THREAD, &after);
  found.switches = after.ru_nivcsw - before.ru_nivcsw;
  found.faults = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
  return found;
}

void show(std::string_view robot, std::string_view call, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto us = [&](double part) {
    return 1e6 * seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1))];
  };
  const double times = us(0.9999) / us(0.5);
  fmt::print("| {:<12} | {} | {:8.2f} | {:8.2f} | {:8.2f} | {:8.2f} | {:6.1f}{} |\n", robot, call, us(0.5), us(0.99),
             us(0.9999), us(1), times, times <= bar ? "" : fmt::format(", above {}", bar));
}

// As a controller would: pages stay in memory, and nobody else runs first. Whether that was granted.
bool is_real_time() {
  const sched_param priority{.sched_priority = 50};
  return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
}

double number(std::string_view word) {
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc{} || end != word.data() + word.size() || !(x >= 1 && x <= 1e9))
    throw ArgumentError(fmt::format("{}: a number from 1 to 1e9", word));
  return x;
}

void run(const std::vector<std::string_view>& words) {
  const double rate = words.empty() ? 1e4 : number(words[0]);
  const int count = words.size() < 2 ? 100'000 : static_cast<int>(number(words[1]));
  std::vector<std::string_view> robots(words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)), words.end());
  if (robots.empty()) robots = {"puma560", "humanoid", "fourbar"};
  fmt::print("{} calls at {} Hz, {}; microseconds\n\n", count, rate,
             is_real_time() ? "with real-time priority" : "without real-time priority, which was not granted");
  fmt::print("| robot        | call    |   median |   99 %   |  99.99 % |   worst  | 99.99 % / median |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  std::string disturbed;
  for (const std::string_view robot : robots) {
    const Measured found = measure(Mechanism(std::string(robot)), rate, count);
    show(robot, "inverse", found.inverse);
    show(robot, "forward", found.forward);
    disturbed +=
        fmt::format("{}: taken off the core {} times, {} pages fetched\n", robot, found.switches, found.faults);
  }
  fmt::print("\n{}", disturbed);
}

}  // namespace
}  // namespace denoc::benchmarks

int main(int argc, char** argv) {
  try {
    denoc::benchmarks::run({argv + 1, argv + argc});
  } catch (const denoc::Error& error) {
    fmt::print(stderr, "denoc_bench_latency: {}\n", error.what());
    return 1;
  }
}
