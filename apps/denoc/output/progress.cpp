#include "output/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "denoc/io/draft.hpp"

namespace denoc::app {
namespace {

constexpr int bar_width = 30;
constexpr std::chrono::milliseconds between{100};

void show_line(const std::string& line) {
  static_cast<void>(io::write_all(STDERR_FILENO, "\r\x1b[K" + line));  // decoration: nothing is lost without it
}

std::string duration(double seconds) {
  const auto s = std::lround(seconds);
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02} min", s / 60, s % 60);
}

}  // namespace

Progress::Progress() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}
Progress::~Progress() {
  if (is_drawn_) show_line("");
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool Progress::is_due() {
  if (!is_terminal_) return false;
  const auto now = Clock::now();
  if (now - drawn_ < between) return false;
  drawn_ = now;
  return is_drawn_ = true;
}

void Progress::draw(std::optional<double> part, const std::string& text) {
  if (!part || !(*part > 0)) return show_line(text);
  const int full = static_cast<int>(*part * bar_width);
  show_line(fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {}, {} left", "", full, "", bar_width - full, 100 * *part, text,
                        duration(seconds() * (1 - *part) / *part)));
}

}  // namespace denoc::app
