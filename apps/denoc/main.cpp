// denoc: the command line. What can be asked is in commands/list.hpp, a file for each command.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

#include "command_line.hpp"
#include "denoc/io/draft.hpp"
#include "denoc/model/robot.hpp"
#include "denoc/scalar/instruction_set.hpp"
#include "denoc/simulation/arkode.hpp"

namespace denoc::app {
namespace {

// A name in DENOC_ISA that means nothing is a mistake of the call.
void require_instruction_set() {
  const char* const named = std::getenv("DENOC_ISA");  // NOLINT(concurrency-mt-unsafe): nothing runs yet
  if (named == nullptr || *named == '\0') return;
  try {
    instruction_set();
  } catch (const ArgumentError& error) {
    throw Failure(Status::usage, fmt::format("denoc: {}", error.what()));
  }
}

// Whatever happens but a lack of memory: one of the exit statuses, and a line that says why.
Status told_run(int argc, char** argv) {
  Session session;
  if (argc > 0) session.program = argv[0];
  const auto remarks = [&] {
    for (const std::string& remark : session.remarks) say(remark);
  };
  try {
    require_instruction_set();
#ifdef DENOC_ARKODE
    use_arkode();
#endif
    const Status status = read_command_line({argv + std::min(argc, 1), argv + argc}, session)(session);
    if (status != Status::done) remarks();  // the faults that the command found come before anything else
    deliver(session);
    if (status == Status::done) remarks();
    return status;
  } catch (const Failure& failure) {
    say(failure.what());
    for (const std::string& line : failure.more) say(line);
    remarks();
    return failure.status;
  } catch (const RobotError& error) {
    say(error.what());
    return Status::file;
  } catch (const io::WriteError& error) {
    say(fmt::format("denoc: {}", error.what()));
    remarks();
    return Status::output;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    say(fmt::format("denoc: {}", error.what()));
  }
  return Status::numbers;
}

// What there is no memory for cannot be told with words that take some.
Status out_of_memory() {
  static_cast<void>(io::write_all(STDERR_FILENO, "denoc: out of memory\n"));
  return Status::numbers;
}

Status guarded_run(int argc, char** argv) {
  try {
    return told_run(argc, argv);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

// CLI11 looks up names in functions from which nothing may be thrown. There are no files yet then.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    std::_Exit(static_cast<int>(out_of_memory()));
  } catch (...) {  // a defect, for the debugger
  }
  std::abort();
}

}  // namespace
}  // namespace denoc::app

int main(int argc, char** argv) {
  // A reader that has gone, or a file beyond the limit of sizes, is a result that could not be written.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  std::set_terminate(denoc::app::end_without_memory);
  return static_cast<int>(denoc::app::guarded_run(argc, argv));
}
