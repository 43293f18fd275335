// A terminal nobody sits at, and what is written to it.
#pragma once
#include <poll.h>
#include <stdlib.h>

#include "run.hpp"

namespace denoc::test {

class Terminal {
 public:
  Terminal() : there_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (there_ < 0 || ::grantpt(there_) != 0 || ::unlockpt(there_) != 0) throw std::runtime_error("no terminal");
    name_ = ::ptsname(there_);
    here_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // so that it lasts when the program has ended
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    ::close(here_);
    ::close(there_);
  }
  const std::string& name() const { return name_; }
  // What is written until nothing comes for so long.
  std::string text(int milliseconds = 200) const {
    std::string all;
    char some[4096];
    for (pollfd ready{there_, POLLIN, 0}; ::poll(&ready, 1, milliseconds) == 1;) {
      const ssize_t n = ::read(there_, some, sizeof some);
      if (n <= 0) break;
      all.append(some, static_cast<std::size_t>(n));
    }
    return all;
  }

 private:
  int there_, here_ = -1;
  std::string name_;
};

}  // namespace denoc::test
