// denoc reproduce from outside: pages and figures appear, and say what the documents and we have.
#include "manifest.hpp"

namespace denoc::test {
namespace {

const Surroundings around{.variables = {"DENOC_SCENARIOS=" DENOC_MODELS_DIR "/../examples/scenarios"}};

struct Reproduce : testing::Test {
  Folder folder;
  std::string page(const std::string& key, const Arguments& words) {
    const Outcome outcome = run({"reproduce", key, "--out", folder.path("pages")}, around);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find(key + ".md"), std::string::npos) << outcome;
    const std::string text = content_of(folder.path("pages/" + key + ".md"));
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    expect_figures(text);
    EXPECT_TRUE(is_complete(folder.path("pages"), key + ".manifest.json"));
    return text;
  }
  // Every figure that the page shows is there and has curves.
  void expect_figures(const std::string& text) {
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string file = text.substr(at + 2, text.find(')', at) - at - 2);
      const std::string svg = content_of(folder.path("pages/" + file));
      EXPECT_NE(svg.find("<svg"), std::string::npos) << file;
      EXPECT_NE(svg.find("<path"), std::string::npos) << file;
    }
  }
};

TEST_F(Reproduce, Saha97) { page("saha97", {"201n-335 M, 193n-361 A", "3.12176", "0.35624"}); }
// The averages of the paper, the straight line's true speed, and single precision about joints (below 1e-3).
TEST_F(Reproduce, Mata02) { page("mata02", {"0.275063", "0.0657", "96n-101 M, 84n-100 A", "about mass centres"}); }
// Condition at its ends; D_3; the interval in which the misprinted C5 makes the inertia matrix indefinite.
TEST_F(Reproduce, Mohan07) {
  page("mohan07", {"4892.467", "11350.182", "0.00116893", "4.52 to 5.45", "composite-cholesky", "float"});
}
TEST_F(Reproduce, Shah13) { page("shah13", {"135n-116 M, 131n-123 A", "3.44", "0.29"}); }
// Least times, where the pendulum sticks, the lowest published count; the inward recursion takes the 55 M a link of
// Table 7.2; every exercise is there.
TEST_F(Reproduce, Angeles7) {
  const std::string text =
      page("angeles7", {"1.029646", "1.885627", "0.095035616", "459 M, 390 A", "55n-22 M, 44n-14 A", "55n-62 M"});
  for (int exercise = 1; exercise <= 15; ++exercise) {
    const std::string number = "7." + std::to_string(exercise);
    const bool is_there = text.find("## Exercise " + number + ":") != std::string::npos ||
                          text.find("and " + number + ":") != std::string::npos ||
                          text.find("Exercises " + number) != std::string::npos ||
                          text.find(", " + number + ":") != std::string::npos ||
                          text.find(", " + number + ", ") != std::string::npos;
    EXPECT_TRUE(is_there) << number;
  }
}

// Pages of others stay; its own, and what a document no longer has, go.
TEST_F(Reproduce, ReplacesItsOwnPagesOnly) {
  const std::string pages = folder.path("pages");
  const auto saha97 = [&] { return run({"reproduce", "saha97", "--out", pages}, around); };
  fs::create_directory(pages);
  std::ofstream(pages + "/saha97.md") << "mine";
  std::ofstream(pages + "/shah13.md") << "mine";
  const Outcome refused = saha97();
  EXPECT_EQ(refused.status, 5) << refused;
  EXPECT_NE(refused.first_line().find(pages + "/saha97.md"), std::string::npos) << refused;
  EXPECT_EQ(content_of(pages + "/saha97.md"), "mine");
  fs::remove(pages + "/saha97.md");
  std::ofstream(pages + "/saha97.manifest.json")
      << R"({"denoc": "0", "complete": false, "files": [{"name": "saha97-old.svg"}]})";
  std::ofstream(pages + "/saha97-old.svg") << "ours";
  for (int turn = 0; turn < 2; ++turn) {
    const Outcome outcome = saha97();
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(is_complete(pages, "saha97.manifest.json"));
    EXPECT_FALSE(fs::exists(pages + "/saha97-old.svg"));
    EXPECT_EQ(content_of(pages + "/shah13.md"), "mine");
  }
}

TEST_F(Reproduce, RefusesWhatItDoesNotKnow) {
  const Outcome unknown = run({"reproduce", "mohan7", "--out", folder.path("pages")}, around);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("mohan07"), std::string::npos) << unknown;
  EXPECT_FALSE(fs::exists(folder.path("pages")));
  const Outcome file = run({"reproduce", "saha97", "--out", folder.write("file", "")}, around);
  EXPECT_EQ(file.status, 5) << file;
}

}  // namespace
}  // namespace denoc::test
