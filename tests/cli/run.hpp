// The command line from outside: start it, wait for it, look at what it said.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace denoc::test {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// A directory of the test's own, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "denoc-cli-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    return names;
  }

 private:
  fs::path path_;
};

inline std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Outcome {
  int status = -1;  // of the exit; -1 if it was killed
  std::string out, err;
  double peak_megabytes = 0;  // of memory
  std::string first_line() const { return err.substr(0, err.find('\n')); }
};
inline std::ostream& operator<<(std::ostream& to, const Outcome& o) {
  return to << "status " << o.status << "\n--- out\n" << o.out.substr(0, 2000) << "\n--- err\n" << o.err;
}

struct Surroundings {
  std::string in = {};                         // on standard input
  bool in_closed = false, out_closed = false;  // instead of open
  std::string out_to = {}, err_to = {};        // instead of being caught
  std::vector<std::string> variables = {};     // added to the environment
  std::string limits = {};                     // of the shell: "ulimit -f 8"
  Arguments under = {};                        // what runs the program, such as an emulator
};

// A program that runs; signals are at their defaults, whatever started the test.
inline pid_t start(Arguments words, Arguments variables, const posix_spawn_file_actions_t& actions,
                   const std::vector<int>& ignored = {}) {
  std::vector<char*> argv, environment;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) environment.push_back(variable.data());
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGXFSZ}) sigaddset(&defaults, signal);
  for (const int signal : ignored) {
    sigdelset(&defaults, signal);
    ::signal(signal, SIG_IGN);  // what is ignored is so in the program, too
  }
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  for (const int signal : ignored) ::signal(signal, SIG_DFL);
  if (error != 0) throw std::runtime_error(words[0] + " cannot be started");
  return child;
}

inline Outcome run(const Arguments& arguments, const Surroundings& around = {}) {
  const Folder folder;
  const std::string in = folder.write("in", around.in);
  const std::string out = around.out_to.empty() ? folder.path("out") : around.out_to;
  const std::string err = around.err_to.empty() ? folder.path("err") : around.err_to;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
  if (around.in_closed) posix_spawn_file_actions_addclose(&actions, 0);
  if (around.out_closed) posix_spawn_file_actions_addclose(&actions, 1);

  Arguments words = around.under, variables = around.variables;
  if (!around.limits.empty()) words = {"/bin/sh", "-c", around.limits + " && exec \"$0\" \"$@\""};
  words.emplace_back(DENOC_BINARY);
  words.insert(words.end(), arguments.begin(), arguments.end());
  variables.push_back("DENOC_MODELS=" DENOC_MODELS_DIR);
  const pid_t child = start(words, variables, actions);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, around.out_to.empty() ? content_of(out) : "",
          around.err_to.empty() ? content_of(err) : "", static_cast<double>(used.ru_maxrss) / 1024};
}

// Whether the text is one JSON value and nothing else: what yaml-cpp reads is not always JSON.
class JsonGrammar {
 public:
  explicit JsonGrammar(const std::string& text) : text_(text) {}
  bool holds() {
    const bool is_value = value();
    space();
    return is_value && at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(char c) {
    space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool word(const std::string& w) {
    if (text_.compare(at_, w.size(), w) != 0) return false;
    at_ += w.size();
    return true;
  }
  bool digits() {
    const std::size_t first = at_;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) ++at_;
    return at_ > first;
  }
  bool number() {
    if (peek() == '-') ++at_;
    const bool zero = peek() == '0';
    const std::size_t first = at_;
    if (!digits() || (zero && at_ != first + 1)) return false;
    if (peek() == '.' && (++at_, !digits())) return false;
    if (peek() != 'e' && peek() != 'E') return true;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    return digits();
  }
  bool string() {
    if (!take('"')) return false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') return ++at_, true;
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return false;
      if (text_[at_] == '\\') ++at_;
    }
    return false;
  }
  template <class Item> bool list(char open, char close, Item item) {
    if (!take(open)) return false;
    if (take(close)) return true;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(close);
  }
  bool value() {
    space();
    switch (peek()) {
      case '{':
        return list('{', '}', [&] { return string() && take(':') && value(); });
      case '[':
        return list('[', ']', [&] { return value(); });
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// The result of a command that must succeed.
inline YAML::Node json(const Arguments& arguments, const Surroundings& around = {}) {
  Arguments all = arguments;
  all.push_back("--json");
  const Outcome outcome = run(all, around);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(JsonGrammar(outcome.out).holds()) << outcome.out.substr(0, 2000);
  if (outcome.status != 0) throw std::runtime_error("denoc failed");
  return YAML::Load(outcome.out);
}

using Row = std::vector<double>;
inline Row row(const YAML::Node& node) { return node.as<Row>(); }
inline double largest(const Row& x) {
  double most = 0;
  for (const double e : x) most = std::max(most, std::abs(e));
  return most;
}
inline void expect_close(const Row& found, const Row& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LE(std::abs(found[i] - expected[i]), tolerance)
        << what << "[" << i << "]: " << found[i] << ", not " << expected[i];
  }
}

// A table of numbers under a line of names.
struct Csv {
  std::string names;
  std::vector<Row> rows;
  explicit Csv(const std::string& file) {
    std::ifstream in(file);
    std::getline(in, names);
    for (std::string line; std::getline(in, line);) {
      Row& row = rows.emplace_back();
      std::istringstream entries(line);
      for (std::string entry; std::getline(entries, entry, ',');) row.push_back(std::strtod(entry.c_str(), nullptr));
    }
  }
};

// A slider and a swinging arm, and what the tests ask of them.
inline const char* const two_joints = R"(
name: crane
bodies:
  - {name: cart, parent: world, joint: {type: prismatic, axis: [1, 0, 0]}, mass: 2}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 3, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02, 0, 0, 0]}
)";
inline const char* const two_joints_state = R"({"q": [0.1, 0.3], "v": [0.5, -0.7], "a": [1, 2], "tau": [3, 4]})";

}  // namespace denoc::test
