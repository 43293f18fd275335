// One model, many threads: each with scratch of its own gets the bits that one thread alone gets.
#include <thread>

#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Everything at once, so that any shared state would show.
std::vector<double> everything(const Model& model, unsigned seed) {
  Random random(seed);
  std::vector<double> all;
  const auto keep = [&](const std::vector<double>& x) { all.insert(all.end(), x.begin(), x.end()); };
  for (int state = 0; state < 20; ++state) {
    const auto q = random_q<double>(random, model), v = random_vector<double>(random, model.nv()),
               a = random_vector<double>(random, model.nv(), 5);
    Machine<double> machine(model, q, v);
    keep(machine.inverse(a));
    keep(machine.forward(a));
    keep(machine.inertia());
    keep(machine.coriolis());
    keep(machine.gravity());
    all.push_back(kinetic_energy<double>(model, machine.kin));
    for (const auto& w : machine.reactions(a)) keep({w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z});
  }
  return all;
}

TEST(Threads, ShareAModel) {
  Random random(61);
  const Model model(random_robot(random, {.bodies = 20}));
  std::vector<std::vector<double>> alone, found(4);
  for (unsigned k = 0; k < 4; ++k) alone.push_back(everything(model, k));
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 4; ++k) threads.emplace_back([&, k] { found[k] = everything(model, k); });
    for (auto& thread : threads) thread.join();
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(found[k], alone[k]) << "thread " << k;
  }
  EXPECT_NE(alone[0], alone[1]);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
