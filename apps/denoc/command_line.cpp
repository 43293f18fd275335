// Commands as they describe themselves (commands/command.hpp), read by CLI11, which is seen here only.
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "commands/list.hpp"
#include "denoc/io/load.hpp"
#include "denoc/io/report.hpp"
#include "denoc/version.hpp"
#include "output/one_file.hpp"

namespace denoc::app {
namespace {

constexpr const char* statuses =
    "`denoc COMMAND --help` says more.\n"
    "Exit status: 0 done, 2 command line wrong, 3 file wrong, 4 the numbers cannot be had, 5 result not written,\n"
    "130 interrupted.";

// "Examples:" and a line for each; what it does stands beside it, or below where it is long.
std::string example_text(const std::vector<Example>& examples) {
  constexpr std::size_t column = 46;
  std::string text = "Examples:";
  for (const Example& example : examples) {
    const bool fits = example.line.size() + 2 <= column;
    text += fits ? fmt::format("\n  {:{}}{}", example.line, column, example.what)
                 : fmt::format("\n  {}\n  {:{}}{}", example.line, "", column, example.what);
  }
  return text;
}

namespace fs = std::filesystem;

// The shipped robot of that name comes before a file.
std::string file_of_robot(const std::string& model) {
  try {
    return find_robot(model);
  } catch (const RobotError&) {
    return model;
  }
}

// A command with its arguments, as CLI11 sees it.
class Subcommand {
 public:
  Subcommand(const Command& command, CLI::App& app, Session& session)
      : app_(app.add_subcommand(std::string(command.name), std::string(command.what))),
        run_(command.prepare(arguments_)) {
    if (find("--output") == nullptr)
      arguments_.option("-o,--output,--out", "FILE", session.output_file, "write the result to this file instead")
          .names_a(Argument::File::written);
    for (const Argument& argument : arguments_.all()) add(argument);
    for (const Argument& argument : arguments_.all()) relate(argument);
    app_->footer((command.notes.empty() ? "" : command.notes + "\n\n") + example_text(command.examples));
  }

  CLI::App& app() { return *app_; }
  const Action& run() const { return run_; }
  void check_rules() const {
    for (const auto& check : arguments_.rules()) check();
    for (std::size_t i = 0; i < files_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        refuse_one_input(files_[k], files_[i]);
        refuse_one_file(files_[k], files_[i]);
      }
  }
  // An option that no one knows, or that is given again, is told before anything that is missing: it may be that.
  void refuse_wrong_option(const std::vector<std::string>& words) const {
    std::set<const Argument*> given;
    for (const std::string& word : words) {
      if (word == "--") return;
      if (!word.starts_with('-')) continue;
      const std::string name = word.substr(0, word.find('='));
      const Argument* const known_one = find(name);
      if (known_one != nullptr && !known_one->is_flag && !known_one->is_list && !given.insert(known_one).second)
        refuse(fmt::format("{} is given twice", long_name(*known_one)));
      if (!word.starts_with("--")) {
        if (known_one == nullptr || name == word) continue;
        refuse(fmt::format("{0}: write {1} {2} or {3}={2}", word, name, known_one->value, long_name(*known_one)));
      }
      if (word.size() == name.size() + 1) refuse_empty(name);
      const std::vector<std::string> names = option_names();
      const io::Words known(names.begin(), names.end());
      if (std::find(known.begin(), known.end(), name) == known.end()) refuse(io::unknown("option", name, known));
    }
  }

 private:
  struct NamedFile {
    const Argument* argument;
    std::string word;
    std::string shown() const { return fmt::format("{} {}", long_name(*argument), word); }
    std::string file() const { return is(Argument::File::robot) ? file_of_robot(word) : word; }
    fs::path ending() const { return fs::path(file()).extension(); }
    bool is(Argument::File kind) const { return argument->file == kind; }
    bool goes_back() const { return is(Argument::File::read_back) || is(Argument::File::written_back); }
    bool is_written() const { return is(Argument::File::written) || is(Argument::File::written_back); }
    bool is_standard_input() const { return word == "-" && !is_written(); }
  };
  [[noreturn]] void refuse(const std::string& why) const {
    throw Failure(Status::usage, fmt::format("denoc {}: {}", app_->get_name(), why),
                  {fmt::format("`denoc {} --help` says more.", app_->get_name())});
  }
  void refuse_one_input(const NamedFile& a, const NamedFile& b) const {
    if (a.is_standard_input() && b.is_standard_input())
      refuse(fmt::format("{} and {} cannot both come from standard input: name a file", a.shown(), b.shown()));
  }
  void refuse_one_file(const NamedFile& a, const NamedFile& b) const {
    if (a.word == "-" || b.word == "-") return;  // a stream
    const bool are_written = a.is_written() && b.is_written();
    const bool may_be = (a.goes_back() || b.goes_back()) && a.ending() == b.ending();
    if ((!a.is_written() && !b.is_written()) || (may_be && !are_written) || !are_one_file(a.file(), b.file())) return;
    refuse(fmt::format("{} and {} are one file: {}", a.shown(), b.shown(),
                       are_written ? "each result has its own" : "a result does not replace what it is computed from"));
  }
  // An option that is given says something: not the same as one that is not there.
  [[noreturn]] void refuse_empty(std::string_view name) const { refuse(fmt::format("{}: its value is empty", name)); }

  // "--output" of "-o,--output,--out".
  static std::string long_name(const Argument& argument) {
    const std::size_t first = std::min(argument.names.find("--"), argument.names.size());
    const std::string names = first == argument.names.size() ? argument.names : argument.names.substr(first);
    return names.substr(0, names.find(','));
  }

  void add(const Argument& argument) {
    CLI::Option* option = nullptr;
    if (argument.is_flag) {
      option = app_->add_flag_callback(
          argument.names, [&argument] { argument.take(""); }, argument.what);
    } else {
      const auto take = [this, &argument](const std::string& word) {
        if (word.empty() && argument.names.starts_with('-')) refuse_empty(long_name(argument));
        if (word == "-" && &argument == find("--output")) refuse("--output -: the result needs a name");
        if (argument.file != Argument::File::none) files_.push_back({&argument, word});
        const std::string rule = argument.take(word);
        if (!rule.empty()) throw CLI::ValidationError(fmt::format("{} {}", argument.names, word), rule);
      };
      option = app_->add_option_function<std::string>(argument.names, take, argument.what)->type_name(argument.value);
      if (argument.is_list) option->join(',');
    }
    option->required(argument.is_required);
  }
  void relate(const Argument& argument) {
    CLI::Option* const option = app_->get_option(argument.names.substr(argument.names.find_last_of(',') + 1));
    for (const std::string& other : argument.needs) option->needs(app_->get_option(other));
    for (const std::string& other : argument.excludes) option->excludes(app_->get_option(other));
  }
  const Argument* find(std::string_view name) const {
    for (const Argument& argument : arguments_.all())
      for (const std::string& each : CLI::detail::split(argument.names, ','))
        if (each == name) return &argument;
    return nullptr;
  }
  // Long ones, as they are typed.
  std::vector<std::string> option_names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }

  CLI::App* app_;
  Arguments arguments_ = {};
  std::vector<NamedFile> files_ = {};  // of the line, in its order
  Action run_;
};

}  // namespace

Action read_command_line(const std::vector<std::string>& words, Session& session) {
  const std::vector<Command> all = commands::all();
  io::Words names;
  for (const Command& command : all) names.push_back(command.name);
  if (words.empty()) {
    throw Failure(Status::usage, "denoc: a command is needed",
                  {fmt::format("usage: denoc COMMAND ..., COMMAND one of {}", fmt::join(names, ", ")),
                   "`denoc --help` says more."});
  }
  const auto is_known = [&](const std::string& word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  if (!words[0].starts_with('-') && words[0] != "help" && !is_known(words[0]))
    throw Failure(Status::usage, fmt::format("denoc: {}", io::unknown("command", words[0], names)));
  const io::Words own = {"--help", "--version"};
  if (words[0].starts_with('-') && words[0] != "-h" && std::find(own.begin(), own.end(), words[0]) == own.end())
    throw Failure(Status::usage, fmt::format("denoc: {}", io::unknown("option", words[0], own)),
                  {"`denoc --help` says more."});

  CLI::App app{"Dynamics of robots as trees of rigid bodies.", "denoc"};
  app.set_version_flag("--version", fmt::format("denoc {}", version), "the version");
  app.set_help_flag("-h,--help", "this help");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  std::deque<Subcommand> subcommands;
  std::vector<Example> examples;
  for (const Command& command : all) {
    subcommands.emplace_back(command, app, session);
    examples.push_back(command.examples.front());
  }
  app.footer(example_text(examples) + "\n" + statuses);

  const auto chosen = std::find_if(subcommands.begin(), subcommands.end(),
                                   [&](Subcommand& each) { return each.app().get_name() == words[0]; });
  const auto saying = [](std::string text) {
    if (!text.ends_with('\n')) text += '\n';
    return [text](Session& to) { return to.out = text, Status::done; };
  };
  try {
    if (chosen != subcommands.end()) chosen->refuse_wrong_option(words);
    std::vector<std::string> arguments(words.rbegin(), words.rend());
    if (arguments.back() == "help") arguments.back() = "--help";
    app.parse(std::move(arguments));
  } catch (const CLI::CallForVersion&) {
    return saying(app.version());
  } catch (const CLI::CallForHelp&) {
    return saying(chosen == subcommands.end() ? app.help() : chosen->app().help("denoc"));
  } catch (const CLI::ParseError& error) {
    const std::string name = chosen == subcommands.end() ? "" : fmt::format(" {}", words[0]);
    throw Failure(Status::usage, fmt::format("denoc{}: {}", name, error.what()),
                  {fmt::format("`denoc{} --help` says more.", name)});
  }
  chosen->check_rules();
  return chosen->run();
}

}  // namespace denoc::app
