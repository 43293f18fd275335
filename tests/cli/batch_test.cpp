// denoc id|fd --batch: rows of states from files to files.
#include <fmt/format.h>

#include <limits>
#include <random>
#include <regex>

#include "denoc/io/rows.hpp"
#include "terminal.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// q, v and a or tau of several states, as a batch has them.
struct States {
  std::size_t nq, nv;
  std::vector<Row> rows = {};
  std::size_t columns() const { return nq + 2 * nv; }
};

States random_states(std::size_t nq, std::size_t nv, std::size_t count, std::optional<std::size_t> quaternion = {}) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> any(-1, 1);
  States states{nq, nv};
  for (std::size_t i = 0; i < count; ++i) {
    Row row(states.columns());
    for (double& x : row) x = any(engine);
    if (quaternion) {
      double* x = row.data() + *quaternion;
      const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
      for (int k = 0; k < 4; ++k) x[k] /= length;
      x[0] *= 1 + 1e-9;
    }
    states.rows.push_back(row);
  }
  return states;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(fmt::format("x{}", i));
  return all;
}
void write_npy(const std::string& file, const States& states) {
  io::RowWriter writer(file, names(states.columns()), io::Precision::float64);
  for (const Row& row : states.rows) writer.write(row);
  writer.commit();
}
void write_csv(const std::string& file, const States& states) {
  std::ofstream out(file);
  for (const Row& row : states.rows) out << fmt::format("{}\n", fmt::join(row, ","));
}
std::vector<Row> read_npy(const std::string& file, std::size_t columns) {
  io::RowReader reader(file, names(columns));
  std::vector<Row> rows;
  for (Row row(columns); reader.read(row) == 1;) rows.push_back(row);
  return rows;
}
// A file of states with the same numbers.
std::string state_json(const States& states, const std::string& last) {
  std::vector<std::string> all;
  for (const Row& row : states.rows) {
    const auto part = [&](std::size_t first, std::size_t n) {
      const auto from = row.begin() + std::ptrdiff_t(first);
      return fmt::format("[{}]", fmt::join(from, from + std::ptrdiff_t(n), ", "));
    };
    all.push_back(fmt::format(R"({{"q": {}, "v": {}, "{}": {}}})", part(0, states.nq), part(states.nq, states.nv), last,
                              part(states.nq + states.nv, states.nv)));
  }
  return fmt::format("[{}]", fmt::join(all, ",\n"));
}

struct BatchFiles : testing::Test {
  Folder folder;
  std::string model = folder.write("crane.yaml", two_joints), out = folder.path("out.npy");
  States states = random_states(2, 2, 7);
  std::string in = folder.path("in.npy");

  BatchFiles() { write_npy(in, states); }

  void expect_same_as_states(const std::string& robot, const States& some) {
    write_npy(in, some);
    for (const auto& [command, given, result] : {std::tuple{"id", "a", "tau"}, std::tuple{"fd", "tau", "a"}}) {
      const Outcome outcome = run({command, robot, "--batch", in, "-o", out});
      ASSERT_EQ(outcome.status, 0) << outcome;
      EXPECT_EQ(outcome.out + outcome.err, "");
      const std::vector<Row> found = read_npy(out, some.nv);
      const YAML::Node expected =
          json({command, robot, "--state", folder.write("states.json", state_json(some, given))});
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Row one = row(expected[i][result]);
        expect_close(found[i], one, 1e-12 * std::max(1.0, largest(one)), fmt::format("{} {} {}", robot, command, i));
      }
    }
  }
  // A run that fails, says so and leaves no file behind.
  void expect_failure(const Arguments& arguments, int status, const std::vector<std::string>& words) {
    const std::size_t files = folder.files().size();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& word : words)
      EXPECT_NE(outcome.first_line().find(word), std::string::npos) << outcome << "\nnot: " << word;
    EXPECT_EQ(folder.files().size(), files);
  }
};

TEST_F(BatchFiles, GiveWhatStatesGive) {
  expect_same_as_states(model, states);
  expect_same_as_states("puma560", random_states(6, 6, 33));
  expect_same_as_states("free_flying_arm", random_states(10, 9, 21, 3));
}

// On a processor without AVX-512 and on one without AVX. Sums are contracted on some and not on others: they agree to
// rounding, which solving for a magnifies by the condition of the inertia matrix (below 1e3 for these).
struct BatchesOn : BatchFiles, testing::WithParamInterface<const char*> {};
TEST_P(BatchesOn, AnotherProcessorAgreeWithThisOne) {
  if (!fs::exists(DENOC_QEMU)) GTEST_SKIP() << "qemu-x86_64 (qemu-user) is not there";
  const Surroundings elsewhere{.under = {DENOC_QEMU, "-cpu", GetParam()}};
  const std::string there = folder.path("there.npy");
  for (const auto& [robot, some] :
       {std::pair{"puma560", random_states(6, 6, 33)}, std::pair{"free_flying_arm", random_states(10, 9, 21, 3)}}) {
    write_npy(in, some);
    for (const char* command : {"id", "fd"}) {
      for (const auto& [precision, tolerance] :
           {std::pair{Arguments{}, 1e-12}, std::pair{Arguments{"--float"}, 1e-3}}) {
        Arguments words = {command, robot, "--batch", in, "-o", out};
        words.insert(words.end(), precision.begin(), precision.end());
        ASSERT_EQ(run(words).status, 0);
        words[5] = there;
        const Outcome outcome = run(words, elsewhere);
        ASSERT_EQ(outcome.status, 0) << outcome;
        const std::vector<Row> found = read_npy(there, some.nv), expected = read_npy(out, some.nv);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
          expect_close(found[i], expected[i], tolerance * std::max(1.0, largest(expected[i])),
                       fmt::format("{} {} {}", robot, command, i));
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Older, BatchesOn, testing::Values("Haswell", "Nehalem"),
                         [](const auto& processor) { return processor.param; });

TEST_F(BatchFiles, TextAndArraysAgree) {
  const std::string text = folder.path("in.csv"), text_out = folder.path("out.csv");
  write_csv(text, states);
  for (const char* command : {"id", "fd"}) {
    ASSERT_EQ(run({command, model, "--batch", in, "-o", out}).status, 0);
    ASSERT_EQ(run({command, model, "--batch", text, "-o", text_out}).status, 0);
    const std::string result = content_of(text_out);
    const bool is_inverse = std::string(command) == "id";
    EXPECT_TRUE(result.starts_with(is_inverse ? "tau1,tau2\n" : "a1,a2\n")) << result;
    io::RowReader reader(text_out,
                         is_inverse ? std::vector<std::string>{"tau1", "tau2"} : std::vector<std::string>{"a1", "a2"});
    Row numbers(2 * states.rows.size());
    ASSERT_EQ(reader.read(numbers), states.rows.size());
    const std::vector<Row> expected = read_npy(out, 2);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(expected[i], Row(numbers.begin() + std::ptrdiff_t(2 * i), numbers.begin() + std::ptrdiff_t(2 * i + 2)));
  }
  // With its names, and from standard input.
  const std::string named = "q1,q2,v1,v2,a1,a2\n" + content_of(text);
  ASSERT_EQ(run({"id", model, "--batch", text, "-o", text_out}).status, 0);
  const std::string expected = content_of(text_out);
  ASSERT_EQ(run({"id", model, "--batch", "-", "-o", text_out}, {.in = named}).status, 0);
  EXPECT_EQ(content_of(text_out), expected);
  ASSERT_EQ(run({"id", model, "--batch", "-", "-o", out}, {.in = content_of(in)}).status, 0);
}

TEST_F(BatchFiles, DoNotDependOnThreads) {
  write_npy(in, random_states(6, 6, 70001));  // more than are in memory at a time
  const std::string other = folder.path("other.npy");
  for (const char* command : {"id", "fd"}) {
    for (const bool is_float : {false, true}) {
      Arguments one = {command, "puma560", "--batch", in, "-o", out, "--threads", "1"},
                two = {command, "puma560", "--batch", in, "-o", other, "--threads", "2"};
      if (is_float) one.push_back("--float"), two.push_back("--float");
      ASSERT_EQ(run(one).status, 0);
      ASSERT_EQ(run(two).status, 0);
      EXPECT_TRUE(content_of(out) == content_of(other));
      EXPECT_EQ(fs::file_size(out), 128 + 70001u * 6 * (is_float ? 4 : 8));
    }
  }
}

TEST_F(BatchFiles, OfAnyLengthGoOnWhereTheyStopped) {
  States many = random_states(2, 2, 140001), last{2, 2, {many.rows.end() - 5, many.rows.end()}};
  write_npy(in, many);
  ASSERT_EQ(run({"fd", model, "--batch", in, "-o", out}).status, 0);
  const std::vector<Row> all = read_npy(out, 2);
  ASSERT_EQ(all.size(), many.rows.size());
  write_npy(in, last);
  ASSERT_EQ(run({"fd", model, "--batch", in, "-o", out}).status, 0);
  EXPECT_EQ(read_npy(out, 2), std::vector<Row>(all.end() - 5, all.end()));
  many.rows[139999][0] = many.rows[140000][0] = std::numeric_limits<double>::infinity();
  write_npy(in, many);
  expect_failure({"fd", model, "--batch", in, "-o", folder.path("none.npy")}, 4, {"rows[139999]", "2 such rows"});
}

TEST_F(BatchFiles, InSinglePrecisionAreNear) {
  for (const char* command : {"id", "fd"}) {
    ASSERT_EQ(run({command, model, "--batch", in, "-o", out}).status, 0);
    const std::vector<Row> exact = read_npy(out, 2);
    ASSERT_EQ(run({command, model, "--batch", in, "-o", out, "--float"}).status, 0);
    const std::vector<Row> rounded = read_npy(out, 2);
    ASSERT_EQ(exact.size(), rounded.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      expect_close(rounded[i], exact[i], 1e-5 * std::max(1.0, largest(exact[i])), command);
      EXPECT_NE(rounded[i], exact[i]);
    }
  }
}

TEST_F(BatchFiles, ShowOnATerminalHowFarTheyAre) {
  const std::string line = fmt::format("{}\n", fmt::join(states.rows[0], ",")), text = folder.path("in.csv");
  const std::regex bar(R"(\[(#*)(\.*)\] +(\d+) %  (\d+) rows, \d+ a second, [\d:]+ (s|min) left)");
  const std::string wipe = "\r\x1b[K";
  // Nothing is drawn before a tenth of a second: how many rows that is, the machine decides.
  std::string shown;
  std::size_t rows = 125000;
  while (shown.empty() && rows < 16000000) {
    rows *= 2;
    std::ofstream to(text);
    for (std::size_t i = 0; i < rows; ++i) to << line;
    to.close();
    const Terminal terminal;
    ASSERT_EQ(run({"id", model, "--batch", text, "-o", out}, {.err_to = terminal.name()}).status, 0);
    shown = terminal.text();
  }
  ASSERT_TRUE(shown.starts_with(wipe + "[")) << shown;
  EXPECT_TRUE(shown.ends_with(wipe)) << shown;
  double before = 0;
  for (std::sregex_iterator at(shown.begin(), shown.end(), bar), none; at != none; ++at) {
    const double percent = std::stod((*at)[3]), done = std::stod((*at)[4]);
    EXPECT_EQ((*at)[1].length() + (*at)[2].length(), 30);
    EXPECT_NEAR(double((*at)[1].length()), 0.3 * percent, 1);
    EXPECT_NEAR(percent, 100 * done / double(rows), 0.51);  // a whole number
    EXPECT_GE(percent, before);
    before = percent;
  }
  EXPECT_GT(before, 0);
}

// A run says how far it is and how many times faster than the robot: the time that was simulated by the time it took.
TEST_F(BatchFiles, RunsShowOnATerminalHowFastTheyAre) {
  const std::regex bar(R"(([\d.e+-]+) of \S+ s, ([\d.e+-]+) times real time)");
  std::vector<double> took;
  for (double duration = 100; took.size() < 3 && duration < 1e6; duration *= 4) {
    const std::string file =
        folder.write("swing.yaml", fmt::format("robot: pendulum\nduration: {}\nstart: {{q: {{bob: 1}}}}\n"
                                               "output: {{every: 10}}\n",
                                               duration));
    const Terminal terminal;
    const Outcome outcome = run({"simulate", file, "--out", folder.path("swing")}, {.err_to = terminal.name()});
    ASSERT_EQ(outcome.status, 0) << outcome;
    const std::string shown = terminal.text();
    took.clear();
    for (std::sregex_iterator at(shown.begin(), shown.end(), bar), none; at != none; ++at)
      took.push_back(std::stod((*at)[1]) / std::stod((*at)[2]));
  }
  ASSERT_GE(took.size(), 3u);
  // Seconds since the start, a tenth or more from line to line; both are told to three digits.
  EXPECT_GE(took[0], 0.09);
  for (std::size_t i = 1; i < took.size(); ++i) EXPECT_GE(took[i], took[i - 1] + 0.1 - 0.01 * took[i]) << i;
}

TEST_F(BatchFiles, MayBeEmptyAndMayReplaceTheirInput) {
  write_npy(in, {2, 2});
  ASSERT_EQ(run({"id", model, "--batch", in, "-o", out}).status, 0);
  EXPECT_TRUE(read_npy(out, 2).empty());
  write_npy(in, states);
  ASSERT_EQ(run({"id", model, "--batch", in, "-o", in}).status, 0);
  EXPECT_EQ(read_npy(in, 2).size(), states.rows.size());
}

// A point mass that slides along a massless boom: at no distance from the axis nothing resists the turning.
const char* const boom = R"(
bodies:
  - {name: boom, joint: {type: revolute, name: hinge}, mass: 0}
  - {name: bead, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2}
)";

TEST_F(BatchFiles, SingularRowsAreNamedAndCounted) {
  const std::string robot = folder.write("boom.yaml", boom);
  states.rows[2][1] = states.rows[5][1] = 0;
  write_npy(in, states);
  for (const bool is_float : {false, true}) {
    Arguments words = {"fd", robot, "--batch", in, "-o", out};
    if (is_float) words.push_back("--float");
    expect_failure(words, 4, {in, "rows[2]", "'hinge'", "2 such rows"});
    EXPECT_FALSE(fs::exists(out));
    words.push_back("--keep-going");
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_NE(outcome.err.find("rows[2]"), std::string::npos) << outcome;
    const std::vector<Row> found = read_npy(out, 2);
    ASSERT_EQ(found.size(), 7u);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const double x : found[i]) EXPECT_EQ(std::isnan(x), i == 2 || i == 5);
    fs::remove(out);
  }
  EXPECT_EQ(run({"id", robot, "--batch", in, "-o", out}).status, 0);
}

TEST_F(BatchFiles, NumbersThatAreNotFiniteAreNamed) {
  states.rows[3][2] = std::numeric_limits<double>::quiet_NaN();
  write_npy(in, states);
  for (const char* command : {"id", "fd"})
    expect_failure({command, model, "--batch", in, "-o", out}, 4, {in, "rows[3]", "v1 is not a finite number"});
  states.rows[3][2] = 0;
  states.rows[4][3] = 1e200;
  write_npy(in, states);
  for (const char* command : {"id", "fd"})
    expect_failure({command, model, "--batch", in, "-o", out}, 4, {in, "rows[4]", "joint '", "not a finite number"});
  ASSERT_EQ(run({"id", model, "--batch", in, "-o", folder.path("out.csv"), "--keep-going"}).status, 0);
  EXPECT_NE(content_of(folder.path("out.csv")).find("\nnan,nan\n"), std::string::npos);
}

// In text as in arrays: what denoc writes for rows without a result, it reads.
TEST_F(BatchFiles, NumbersThatAreNotFiniteAreTheSameInText) {
  const std::string text = folder.write("in.csv", "nan,0,0,0,0,0\n0,0,0,-inf,0,0\n0.1,0.3,0.5,-0.7,1,2\n"),
                    results = folder.path("out.csv");
  expect_failure({"id", model, "--batch", text, "-o", results}, 4,
                 {text + ":1: rows[0]", "q1 is not a finite number", "2 such rows"});
  EXPECT_FALSE(fs::exists(results));
  ASSERT_EQ(run({"id", model, "--batch", text, "-o", results, "--keep-going"}).status, 0);
  const Csv found(results);
  ASSERT_EQ(found.rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (const double x : found.rows[i]) EXPECT_EQ(std::isnan(x), i < 2);
}

TEST_F(BatchFiles, QuaternionsAreNormalisedOrRefused) {
  States flying = random_states(10, 9, 5, 3);
  for (int k = 3; k < 7; ++k) flying.rows[4][k] *= 1.001;
  write_npy(in, flying);
  expect_failure({"id", "free_flying_arm", "--batch", in, "-o", out}, 3, {in + ": rows[4]", "'base_body'", "1.001"});
  const std::string text = folder.path("in.csv");
  write_csv(text, flying);
  expect_failure({"id", "free_flying_arm", "--batch", text, "-o", out}, 3, {text + ":5: rows[4]", "'base_body'"});
  flying.rows[4][3] = std::numeric_limits<double>::infinity();
  write_npy(in, flying);
  expect_failure({"id", "free_flying_arm", "--batch", in, "-o", out}, 4, {in + ": rows[4]", "q4"});
}

TEST_F(BatchFiles, WrongFilesAreRefused) {
  expect_failure({"id", "puma560", "--batch", in, "-o", out}, 3, {in, "(7, 6)", "(rows, 18)"});
  expect_failure({"id", model, "--batch", folder.path("none.npy"), "-o", out}, 3, {"none.npy", "no such file"});
  expect_failure({"id", model, "--batch", folder.write("runs.npz", "PK"), "-o", out}, 3, {"runs.npz", "an archive"});
  const std::string text = folder.write("in.csv", "q1,q2,v1,v2,a1,a2\n1,2,3,4,5,6\n1,2,3,4,5\n");
  expect_failure({"id", model, "--batch", text, "-o", out}, 3, {text + ":3: rows[1]", "5 columns"});
  expect_failure({"fd", model, "--batch", text, "-o", out}, 3, {text + ":1: header", "'a1'", "'tau1'"});
  const std::string cut = folder.write("cut.npy", content_of(in).substr(0, 300));
  expect_failure({"id", model, "--batch", cut, "-o", out}, 3, {cut, "ends too early"});
  expect_failure({"id", folder.path("none.yaml"), "--batch", in, "-o", out}, 3, {"none.yaml"});
}

TEST_F(BatchFiles, AFailureLeavesTheOldResult) {
  folder.write("out.npy", "old");
  states.rows[6][2] = std::numeric_limits<double>::infinity();
  write_npy(in, states);
  expect_failure({"id", model, "--batch", in, "-o", out}, 4, {"rows[6]"});
  EXPECT_EQ(content_of(out), "old");
}

TEST_F(BatchFiles, ResultsThatCannotBeWritten) {
  expect_failure({"id", model, "--batch", in, "-o", folder.path("none/out.npy")}, 5, {"cannot be written"});
  const std::string locked = folder.path("out.csv");
  fs::create_directory(locked);
  expect_failure({"id", model, "--batch", in, "-o", locked}, 5, {"cannot be written"});
  fs::create_symlink("/dev/full", folder.path("full.npy"));
  expect_failure({"id", model, "--batch", in, "-o", folder.path("full.npy")}, 5, {"cannot be written"});
}

TEST_F(BatchFiles, WrongCommandLines) {
  const std::string state = folder.write("state.json", two_joints_state);
  const Arguments good = {"id", model, "--batch", in, "-o", out};
  for (const Arguments& more : std::vector<Arguments>{{"--state", state},
                                                      {"--method", "denoc"},
                                                      {"--reactions"},
                                                      {"--json"},
                                                      {"--threads", "0"},
                                                      {"--threads", "x"},
                                                      {"--threads", "-1"}}) {
    Arguments words = good;
    words.insert(words.end(), more.begin(), more.end());
    expect_failure(words, 2, {"denoc"});
  }
  expect_failure({"id", model, "--batch", in}, 2, {"--output"});
  expect_failure({"id", model, "--batch", in, "-o", folder.path("out.txt")}, 2, {".npy or .csv"});
  expect_failure({"id", model, "--state", state, "--threads", "2"}, 2, {"--batch"});
  expect_failure({"id", model, "--state", state, "--float"}, 2, {"--batch"});
  expect_failure({"energy", model, "--batch", in, "-o", out}, 2, {"energy"});
  expect_failure({"id", "-", "--batch", "-", "-o", out}, 2, {"standard input"});
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
