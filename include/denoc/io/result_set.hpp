// Files that belong together, in one folder, and the manifest that says so.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "denoc/io/draft.hpp"

namespace denoc::io {

/// Where results go: made with its parents if it is not there, and gone again if it stays empty. One run at a time, a
/// second one is refused; drafts that killed runs have left are removed. Throws WriteError.
class ResultFolder {
 public:
  explicit ResultFolder(std::filesystem::path folder);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder();

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  ResultFolder() = default;

  std::filesystem::path folder_ = {};
  std::vector<std::filesystem::path> made_ = {};  // the deepest first
  int lock_ = -1;
};

/// The files of one run. Their manifest is JSON: {"denoc": version, "complete": true, "files": [{"name", "bytes",
/// "sha256"}, ..]}. At any moment, that of a kill included,
///   "complete": true   what it names is whole and of one run
///   "complete": false  a run is replacing files, or was killed at that: of those named, any may be old, new or missing
///   no manifest        nothing of the command's is there
/// What the manifest names is the command's own. Only that is ever replaced or removed.
class ResultSet {
 public:
  /// Names of files that the run may write. Throws WriteError if one of them is there and not the command's own.
  ResultSet(const ResultFolder& folder, std::string manifest, std::span<const std::string> names);
  /// Where a file is to be written. Throws as before.
  std::filesystem::path path(const std::string& name) const;

  /// Everything under its final name, and what an earlier run had written beyond it gone. Names are letters, digits and
  /// . _ -; else ArgumentError. Throws WriteError: at foreign files before anything has changed.
  void commit(std::span<Draft* const> files);

 private:
  bool is_own(const std::string& name) const;
  void claim(std::span<const std::string> names) const;

  const ResultFolder* folder_;
  std::string manifest_;
  std::vector<std::string> own_;  // names
};

}  // namespace denoc::io
