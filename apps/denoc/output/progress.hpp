// How far a long command has come, on a terminal.
#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace denoc::app {

// One line on standard error, drawn anew a few times a second and wiped at the end; nothing unless that is a terminal.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // The part of all that is done (0 to 1), if it is known, and text(seconds since the start): what to say of it.
  template <class Text> void show(std::optional<double> part, const Text& text) {
    if (is_due()) draw(part, text(seconds()));
  }
  double seconds() const;  // since the start

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  void draw(std::optional<double> part, const std::string& text);

  bool is_terminal_, is_drawn_ = false;
  Clock::time_point start_ = Clock::now(), drawn_ = start_;
};

}  // namespace denoc::app
