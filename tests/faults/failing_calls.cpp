// Loaded into a program before the C library (LD_PRELOAD): what becomes of its files when a call that changes them fails?
//   FAULT=kill   ends it, as `kill -9` does, before the call
//   FAULT=EIO    (ENOSPC) the call does nothing and fails so
//   FAULT=EINTR  the call is interrupted before it has done anything; of those that can be (man 2)
//   FAULT=short  half of the bytes are written; of those that write
//   FAULT_AT=n   the n-th of these calls
//   CALLS=FILE   a line for each: its name, the path or paths, and at the end `!` if it is the one
// A file is closed whatever is said: no other call gets at it then, on Linux.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace {

struct Call {
  std::string_view name;
  std::string path = {};
  bool can_wait = false, writes = false;
};

std::string_view setting(const char* name) {
  const char* const text = getenv(name);
  return text == nullptr ? "" : text;
}

bool is_among(const Call& call, std::string_view fault) {
  return fault == "short" ? call.writes : fault == "EINTR" ? call.can_wait : true;
}

void note(const Call& call, bool is_the_one) {
  const std::string file(setting("CALLS"));
  if (file.empty()) return;
  const std::string line = std::string(call.name) + " " + call.path + (is_the_one ? " !\n" : "\n");
  const long to = syscall(SYS_openat, AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (to < 0 || syscall(SYS_write, to, line.data(), line.size()) != static_cast<long>(line.size())) abort();
  syscall(SYS_close, to);
}

// Whether this is the call that goes wrong: errno, or 0 for a short one.
bool goes_wrong(const Call& call) {
  static int calls = 0;
  const std::string_view fault = setting("FAULT");
  const bool is_the_one = is_among(call, fault) && ++calls == atoi(std::string(setting("FAULT_AT")).c_str());
  note(call, is_the_one);
  if (!is_the_one) return false;
  if (fault == "kill") kill(getpid(), SIGKILL);
  errno = fault == "EIO" ? EIO : fault == "ENOSPC" ? ENOSPC : fault == "EINTR" ? EINTR : 0;
  return true;
}

std::string path_of(int file) {
  char path[PATH_MAX] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  if (readlink(link.c_str(), path, sizeof path - 1) <= 0) return "?";
  return std::string(path, strcspn(path, " "));  // the path of a file without a name ends so: " (deleted)"
}
bool is_written(int file) { return (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY; }

template <class... A> int unless_wrong(const Call& call, long number, A... arguments) {
  return goes_wrong(call) ? -1 : static_cast<int>(syscall(number, arguments...));
}

int opened(int folder, const char* path, int flags, mode_t mode) {
  if ((flags & O_ACCMODE) == O_RDONLY && (flags & O_CREAT) == 0)
    return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
  return unless_wrong({.name = "open", .path = path, .can_wait = true}, SYS_openat, folder, path, flags, mode);
}
mode_t mode_of(int flags, va_list& arguments) {
  const bool makes_a_file = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return makes_a_file ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));

// A name that nobody else has, as mkostemps of the C library, which calls no open of ours.
int mkostemps(char* path, int suffix, int flags) {
  char* const letters = path + strlen(path) - suffix - 6;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    for (int i = 0, x = getpid() * 1000 + attempt; i < 6; ++i, x /= 26) letters[i] = static_cast<char>('a' + x % 26);
    const int file = open(path, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (goes_wrong({.name = "write", .path = path_of(file), .can_wait = true, .writes = count > 1})) {
    if (errno != 0) return -1;
    count /= 2;
  }
  return syscall(SYS_write, file, bytes, count);
}

int close(int file) {
  const bool is_wrong = is_written(file) && goes_wrong({.name = "close", .path = path_of(file), .can_wait = true});
  const int error = errno;
  const int status = static_cast<int>(syscall(SYS_close, file));
  if (is_wrong) errno = error;
  return is_wrong ? -1 : status;
}

int fsync(int file) {
  return unless_wrong({.name = "fsync", .path = path_of(file), .can_wait = true}, SYS_fsync, file);
}
int fdatasync(int file) {
  return unless_wrong({.name = "fdatasync", .path = path_of(file), .can_wait = true}, SYS_fdatasync, file);
}
int ftruncate(int file, off_t length) noexcept {
  return unless_wrong({.name = "ftruncate", .path = path_of(file), .can_wait = true}, SYS_ftruncate, file, length);
}
int ftruncate64(int file, off_t length) noexcept __attribute__((alias("ftruncate")));
int fchmod(int file, mode_t mode) noexcept {
  return unless_wrong({.name = "fchmod", .path = path_of(file)}, SYS_fchmod, file, mode);
}
int fchown(int file, uid_t owner, gid_t group) noexcept {
  return unless_wrong({.name = "fchown", .path = path_of(file)}, SYS_fchown, file, owner, group);
}
int rename(const char* from, const char* to) noexcept {
  return unless_wrong({.name = "rename", .path = std::string(from) + " " + to}, SYS_renameat2, AT_FDCWD, from, AT_FDCWD,
                      to, 0);
}
int unlink(const char* path) noexcept {
  return unless_wrong({.name = "unlink", .path = path}, SYS_unlinkat, AT_FDCWD, path, 0);
}
int mkdir(const char* path, mode_t mode) noexcept {
  return unless_wrong({.name = "mkdir", .path = path}, SYS_mkdirat, AT_FDCWD, path, mode);
}
int rmdir(const char* path) noexcept {
  return unless_wrong({.name = "rmdir", .path = path}, SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
}
