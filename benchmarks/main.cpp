// Robots x problems x scalars x batch sizes, against the libraries found on this machine, all taking turns in one run
// on one pinned thread: times, ratios with their bars, the fraction of the FMA peak, growth with the number of joints.
// Fails where results disagree; a missed bar is said, not a failure.
#include <fmt/chrono.h>
#include <sched.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

#include "denoc/model/serial_chain.hpp"
#include "denoc/scalar/instruction_set.hpp"
#include "fma_peak.hpp"
#include "ours.hpp"
#include "output/figures/plot.hpp"
#include "robots.hpp"
#include "side_by_side.hpp"

namespace denoc::benchmarks {
namespace {

constexpr int turns = 101, growth_turns = 41, states_each = 16;
constexpr double agreement = 1e-9;
constexpr int batch_sizes[] = {4, 16, 64, 256, 1024, 4096};
constexpr size_t bar_sizes[] = {2, 4};  // the bars are looked at for 64 states, which the nearest cache holds, and 1024
constexpr const char* problem_names[] = {"inverse dynamics", "forward dynamics", "inertia matrix", "its inverse"};
constexpr Problem in_batches[] = {Problem::inverse, Problem::forward};
using ByProblem = std::array<double, problems.size()>;  // zero: not measured
size_t at(Problem problem) { return static_cast<size_t>(problem); }

// How many times faster than the best library, by robot in the order of `robots()`; zero: no bar.
struct Bars {
  double inverse, forward, batch, matrices;
};
constexpr Bars bars[] = {{3.3, 3.2, 10, 2}, {3.3, 3.2, 10, 2}, {4, 3.5, 13, 0},
                         {0, 0, 0, 0},      {4, 3.5, 13, 2},   {3.8, 3.3, 12, 2}};
constexpr double two_threads_bar = 1.8, growth_bar = 2.1;

// RBDL is no Debian package. RBDL 3.3 / Pinocchio 3.7, both by clang, measured once side by side on a machine of this
// kind (inverse, forward); that of the fixed humanoid was not and is that of the floating one.
constexpr double rbdl_over_pinocchio[][2] = {{465. / 566, 1127. / 1111},   {523. / 663, 1272. / 1309},
                                             {2838. / 3296, 7026. / 6673}, {18476. / 21236, 43685. / 40826},
                                             {2880. / 3406, 7344. / 7222}, {2880. / 3406, 7344. / 7222}};

std::vector<std::unique_ptr<Peer>> peers_of(const Robot& robot) {
  const PlainRobot same = plain(robot);
  std::vector<std::unique_ptr<Peer>> all;
  // Pinocchio's data hold several arrays of n x n x n numbers: gigabytes each for a thousand joints.
  if (same.bodies.size() > 200) return all;
  [[maybe_unused]] const auto add = [&](std::unique_ptr<Peer> peer) {
    if (peer) all.push_back(std::move(peer));
  };
#ifdef DENOC_PEER_PINOCCHIO
  add(pinocchio_peer(same));
#endif
#ifdef DENOC_PEER_MUJOCO
  add(mujoco_peer(same));
#endif
#ifdef DENOC_PEER_KDL
  add(kdl_peer(same));
#endif
#ifdef DENOC_PEER_SIMBODY
  add(simbody_peer(same));
#endif
#ifdef DENOC_PEER_DART
  add(dart_peer(same));
#endif
  return all;
}

// Everything that runs on one robot.
struct Bench {
  Model model;
  BasicModel<float> model_float;
  std::vector<State> states;
  OneCall<double> ours;
  OneCall<float> ours_float;
  std::vector<std::unique_ptr<Peer>> peers;

  explicit Bench(const Robot& robot)
      : model(robot),
        model_float(robot),
        states(random_states(model, states_each)),
        ours(model, states),
        ours_float(model_float, states),
        peers(peers_of(robot)) {
    for (auto& peer : peers) peer->set_states(states);
  }

  // How far the peer's results are from ours at worst, relative to the largest entry.
  double disagreement(Peer& peer, Problem problem) {
    double worst = 0;
    for (int k = 0; k < states_each; ++k) {
      ours.run(problem, k);
      peer.run(problem, k);
      const std::vector<double>& x = ours.result(problem);
      const std::vector<double> y = peer.result(problem, k);
      double apart = 0, size = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        apart = std::max(apart, std::abs(x[i] - y[i]));
        size = std::max(size, std::abs(y[i]));
      }
      if (!(apart <= worst * size)) worst = apart / size;
    }
    return worst;
  }
};

template <class Runner> Contender& add_one_call(SideBySide& race, Runner& runner, Problem problem) {
  return race.add(
      [&runner, problem] {
        for (int k = 0; k < states_each; ++k) runner.run(problem, k);
      },
      states_each);
}
template <class E> Contender& add_batch(SideBySide& race, InBatches<E>& batch, Problem problem) {
  return race.add([&batch, problem] { batch.run(problem); }, batch.count());
}

struct PeerTimes {
  std::string name;
  ByProblem time{};
};
struct Times {
  std::string robot;
  int n = 0;
  ByProblem ours{}, ours_float{}, operations{};
  std::vector<PeerTimes> peers = {};
  std::array<std::array<double, 2>, std::size(batch_sizes)> batch{}, batch_float{};  // per state
  std::array<double, 2> two_threads{};                                               // times one
  double peak = 0;                                                                   // operations per ns
  int lanes = 0;

  double peer(std::string_view name, Problem problem) const {
    for (const PeerTimes& p : peers)
      if (p.name == name) return p.time[at(problem)];
    return 0;
  }
};

Times measure(const Named& named, Executor& one, Executor& two) {
  Bench bench(named.robot);
  Times times{named.name, bench.model.nv()};
  SideBySide race;
  std::vector<std::pair<double*, Contender*>> wanted;
  FmaPeak fma;
  Contender& peak = race.add([&fma] { fma.run(); }, FmaPeak::operations());
  for (auto& peer : bench.peers) times.peers.push_back({peer->name()});
  for (const Problem problem : problems) {
    times.operations[at(problem)] = operations(bench.model, bench.states, problem);
    wanted.emplace_back(&times.ours[at(problem)], &add_one_call(race, bench.ours, problem));
    wanted.emplace_back(&times.ours_float[at(problem)], &add_one_call(race, bench.ours_float, problem));
    for (size_t p = 0; p < bench.peers.size(); ++p) {
      Peer& peer = *bench.peers[p];
      if (!peer.solves(problem)) continue;
      if (const double apart = bench.disagreement(peer, problem); !(apart < agreement))
        throw std::runtime_error(fmt::format("{}, {}: {} and denoc differ by {:.1e}", named.name,
                                             problem_names[at(problem)], peer.name(), apart));
      wanted.emplace_back(&times.peers[p].time[at(problem)], &add_one_call(race, peer, problem));
    }
  }
  std::deque<InBatches<double>> batches;
  std::deque<InBatches<float>> batches_float;
  for (size_t b = 0; b < std::size(batch_sizes); ++b) {
    if (batch_sizes[b] * bench.model.nv() > 4096 * 40) continue;
    batches.emplace_back(bench.model, one, bench.states, batch_sizes[b]);
    batches_float.emplace_back(bench.model_float, one, bench.states, batch_sizes[b]);
    for (const Problem problem : in_batches) {
      wanted.emplace_back(&times.batch[b][at(problem)], &add_batch(race, batches.back(), problem));
      wanted.emplace_back(&times.batch_float[b][at(problem)], &add_batch(race, batches_float.back(), problem));
    }
  }
  race.take_turns(turns);
  for (const auto& [time, contender] : wanted) *time = contender->time();
  times.peak = 1 / peak.time();

  // Batch after batch, as planners and learners ask for them: a thread that has slept is woken once in a turn.
  SideBySide one_or_two;
  InBatches<double> by_two(bench.model, two, bench.states, batches.back().count());
  std::array<Contender*, 2> single{}, threads{};
  for (const Problem problem : in_batches) {
    single[at(problem)] = &add_batch(one_or_two, batches.back(), problem);
    threads[at(problem)] = &add_batch(one_or_two, by_two, problem);
  }
  one_or_two.take_turns(turns, 5e6);
  for (size_t k = 0; k < 2; ++k) times.two_threads[k] = single[k]->time() / threads[k]->time();
  times.lanes = by_two.lanes();
  return times;
}

struct Best {
  double time = std::numeric_limits<double>::infinity();
  std::string name = "none";
};
Best best_library(const Times& times, size_t robot, Problem problem) {
  Best best;
  const auto consider = [&](double time, const std::string& name) {
    if (time > 0 && time < best.time) best = {time, name};
  };
  for (const PeerTimes& p : times.peers) consider(p.time[at(problem)], p.name);
  if (problem == Problem::inverse || problem == Problem::forward)
    consider(times.peer("Pinocchio", problem) * rbdl_over_pinocchio[robot][at(problem)], "RBDL (derived)");
  return best;
}

// The text of the report.
class Report {
 public:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void bar(const std::string& robot, const std::string& what, const std::string& than, double ratio, double least) {
    const bool met = ratio >= least;
    missed_ += !met;
    line("| {} | {} | {} | {:.2f} | {:g} | {} |", robot, what, than, ratio, least, met ? "met" : "**missed**");
  }
  void growth(const char* problem, double ratio) {
    const bool met = ratio <= growth_bar;
    missed_ += !met;
    line("\n{}: time(200)/time(100) = {:.2f}, bar {}: {}", problem, ratio, growth_bar, met ? "met" : "**missed**");
  }
  int missed() const { return missed_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int missed_ = 0;
};

std::string nanoseconds(double time) { return time > 0 ? fmt::format("{:.{}f}", time, time < 20 ? 1 : 0) : "-"; }

void report_times(Report& report, const std::vector<Times>& all) {
  for (const Problem problem : problems) {
    std::vector<std::string> names;
    for (const Times& t : all)
      for (const PeerTimes& p : t.peers)
        if (p.time[at(problem)] > 0 && std::find(names.begin(), names.end(), p.name) == names.end())
          names.push_back(p.name);
    std::string head = "| ns per call | denoc | float | fraction of the FMA peak |", rule = "|---|---|---|---|";
    for (const std::string& name : names) head += fmt::format(" {} |", name), rule += "---|";
    report.line("\n### {}\n{}\n{}", problem_names[at(problem)], head, rule);
    for (const Times& t : all) {
      std::string row =
          fmt::format("| {} | {} | {} | {:.2f} |", t.robot, nanoseconds(t.ours[at(problem)]),
                      nanoseconds(t.ours_float[at(problem)]), t.operations[at(problem)] / t.ours[at(problem)] / t.peak);
      for (const std::string& name : names) row += fmt::format(" {} |", nanoseconds(t.peer(name, problem)));
      report.line("{}", row);
    }
  }
}

void report_batches(Report& report, const std::vector<Times>& all) {
  for (const Problem problem : in_batches) {
    const size_t p = at(problem);
    std::string head = "| ns per state, doubles / floats |", rule = "|---|";
    for (const int size : batch_sizes) head += fmt::format(" {} states |", size), rule += "---|";
    report.line("\n### Batches: {}\n{} fraction of the FMA peak ({} doubles) | two threads |\n{}---|---|",
                problem_names[p], head, batch_sizes[bar_sizes[0]], rule);
    for (const Times& t : all) {
      std::string row = fmt::format("| {} |", t.robot);
      for (size_t b = 0; b < std::size(batch_sizes); ++b)
        row += fmt::format(" {} / {} |", nanoseconds(t.batch[b][p]), nanoseconds(t.batch_float[b][p]));
      report.line("{} {:.2f} | {:.2f} times one |", row, t.operations[p] / t.batch[bar_sizes[0]][p] / t.peak,
                  t.two_threads[p]);
    }
  }
}

void report_bars(Report& report, const std::vector<Times>& all) {
  report.line("\n### Bars\n| robot | what | the best library | times faster | bar | |\n|---|---|---|---|---|---|");
  for (size_t r = 0; r < all.size(); ++r) {
    const Times& t = all[r];
    for (const Problem problem : in_batches) {
      const size_t p = at(problem);
      const Best best = best_library(t, r, problem);
      if (!std::isfinite(best.time) || bars[r].batch == 0) continue;
      const auto bar = [&](const std::string& what, double time, double least) {
        report.bar(t.robot, fmt::format("{}, {}", problem_names[p], what), best.name, best.time / time, least);
      };
      bar("one call", t.ours[p], problem == Problem::inverse ? bars[r].inverse : bars[r].forward);
      for (const size_t b : bar_sizes) {
        bar(fmt::format("{} doubles", batch_sizes[b]), t.batch[b][p], bars[r].batch);
        bar(fmt::format("{} floats", batch_sizes[b]), t.batch_float[b][p], 2 * bars[r].batch);
      }
    }
    for (const Problem problem : {Problem::inertia, Problem::inertia_inverse})
      if (const double theirs = t.peer("Pinocchio", problem); theirs > 0)
        report.bar(t.robot, problem_names[at(problem)], "Pinocchio", theirs / t.ours[at(problem)],
                   bars[r].matrices > 0 ? bars[r].matrices : 1);
    for (const Problem problem : in_batches)
      report.bar(t.robot, fmt::format("{}, two threads", problem_names[at(problem)]), "one thread",
                 t.two_threads[at(problem)], two_threads_bar);
  }
}

// Serial chains of n joints: a table, a plot for each problem.
void report_growth(Report& report, Executor& one) {
  constexpr int sizes[] = {2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
  std::deque<Bench> benches;
  std::deque<InBatches<double>> batches;
  std::deque<InBatches<float>> batches_float;
  report.line(
      "\n### Growth\nSerial chains, ns per call.\n\n| n | inverse dynamics | forward dynamics |\n|---|---|---|");
  for (const int n : sizes) {
    const Bench& bench = benches.emplace_back(serial_chain(n));
    batches.emplace_back(bench.model, one, bench.states, 64);
    batches_float.emplace_back(bench.model_float, one, bench.states, 64);
  }
  std::array<std::array<double, std::size(sizes)>, 2> ours{};
  SideBySide race;
  struct Point {
    size_t problem, curve;
    double n;
    const Contender* contender;
  };
  std::vector<Point> points;
  std::array<std::vector<figures::Curve>, 2> curves;
  for (const Problem problem : in_batches) {
    const size_t p = at(problem);
    const auto add = [&](std::string name) {
      curves[p].push_back({std::move(name), {}, {}, figures::Curve::Draw::both});
    };
    for (const char* name : {"denoc", "denoc, batch of doubles", "denoc, batch of floats"}) add(name);
    for (auto& peer : benches.front().peers) add(peer->name());
    for (size_t k = 0; k < std::size(sizes); ++k) {
      points.push_back({p, 0, double(sizes[k]), &add_one_call(race, benches[k].ours, problem)});
      points.push_back({p, 1, double(sizes[k]), &add_batch(race, batches[k], problem)});
      points.push_back({p, 2, double(sizes[k]), &add_batch(race, batches_float[k], problem)});
      for (auto& peer : benches[k].peers) {
        // Cubic methods would take the afternoon.
        if (!peer->solves(problem) || (problem == Problem::forward && peer->name() != "Pinocchio" && sizes[k] > 100))
          continue;
        for (size_t c = 3; c < curves[p].size(); ++c)
          if (curves[p][c].name == peer->name())
            points.push_back({p, c, double(sizes[k]), &add_one_call(race, *peer, problem)});
      }
    }
  }
  race.take_turns(growth_turns);
  for (const Point& point : points) {
    const double time = point.contender->time();
    figures::Curve& curve = curves[point.problem][point.curve];
    curve.x.push_back(point.n);
    curve.y.push_back(time);
    if (point.curve == 0) ours[point.problem][curve.x.size() - 1] = time;
  }
  for (size_t k = 0; k < std::size(sizes); ++k)
    report.line("| {} | {} | {} |", sizes[k], nanoseconds(ours[0][k]), nanoseconds(ours[1][k]));
  const char* files[] = {"inverse_dynamics.svg", "forward_dynamics.svg"};
  for (const Problem problem : in_batches) {
    const size_t p = at(problem);
    const double growth = ours[p][7] / ours[p][6];
    report.growth(problem_names[p], growth);
    const figures::Plot plot{.title = fmt::format("Serial chain of n revolute joints: {}", problem_names[p]),
                             .x = {"n", ""},
                             .y = {"time per state", "ns"},
                             .curves = curves[p],
                             .x_scale = figures::Scale::logarithmic,
                             .y_scale = figures::Scale::logarithmic};
    std::ofstream(fmt::format("{}/{}", DENOC_PLOTS, files[p])) << figures::svg(plot, {.width = 760, .height = 440});
  }
}

std::string word_after(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key)) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}
void report_circumstances(Report& report, const Times& any) {
  double load = 0;
  std::ifstream("/proc/loadavg") >> load;
  report.line("{:%Y-%m-%d}: {}; denoc by g++ {}, `{}`; the recursions for {}, batches of {} doubles at once.",
              fmt::localtime(std::time(nullptr)), word_after("/proc/cpuinfo", "model name"), __VERSION__, DENOC_FLAGS,
              instruction_set(), any.lanes);
#ifdef DENOC_PEER_PINOCCHIO
  report.line("Pinocchio {} (clang).", DENOC_PINOCCHIO_BUILD);
#endif
  report.line(
      "One pinned thread, lower quartile of {} interleaved turns, {} states; FMA peak {:.1f} GFlop/s; load average "
      "{:.1f}.",
      turns, states_each, any.peak, load);
  for (const auto& [found, name] : {
#ifdef DENOC_PEER_PINOCCHIO
           std::pair(true, "Pinocchio"),
#else
           std::pair(false, "Pinocchio"),
#endif
#ifdef DENOC_PEER_MUJOCO
           std::pair(true, "MuJoCo"),
#else
           std::pair(false, "MuJoCo"),
#endif
#ifdef DENOC_PEER_KDL
           std::pair(true, "KDL")
#else
           std::pair(false, "KDL")
#endif
       })
    if (!found) report.line("Not on this machine: {}.", name);
}

// Each thread of the executor, the caller among them, to a core of its own.
void pin(Executor& executor) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  executor.run(20 * executor.threads(), [&](int thread, int) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(cores[thread % cores.size()], &mine);
    sched_setaffinity(0, sizeof mine, &mine);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that every thread takes a share
  });
}

int compare() {
  Executor one(1), two(2);
  pin(two);
  std::vector<Times> all;
  for (const Named& named : robots()) {
    fmt::print(stderr, "Measuring {}\n", named.name);
    all.push_back(measure(named, one, two));
  }
  Report report;
  report_circumstances(report, all.front());
  report_times(report, all);
  report_batches(report, all);
  report_bars(report, all);
  fmt::print(stderr, "Measuring growth\n");
  report_growth(report, one);
  fmt::print("{}", report.text());
  std::ofstream(DENOC_RESULTS) << report.text();
  fmt::print("\n{} bars missed; all of it is in {}\n", report.missed(), DENOC_RESULTS);
  return 0;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() try { return denoc::benchmarks::compare(); } catch (const std::exception& e) {
  fmt::print(stderr, "denoc_bench: {}\n", e.what());
  return 1;
}
