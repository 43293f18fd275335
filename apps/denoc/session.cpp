#include "session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace denoc::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& where, int error) {
  throw Failure(Status::output,
                fmt::format("denoc: {}: the result cannot be written: {}", where, std::strerror(error)));
}

// Every byte, or false with errno.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new file beside its final name, gone again unless it is renamed.
class Draft {
 public:
  explicit Draft(const fs::path& target) : name_(target.string() + fmt::format(".{}.part", ::getpid())) {
    file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(target.string(), errno);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (file_ >= 0) ::close(file_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  void become(const fs::path& target, std::string_view content) {
    const bool written = write_all(file_, content) && ::fsync(file_) == 0;
    const int error = errno;
    const bool closed = ::close(std::exchange(file_, -1)) == 0;
    if (!written || !closed) refuse(target.string(), written ? errno : error);
    if (::rename(name_.c_str(), target.c_str()) != 0) refuse(target.string(), errno);
    name_.clear();
  }

 private:
  std::string name_;
  int file_;
};

void write_file(const std::string& name, std::string_view content) {
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device, a pipe: nothing to rename onto
    const int file = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) refuse(name, errno);
    const bool written = write_all(file, content);
    const int why = errno;
    const bool closed = ::close(file) == 0;
    if (!written || !closed) refuse(name, written ? errno : why);
    return;
  }
  // What a link points to is replaced, not the link.
  const fs::path target = fs::exists(status) ? fs::canonical(name, error) : fs::path(name);
  Draft(target).become(target, content);
}

}  // namespace

void deliver(const Session& session) {
  if (!session.output_file.empty()) return write_file(session.output_file, session.out);
  if (!write_all(STDOUT_FILENO, session.out)) refuse("standard output", errno);
  // Some file systems tell only on closing that there was no room.
  if (::close(STDOUT_FILENO) != 0) refuse("standard output", errno);
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
