#include "output/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "session.hpp"

namespace denoc::app {
namespace {

volatile std::sig_atomic_t is_interrupted = 0;

void answer_interrupts(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // under nohup SIGHUP means nothing
  }
}

}  // namespace

// The first asks for an end, those of the next second are the same one (`timeout` sends two); then the next one kills.
void catch_interrupts() {
  if (is_interrupted != 0) return;
  answer_interrupts([](int) {
    if (is_interrupted == 0) ::alarm(1);  // who begins to wait for input just now is woken, too
    is_interrupted = 1;
  });
  struct sigaction wake = {};
  wake.sa_handler = [](int) { answer_interrupts(SIG_DFL); };
  ::sigaction(SIGALRM, &wake, nullptr);
}

void stop_if_interrupted() {
  if (is_interrupted != 0) throw Failure(Status::interrupted, "denoc: interrupted; nothing is written");
}

}  // namespace denoc::app
