#include "denoc/io/draft.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <utility>
#include <vector>

#include "sha256.hpp"

namespace denoc::io {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t piece = 1u << 16;
constexpr int most_attempts = 100;

// What a signal has interrupted is done once more.
template <class Call> auto again(const Call& call) {
  for (;;) {
    if (const auto result = call(); result >= 0 || errno != EINTR) return result;
  }
}

bool has_name(int file, const std::string& name) {
  struct stat here = {}, there = {};
  return ::fstat(file, &here) == 0 && ::lstat(name.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

// The file, open and locked until it is closed, or -1 with errno: EWOULDBLOCK if another run holds it. Where the file
// system has no locks, nobody holds anything.
int hold(const std::string& name, int flags, mode_t mode = 0666) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const int file =
        again([&] { return ::open(name.c_str(), flags | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode); });
    if (file < 0) return -1;
    const bool is_held = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_held && has_name(file, name)) return file;
    ::close(file);
    if (is_held) break;
    // who held it has renamed or removed it since it was opened here: once more
  }
  errno = EWOULDBLOCK;
  return -1;
}

// What was renamed in the folder is so after a power failure, too. Some file systems cannot be asked for that.
bool synchronise(const fs::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return true;
  const bool is_done = again([&] { return ::fsync(file); }) == 0 || errno == EINVAL;
  const int error = errno;
  ::close(file);
  errno = error;
  return is_done;
}

// A pipe that somebody else has told not to wait.
bool can_write_soon(int file) {
  pollfd until = {.fd = file, .events = POLLOUT, .revents = 0};
  return again([&] { return ::poll(&until, 1, -1); }) > 0;
}

// What a chain of links points to, whether that is there or not; of a ring of links one of them.
fs::path end_of_links(fs::path name) {
  std::error_code error;
  for (int link = 0; link < most_attempts && fs::is_symlink(fs::symlink_status(name, error)); ++link)
    name = name.parent_path() / fs::read_symlink(name, error);
  return name;
}

// What a draft of that file is called: by its name, or as much of it as leaves room for the rest.
std::string name_of_draft(const fs::path& target, std::string_view mark) {
  const std::string rest = fmt::format("{}{}{}", mark.empty() ? "" : ".", mark, Draft::suffix);
  const std::string whole = target.filename().string(), name = whole.substr(0, NAME_MAX - rest.size());
  return whole.size() > NAME_MAX ? target.string() + rest : (target.parent_path() / name).string() + rest;
}

// The number of an open file, as the folders of them have it.
std::optional<int> number_in(const fs::path& name) {
  const std::string digits = name.filename().string();
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

// What names an open file, as /dev/stdout and /dev/fd/3 do and links to them, is that file where it stands, and not the
// name of what it was opened as: a descriptor of it, -1 with errno, or nothing if the name is of another kind. One of
// another program can only be opened anew: what is there stays.
std::optional<int> opened_already(fs::path name) {
  std::error_code error;
  const fs::path own[] = {fs::canonical("/dev/fd", error), fs::canonical("/proc/self/fd", error),
                          fs::canonical("/proc/thread-self/fd", error)};
  for (int link = 0; link < most_attempts; ++link) {
    const fs::path folder = fs::canonical(name.has_parent_path() ? name.parent_path() : ".", error);
    const bool is_own = !folder.empty() && std::find(std::begin(own), std::end(own), folder) != std::end(own);
    if (const auto number = number_in(name); number && is_own) return ::fcntl(*number, F_DUPFD_CLOEXEC, 0);
    if (number_in(name) && folder.filename() == "fd" && folder.native().starts_with("/proc/"))
      return ::open(name.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (!fs::is_symlink(fs::symlink_status(name, error))) return std::nullopt;
    name = name.parent_path() / fs::read_symlink(name, error);
  }
  return std::nullopt;
}

}  // namespace

WriteError::WriteError(const std::string& where, const std::string& why)
    : Error(fmt::format("{}: the result cannot be written: {}", where, why)) {}
WriteError::WriteError(const std::string& where, int error) : WriteError(where, std::string(std::strerror(error))) {}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = again([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (written < 0 && errno == EAGAIN && can_write_soon(file)) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// What a signal interrupts is closed all the same (man 2 close), and another call might close somebody else's file.
bool close_written(int file) { return ::close(file) == 0 || errno == EINTR; }

// Whatever throws on the way, what is made so far goes with the destructor.
Draft::Draft(const fs::path& name, std::string_view mark) : Draft() {
  target_ = name;
  if (const auto opened = opened_already(name)) {
    file_ = *opened;
    if (file_ < 0) refuse(errno);
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) refuse(errno);
    return;
  }
  target_ = end_of_links(name);
  if (fs::is_symlink(fs::symlink_status(target_, error))) refuse(ELOOP);
  if (struct stat old = {}; ::stat(target_.c_str(), &old) == 0) replaced_ = {old.st_uid, old.st_gid, old.st_mode};
  std::string draft = name_of_draft(target_, mark);
  // Until it has the permissions of what it replaces nobody else reads it.
  file_ = hold(draft, O_CREAT, replaced_ ? 0600 : 0666);
  if (file_ < 0 && errno == EWOULDBLOCK) throw WriteError(target_.string(), "another run is writing it");
  if (file_ < 0) refuse(errno);
  draft_ = std::move(draft);
  folder_ = target_.parent_path();
  if (again([&] { return ::ftruncate(file_, 0); }) != 0) refuse(errno);
}

// The name goes before the lock: what another run then finds under it is its own.
Draft::~Draft() {
  if (!draft_.empty()) ::unlink(draft_.c_str());
  if (file_ >= 0) ::close(file_);
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
  struct stat here = {};
  const bool is_of_others = draft_.empty() && ::fstat(file_, &here) == 0 && S_ISREG(here.st_mode);
  if (is_of_others) refuse(ESPIPE);  // what stands at its start was there before
  if (::lseek(file_, 0, SEEK_SET) != 0 || !write_all(file_, bytes) || ::lseek(file_, 0, SEEK_END) < 0) refuse(errno);
}

void Draft::complete() {
  if (is_complete_) return;
  flush();
  // A device may tell only on closing that there was no room; a draft stays open, and so locked, until it is renamed.
  const bool is_kept =
      draft_.empty() ? close_written(std::exchange(file_, -1)) : again([&] { return ::fsync(file_); }) == 0;
  if (!is_kept) refuse(errno);
  is_complete_ = true;
}

Draft::Sum Draft::sum() {
  complete();
  Sha256 sum;
  std::string bytes(piece, '\0');
  for (off_t at = 0;;) {
    const ssize_t count = again([&] { return ::pread(file_, bytes.data(), bytes.size(), at); });
    if (count < 0) refuse(errno);
    if (count == 0) return {static_cast<std::uint64_t>(at), sum.digits()};
    sum.append(std::string_view(bytes).substr(0, static_cast<std::size_t>(count)));
    at += count;
  }
}

void Draft::commit() {
  complete();
  if (draft_.empty()) return;
  if (replaced_) keep_permissions();
  if (::rename(draft_.c_str(), target_.c_str()) != 0) refuse(errno);
  draft_.clear();
  ::close(std::exchange(file_, -1));
  if (!synchronise(folder_)) refuse(errno);
}

// As far as its owner can be kept and the file system knows of permissions.
void Draft::keep_permissions() const {
  const bool is_given = ::fchown(file_, replaced_->owner, replaced_->group) == 0;
  static_cast<void>(::fchmod(file_, replaced_->mode & (is_given ? 07777u : 0777u)));
}

void Draft::refuse(int error) const { throw WriteError(target_.string(), error); }

void remove_stale_drafts(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> drafts;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().native().ends_with(Draft::suffix)) drafts.push_back(entry->path());
  }
  for (const std::string& draft : drafts) {
    const int file = hold(draft, 0);
    if (file < 0) continue;
    ::unlink(draft.c_str());
    ::close(file);
  }
}

}  // namespace denoc::io
