// What commands leave on the disk: files of others are let alone, a set of results is whole or says that it is not, and
// whatever ends a command ends it with a status and without remains.
#include <sys/stat.h>

#include <chrono>
#include <set>
#include <sstream>
#include <thread>

#include "manifest.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Signals and other moments of a command that is still at work.
class Running {
 public:
  explicit Running(const Arguments& arguments, const std::vector<int>& ignored = {}) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, folder_.path("err").c_str(), O_WRONLY | O_CREAT, 0600);
    Arguments words = {DENOC_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    child_ = start(words, {"DENOC_MODELS=" DENOC_MODELS_DIR}, actions, ignored);
    posix_spawn_file_actions_destroy(&actions);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (child_ > 0) end(SIGKILL);
  }

  bool is_alive() {
    if (child_ > 0 && waitpid(child_, &status_, WNOHANG) == child_) child_ = 0;
    return child_ > 0;
  }
  // Until it has opened the file.
  void await_open(const std::string& file) {
    for (bool is_open = false; !is_open && is_alive();) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::error_code error;
      for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", child_), error))
        is_open |= fs::read_symlink(entry, error) == file;
    }
    EXPECT_TRUE(is_alive()) << err();
  }
  void tell(int signal) const { kill(child_, signal); }
  // Its exit status, or -signal.
  int end(int signal) {
    if (is_alive()) {
      tell(signal);
      EXPECT_EQ(waitpid(child_, &status_, 0), child_);
      child_ = 0;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  }
  std::string err() const { return content_of(folder_.path("err")); }

 private:
  Folder folder_;
  pid_t child_ = 0;
  int status_ = 0;
};

// An environment in which faults/failing_calls.cpp notes what is done to files.
Arguments watched(const std::string& calls) {
  return {"LD_PRELOAD=" DENOC_FAILING_CALLS, "ASAN_OPTIONS=verify_asan_link_order=0", "CALLS=" + calls};
}

const char* const nothing_written = "denoc: interrupted; nothing is written\n";

struct Results : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), out = folder.path("out");

  std::string scenario(const std::string& name, const std::string& more, const std::string& duration = "1") const {
    return folder.write(name, fmt::format("robot: crane.yaml\nduration: {}\n{}", duration, more));
  }
  std::string file(const std::string& name) const { return out + "/" + name; }
  static void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

  const std::string few = scenario("few.yaml", "start: {v: [1, 0]}\noutput: {every: 0.1}\n");
  const std::string many = scenario(
      "many.yaml", "output: {every: 0.1, reactions: true, npz: true}\ncontrol: {type: torques, tau: [1, 2]}\n");
  const std::string endless = scenario("endless.yaml", "integrator: {method: rk4, step: 1e-4}\n", "1e3");
  const Names few_names = {"final.json", "manifest.json", "power.csv", "trajectory.csv"};
  // of endless, and the one made last
  const Names drafts = {"power.csv.denoc.part", "trajectory.csv.denoc.part"};
  const std::string last_draft = file("power.csv.denoc.part");
  Arguments write_few() const { return {"simulate", few, "--out", out}; }
  Arguments write_many() const { return {"simulate", many, "--out", out, "--plot", "--report"}; }
  Arguments write_endless() const { return {"simulate", endless, "--out", out}; }
};

TEST_F(Results, FilesOfOthersAreLetAlone) {
  ASSERT_EQ(run(write_few()).status, 0);
  const Names others = {"drawing.svg", "events.csv", "reactions.csv", "report.html", "robot.svg", "trajectory.npz"};
  for (const std::string& name : others) write(file(name), name);
  const Outcome outcome = run(write_few());
  EXPECT_EQ(outcome.status, 0) << outcome;
  for (const std::string& name : others) EXPECT_EQ(content_of(file(name)), name);
  EXPECT_EQ(named_in(out), (Names{"final.json", "power.csv", "trajectory.csv"}));
}

// Every file of a run, in the way of a run that would fail at once: status 5, with its name, comes first.
TEST_F(Results, FilesOfOthersInTheWayAreNamedBeforeTheRun) {
  const std::string output = "output: {every: 0.1, reactions: true, npz: true}\n";
  folder.write("crane.yaml", std::string(two_joints) +
                                 "  - {name: ball, joint: {type: spherical}, mass: 1, "
                                 "inertia: [1, 1, 1, 0, 0, 0]}\n");
  folder.write("block.yaml", "bodies: [{name: block, joint: {type: prismatic}, mass: 1, friction: {coulomb: 20}}]");
  struct Case {
    std::string robot, works, fails;
  };
  std::set<std::string> seen;
  for (const Case& c : {Case{"crane.yaml", "tau: [3, 4, 1, 1, 1]", "tau: [1/t, 0, 0, 0, 0]"},
                        Case{"block.yaml", "tau: [\"40*step(t - 0.5)\"]", "tau: [1/t]"}}) {
    const auto command = [&](const std::string& tau, const std::string& to) {
      const std::string text =
          fmt::format("robot: {}\nduration: 1\n{}control: {{type: torques, {}}}\n", c.robot, output, tau);
      return Arguments{"simulate", folder.write("run.yaml", text), "--out", to, "--plot", "--report"};
    };
    const std::string all = folder.path(c.robot + "-all");
    ASSERT_EQ(run(command(c.works, all)).status, 0) << run(command(c.works, all));
    ASSERT_EQ(run(command(c.fails, folder.path("none"))).status, 4);
    for (const std::string& name : names_in(all)) {
      seen.insert(name);
      fs::create_directory(out);
      write(file(name), "mine");
      const Outcome outcome = run(command(c.fails, out));
      EXPECT_EQ(outcome.status, 5) << name << outcome;
      EXPECT_NE(outcome.first_line().find(file(name)), std::string::npos) << outcome;
      EXPECT_EQ(content_of(file(name)), "mine");
      EXPECT_EQ(names_in(out), Names{name});
      fs::remove_all(out);
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"angles.svg", "displacements.svg", "energies.svg", "events.csv", "final.json",
                                         "forces.svg", "manifest.json", "power.csv", "powers.svg", "quaternions.svg",
                                         "rates.svg", "reactions.csv", "report.html", "robot.svg", "torques.svg",
                                         "trajectory.csv", "trajectory.npz", "velocities.svg"}));
}

// A link, a folder: whatever denoc has not written.
TEST_F(Results, WhatIsNoFileIsInTheWay) {
  const std::string elsewhere = folder.write("elsewhere", "mine");
  ASSERT_EQ(run(write_few()).status, 0);
  fs::remove(file("power.csv"));
  fs::create_symlink(elsewhere, file("power.csv"));
  EXPECT_EQ(run(write_few()).status, 5);
  EXPECT_EQ(content_of(elsewhere), "mine");
  fs::remove(file("power.csv"));
  fs::create_directory(file("power.csv"));
  EXPECT_EQ(run(write_few()).status, 5);
  fs::remove(file("power.csv"));
  EXPECT_EQ(run(write_few()).status, 0);
}

// Nothing outside the folder is ever removed, whatever a manifest says.
TEST_F(Results, ManifestsOfOthersAreRefused) {
  fs::create_directory(out);
  const std::string mine = folder.write("mine", "mine");
  for (const char* text : {"", "{}", "[[[", R"({"name": "a page", "icons": []})", R"({"denoc": "0", "files": []})",
                           R"({"denoc": "0", "complete": true, "files": [{"name": "../mine"}]})",
                           R"({"denoc": "0", "complete": true, "files": [{"name": "/etc/passwd"}]})",
                           R"({"denoc": "0", "complete": true, "files": [{"name": ".."}]})",
                           R"({"denoc": "0", "complete": true, "files": [{"name": ""}]})",
                           R"({"denoc": "0", "complete": true, "files": ["trajectory.csv"]})"}) {
    write(file("manifest.json"), text);
    const Outcome outcome = run(write_few());
    EXPECT_EQ(outcome.status, 5) << text << outcome;
    EXPECT_NE(outcome.first_line().find(file("manifest.json")), std::string::npos) << outcome;
    EXPECT_NE(outcome.first_line().find("no manifest of denoc"), std::string::npos) << outcome;
    EXPECT_EQ(content_of(file("manifest.json")), text);
    EXPECT_EQ(names_in(out), Names{"manifest.json"});
  }
  EXPECT_EQ(content_of(mine), "mine");
}

TEST_F(Results, OfTheSameRunAreOneSet) {
  ASSERT_EQ(run(write_many()).status, 0);
  EXPECT_TRUE(is_complete(out));
  Names names = named_in(out);
  EXPECT_GT(names.size(), 10u);
  names.push_back("manifest.json");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names_in(out), names);
  // The next run takes away what it does not write.
  ASSERT_EQ(run(write_few()).status, 0);
  EXPECT_TRUE(is_complete(out));
  EXPECT_EQ(names_in(out), few_names);
}

// A name means what the disk holds: a file before it gets its name, the manifest before anything it speaks of changes,
// all of that before the manifest says that it is complete.
TEST_F(Results, WhatGetsANameIsOnTheDisk) {
  for (const Arguments& words : {write_many(), write_few()}) {
    const std::string calls = folder.path("calls");
    fs::remove(calls);
    ASSERT_EQ(run(words, {.variables = watched(calls)}).status, 0);
    std::istringstream lines(content_of(calls));
    std::set<std::string> synced;
    bool has_manifest = false, manifest_is_on_disk = false, all_is_on_disk = true;
    int renames = 0;
    for (std::string call, path, to; lines >> call >> path; to.clear()) {
      if (call == "fsync") {
        synced.insert(path);
        // Once names change, nothing is written that there might be no room for.
        EXPECT_TRUE(path == out || !has_manifest) << path;
        if (path != out) continue;
        all_is_on_disk = true;
        manifest_is_on_disk = has_manifest;
      } else if (call == "rename") {
        lines >> to;
        ++renames;
        EXPECT_TRUE(synced.contains(path)) << path;
        const bool is_manifest = to == file("manifest.json");
        EXPECT_TRUE(is_manifest ? all_is_on_disk : manifest_is_on_disk) << to;
        has_manifest |= is_manifest;
        if (is_manifest) manifest_is_on_disk = false;
        all_is_on_disk = false;
      } else if (call == "unlink" && !path.ends_with(".part")) {  // else it never had another name
        EXPECT_TRUE(manifest_is_on_disk) << path;
        all_is_on_disk = false;
      }
    }
    EXPECT_TRUE(all_is_on_disk);
    EXPECT_GE(renames, 4);
  }
}

TEST_F(Results, KillsDoNotPileUp) {
  for (int turn = 0; turn < 3; ++turn) {
    Running command(write_endless());
    command.await_open(last_draft);
    // Those that were left are open for a moment, too, before they go.
    for (int i = 0; i < 5000 && names_in(out) != drafts; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(names_in(out), drafts);
    EXPECT_EQ(command.end(SIGKILL), -SIGKILL);
    EXPECT_EQ(names_in(out), drafts);
  }
  // Drafts of figures that the next run does not have go as well; a file that is called nearly so stays.
  write(file("robot.svg.denoc.part"), "half");
  write(file("trajectory.csv.part"), "mine");
  ASSERT_EQ(run(write_few()).status, 0);
  Names expected = few_names;
  expected.push_back("trajectory.csv.part");
  EXPECT_EQ(names_in(out), expected);
}

TEST_F(Results, ADraftThatWasLeftIsTakenOver) {
  const std::string in = folder.write("in.csv", "0,0,0,0,1,2\n"), result = folder.path("tau.csv");
  const Arguments batch = {"id", model, "--batch", in, "-o", result};
  ASSERT_EQ(run(batch).status, 0);
  const std::string tau = content_of(result);
  fs::remove(result);
  folder.write("tau.csv.denoc.part", std::string(10000, 'x'));
  for (const std::string& name : {folder.path("info.txt"), folder.path("plot.svg")})
    write(name + ".denoc.part", "half");
  ASSERT_EQ(run(batch).status, 0);
  EXPECT_EQ(content_of(result), tau);
  ASSERT_EQ(run({"info", model, "-o", folder.path("info.txt")}).status, 0);
  EXPECT_EQ(content_of(folder.path("info.txt")), run({"info", model}).out);
  ASSERT_EQ(run({"count", "serial:3", "--plot", folder.path("plot.svg")}).status, 0);
  for (const std::string& name : folder.files()) EXPECT_FALSE(name.ends_with(".part")) << name;
}

TEST_F(Results, TwoRunsDoNotWriteTheSame) {
  Running first(write_endless());
  first.await_open(last_draft);
  const Outcome second = run(write_few());
  EXPECT_EQ(second.status, 5) << second;
  EXPECT_NE(second.first_line().find("another run is writing"), std::string::npos) << second;
  EXPECT_EQ(names_in(out), drafts);
  EXPECT_EQ(first.end(SIGTERM), 130);
  EXPECT_EQ(run(write_few()).status, 0);
}

TEST_F(Results, AnInterruptedRunLeavesNothing) {
  // At once, however far apart the samples are.
  for (const char* every : {"1e5", "1e-3"}) {
    const std::string more =
        fmt::format("integrator: {{method: rk4, step: 1e-4}}\noutput: {{every: {}, npz: true}}\n", every);
    const std::string long_run = scenario("long.yaml", more, "1e5");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
      Running command({"simulate", long_run, "--out", folder.path("new/out")});
      command.await_open(folder.path("new/out/trajectory.npz.denoc.part"));
      for (const std::string& name : names_in(folder.path("new/out"))) EXPECT_TRUE(name.ends_with(".part")) << name;
      EXPECT_EQ(command.end(signal), 130) << signal;
      EXPECT_EQ(command.err(), nothing_written);
      EXPECT_FALSE(fs::exists(folder.path("new")));
    }
  }
  ASSERT_EQ(run(write_few()).status, 0);
  Running command(write_endless());
  command.await_open(last_draft);
  EXPECT_EQ(command.end(SIGHUP), 130);
  EXPECT_EQ(names_in(out), few_names);
  EXPECT_TRUE(is_complete(out));
}

// `timeout` tells the program, and then the program and itself: two signals are one wish to end.
TEST_F(Results, InterruptsThatFollowAtOnceAreOne) {
  for (const int second : {SIGTERM, SIGINT}) {
    Running command(write_endless());
    command.await_open(last_draft);
    command.tell(SIGTERM);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    EXPECT_EQ(command.end(second), 130) << second;
    EXPECT_EQ(command.err(), nothing_written);
  }
}

// Under nohup a terminal that closes ends nothing.
TEST_F(Results, SignalsThatAreIgnoredStaySo) {
  Running command(write_endless(), {SIGHUP});
  command.await_open(last_draft);
  command.tell(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(command.is_alive());
  EXPECT_EQ(command.end(SIGTERM), 130);
}

TEST_F(Results, AnInterruptedBatchLeavesNothing) {
  signal(SIGPIPE, SIG_IGN);  // a reader that goes is no reason to end
  fs::create_directory(out);
  for (const int signal : {SIGINT, SIGHUP}) {
    const std::string endless_rows = folder.path(fmt::format("{}.csv", signal));
    ASSERT_EQ(mkfifo(endless_rows.c_str(), 0600), 0);
    std::thread feeder([&] {
      std::ofstream to(endless_rows);
      while (to << "0,0,0,0,0,0\n") {
      }
    });
    Running command({"id", model, "--batch", endless_rows, "-o", file("tau.npy")});
    command.await_open(file("tau.npy.denoc.part"));
    EXPECT_EQ(command.end(signal), 130);
    feeder.join();
    EXPECT_EQ(command.err(), nothing_written);
    EXPECT_TRUE(names_in(out).empty());
  }
}

TEST_F(Results, ABatchThatWaitsForRowsCanBeInterrupted) {
  fs::create_directory(out);
  const std::string rows = folder.path("rows.csv");
  ASSERT_EQ(mkfifo(rows.c_str(), 0600), 0);
  const int pipe = ::open(rows.c_str(), O_RDWR | O_CLOEXEC);  // while it is open, no end comes
  for (const std::string_view some : {"", "0,0,0,0,0,0\n0,0,0,0,0,0\n"}) {
    Running command({"id", model, "--batch", rows, "-o", file("tau.npy")});
    ASSERT_EQ(::write(pipe, some.data(), some.size()), static_cast<ssize_t>(some.size()));
    command.await_open(rows);
    if (!some.empty()) command.await_open(file("tau.npy.denoc.part"));
    EXPECT_EQ(command.end(SIGHUP), 130);
    EXPECT_EQ(command.err(), nothing_written);
    EXPECT_TRUE(names_in(out).empty());
  }
  ::close(pipe);
}

// ulimit -f: a file may have so many blocks of 512 bytes. The first file beyond them is named.
TEST_F(Results, FilesBeyondTheLimitAreNotWritten) {
  const std::string fine = scenario("fine.yaml", "output: {every: 1e-4, npz: true, reactions: true}\n");
  const std::string in = folder.path("in.csv");
  {
    std::ofstream rows(in);
    for (int i = 0; i < 40000; ++i) rows << "0,0,0,0,1,2\n";
  }
  ASSERT_EQ(run(write_few()).status, 0);
  const Names before = folder.files();
  for (const char* limit : {"ulimit -f 0", "ulimit -f 1", "ulimit -f 100", "ulimit -f 500"}) {
    for (const Arguments& words : std::vector<Arguments>{{"simulate", fine, "--out", out, "--report"},
                                                         {"simulate", fine, "--out", folder.path("new")},
                                                         {"id", model, "--batch", in, "-o", folder.path("tau.npy")},
                                                         {"fd", model, "--batch", in, "-o", folder.path("a.csv")}}) {
      // What is said goes to a pipe: a file has the limit, too.
      const Outcome outcome = run(words, {.err_to = "/dev/null", .limits = limit});
      EXPECT_EQ(outcome.status, 5) << limit << outcome;
      EXPECT_EQ(folder.files().size(), before.size()) << limit;
    }
    EXPECT_EQ(names_in(out), few_names);
    EXPECT_TRUE(is_complete(out));
  }
  const Outcome outcome = run({"simulate", fine, "--out", out}, {.limits = "ulimit -f 500"});
  EXPECT_NE(outcome.first_line().find(": the result cannot be written: File too large"), std::string::npos) << outcome;
  EXPECT_EQ(run({"info", model}, {.limits = "ulimit -f 0"}).status, 5);
  EXPECT_EQ(
      run({"info", model, "-o", folder.path("info.txt")}, {.err_to = "/dev/null", .limits = "ulimit -f 0"}).status, 5);
  EXPECT_EQ(folder.files().size(), before.size());
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool has_shadow_memory = true;  // more than any limit
#else
constexpr bool has_shadow_memory = false;
#endif

// ulimit -v, in kB. Threads that cannot be started are done without; the result has the same bits.
TEST_F(Results, DoNotDependOnThreadsThatCannotBeStarted) {
  if (has_shadow_memory) GTEST_SKIP();
  const std::string in = folder.path("in.csv"), one = folder.path("one.npy"), some = folder.path("some.npy");
  {
    std::ofstream rows(in);
    for (int i = 0; i < 20000; ++i) rows << fmt::format("{0},0.1,{0},0.2,{0},2\n", 1e-4 * i);
  }
  for (const char* command : {"id", "fd"}) {
    ASSERT_EQ(run({command, model, "--batch", in, "-o", one, "--threads", "1"}).status, 0);
    const Outcome outcome =
        run({command, model, "--batch", in, "-o", some, "--threads", "1024"}, {.limits = "ulimit -v 400000"});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(content_of(one) == content_of(some));
  }
}

// From the least memory that the program starts with to enough.
TEST_F(Results, WithoutMemoryThereIsALineAndNothingLeft) {
  if (has_shadow_memory) GTEST_SKIP();
  const std::string in = folder.path("in.csv"), result = folder.path("tau.npy");
  {
    std::ofstream rows(in);
    for (int i = 0; i < 20000; ++i) rows << "0,0,0,0,1,2\n";
  }
  const auto limit = [](int megabytes) { return fmt::format("ulimit -v {}", 1024 * megabytes); };
  int least = 4;
  while (run({"--version"}, {.limits = limit(least)}).status != 0) ASSERT_LT(++least, 1000);
  const std::size_t before = folder.files().size();
  int failures = 0;
  for (const Arguments& words : std::vector<Arguments>{{"id", model, "--batch", in, "-o", result, "--threads", "16"},
                                                       {"simulate", many, "--out", out, "--report"}}) {
    for (int megabytes = least;; ++megabytes) {
      ASSERT_LT(megabytes, 1000);
      const Outcome outcome = run(words, {.limits = limit(megabytes)});
      if (outcome.status == 0) break;
      ++failures;
      EXPECT_EQ(outcome.status, 4) << outcome;
      EXPECT_EQ(outcome.err, "denoc: out of memory\n");
      EXPECT_EQ(folder.files().size(), before);
    }
    fs::remove(result);
    fs::remove_all(out);
  }
  EXPECT_GT(failures, 0);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
