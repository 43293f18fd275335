// The tutorials, run as they are printed: blocks named after files are written, lines of shell blocks are run.
#include <algorithm>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Block {
  std::string language, file, text;  // file: named in backquotes at the end of the line before, "`robot.yaml`:"
};
std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream in(page);
  std::string before;
  for (std::string line; std::getline(in, line); before = line) {
    if (!line.starts_with("```")) continue;
    Block& block = blocks.emplace_back();
    block.language = line.substr(3);
    if (before.ends_with("`:")) {
      const std::size_t from = before.rfind('`', before.size() - 3);
      block.file = before.substr(from + 1, before.size() - from - 3);
    }
    while (std::getline(in, line) && line != "```") block.text += line + "\n";
  }
  return blocks;
}

class Tutorial : public testing::TestWithParam<const char*> {
 protected:
  Folder folder;
};

TEST_P(Tutorial, RunsAsPrinted) {
  const auto blocks = blocks_of(std::string(DENOC_SOURCE "/docs/tutorials/") + GetParam() + ".md");
  int lines = 0;
  for (const Block& block : blocks)
    if (!block.file.empty()) folder.write(block.file, block.text);
  for (const Block& block : blocks) {
    if (block.language != "sh") continue;
    std::istringstream text(block.text);
    for (std::string line; std::getline(text, line); ++lines) {
      ASSERT_TRUE(line.starts_with("denoc ")) << line;
      const std::string there = "cd '" + folder.path("") + "' && '" DENOC_BINARY "'" + line.substr(5) + " > said 2>&1";
      EXPECT_EQ(std::system(there.c_str()), 0) << line << "\n" << content_of(folder.path("said"));
    }
  }
  EXPECT_GT(lines, 1);
}
INSTANTIATE_TEST_SUITE_P(Each, Tutorial, testing::Values("dh", "urdf", "fourbar", "cart_pole"));

std::vector<std::string> last_row(const std::string& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) last = line;
  std::vector<std::string> entries;
  std::istringstream text(last);
  for (std::string entry; std::getline(text, entry, ',');) entries.push_back(entry);
  return entries;
}

// Both laws of the tutorial hold the pole.
TEST(Tutorial, BalancesThePole) {
  Folder folder;
  for (const Block& block : blocks_of(DENOC_SOURCE "/docs/tutorials/cart_pole.md"))
    if (!block.file.empty()) folder.write(block.file, block.text);
  for (const char* name : {"balance", "own"}) {
    const std::string out = folder.path(std::string("out_") + name);
    const Outcome outcome = run({"simulate", folder.path(std::string(name) + ".yaml"), "-o", out});
    ASSERT_EQ(outcome.status, 0) << outcome;
    EXPECT_LT(std::abs(std::stod(last_row(out + "/trajectory.csv").at(2))), 0.01) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
