// The pictures of the documents are those that the program draws (`make gallery` draws them anew).
#include <regex>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const fs::path docs = DENOC_SOURCE "/docs", scenarios = DENOC_SOURCE "/examples/scenarios";

struct Drawing {
  std::string words;  // all but its numbers
  std::vector<double> numbers;
};
Drawing drawing_of(const std::string& svg) {
  static const std::regex number(R"(-?\d+(\.\d+)?)");
  Drawing found;
  std::sregex_iterator at(svg.begin(), svg.end(), number);
  std::string::const_iterator rest = svg.begin();
  for (const std::sregex_iterator end; at != end; ++at) {
    found.words.append(rest, (*at)[0].first).append("#");
    found.numbers.push_back(std::strtod(at->str().c_str(), nullptr));
    rest = (*at)[0].second;
  }
  found.words.append(rest, svg.end());
  return found;
}
// The same lines and words, and every coordinate within a tenth of a pixel.
void expect_same(const fs::path& shown, const fs::path& drawn) {
  const Drawing a = drawing_of(content_of(shown)), b = drawing_of(content_of(drawn));
  ASSERT_FALSE(a.numbers.empty()) << shown;
  ASSERT_TRUE(a.words == b.words) << shown << ": other lines or words";
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    ASSERT_LE(std::abs(a.numbers[i] - b.numbers[i]), 0.1) << shown << ", number " << i;
}

// What a run of the scenario draws, in the folder.
void draw(const fs::path& scenario, const Folder& folder) {
  const Outcome outcome =
      run({"simulate", scenario.string(), "-o", folder.path("run"), "--plot"}, {.variables = {"DENOC_ISA=baseline"}});
  ASSERT_EQ(outcome.status, 0) << outcome;
}

std::vector<std::string> stems(const fs::path& place) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(place)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}
const auto called = [](const auto& given) { return given.param; };

class GalleryPicture : public testing::TestWithParam<std::string> {};
TEST_P(GalleryPicture, IsDrawnByItsScenario) {
  const Folder folder;
  draw(scenarios / "gallery" / (GetParam() + ".yaml"), folder);
  expect_same(docs / "gallery" / (GetParam() + ".svg"), folder.path("run/robot.svg"));
}
INSTANTIATE_TEST_SUITE_P(Documents, GalleryPicture, testing::ValuesIn(stems(docs / "gallery")), called);

class Figures : public testing::TestWithParam<std::string> {};
TEST_P(Figures, AreDrawnByTheirScenario) {
  const Folder folder;
  draw(scenarios / (GetParam() + ".yaml"), folder);
  const fs::path shown = docs / "figures" / GetParam();
  for (const std::string& name : stems(shown))
    expect_same(shown / (name + ".svg"), folder.path("run/" + name + ".svg"));
}
INSTANTIATE_TEST_SUITE_P(Documents, Figures, testing::ValuesIn(stems(docs / "figures")), called);

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
