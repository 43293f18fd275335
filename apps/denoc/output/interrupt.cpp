#include "output/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "session.hpp"

namespace denoc::app {
namespace {

volatile std::sig_atomic_t is_interrupted = 0;

}  // namespace

void catch_interrupts() {
  struct sigaction action = {}, wake = {};
  action.sa_handler = [](int) {
    is_interrupted = 1;
    ::alarm(1);  // who begins to wait for input just now is woken, too
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  wake.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &wake, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // under nohup SIGHUP means nothing
  }
}

void stop_if_interrupted() {
  if (is_interrupted != 0) throw Failure(Status::interrupted, "denoc: interrupted; nothing is written");
}

}  // namespace denoc::app
