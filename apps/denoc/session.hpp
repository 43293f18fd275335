// One run of the command line: what it says, and how it ends.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "denoc/error.hpp"

namespace denoc::app {

// The exit statuses other programs rely on.
enum class Status { done = 0, usage = 2, file = 3, numbers = 4, output = 5, interrupted = 130 };

// Ends the run. what() is the first line on standard error, `more` are the lines after it.
class Failure : public Error {
 public:
  Failure(Status why, const std::string& line, std::vector<std::string> more_lines = {})
      : Error(line), status(why), more(std::move(more_lines)) {}
  Status status;
  std::vector<std::string> more;
};

// Nothing is written before all of it is known: a failure leaves no half result behind.
struct Session {
  std::string program = "denoc";          // as it was called
  std::string out = {};                   // for standard output
  std::vector<std::string> remarks = {};  // for standard error, after the result or the failure
  std::string output_file = {};           // instead of standard output, if not empty
  bool is_delivered = false;              // the command has written the output file itself
};

// Writes session.out to where it belongs. A file appears under its name only when it is complete. Throws
// io::WriteError.
void deliver(const Session& session);

// A file that appears under its name only when it is complete. Throws io::WriteError.
void write_file(const std::string& name, std::string_view content);

// A line on standard error, control characters taken out.
void say(std::string_view line);
// The text without control characters, whatever a file called its bodies.
std::string printable(std::string_view text);

}  // namespace denoc::app
