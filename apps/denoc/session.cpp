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

// Controls of terminals are told by '?', those beyond ASCII (U+0080 to U+009F, two bytes) too.
std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : ' ');
    const bool is_wide_control = c == 0xC2 && next >= 0x80 && next < 0xA0;
    shown += c < ' ' || c == 127 || is_wide_control ? '?' : text[i];
    if (is_wide_control) ++i;
  }
  return shown;
}

void say(std::string_view line) {
  if (!write_all(STDERR_FILENO, printable(line) + "\n")) return;  // there is nobody left to tell
}

}  // namespace denoc::app
