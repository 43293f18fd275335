// A file that appears under its name only when it is complete.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "denoc/error.hpp"

namespace denoc::io {

/// A result could not be written. what(): "file: the result cannot be written: why".
class WriteError : public Error {
 public:
  WriteError(const std::string& where, const std::string& why);
  WriteError(const std::string& where, int error);  // an errno
};

/// Writes every byte to an open file; false, with errno, where that fails.
bool write_all(int file, std::string_view bytes);
/// Closes a file; false, with errno, where some of what was written is lost.
bool close_written(int file);

/// Written beside its final name, as NAME.denoc.part, and renamed by commit(); gone if that is never called. While it
/// is written it is locked, so that a second run is refused; the draft of a run that was killed is not, and the next
/// one takes it over. A link stays a link: what it points to is replaced, or made. The permissions of a file that is
/// replaced stay. A device or a pipe is written to itself, as there is nothing to rename onto, and so is a file that is
/// open already and named as such (/dev/stdout, /dev/fd/3). Small pieces are collected, so a full disk may show later
/// than the piece that fills it, but never after complete(). Every call throws WriteError.
class Draft {
 public:
  static constexpr std::string_view suffix = ".denoc.part";

  /// `mark` tells drafts of the same file apart: NAME.MARK.denoc.part.
  explicit Draft(const std::filesystem::path& name, std::string_view mark = "");
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft();

  void append(std::string_view bytes);
  void overwrite_start(std::string_view bytes);
  /// Waits until all of it is on the disk. Of several files, complete each before the first is committed.
  void complete();
  /// Gives the file its final name, and waits until the folder has that on the disk.
  void commit();

  /// Size and checksum of what the file holds. Not of a device or a pipe.
  struct Sum {
    std::uint64_t bytes;
    std::string sha256;  // in hexadecimal digits
  };
  Sum sum();

  /// The name of the file that is to be, without its folder.
  std::string name() const { return target_.filename().string(); }

 private:
  Draft() = default;
  void flush();
  void keep_permissions() const;
  [[noreturn]] void refuse(int error) const;

  std::filesystem::path target_ = {}, folder_ = {};
  std::string draft_ = {};  // empty: the target itself is open
  std::string pending_ = {};
  int file_ = -1;
  bool is_complete_ = false;
  struct Permissions {
    unsigned owner, group, mode;
  };
  std::optional<Permissions> replaced_ = {};  // of the file that is there
};

/// Removes what runs that were killed have left of their drafts in the folder.
void remove_stale_drafts(const std::filesystem::path& folder);

}  // namespace denoc::io
