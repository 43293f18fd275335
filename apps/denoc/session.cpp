#include "session.hpp"

#include <unistd.h>

#include <cerrno>

#include "denoc/io/draft.hpp"
#include "output/interrupt.hpp"

namespace denoc::app {
namespace {

using io::write_all;

[[noreturn]] void refuse_standard_output() { throw io::WriteError("standard output", errno); }

}  // namespace

void write_file(const std::string& name, std::string_view content) {
  catch_interrupts();
  io::Draft draft(name);
  draft.append(content);
  draft.complete();
  stop_if_interrupted();
  draft.commit();
}

void deliver(const Session& session) {
  if (session.is_delivered) return;
  if (!session.output_file.empty()) return write_file(session.output_file, session.out);
  if (!write_all(STDOUT_FILENO, session.out)) refuse_standard_output();
  // Some file systems tell only on closing that there was no room.
  if (!io::close_written(STDOUT_FILENO)) refuse_standard_output();
}

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  }
  return shown;
}

void say(std::string_view line) {
  if (!write_all(STDERR_FILENO, printable(line) + "\n")) return;  // there is nobody left to tell
}

}  // namespace denoc::app
