// A file that appears under its name only when it is complete.
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace denoc::io {

// what(): "file: the result cannot be written: why".
class WriteError : public std::runtime_error {
 public:
  WriteError(const std::string& where, int error);  // an errno
};

// Every byte to an open file, or false with errno.
bool write_all(int file, std::string_view bytes);

// Written beside its final name and renamed by commit(); gone if that is never called. A link stays a link: what it
// points to is replaced. A device or a pipe is written to itself, as there is nothing to rename onto. Small pieces are
// collected, so a full disk may show later than the piece that fills it, but never after complete(). Every call throws
// WriteError.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& name);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft();

  void append(std::string_view bytes);
  void overwrite_start(std::string_view bytes);
  // All is on the disk: of several files, complete each before the first is committed.
  void complete();
  void commit();

 private:
  void flush();
  [[noreturn]] void refuse(int error) const;

  std::filesystem::path target_;
  std::string draft_ = {};  // empty: the target itself is open
  std::string pending_ = {};
  int file_ = -1;
};

}  // namespace denoc::io
