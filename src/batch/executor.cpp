#include "denoc/batch/executor.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace denoc {

namespace {

// A thread that has slept takes longer to wake than many a batch does: first it looks for a while. It lets others run.
constexpr std::chrono::microseconds patience{200};

template <class Ready> bool comes_soon(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!ready()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

struct Executor::State {
  std::mutex mutex;
  std::condition_variable begin, end;
  std::atomic<long> round = 0;     // counts the calls, so that a thread joins each of them once
  std::atomic<bool> open = false;  // whether it may still join; who comes too late is not waited for
  std::atomic<int> working = 0;    // threads that have joined and not finished
  std::atomic<bool> stop = false;
  Call call = nullptr;
  const void* work = nullptr;
  int chunks = 0;
  std::atomic<int> next = 0;
  std::vector<std::thread> threads;

  void take_chunks(int thread) {
    for (int chunk; (chunk = next.fetch_add(1)) < chunks;) call(work, thread, chunk);
  }
  void wait_for_work(int thread) {
    long seen = 0;
    const auto is_asked = [&] { return stop || (open && round != seen); };
    for (;;) {
      comes_soon(is_asked);
      std::unique_lock lock(mutex);
      begin.wait(lock, is_asked);
      if (stop) return;
      seen = round;
      ++working;
      lock.unlock();
      take_chunks(thread);
      lock.lock();
      if (--working == 0) end.notify_one();
    }
  }
};

Executor::Executor(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = std::max(1, int(std::thread::hardware_concurrency()));
  for (int t = 1; t < threads; ++t) state_->threads.emplace_back([this, t] { state_->wait_for_work(t); });
}

Executor::~Executor() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->begin.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

int Executor::threads() const { return int(state_->threads.size()) + 1; }

void Executor::run(int chunks, Call call, const void* work) {
  State& s = *state_;
  const bool alone = chunks <= 1 || s.threads.empty();
  {
    const std::lock_guard lock(s.mutex);
    s.call = call;
    s.work = work;
    s.chunks = chunks;
    s.next = 0;
    if (!alone) {
      ++s.round;
      s.open = true;
    }
  }
  if (!alone) s.begin.notify_all();
  s.take_chunks(0);
  if (alone) return;
  {
    const std::lock_guard lock(s.mutex);
    s.open = false;
  }
  const auto is_done = [&] { return s.working == 0; };
  if (comes_soon(is_done)) return;
  std::unique_lock lock(s.mutex);
  s.end.wait(lock, is_done);
}

}  // namespace denoc
