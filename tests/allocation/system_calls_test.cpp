// A call of Dynamics never enters the system: the kernel ends the process at the first call that is not an exit (seccomp).
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "denoc/batch/batch.hpp"
#include "denoc/denoc.hpp"
#include "denoc/mechanism/random_posture.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

void allow_nothing_but_exit() {
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  const sock_fprog filter{.len = std::size(rules), .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(2);
}

template <class Work> void without_system_calls(const Work& work) {
  work();
  allow_nothing_but_exit();
  for (int i = 0; i < 100; ++i) work();
  syscall(SYS_exit_group, 0);
}

struct SystemCallsDeathTest : testing::Test {
  void SetUp() override {
    if (is_sanitized) GTEST_SKIP() << "the sanitizer makes some of its own";
  }
};

TEST_F(SystemCallsDeathTest, AreNoticed) {
  EXPECT_EXIT(without_system_calls([] { syscall(SYS_getppid); }), testing::KilledBySignal(SIGSYS), "");
}

TEST_F(SystemCallsDeathTest, NoneInDynamics) {
  for (const char* name : {"puma560", "humanoid", "fourbar"}) {
    const Mechanism robot(name);
    Chance chance(1);
    Dynamics d(robot);
    const std::vector<double> q = random_posture(robot, chance), zero(robot.nv());
    EXPECT_EXIT(without_system_calls([&] { d.inverse(q, zero, zero); }), testing::ExitedWithCode(0), "") << name;
    EXPECT_EXIT(without_system_calls([&] { d.forward(q, zero, zero); }), testing::ExitedWithCode(0), "") << name;
    EXPECT_EXIT(without_system_calls([&] { d.energy(q, zero); }), testing::ExitedWithCode(0), "") << name;
    Executor alone(1);
    Batch<double> batch(robot, alone);
    std::vector<double> tau(robot.nv());
    EXPECT_EXIT(without_system_calls([&] { batch.inverse_dynamics(q, zero, zero, tau); }), testing::ExitedWithCode(0),
                "")
        << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
