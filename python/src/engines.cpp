#include "engines.hpp"

#include <pthread.h>

#include <algorithm>

namespace denoc::python {
namespace {

// More than that are not kept for later.
constexpr std::size_t most_idle = 16;

// A process that was forked has none of its parent's threads: engines of the parent cannot be used, nor ended.
int forks = 0;
void count_forks() {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
}

}  // namespace

Hand& Engine::hand(int thread) {
  while (hands_.size() <= std::size_t(thread))
    hands_.push_back(std::make_unique<Hand>(mechanism_, setting.forces, setting.loops));
  return *hands_[std::size_t(thread)];
}
template <> Batch<double>& Engine::batch() {
  return in_double_ ? *in_double_ : in_double_.emplace(mechanism_, executor(), setting.forces, setting.loops);
}
template <> Batch<float>& Engine::batch() {
  return in_float_ ? *in_float_ : in_float_.emplace(mechanism_, executor(), setting.forces, setting.loops);
}

void Engines::forget_after_fork() {
  count_forks();
  if (process_ == forks) return;
  for (auto& engine : idle_) engine.release();  // NOLINT(bugprone-unused-return-value): its threads are not here
  idle_.clear();
  process_ = forks;
}

Engines::~Engines() { forget_after_fork(); }

Engines::Borrowed Engines::borrow(const Setting& setting) {
  {
    const std::lock_guard lock(mutex_);
    forget_after_fork();
    const auto found =
        std::find_if(idle_.begin(), idle_.end(), [&](const auto& engine) { return engine->setting == setting; });
    if (found != idle_.end()) {
      std::unique_ptr<Engine> engine = std::move(*found);
      idle_.erase(found);
      return {*this, std::move(engine)};
    }
  }
  return {*this, std::make_unique<Engine>(mechanism_, setting)};
}

void Engines::give_back(std::unique_ptr<Engine> engine) {
  std::unique_ptr<Engine> oldest;  // ended outside of the lock
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(engine));
  if (idle_.size() <= most_idle) return;
  oldest = std::move(idle_.front());
  idle_.erase(idle_.begin());
}

}  // namespace denoc::python
