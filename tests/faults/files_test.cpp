// What commands leave on the disk when they are killed at, or refused, any call that changes a file (failing_calls.cpp):
// the old results or the new ones, or a manifest that says that a run was replacing them.
#include <map>
#include <set>

#include "cli/manifest.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Files = std::map<std::string, std::string>;  // content by name

bool is_draft(const std::string& name) { return name.ends_with(".denoc.part"); }

Files files_in(const std::string& folder) {
  Files files;
  for (const std::string& name : names_in(folder)) files[name] = content_of(folder + "/" + name);
  return files;
}
Files without_drafts(Files files) {
  std::erase_if(files, [](const auto& file) { return is_draft(file.first); });
  return files;
}

// A command that writes to the folder `out`, and one whose results it replaces. A set of files has a manifest.
struct Writing {
  const char* name;
  Arguments words, earlier;
  const char* manifest = "";
  bool is_slow = false;
};
std::ostream& operator<<(std::ostream& to, const Writing& writing) { return to << writing.name; }

struct Fault {
  const char* kind;
  int at;
};

// A call as failing_calls.cpp has noted it.
struct Call {
  std::string name, line;
};

struct FaultyFiles : testing::TestWithParam<Writing> {
  Folder folder;
  const std::string out = folder.path("out"), before = folder.path("before"), calls = folder.path("calls");
  Files old_files, new_files;

  FaultyFiles() {
    folder.write("crane.yaml", two_joints);
    folder.write("few.yaml", "robot: crane.yaml\nduration: 1\nstart: {v: [1, 0]}\noutput: {every: 0.1}\n");
    folder.write("many.yaml",
                 "robot: crane.yaml\nduration: 0.5\ncontrol: {type: torques, tau: [1, 2]}\n"
                 "output: {every: 0.1, npz: true}\n");
    std::ofstream rows(folder.path("rows.csv"));  // their results are more than one piece
    for (int i = 0; i < 4000; ++i) rows << fmt::format("{0},0.1,{0},0.2,{0},2\n", 1e-4 * i);
  }

  Outcome run_here(Arguments words, Arguments variables = {}) const {
    for (std::string& word : words) {
      if (const auto at = word.find("HERE"); at != std::string::npos) word.replace(at, 4, folder.path(""));
    }
    variables.push_back("DENOC_SCENARIOS=" DENOC_MODELS_DIR "/../examples/scenarios");
    return run(words, {.variables = variables});
  }
  Outcome write(const Arguments& variables = {}) const { return run_here(GetParam().words, variables); }
  Outcome write_with(const Fault& fault) const {
    fs::remove(calls);
    return write({"LD_PRELOAD=" DENOC_FAILING_CALLS, "ASAN_OPTIONS=verify_asan_link_order=0",
                  fmt::format("FAULT={}", fault.kind), fmt::format("FAULT_AT={}", fault.at), "CALLS=" + calls});
  }
  // The call that went wrong.
  std::optional<Call> failed() const {
    std::ifstream lines(calls);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with(" !")) return Call{line.substr(0, line.find(' ')), line};
    }
    return {};
  }

  void put_back() const {
    fs::remove_all(out);
    if (fs::exists(before)) fs::copy(before, out);
  }
  // Nothing there yet, or the results of another run beside a file of somebody else.
  static std::vector<bool> beginnings() {
    return GetParam().is_slow ? std::vector<bool>{true} : std::vector<bool>{false, true};
  }
  void begin(bool has_old) {
    fs::remove_all(before);
    fs::remove_all(out);
    fs::create_directories(out);
    if (has_old) {
      ASSERT_EQ(run_here(GetParam().earlier).status, 0);
      for (const std::string& name : names_in(out)) {
        if (name != GetParam().manifest) std::ofstream(out + "/" + name, std::ios::app) << "\nold";
      }
      std::ofstream(out + "/notes.txt") << "mine";
    }
    if (has_old || *GetParam().manifest == '\0') fs::rename(out, before);
    old_files = files_in(before);
    put_back();
    const Outcome outcome = write();
    ASSERT_EQ(outcome.status, 0) << outcome;
    new_files = files_in(out);
    ASSERT_NE(new_files, old_files);
    ASSERT_EQ(new_files, without_drafts(new_files));
  }

  // All of one run, or a manifest that says that they are not.
  void expect_old_or_new(const Files& found, const std::string& when) const {
    for (const auto& [name, content] : found) {
      if (name == GetParam().manifest) continue;
      const bool is_old = old_files.contains(name) && old_files.at(name) == content;
      const bool is_new = new_files.contains(name) && new_files.at(name) == content;
      EXPECT_TRUE(is_old || is_new) << name << when;
    }
    if (found == old_files || found == new_files) return;
    const auto manifest = found.find(GetParam().manifest);
    ASSERT_NE(manifest, found.end()) << "a mixture that nothing tells" << when;
    EXPECT_NE(manifest->second.find("\"complete\": false"), std::string::npos) << manifest->second << when;
  }

  // check(outcome, the call, when) for every call that can go wrong so. How many there are.
  template <class Check> int for_every_call(const char* kind, const Check& check) {
    for (int at = 1;; ++at) {
      put_back();
      const Outcome outcome = write_with({kind, at});
      const auto call = failed();
      if (!call) {
        EXPECT_EQ(outcome.status, 0) << outcome;
        EXPECT_EQ(files_in(out), new_files) << kind;
        return at - 1;
      }
      const std::string when = fmt::format("\n{} at {}: {}\n", kind, at, call->line);
      check(outcome, *call, when);
      if (HasFatalFailure()) return at;
    }
  }
};

// What a run that was killed leaves beside its results are drafts; the next run takes them over or removes them.
TEST_P(FaultyFiles, AKillAtAnyCallLeavesOldOrNew) {
  for (const bool has_old : beginnings()) {
    begin(has_old);
    ASSERT_FALSE(HasFatalFailure());
    const int kills = for_every_call("kill", [&](const Outcome& outcome, const Call&, const std::string& when) {
      ASSERT_EQ(outcome.status, -1) << when << outcome;
      expect_old_or_new(without_drafts(files_in(out)), when);
      if (GetParam().is_slow) return;  // a set of files, as that of simulate
      const Outcome next = write();
      ASSERT_EQ(next.status, 0) << when << next;
      EXPECT_EQ(files_in(out), new_files) << when;
    });
    EXPECT_GE(kills, 6);
  }
}

// Calls after which nothing can be lost: the permissions of another file system, what is on the disk already, a folder
// that is not empty.
const std::set<std::string> without_consequence = {"close", "fchmod", "fchown", "rmdir"};

TEST_P(FaultyFiles, ACallThatFailsIsToldAndLeavesNoDrafts) {
  for (const bool has_old : beginnings()) {
    const char* const kind = has_old ? "EIO" : "ENOSPC";
    begin(has_old);
    ASSERT_FALSE(HasFatalFailure());
    int told = 0;
    for_every_call(kind, [&](const Outcome& outcome, const Call& call, const std::string& when) {
      Files found = files_in(out);
      // A draft that the disk does not let go of stays until the next run.
      if (call.name == "unlink") found = without_drafts(found);
      EXPECT_EQ(found, without_drafts(found)) << when;
      expect_old_or_new(found, when);
      if (outcome.status == 0 && without_consequence.contains(call.name)) {
        EXPECT_EQ(found, new_files) << when;
        return;
      }
      ++told;
      EXPECT_EQ(outcome.status, 5) << when << outcome;
      const std::string line = outcome.first_line();
      EXPECT_NE(line.find("cannot be written: "), std::string::npos) << when << outcome;
      EXPECT_TRUE(line.find(out) != std::string::npos || call.line.find(out) == std::string::npos) << when << outcome;
    });
    EXPECT_GE(told, 4);
  }
}

TEST_P(FaultyFiles, AnInterruptedCallIsMadeAgain) {
  for (const bool has_old : beginnings()) {
    begin(has_old);
    ASSERT_FALSE(HasFatalFailure());
    for (const char* kind : {"EINTR", "short"}) {
      const int calls_of_it = for_every_call(kind, [&](const Outcome& outcome, const Call&, const std::string& when) {
        EXPECT_EQ(outcome.status, 0) << when << outcome;
        EXPECT_EQ(files_in(out), new_files) << when;
      });
      EXPECT_GE(calls_of_it, 1) << kind;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FaultyFiles,
                         testing::Values(Writing{"simulate",
                                                 {"simulate", "HEREmany.yaml", "--out", "HEREout"},
                                                 {"simulate", "HEREfew.yaml", "--out", "HEREout", "--plot"},
                                                 "manifest.json"},
                                         Writing{"batch",
                                                 {"id", "HEREcrane.yaml", "--batch", "HERErows.csv", "-o",
                                                  "HEREout/tau.csv"},
                                                 {"state", "HEREcrane.yaml", "-o", "HEREout/tau.csv"}},
                                         Writing{"convert",
                                                 {"convert", "HEREcrane.yaml", "HEREout/crane.urdf"},
                                                 {"state", "HEREcrane.yaml", "-o", "HEREout/crane.urdf"}},
                                         Writing{"reproduce",
                                                 {"reproduce", "saha97", "--out", "HEREout"},
                                                 {"reproduce", "saha97", "--out", "HEREout"},
                                                 "saha97.manifest.json",
                                                 true}),
                         [](const auto& writing) { return writing.param.name; });

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
