// Scratch that calls borrow and give back, so that any number of Python's threads may ask one robot at once.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "denoc/batch/batch.hpp"

#include "hand.hpp"

namespace denoc::python {

// How a robot is asked: what acts, and by how many threads.
struct Setting {
  Forces forces = Forces::none;
  Loops loops = Loops::closed;
  int threads = 1;  // 0: as many as the machine has
  bool operator==(const Setting&) const = default;
};

// Everything that one call may need, made when it is first needed.
class Engine {
 public:
  Engine(const Mechanism& mechanism, const Setting& how) : setting(how), mechanism_(mechanism) {}

  const Setting setting;
  Executor& executor() { return executor_ ? *executor_ : executor_.emplace(setting.threads); }
  // One for each thread.
  Hand& hand(int thread = 0);
  template <class E> Batch<E>& batch();
  std::vector<RowStatus> status = {};

 private:
  const Mechanism& mechanism_;
  std::optional<Executor> executor_;
  std::vector<std::unique_ptr<Hand>> hands_ = {};
  std::optional<Batch<double>> in_double_;
  std::optional<Batch<float>> in_float_;
};

class Engines {
 public:
  explicit Engines(const Mechanism& mechanism) : mechanism_(mechanism) {}
  ~Engines();

  // Goes back when it is given up.
  class Borrowed {
   public:
    Borrowed(Engines& from, std::unique_ptr<Engine> engine) : from_(from), engine_(std::move(engine)) {}
    ~Borrowed() { from_.give_back(std::move(engine_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    Engine* operator->() const { return engine_.get(); }

   private:
    Engines& from_;
    std::unique_ptr<Engine> engine_;
  };
  Borrowed borrow(const Setting& setting);

 private:
  void give_back(std::unique_ptr<Engine> engine);
  void forget_after_fork();

  const Mechanism& mechanism_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Engine>> idle_ = {};
  int process_ = 0;  // that the idle ones belong to
};

}  // namespace denoc::python
