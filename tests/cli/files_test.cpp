// The files of a command line: what is read is not replaced, what is written is whole or not there.
#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Files : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), state = folder.write("state.json", two_joints_state);

  static bool says(const Outcome& outcome, const std::string& words) {
    return outcome.first_line().find(words) != std::string::npos;
  }
};

TEST_F(Files, ResultsThatCannotBeWritten) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"id", model, "--state", state}, {"info", model, "--json"}, {"--help"}, {"methods"}}) {
    const Outcome full = run(arguments, {.out_to = "/dev/full"}), closed = run(arguments, {.out_closed = true});
    EXPECT_EQ(full.status, 5) << full;
    EXPECT_EQ(closed.status, 5) << closed;
    EXPECT_TRUE(says(full, "cannot be written")) << full;
  }
  EXPECT_EQ(run({"info", model, "-o", folder.path("none/out")}).status, 5);
  EXPECT_EQ(run({"info", model, "-o", folder.path("")}).status, 5);
  EXPECT_EQ(run({"info", model, "-o", "/dev/full"}).status, 5);
}

TEST_F(Files, OutputFilesAreCompleteOrNotThere) {
  const std::string target = folder.path("result.json");
  EXPECT_EQ(run({"id", model, "--state", state, "--json", "-o", target}).status, 0);
  EXPECT_EQ(content_of(target), run({"id", model, "--state", state, "--json"}).out);
  // A failure leaves what was there, and nothing beside it.
  EXPECT_EQ(run({"id", folder.path("none.yaml"), "--state", state, "--json", "-o", target}).status, 3);
  EXPECT_TRUE(JsonGrammar(content_of(target)).holds());
  EXPECT_EQ(folder.files().size(), 3u);
}

TEST_F(Files, OneFileComesFromStandardInput) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"id", "-", "--state", "-"},
                              {"id", "-", "--motion", "-"},
                              {"ik", "-", "--body", "arm", "--pose", "-"},
                              {"ik", model, "--body", "arm", "--pose", "-", "--state", "-"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(says(outcome, "cannot both come from standard input")) << outcome;
  }
}

// No result replaces another, nor what it is computed from, however the file is spelled.
TEST_F(Files, FilesOfOneLineAreDifferentOnes) {
  const std::string out = folder.path("z.yaml"), link = folder.path("link.yaml"), crane = content_of(model);
  fs::create_symlink("z.yaml", link);
  const std::vector<Arguments> wrong = {{"convert", model, out, "-o", out},
                                        {"convert", model, out, "-o", folder.path("./z.yaml")},
                                        {"convert", model, out, "-o", link},
                                        {"id", model, "-o", model},
                                        {"id", model, "--state", state, "--json", "-o", state},
                                        {"count", "serial:3", "--plot", out, "-o", out}};
  for (const Arguments& arguments : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(says(outcome, "are one file")) << outcome;
    EXPECT_FALSE(fs::exists(out));
  }
  ASSERT_EQ(run({"convert", model, out}).status, 0);
  EXPECT_EQ(run({"convert", out, out, "--repair"}).status, 0) << "in place";
  EXPECT_EQ(run({"id", link, "-o", out}).status, 2) << "a link to what is read";
  const std::string urdf = folder.path("z.urdf"), other = folder.path("other.yaml");
  ASSERT_EQ(run({"convert", model, urdf}).status, 0);
  fs::create_symlink("z.urdf", other);
  const std::string before = content_of(urdf);
  EXPECT_EQ(run({"convert", urdf, other}).status, 2) << "a file of one format under the name of another";
  EXPECT_EQ(content_of(urdf), before);
  EXPECT_EQ(run({"convert", model, urdf, "-o", out}).status, 2) << "the robot goes to OUT, a line to -o";
  EXPECT_EQ(content_of(urdf), before);
  EXPECT_EQ(content_of(model), crane);
  EXPECT_EQ(content_of(state), two_joints_state);
  EXPECT_EQ(run({"convert", model, out, "-o", folder.path("said.txt")}).status, 0);
  EXPECT_EQ(run({"count", "serial:3", "--plot", "/dev/null", "-o", "/dev/null"}).status, 0);
}

// Nothing that a command reads is replaced by what it writes: not the files of its line, not those that they name; by
// whatever name the file goes.
TEST_F(Files, WhatIsReadIsNotReplaced) {
  const auto named = [&](const char* name, const std::string& text) { return folder.write(name, text); };
  const std::string pose = named("pose.json", R"({"xyz": [0, 0, -0.5], "rpy": [0, 0, 0]})");
  const std::string way = named("way.csv", "t,q.cart,q.arm\n0,0,0\n0.5,0.3,0.1\n1,0.5,0.4\n1.5,0.6,0.7\n2,0.6,0.8\n");
  const std::string motion = named("motion.yaml", "motion: {type: file, file: way.csv}\n");
  const std::string rests = named(
      "rests.yaml", "motion: {type: point_to_point, from: [0, 0], to: [0.3, 0.4], duration: 1, profile: poly345}\n");
  const std::string batch = named("batch.csv", "0,0,0,0,1,2\n0.1,0.2,0,0,1,2\n");
  const struct {
    Arguments words;
    std::vector<std::string> read;
    int status;
  } cases[] = {{{"id", model, "--state", state}, {model, state}, 2},
               {{"fd", model, "--state", state, "--json"}, {model, state}, 2},
               {{"inertia", model, "--state", state}, {model, state}, 2},
               {{"energy", model, "--state", state}, {model, state}, 2},
               {{"fk", model, "--state", state}, {model, state}, 2},
               {{"jacobian", model, "--body", "arm", "--state", state}, {model, state}, 2},
               {{"derivatives", model, "--state", state}, {model, state}, 2},
               {{"linearize", model, "--state", state}, {model, state}, 2},
               {{"compare", model, "--state", state}, {model, state}, 2},
               {{"stability", model, "--state", state}, {model, state}, 2},
               {{"study", model, "--state", state}, {model, state}, 2},
               {{"ik", model, "--body", "arm", "--pose", pose, "--position"}, {model, pose}, 2},
               {{"info", model}, {model}, 2},
               {{"check", model}, {model}, 2},
               {{"state", model}, {model}, 2},
               {{"assemble", model}, {model}, 2},
               {{"count", model}, {model}, 2},
               {{"mintime", model, "--motion", rests, "--limits", "90,35"}, {model, rests}, 2},
               {{"id", model, "--motion", motion}, {model, motion}, 2},
               {{"id", model, "--motion", motion}, {way}, 5},
               {{"mintime", model, "--motion", motion, "--limits", "90,35"}, {way}, 5},
               {{"mintime", model, "--motion", motion, "--limits", "90,35", "--json"}, {way}, 5}};
  for (const auto& [words, read, status] : cases)
    for (const std::string& file : read) {
      const std::string before = content_of(file), ending = fs::path(file).extension().string();
      const std::string hard = folder.path("hard" + ending), soft = folder.path("soft" + ending);
      fs::create_hard_link(file, hard);
      fs::create_symlink(fs::path(file).filename(), soft);
      for (const std::string& name : {file, folder.path("./" + fs::path(file).filename().string()), hard, soft}) {
        Arguments all = words;
        all.insert(all.end(), {"-o", name});
        const Outcome refused = run(all);
        EXPECT_EQ(refused.status, status) << words[0] << " -o " << name << refused;
        EXPECT_TRUE(says(refused, status == 2 ? "a result does not replace what it is computed from"
                                              : "would be replaced: name another place for the result"))
            << refused;
        EXPECT_TRUE(content_of(file) == before) << words[0] << " -o " << name;
      }
      fs::remove(hard);
      fs::remove(soft);
    }
  EXPECT_EQ(run({"id", model, "--batch", batch, "-o", folder.path("tau.csv")}).status, 0);
  EXPECT_EQ(run({"id", model, "--motion", motion, "-o", folder.path("along.csv")}).status, 0);
}

// What standard output has been given before stays, as with any program that writes to /dev/stdout.
TEST_F(Files, StandardOutputByItsNameIsNoFileToReplace) {
  const std::string log = folder.path("log"), expected = run({"info", model}).out;
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const Arguments shell = {"/bin/sh", "-c", "(echo first; \"$0\" \"$@\"; echo last) > " + log};
    EXPECT_EQ(run({"info", model, "-o", name}, {.under = shell}).status, 0);
    EXPECT_EQ(content_of(log), "first\n" + expected + "last\n") << name;
    const Arguments appending = {"/bin/sh", "-c", "\"$0\" \"$@\" >> " + log};
    EXPECT_EQ(run({"info", model, "-o", name}, {.under = appending}).status, 0);
    EXPECT_EQ(content_of(log), "first\n" + expected + "last\n" + expected) << name;
  }
}

TEST_F(Files, AClosedStandardInputIsAnEmptyFile) {
  EXPECT_EQ(run({"id", model, "--state", "-"}, {.in_closed = true}).status, 3);
  EXPECT_EQ(run({"id", model, "--state", state}, {.in_closed = true}).status, 0);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
