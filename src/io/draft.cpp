#include "denoc/io/draft.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace denoc::io {

namespace fs = std::filesystem;
constexpr std::size_t piece = 1u << 16;

WriteError::WriteError(const std::string& where, int error)
    : std::runtime_error(fmt::format("{}: the result cannot be written: {}", where, std::strerror(error))) {}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Draft::Draft(const fs::path& name) : target_(name) {
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (fs::exists(status)) target_ = fs::canonical(name, error);
    draft_ = fmt::format("{}.{}.part", target_.string(), ::getpid());
    file_ = ::open(draft_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file_ < 0) refuse(errno);
}

Draft::~Draft() {
  if (file_ >= 0) ::close(file_);
  if (!draft_.empty()) ::unlink(draft_.c_str());
}

void Draft::append(std::string_view bytes) {
  if (pending_.size() + bytes.size() > piece) flush();
  if (bytes.size() < piece) {
    pending_ += bytes;
  } else if (!write_all(file_, bytes)) {
    refuse(errno);
  }
}

void Draft::flush() {
  if (!write_all(file_, pending_)) refuse(errno);
  pending_.clear();
}

void Draft::overwrite_start(std::string_view bytes) {
  flush();
  if (::lseek(file_, 0, SEEK_SET) != 0 || !write_all(file_, bytes) || ::lseek(file_, 0, SEEK_END) < 0) refuse(errno);
}

void Draft::complete() {
  if (file_ < 0) return;
  flush();
  if (!draft_.empty() && ::fsync(file_) != 0) refuse(errno);
  // Some file systems tell only on closing that there was no room.
  if (::close(std::exchange(file_, -1)) != 0) refuse(errno);
}

void Draft::commit() {
  complete();
  if (draft_.empty()) return;
  if (::rename(draft_.c_str(), target_.c_str()) != 0) refuse(errno);
  draft_.clear();
}

void Draft::refuse(int error) const { throw WriteError(target_.string(), error); }

}  // namespace denoc::io
