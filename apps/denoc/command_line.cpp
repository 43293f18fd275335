// Commands as they describe themselves (commands/command.hpp), read by CLI11, which is seen here only.
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "commands/list.hpp"
#include "denoc/io/report.hpp"
#include "denoc/version.hpp"

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

// A command with its arguments, as CLI11 sees it.
class Subcommand {
 public:
  Subcommand(const Command& command, CLI::App& app, Session& session)
      : app_(app.add_subcommand(std::string(command.name), std::string(command.what))),
        run_(command.prepare(arguments_)) {
    if (find("--output") == nullptr)
      arguments_.option("-o,--output,--out", "FILE", session.output_file, "write the result to this file instead");
    for (const Argument& argument : arguments_.all()) add(argument);
    for (const Argument& argument : arguments_.all()) relate(argument);
    app_->footer((command.notes.empty() ? "" : command.notes + "\n\n") + example_text(command.examples));
  }

  CLI::App& app() { return *app_; }
  const Action& run() const { return run_; }
  void check_rules() const {
    for (const auto& check : arguments_.rules()) check();
  }
  // An option that no one knows is told before anything that is missing: it may be that.
  void refuse_unknown_option(const std::vector<std::string>& words) const {
    for (const std::string& word : words) {
      if (word == "--") return;
      if (!word.starts_with("--")) continue;
      const std::string name = word.substr(0, word.find('='));
      const std::vector<std::string> names = option_names();
      const io::Words known(names.begin(), names.end());
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw Failure(Status::usage, fmt::format("denoc {}: {}", app_->get_name(), io::unknown("option", name, known)),
                      {fmt::format("`denoc {} --help` says more.", app_->get_name())});
    }
  }

 private:
  void add(const Argument& argument) {
    CLI::Option* option = nullptr;
    if (argument.is_flag) {
      option = app_->add_flag_callback(
          argument.names, [&argument] { argument.take(""); }, argument.what);
    } else {
      const auto take = [&argument](const std::string& word) {
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
    if (chosen != subcommands.end()) chosen->refuse_unknown_option(words);
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
