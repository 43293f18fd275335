// The command lines of the README, one after the other, in an empty folder.
#include "cli/run.hpp"

namespace denoc::test {
namespace {

std::string shell_block(const std::string& heading) {
  const std::string text = content_of(DENOC_SOURCE "/README.md");
  const std::size_t section = text.find("## " + heading), begin = text.find("```sh\n", section) + 6;
  EXPECT_NE(section, std::string::npos) << heading;
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(Readme, CommandLinesWorkAsPrinted) {
  const Folder folder;
  const std::string block = shell_block("The command line");
  ASSERT_NE(block.find("denoc state puma560"), std::string::npos) << block;
  // The binary as the README calls it, and what the shell says before it fails.
  const std::string script = folder.write("lines.sh", block), log = folder.path("log");
  fs::create_directory(folder.path("empty"));
  const std::string command =
      "cd '" + folder.path("empty") + "' && PATH='" + fs::path(DENOC_BINARY).parent_path().string() +
      "':\"$PATH\" DENOC_MODELS=" DENOC_MODELS_DIR " sh -eux '" + script + "' >'" + log + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << content_of(log);
  for (const char* file : {"results/report.html", "results/trajectory.csv", "tau.csv", "pages/saha97.md"})
    EXPECT_TRUE(fs::exists(folder.path("empty/") + file)) << file;
}

}  // namespace
}  // namespace denoc::test
