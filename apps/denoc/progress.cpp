#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "denoc/io/draft.hpp"

namespace denoc::app {
namespace {

constexpr int width = 30;
constexpr std::chrono::milliseconds between{100};

void draw(const std::string& line) {
  static_cast<void>(io::write_all(STDERR_FILENO, "\r\x1b[K" + line));  // decoration: nothing is lost without it
}

std::string duration(double seconds) {
  const auto s = std::lround(seconds);
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02} min", s / 60, s % 60);
}

}  // namespace

Progress::Progress() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}
Progress::~Progress() {
  if (is_drawn_) draw("");
}

void Progress::show(std::size_t rows, std::optional<double> part) {
  const auto now = Clock::now();
  if (!is_terminal_ || now - drawn_ < between) return;
  drawn_ = now;
  is_drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("{} rows, {:.0f} a second", rows, static_cast<double>(rows) / elapsed);
  if (part && *part > 0) {
    const int full = static_cast<int>(*part * width);
    line = fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {}, {} left", "", full, "", width - full, 100 * *part, line,
                       duration(elapsed * (1 - *part) / *part));
  }
  draw(line);
}

}  // namespace denoc::app
