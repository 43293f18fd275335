// The command lines of the README, one after the other, in an empty folder.
#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::string shell_block(const std::string& heading) {
  const std::string text = content_of(DENOC_SOURCE "/README.md");
  const std::size_t section = text.find("## " + heading), begin = text.find("```sh\n", section) + 6;
  EXPECT_NE(section, std::string::npos) << heading;
  return text.substr(begin, text.find("```", begin) - begin);
}

// The lines of a section; `made`: files that they leave.
void expect_lines_to_work(const std::string& section, const std::string& first, const std::vector<std::string>& made) {
  const Folder folder;
  const std::string block = shell_block(section);
  ASSERT_NE(block.find(first), std::string::npos) << block;
  // The binary as the README calls it, and what the shell says before it fails.
  const std::string script = folder.write("lines.sh", block), log = folder.path("log");
  fs::create_directory(folder.path("empty"));
  const std::string command =
      "cd '" + folder.path("empty") + "' && PATH='" + fs::path(DENOC_BINARY).parent_path().string() +
      "':\"$PATH\" DENOC_MODELS=" DENOC_MODELS_DIR " sh -eux '" + script + "' >'" + log + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << content_of(log);
  for (const std::string& file : made) EXPECT_TRUE(fs::exists(folder.path("empty/") + file)) << file;
}

TEST(Readme, CommandLinesWorkAsPrinted) {
  expect_lines_to_work("The command line", "denoc state puma560",
                       {"results/report.html", "results/trajectory.csv", "tau.csv", "pages/saha97.md"});
}

TEST(Readme, TasksWorkAsPrinted) {
  expect_lines_to_work("Six tasks", "denoc simulate follow.yaml",
                       {"scara.csv", "scara.torques.svg", "scara.forces.svg", "follow/report.html", "curve/points.csv",
                        "curve/robot.svg", "hold/angles.svg", "balance/report.html", "floating.csv"});
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
