// docs/printed.md and tests/data/printed_more.md, run again: every `$ line` says what the page shows. Where the program is to
// say something else, scripts/printed writes them anew (DENOC_PRINTED=FOLDER: there goes what is said now), to be read and
// committed.
#include <regex>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What a line of the shell says, on both of its outputs, and its status where that is not 0.
std::string said_by(const std::string& command, const Folder& folder) {
  const std::string script = folder.write("line.sh", "{ " + command +
                                                         "\n} 2>&1\nstatus=$?\n"
                                                         "[ $status = 0 ] || echo \"(status $status)\"\n");
  const std::string log = folder.path("log");
  fs::create_directories(folder.path("here"));
  const std::string shell =
      "cd '" + folder.path("here") + "' && PATH='" + fs::path(DENOC_BINARY).parent_path().string() +
      "':\"$PATH\" DENOC_ISA=baseline COLUMNS=100 LC_ALL=C DENOC_MODELS=" DENOC_MODELS_DIR " sh '" + script + "' >'" +
      log + "' </dev/null";
  EXPECT_EQ(std::system(shell.c_str()), 0) << command;
  std::string said = content_of(log);
  const std::string place = DENOC_MODELS_DIR "/";
  for (std::size_t at = said.find(place); at != std::string::npos; at = said.find(place)) said.erase(at, place.size());
  return said;
}

std::vector<double> numbers_of(const std::string& line) {
  static const std::regex number(R"([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)");
  std::vector<double> found;
  for (std::sregex_iterator at(line.begin(), line.end(), number), end; at != end; ++at)
    found.push_back(std::strtod(at->str().c_str(), nullptr));
  return found;
}
// The same letters at the same places, and numbers to the third digit. Another compiler rounds otherwise, which may make a
// number longer: there only the words count.
#ifdef __clang__
std::string layout(const std::string& line) {
  static const std::regex number(R"( *[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)");
  return std::regex_replace(line, number, " 0");
}
#else
std::string layout(std::string line) {
  for (char& c : line)
    if (c >= '0' && c <= '9') c = '0';
  return line;
}
#endif
bool is_same(const std::string& line, const std::string& shown) {
  if (layout(line) != layout(shown)) return false;
  const std::vector<double> a = numbers_of(line), b = numbers_of(shown);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 1e-3 * std::max(std::abs(a[i]), std::abs(b[i])) + 1e-12) return false;
  return a.size() == b.size();
}

// One section of the page: its command lines, each followed by what it says, in a folder of their own.
struct Section {
  std::string page;
  std::string title;
  std::vector<std::string> lines;
};
void PrintTo(const Section& section, std::ostream* to) { *to << section.title; }
std::vector<Section> sections(const std::string& page) {
  std::vector<Section> found = {{page, "", {}}};
  for (const std::string& line : lines_of(content_of(DENOC_SOURCE "/" + page))) {
    if (line.starts_with("## ")) found.push_back({page, line.substr(3), {}});
    found.back().lines.push_back(line);
  }
  return found;
}
// The section as it reads now.
std::vector<std::string> run_again(const Section& section) {
  const Folder folder;
  std::vector<std::string> now;
  bool is_console = false;
  for (std::size_t i = 0; i < section.lines.size(); ++i) {
    const std::string& line = section.lines[i];
    if (line.starts_with("```")) is_console = line == "```console";
    if (is_console && !line.starts_with("```") && !line.starts_with("$ ")) continue;  // what was said before
    now.push_back(line);
    if (!line.starts_with("$ ") || !is_console) continue;
    std::string command = line.substr(2);
    while (command.find("<<'END'") != std::string::npos && now.back() != "END") {
      now.push_back(section.lines[++i]);
      command += "\n" + now.back();
    }
    for (const std::string& said : lines_of(said_by(command, folder))) now.push_back(said);
  }
  return now;
}

class Printed : public testing::TestWithParam<Section> {};
TEST_P(Printed, IsWhatTheProgramSays) {
  const Section& section = GetParam();
  const std::vector<std::string> now = run_again(section);
  if (const char* const anew = std::getenv("DENOC_PRINTED")) {
    std::ofstream to(fs::path(anew) / fs::path(section.page).filename(), std::ios::app);
    for (const std::string& line : now) to << line << "\n";
  }
  for (std::size_t i = 0; i < std::min(now.size(), section.lines.size()); ++i)
    ASSERT_TRUE(is_same(now[i], section.lines[i])) << now[i] << "\ninstead of\n" << section.lines[i];
  EXPECT_EQ(now.size(), section.lines.size());
}
std::string called(const testing::TestParamInfo<Section>& info) {
  std::string name;
  for (const char c : info.param.title)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name.empty() ? "Begin" : name;
}
INSTANTIATE_TEST_SUITE_P(Page, Printed, testing::ValuesIn(sections("docs/printed.md")), called);
INSTANTIATE_TEST_SUITE_P(More, Printed, testing::ValuesIn(sections("tests/data/printed_more.md")), called);

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
