// Loaded into a program before the C library (LD_PRELOAD): what becomes of its files when it is killed?
//   KILL_AT=n   ends it, as `kill -9` does, before the n-th call that gives a file another name or takes its name away
//   CALLS=FILE  writes these calls and every fsync to the file, a line each
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace {

void note(const std::string& line) {
  const char* const name = getenv("CALLS");
  if (name == nullptr) return;
  const int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0 || write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) abort();
  close(file);
}

void count() {
  static int calls = 0;
  const char* const last = getenv("KILL_AT");
  if (last != nullptr && ++calls == atoi(last)) kill(getpid(), SIGKILL);
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  count();
  note(std::string("rename ") + from + " " + to + "\n");
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char* path) noexcept {
  count();
  note(std::string("unlink ") + path + "\n");
  return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int fsync(int file) {
  char path[PATH_MAX] = {};
  if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1) > 0)
    note(std::string("fsync ") + path + "\n");
  return static_cast<int>(syscall(SYS_fsync, file));
}
}
