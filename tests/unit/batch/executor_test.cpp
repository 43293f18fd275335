// Every chunk is done once, whether the threads are awake, asleep or late.
#include "denoc/threads/executor.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(Threads, DoEveryChunkOnce) {
  for (const int threads : {1, 2, 5}) {
    Executor executor(threads);
    EXPECT_EQ(executor.threads(), threads);
    for (int round = 0; round < 200; ++round) {
      const int chunks = round % 20;
      std::vector<std::atomic<int>> times(chunks);
      executor.run(chunks, [&](int thread, int chunk) {
        EXPECT_TRUE(thread >= 0 && thread < threads);
        ++times[chunk];
      });
      for (int c = 0; c < chunks; ++c) ASSERT_EQ(times[c], 1) << "round " << round << ", chunk " << c;
      // now and then long enough for them to fall asleep
      if (round % 20 == 7) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

// What a chunk has written is there for the caller, and no thread is still at it.
TEST(Threads, HaveFinishedWhenTheCallReturns) {
  Executor executor(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<int> done(6);
    executor.run(6, [&](int, int chunk) {
      if (chunk % 2 == 1) std::this_thread::sleep_for(std::chrono::microseconds(round % 50 == 0 ? 500 : 20));
      done[chunk] = round + chunk;
    });
    for (int c = 0; c < 6; ++c) ASSERT_EQ(done[c], round + c);
  }
}

// However long the others are at work when the caller has done its own: they are waited for, to the last of them.
TEST(Threads, AreWaitedForHoweverLong) {
  for (const int threads : {2, 3, 5}) {
    std::vector<int> done(std::size_t(threads), 0);  // beyond the life of the threads, whatever they still do
    std::atomic<int> begun = 0;
    Executor executor(threads);
    ASSERT_EQ(executor.threads(), threads);
    executor.run(threads, [&](int thread, int chunk) {
      ++begun;
      while (begun < threads) std::this_thread::yield();  // so that each of them has one
      std::this_thread::sleep_for(std::chrono::milliseconds(20 * thread));
      done[std::size_t(chunk)] = 1;
    });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), threads);
  }
}

TEST(Threads, ShareTheWork) {
  Executor executor(2);
  std::vector<int> by(200);
  executor.run(200, [&](int thread, int chunk) {
    by[chunk] = thread;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_GT(std::count(by.begin(), by.end(), 0), 20);
  EXPECT_GT(std::count(by.begin(), by.end(), 1), 20);
}

// Shares of very many chunks among very many threads are all the chunks and no others, though the product of the two is
// beyond what an int holds.
TEST(Threads, ShareMoreThanAnIntHolds) {
  constexpr int chunks = 2'500'000;
  Executor executor(1000);
  std::vector<std::atomic<unsigned char>> times(chunks);
  std::atomic<int> others = 0;
  executor.run(chunks, [&](int, int chunk) {
    if (chunk >= 0 && chunk < chunks)
      ++times[std::size_t(chunk)];
    else
      ++others;
  });
  EXPECT_EQ(others, 0);
  EXPECT_EQ(std::count_if(times.begin(), times.end(), [](const auto& n) { return n != 1; }), 0);
}

// Where memory for all their stacks is not to be had, those that could be started do every chunk.
TEST(ThreadsDeathTest, ThatCannotBeStartedAreDoneWithout) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "shadow memory is more than any limit";
#endif
  const auto work_in = [](rlim_t megabytes) {
    const rlimit limit{megabytes << 20, megabytes << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(1);
    constexpr int asked = 10'000;
    Executor executor(asked);
    if (executor.threads() >= asked) std::exit(2);
    std::vector<std::atomic<int>> times(100);
    for (int round = 0; round < 10; ++round) executor.run(100, [&](int, int chunk) { ++times[chunk]; });
    std::exit(std::all_of(times.begin(), times.end(), [](const auto& n) { return n == 10; }) ? 0 : 3);
  };
  for (const rlim_t megabytes : {100, 400, 1000}) EXPECT_EXIT(work_in(megabytes), ::testing::ExitedWithCode(0), "");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
