// The command line without memory (failing_memory.cpp): a line and a status wherever it ends, and nothing half-written.
#include "cli/manifest.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

#ifdef __SANITIZE_ADDRESS__
constexpr bool has_memory_of_its_own = true;  // the sanitizer's
#else
constexpr bool has_memory_of_its_own = false;
#endif

struct FaultyMemory : testing::TestWithParam<const char*> {
  Folder folder;
  const std::string out = folder.path("out"), count = folder.path("count");

  FaultyMemory() {
    folder.write("crane.yaml", two_joints);
    folder.write("state.json", two_joints_state);
    folder.write("rows.csv", "0,0,0,0,1,2\n0,1,0,0,1,2\n");
    folder.write("run.yaml", "robot: crane.yaml\nduration: 0.2\noutput: {every: 0.1, npz: true}\n");
  }
  Arguments words() const {
    const std::string command = GetParam(), robot = folder.path("crane.yaml");
    if (command == "id") return {command, robot, "--state", folder.path("state.json"), "-o", out + "/tau.txt"};
    if (command == "batch") return {"id", robot, "--batch", folder.path("rows.csv"), "-o", out + "/tau.npy"};
    if (command == "convert") return {command, robot, out + "/crane.urdf"};
    return {command, folder.path("run.yaml"), "--out", out, "--plot"};
  }
  Outcome run_with(Arguments variables) const {
    fs::remove_all(out);
    if (std::string(GetParam()) != "simulate") fs::create_directory(out);
    variables.push_back("LD_PRELOAD=" DENOC_FAILING_MEMORY);
    variables.push_back("REQUESTS=" + count);
    return run(words(), {.variables = variables});
  }
  std::vector<std::string> written() const {
    std::vector<std::string> all;
    for (const std::string& name : names_in(out)) all.push_back(name + content_of(out + "/" + name));
    return all;
  }
};

TEST_P(FaultyMemory, IsToldAndLeavesNothing) {
  if (has_memory_of_its_own) GTEST_SKIP();
  ASSERT_EQ(run_with({}).status, 0);
  const long requests = std::stol(content_of(count));
  EXPECT_GT(requests, 1000);
  const auto results = written();
  int refusals = 0;
  for (long at = 1, turn = 0; at <= requests; at += at < 20 ? 1 : 37, ++turn) {
    // One request is refused, or this and all later ones.
    const long to = turn % 2 == 0 ? at : 1'000'000'000;
    const Outcome outcome = run_with({fmt::format("MEMORY_AT={}", at), fmt::format("MEMORY_TO={}", to)});
    const std::string when = fmt::format("requests {} to {}\n", at, to);
    if (outcome.status == 0) {  // it could do without
      EXPECT_EQ(written(), results) << when;
      continue;
    }
    ++refusals;
    EXPECT_EQ(outcome.status, 4) << when << outcome;
    EXPECT_EQ(outcome.err, "denoc: out of memory\n") << when;
    const auto left = written();
    EXPECT_TRUE(left.empty() || left == results) << when << left[0].substr(0, 100);
  }
  EXPECT_GT(refusals, 100);
}
INSTANTIATE_TEST_SUITE_P(Of, FaultyMemory, testing::Values("id", "batch", "convert", "simulate"),
                         [](const auto& command) { return std::string(command.param); });

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
