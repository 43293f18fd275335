#include "denoc/threads/executor.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace denoc {

namespace {

// A thread that has slept takes longer to wake than many a batch does: first it looks for a while, and now and then
// lets others run.
constexpr std::chrono::microseconds patience{200};
constexpr int looks = 32;

// Stacks of threads must not take the last of a process' memory (ulimit -v): so many bytes are kept back meanwhile.
constexpr std::size_t for_the_work = 64u << 20;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

template <class Ready> bool comes_soon(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    for (int look = 0; look < looks; ++look) {
      if (ready()) return true;
      pause();
    }
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
}

}  // namespace

// Nobody holds a lock. A call is open while `round` is odd. A thread counts itself among those working before it looks
// whether the call is still open; the caller closes the call before it looks whether somebody works: one of them sees
// the other.
struct Executor::State {
  // A thread takes its own share first, the same in every call of the same length: what is near it stays near. Then it
  // helps the others.
  struct alignas(64) Share {
    std::atomic<int> next = 0;  // chunk
    int end = 0;
  };
  std::vector<Share> shares;  // by thread, of those asked for
  alignas(64) std::atomic<int> round = 0;
  alignas(64) std::atomic<int> working = 0;  // threads beside the caller; who comes too late is not waited for
  std::atomic<bool> stop = false;
  Call call = nullptr;
  const void* work = nullptr;
  std::vector<std::thread> threads;

  explicit State(int count) : shares(static_cast<std::size_t>(count)) {}

  int size() const { return int(threads.size()) + 1; }
  void take_chunks(int thread) {
    for (int k = 0; k < size(); ++k) {
      Share& share = shares[static_cast<std::size_t>((thread + k) % size())];
      for (int chunk; (chunk = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;)
        call(work, thread, chunk);
    }
  }
  void wait_for_work(int thread) {
    for (int seen = 0;;) {
      if (!comes_soon([&] { return round != seen; })) round.wait(seen);
      if (stop) return;
      seen = round;
      if (seen % 2 == 0) continue;
      ++working;
      if (round == seen) take_chunks(thread);
      if (--working == 0) working.notify_one();
    }
  }
};

Executor::Executor(int threads) {
  if (threads <= 0) threads = std::max(1, int(std::thread::hardware_concurrency()));
  state_ = std::make_unique<State>(threads);
  state_->threads.reserve(static_cast<std::size_t>(threads));
  void* const kept_back = ::operator new(for_the_work, std::nothrow);
  if (kept_back == nullptr) return;
  try {
    for (int t = 1; t < threads; ++t) state_->threads.emplace_back([this, t] { state_->wait_for_work(t); });
  } catch (const std::system_error&) {  // no more threads are to be had, or no memory for their stacks:
  } catch (const std::bad_alloc&) {     // those that there are do the work
  }
  ::operator delete(kept_back);
}

Executor::~Executor() {
  state_->stop = true;
  ++state_->round;
  state_->round.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

int Executor::threads() const { return state_->size(); }

void Executor::run(int chunks, Call call, const void* work) {
  State& s = *state_;
  s.call = call;
  s.work = work;
  const int shares = threads();
  for (int t = 0, first = 0; t < shares; ++t) {
    State::Share& share = s.shares[static_cast<std::size_t>(t)];
    share.next = first;
    share.end = first = int(long(chunks) * (t + 1) / shares);
  }
  if (chunks <= 1 || s.threads.empty()) return s.take_chunks(0);
  ++s.round;
  s.round.notify_all();
  s.take_chunks(0);
  ++s.round;
  if (comes_soon([&] { return s.working == 0; })) return;
  for (int busy; (busy = s.working) > 0;) s.working.wait(busy);
}

}  // namespace denoc
