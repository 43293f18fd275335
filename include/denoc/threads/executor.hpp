// A few threads that wait for work: after a call they look for more for 0.2 ms, then they sleep. Work is cut into
// chunks; each thread takes those of its own share, then what others have left.
#pragma once
#include <memory>

namespace denoc {

/// The threads that batches share. One call at a time.
class Executor {
 public:
  /// The caller is one of the threads: Executor(1) starts none. 0 means as many as the machine has. Where the system
  /// gives fewer, those do: threads() says how many, and results are the same.
  explicit Executor(int threads = 0);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  int threads() const;

  /// work(thread, chunk) for every chunk; returns when all are done. It allocates nothing; work must not throw. One
  /// call at a time.
  template <class Work> void run(int chunks, const Work& work) {
    run(
        chunks, [](const void* w, int thread, int chunk) { (*static_cast<const Work*>(w))(thread, chunk); }, &work);
  }

 private:
  using Call = void (*)(const void* work, int thread, int chunk);
  void run(int chunks, Call call, const void* work);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace denoc
