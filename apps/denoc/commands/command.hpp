// A command: its name, what it does, the words that it takes, examples, and what it does with them. Each is a file of
// this folder that defines `Command commands::name()`, and a row in list.hpp. How a line is read with all that is in
// command_line.cpp.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session.hpp"

namespace denoc::app {

// One argument of a command, as plain data.
struct Argument {
  std::string names;  // "-o,--output"; "MODEL": told by its place
  std::string value;  // what the help calls its value; empty: a flag, or told by its place
  std::string what;   // for the help
  // Keeps the word; what is wrong with it, or nothing.
  std::function<std::string(const std::string& word)> take;
  bool is_flag = false, is_required = false;
  bool is_list = false;                                // given again, its words are joined by commas
  std::vector<std::string> needs = {}, excludes = {};  // other options by one of their names
  // The file that its word names. No result replaces another, nor what it is computed from, but for robots and rows, which
  // may go back where they came from: an input that may be replaced (read_back), a result that may do so (written_back).
  enum class File { none, read, read_back, robot, written, written_back } file = File::none;

  Argument& required() { return is_required = true, *this; }
  Argument& list() { return is_list = true, *this; }
  Argument& with(std::string other) { return needs.push_back(std::move(other)), *this; }
  Argument& without(std::vector<std::string> others);
  Argument& names_a(File kind) { return file = kind, *this; }
};

// The arguments of a command, bound to variables that outlive the reading of the line.
class Arguments {
 public:
  Argument& flag(std::string names, bool& to, std::string what);
  // A FILE is one that is read, unless it says otherwise.
  Argument& option(std::string names, std::string value, std::string& to, std::string what);
  Argument& option(std::string names, std::string value, std::optional<std::string>& to, std::string what);
  Argument& whole_number(std::string names, int lowest, int highest, int& to, std::string what);
  Argument& one_of(std::string names, std::vector<std::string_view> words, std::string what,
                   std::function<void(std::string_view)> take);
  // x,y,z, numbers or expressions
  Argument& vec3(std::string names, std::function<void(std::span<const double, 3>)> take, std::string what);
  // Told by its place, and required.
  Argument& place(std::string name, std::string& to, std::string what);

  // A rule about several arguments, checked when all of them are known. Throws Failure.
  void rule(std::function<void()> check) { rules_.push_back(std::move(check)); }

  const std::deque<Argument>& all() const { return all_; }
  const std::vector<std::function<void()>>& rules() const { return rules_; }

 private:
  Argument& add(Argument argument) {
    if (argument.value == "FILE") argument.file = Argument::File::read;
    return all_.emplace_back(std::move(argument));
  }

  std::deque<Argument> all_ = {};
  std::vector<std::function<void()>> rules_ = {};
};

struct Example {
  std::string line, what;
};

using Action = std::function<Status(Session&)>;
struct Command {
  std::string_view name, what;
  std::string notes;              // for the help: formats of files and the like
  std::vector<Example> examples;  // for the help; the first one is also shown by `denoc --help`
  // Says which arguments there are; what it gives runs the command once they are read.
  std::function<Action(Arguments&)> prepare;
};

// A command whose arguments are kept in Options.
template <class Options>
Command command(std::string_view name, std::string_view what, std::string notes, std::vector<Example> examples,
                void (*arguments)(Arguments&, Options&), Status (*run)(const Options&, Session&)) {
  return {name, what, std::move(notes), std::move(examples), [arguments, run](Arguments& to) -> Action {
            const auto options = std::make_shared<Options>();
            arguments(to, *options);
            return [options, run](Session& session) { return run(*options, session); };
          }};
}

}  // namespace denoc::app
