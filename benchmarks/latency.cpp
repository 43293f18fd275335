// How long a call takes at worst, where a controller waits for it: inverse and forward dynamics once in every period, as
// in a control loop that sleeps in between; and, in a run of its own, an empty loop as long as each: what the machine does
// to anything that runs at such a pace.
//   denoc_bench_latency [RATE] [COUNT] [ROBOT...]    calls per second (10000), how many of each (100000), which robots
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
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
  std::vector<double> first, second;
  long switches, faults;
};

// first(i) and second(i) in every period i.
template <class First, class Second>
Measured measure(double rate, int count, const First& call_first, const Second& call_second) {
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
    const double first = timed([&] { call_first(i); });
    const double second = timed([&] { call_second(i); });
    if (i < 0) continue;
    found.first[i] = first;
    found.second[i] = second;
  }
  getrusage(RUSAGE_THREAD, &after);
  found.switches = after.ru_nivcsw - before.ru_nivcsw;
  found.faults = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
  return found;
}

Measured of_dynamics(const Mechanism& mechanism, double rate, int count) {
  Dynamics dynamics(mechanism);
  const std::vector<State> all = states(mechanism);
  const auto state = [&](int i) -> const State& { return all[static_cast<unsigned>(i) % postures]; };
  return measure(
      rate, count, [&](int i) { dynamics.inverse(state(i).q, state(i).v, state(i).a); },
      [&](int i) { dynamics.forward(state(i).q, state(i).v, state(i).tau); });
}

void turn(long times) {
  for (long i = 0; i < times; ++i) asm volatile("");
}
// So many turns of an empty loop take that long, where nothing comes between.
long turns(double seconds) {
  constexpr long some = 100'000;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 100; ++i) {
    const auto start = Clock::now();
    turn(some);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return static_cast<long>(seconds * some / least);
}

double median(std::vector<double> x) {
  const auto middle = x.begin() + std::ssize(x) / 2;
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

Measured of_empty_loops(const Measured& as_long_as, double rate, int count) {
  const long first = turns(median(as_long_as.first)), second = turns(median(as_long_as.second));
  return measure(
      rate, count, [first](int) { turn(first); }, [second](int) { turn(second); });
}

void show(std::string_view robot, std::string_view call, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto us = [&](double part) {
    return 1e6 * seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1))];
  };
  const double times = us(0.9999) / us(0.5);
  fmt::print("| {:<12} | {:<15} | {:8.2f} | {:8.2f} | {:8.2f} | {:8.2f} | {:6.1f}{} |\n", robot, call, us(0.5),
             us(0.99), us(0.9999), us(1), times, times <= bar ? "" : fmt::format(", above {}", bar));
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
  fmt::print("| robot        | call            |   median |   99 %   |  99.99 % |   worst  | 99.99 % / median |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  std::string disturbed;
  for (const std::string_view robot : robots) {
    const Measured found = of_dynamics(Mechanism(std::string(robot)), rate, count);
    const Measured idle = of_empty_loops(found, rate, count);
    show(robot, "inverse", found.first);
    show(robot, "  an empty loop", idle.first);
    show(robot, "forward", found.second);
    show(robot, "  an empty loop", idle.second);
    for (const auto& [who, how] : {std::pair{robot, &found}, {"  its empty loops", &idle}})
      disturbed += fmt::format("{}: taken off the core {} times, {} pages fetched\n", who, how->switches, how->faults);
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
