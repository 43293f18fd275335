// How inverse and forward dynamics grow with the number of joints of a serial chain: 100, 200 and 1000, taking turns.
#include <fmt/format.h>

#include <random>

#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/model/serial_chain.hpp"
#include "side_by_side.hpp"

namespace denoc::benchmarks {
namespace {

constexpr int turns = 201;

class Chain {
 public:
  explicit Chain(int n) : model_(serial_chain(n)) {
    std::mt19937 engine(1);
    for (auto* x : {&q_, &v_, &a_})
      for (int k = 0; k < n; ++k) x->push_back(std::uniform_real_distribution<>(-1, 1)(engine));
    out_.resize(n);
  }
  void inverse() {
    place<double>(model_, q_, at_);
    inverse_dynamics<double>(model_, at_, v_, a_, inverse_, out_);
  }
  void forward() {
    place<double>(model_, q_, at_);
    forward_dynamics<double>(model_, at_, v_, a_, forward_, out_);
  }

 private:
  Model model_;
  Configuration<double> at_{model_};
  InverseScratch<double> inverse_{model_};
  ForwardScratch<double> forward_{model_};
  std::vector<double> q_ = {}, v_ = {}, a_ = {}, out_ = {};
};

int growth() {
  Chain hundred(100), two_hundred(200), thousand(1000);
  bool held = true;
  const auto measured = [&](const char* problem, void (Chain::*run)()) {
    // As many joints in every turn.
    const auto contender = [&](Chain& chain, int calls) {
      return Contender{problem,
                       [&chain, run, calls] {
                         for (int k = 0; k < calls; ++k) (chain.*run)();
                       },
                       double(calls)};
    };
    std::vector<Contender> all = {contender(hundred, 20), contender(two_hundred, 10), contender(thousand, 2)};
    take_turns(all, turns);
    const double base = all[0].median(), twice = all[1].median() / base, tenfold = all[2].median() / base;
    fmt::print(
        "{} of a serial chain: 100 joints {:.1f} us; time(200)/time(100) = {:.2f}, time(1000)/time(100) = {:.2f}\n",
        problem, base / 1000, twice, tenfold);
    held = held && tenfold <= 11;
  };
  measured("Inverse dynamics", &Chain::inverse);
  measured("Forward dynamics", &Chain::forward);
  if (!held) fmt::print(stderr, "growth_benchmark: 1000 joints take more than 11 times as long as 100\n");
  return held ? 0 : 1;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() { return denoc::benchmarks::growth(); }
