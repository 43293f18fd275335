// DENOC_ISA: what the recursions run on, and results that are the same on every processor.
#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const Surroundings on_baseline{.variables = {"DENOC_ISA=baseline"}};

// Everything that is dispatched, at a state that moves.
std::string all_numbers(const std::string& robot, const std::string& state, const Surroundings& around) {
  std::string text;
  for (const Arguments& words :
       {Arguments{"id", robot, "--state", state, "--json"}, Arguments{"fd", robot, "--state", state, "--json"},
        Arguments{"inertia", robot, "--state", state, "--json"}}) {
    const Outcome outcome = run(words, around);
    EXPECT_EQ(outcome.status, 0) << outcome;
    text += outcome.out;
  }
  return text;
}
const char* const puma_state =
    R"({"q": [0.3, -1.1, 0.7, 2.2, 0.9, -0.4], "v": [1, -2, 0.5, 3, -1, 2], "a": [2, 1, -3, 0.4, 5, -6], "tau": [9, -8, 7, 1, 2, 3]})";

struct InstructionSetsOn : testing::TestWithParam<const char*> {};
TEST_P(InstructionSetsOn, AnotherProcessorBaselineHasTheSameBits) {
  if (!fs::exists(DENOC_QEMU)) GTEST_SKIP() << "qemu-x86_64 (qemu-user) is not there";
  const Folder folder;
  const std::string state = folder.write("state.json", puma_state);
  Surroundings elsewhere = on_baseline;
  elsewhere.under = {DENOC_QEMU, "-cpu", GetParam()};
  EXPECT_EQ(all_numbers("puma560", state, elsewhere), all_numbers("puma560", state, on_baseline));
}
INSTANTIATE_TEST_SUITE_P(Older, InstructionSetsOn, testing::Values("Haswell", "Nehalem"),
                         [](const auto& processor) { return processor.param; });

TEST(InstructionSets, AreRefusedByName) {
  const Folder folder;
  const std::string state = folder.write("state.json", puma_state);
  const Outcome unknown = run({"id", "puma560", "--state", state}, {.variables = {"DENOC_ISA=avx1024"}});
  EXPECT_EQ(unknown.status, 2) << unknown;
  EXPECT_EQ(unknown.out, "");
  EXPECT_NE(unknown.first_line().find("DENOC_ISA=avx1024"), std::string::npos) << unknown;
  EXPECT_NE(unknown.first_line().find("baseline"), std::string::npos) << unknown;
  // Said but empty is as if it were not said.
  EXPECT_EQ(run({"id", "puma560", "--state", state}, {.variables = {"DENOC_ISA="}}).out,
            run({"id", "puma560", "--state", state}).out);
  if (!fs::exists(DENOC_QEMU)) return;
  const Outcome missing = run({"id", "puma560", "--state", state},
                              {.variables = {"DENOC_ISA=avx2"}, .under = {DENOC_QEMU, "-cpu", "Nehalem"}});
  EXPECT_EQ(missing.status, 2) << missing;
}

// The pages of documents are the same on every processor unless asked for otherwise.
TEST(InstructionSets, ReproduceUsesTheBaseline) {
  const Folder folder;
  const Surroundings plain{.variables = {"DENOC_SCENARIOS=" DENOC_MODELS_DIR "/../examples/scenarios"}};
  Surroundings baseline = plain;
  baseline.variables.emplace_back("DENOC_ISA=baseline");
  ASSERT_EQ(run({"reproduce", "angeles7", "--out", folder.path("plain")}, plain).status, 0);
  ASSERT_EQ(run({"reproduce", "angeles7", "--out", folder.path("baseline")}, baseline).status, 0);
  EXPECT_EQ(content_of(folder.path("plain/angeles7.md")), content_of(folder.path("baseline/angeles7.md")));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
