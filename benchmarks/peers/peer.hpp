// Another library that answers the same questions. Plain data only: an adapter may be compiled by another compiler.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace denoc::benchmarks {

enum class Problem { inverse, forward, inertia, inertia_inverse };
inline constexpr std::array problems = {Problem::inverse, Problem::forward, Problem::inertia, Problem::inertia_inverse};

// In denoc's terms.
struct State {
  std::vector<double> q, v, a, tau;
};

// A body on its joint. Its frame is the joint's moving one.
struct PlainBody {
  int parent;                     // 0 is the ground, 1 the first of the bodies
  bool free;                      // else revolute
  std::array<double, 9> R;        // the joint's frame in the parent's, by rows
  std::array<double, 3> p, axis;  // the axis in the joint's frame
  double mass;
  std::array<double, 3> com;
  std::array<double, 9> inertia;  // about the mass centre
};
// Degrees of freedom in the order of the bodies; only the first may be free, on the ground, its frame the ground's.
struct PlainRobot {
  std::string name;
  std::array<double, 3> gravity;
  std::vector<PlainBody> bodies;
  bool floating() const { return bodies.front().free; }
  bool serial() const {
    for (int i = 0; i < int(bodies.size()); ++i)
      if (bodies[i].parent != i) return false;
    return true;
  }
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual bool solves(Problem problem) const = 0;
  // Turns them into the library's own terms.
  virtual void set_states(const std::vector<State>& states) = 0;
  // What is timed: from the state's numbers to the answer in the library's memory.
  virtual void run(Problem problem, int state) = 0;
  // The answer of the last run, for that state, in denoc's terms; matrices by rows.
  virtual std::vector<double> result(Problem problem, int state) = 0;
};

// Null for a robot the library cannot take. Each adapter is a shared library that shows nothing else: their inline
// functions, Eigen's above all, are compiled for different processors and must not mix.
#define DENOC_PEER [[gnu::visibility("default")]]
DENOC_PEER std::unique_ptr<Peer> pinocchio_peer(const PlainRobot& robot);
DENOC_PEER std::unique_ptr<Peer> mujoco_peer(const PlainRobot& robot);
DENOC_PEER std::unique_ptr<Peer> kdl_peer(const PlainRobot& robot);
DENOC_PEER std::unique_ptr<Peer> dart_peer(const PlainRobot& robot);
DENOC_PEER std::unique_ptr<Peer> simbody_peer(const PlainRobot& robot);

}  // namespace denoc::benchmarks
