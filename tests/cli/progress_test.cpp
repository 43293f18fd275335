// What a long run says of itself on a terminal: a line that is drawn anew, and wiped at the end.
#include <fmt/format.h>

#include <regex>

#include "terminal.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// All that a simulation says that is interrupted once it has said what is left.
std::string said_by_run(const std::string& duration) {
  const Folder folder;
  const std::string scenario =
      folder.write("run.yaml", fmt::format("robot: pendulum\nduration: {0}\nstart: {{q: [1]}}\nintegrator: {{method: "
                                           "rk4, step: 1e-3, max_evaluations: 1e15}}\n"
                                           "output: {{every: {0}}}\n",
                                           duration));
  const Terminal terminal;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, terminal.name().c_str(), O_WRONLY | O_NOCTTY, 0);
  const pid_t child = start({DENOC_BINARY, "simulate", scenario, "-o", folder.path("out")},
                            {"DENOC_MODELS=" DENOC_MODELS_DIR}, actions);
  posix_spawn_file_actions_destroy(&actions);
  std::string said;
  int status = 0;
  bool is_told = false;
  for (int wait = 0; ::waitpid(child, &status, WNOHANG) == 0; ++wait) {
    said += terminal.text(5);
    const bool is_enough = said.find(" left") != std::string::npos || wait > 5000;
    if (!is_told && is_enough) is_told = ::kill(child, SIGINT) == 0;
  }
  EXPECT_TRUE(WIFEXITED(status)) << "it ends by itself";
  said += terminal.text(0);
  return said;
}

// What is left is the rest of the run at the speed so far, to the digits that are printed: in seconds below a minute,
// in minutes of sixty seconds above.
TEST(Progress, TellsWhatIsLeftAtThisSpeed) {
  const std::regex line(
      R"(\[([#.]*)\] +(\d+) %  (\S+) of (\S+) s, (\S+) times real time, (?:(\d+) s|(\d+):([0-5]\d) min) left)");
  for (const char* duration : {"2e4", "1e7", "1e9"}) {
    const std::string said = said_by_run(duration);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(said, found, line)) << said;
    const auto number = [&](std::size_t i) { return std::stod(found[i]); };
    const double t = number(3), whole = number(4), speed = number(5), expected = (whole - t) / speed;
    const double left = found[6].matched ? number(6) : 60 * number(7) + number(8);
    EXPECT_NEAR(left, expected, 0.51 + expected / 4) << found[0] << ": the clock is read twice";
    EXPECT_EQ(found[6].matched, left < 60) << found[0];
    EXPECT_EQ(found[1].length(), 30) << found[0];
    const std::string bar = found[1];
    EXPECT_EQ(bar.find_last_of('#') + 1, bar.find_first_not_of('#')) << "what is done comes first";
    EXPECT_NEAR(number(2), 100 * t / whole, 0.6 + t / whole) << found[0];
    EXPECT_TRUE(said.ends_with("\r\x1b[Kdenoc: interrupted; nothing is written\r\n")) << "it is wiped: " << said;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
