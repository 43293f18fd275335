// How far a long command has come, on a terminal.
#pragma once
#include <chrono>
#include <optional>

namespace denoc::app {

// One line on standard error, drawn anew a few times a second and wiped at the end; nothing unless that is a terminal.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // Rows so far, and the part of all that they are (0 to 1), if it is known.
  void show(std::size_t rows, std::optional<double> part);

 private:
  using Clock = std::chrono::steady_clock;
  bool is_terminal_, is_drawn_ = false;
  Clock::time_point start_ = Clock::now(), drawn_ = start_;
};

}  // namespace denoc::app
