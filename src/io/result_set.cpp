#include "denoc/io/result_set.hpp"
#include "denoc/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "denoc/io/fields.hpp"
#include "denoc/version.hpp"
#include "readers.hpp"

namespace denoc::io {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr const char* way_out = "move it away, or choose another folder";

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A file of the folder itself, whatever a manifest says, and a text that JSON takes as it is.
bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

Names names_in(const fs::path& manifest, Report& report) {
  const auto text = read_text(manifest, report);
  if (!text) return {};
  const Tree tree = parse_yaml(*text, report);
  if (tree.root == nullptr) return {};
  const Fields fields(*tree.root, "manifest", {"denoc", "complete", "files"}, report);
  for (const char* key : {"denoc", "complete", "files"}) fields.require(key);
  Names names;
  for (const Node* item : fields.list("files")) {
    const Fields file(*item, "file", {"name", "bytes", "sha256"}, report);
    const std::string name = file.text("name");
    if (!is_plain(name)) file.refuse("name", fmt::format("{} is no file of this folder", in_quotes(name)));
    names.push_back(name);
  }
  return names;
}

// The names in the manifest; none if it is not there.
Names own_names(const fs::path& manifest) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(manifest, error);
  if (!fs::exists(status)) return {};
  Report report{manifest.string()};
  Names names;
  try {
    if (fs::is_regular_file(status)) {
      names = names_in(manifest, report);
    } else {
      report.fault(0, "", "it is no file");
    }
  } catch (const TooManyFaults&) {  // the report says so
  }
  if (report.faults.empty()) return names;
  throw WriteError(report.faults.front().text(), fmt::format("it is no manifest of denoc: {}", way_out));
}

std::string manifest_text(bool is_complete, const Names& entries) {
  return fmt::format("{{\"denoc\": \"{}\", \"complete\": {}, \"files\": [\n  {}\n]}}\n", version, is_complete,
                     fmt::join(entries, ",\n  "));
}

}  // namespace

// Whatever throws on the way, what is made so far goes with the destructor.
ResultFolder::ResultFolder(fs::path folder) : ResultFolder() {
  folder_ = std::move(folder);
  std::error_code error;
  for (fs::path path = folder_; !path.empty() && !fs::exists(path, error); path = path.parent_path())
    made_.push_back(path);
  fs::create_directories(folder_, error);
  if (!error && !fs::is_directory(folder_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw WriteError(folder_.string(), error.value());
  // A folder that cannot be opened or locked (some network file systems) is written to all the same.
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw WriteError(folder_.string(), "another run is writing there");
  remove_stale_drafts(folder_);
}

ResultFolder::~ResultFolder() {
  for (const fs::path& path : made_) ::rmdir(path.c_str());  // what holds anything stays
  if (lock_ >= 0) ::close(lock_);
}

ResultSet::ResultSet(const ResultFolder& folder, std::string manifest, std::span<const std::string> names)
    : folder_(&folder), manifest_(std::move(manifest)), own_(own_names(folder.path(manifest_))) {
  claim(names);
}

// The command writes plain files: a link or a folder in their place is not its own.
bool ResultSet::is_own(const std::string& name) const {
  std::error_code error;
  return contains(own_, name) && fs::is_regular_file(fs::symlink_status(folder_->path(name), error));
}

void ResultSet::claim(std::span<const std::string> names) const {
  Names foreign;
  for (const std::string& name : names) {
    std::error_code error;
    const fs::path path = folder_->path(name);
    if (fs::exists(fs::symlink_status(path, error)) && !is_own(name)) foreign.push_back(path.string());
  }
  if (foreign.empty()) return;
  throw WriteError(fmt::format("{}", fmt::join(foreign, ", ")),
                   fmt::format("it is there, and {} does not name it as a result of denoc: {}",
                               folder_->path(manifest_).string(), way_out));
}

fs::path ResultSet::path(const std::string& name) const {
  claim(std::span(&name, 1));
  return folder_->path(name);
}

void ResultSet::commit(std::span<Draft* const> files) {
  Names names, entries;
  for (Draft* file : files) {
    const auto& [bytes, sha256] = file->sum();
    names.push_back(file->name());
    if (!is_plain(names.back())) throw ArgumentError(names.back() + ": no name for a manifest");
    entries.push_back(fmt::format(R"({{"name": "{}", "bytes": {}, "sha256": "{}"}})", names.back(), bytes, sha256));
  }
  claim(names);
  Names all = own_, all_entries;
  for (const std::string& name : names) {
    if (!contains(own_, name)) all.push_back(name);
  }
  std::vector<fs::path> left_over;
  for (const std::string& name : all) {
    all_entries.push_back(fmt::format(R"({{"name": "{}"}})", name));
    if (!contains(names, name) && is_own(name)) left_over.push_back(folder_->path(name));
  }

  // After this only names change: there is room for the rest, on the disk and in memory.
  const fs::path manifest = folder_->path(manifest_);
  Draft complete(manifest), replacing(manifest, "replacing");
  complete.append(manifest_text(true, entries));
  replacing.append(manifest_text(false, all_entries));
  complete.complete();

  replacing.commit();
  own_.swap(all);
  for (const fs::path& path : left_over) {
    if (::unlink(path.c_str()) != 0) throw WriteError(path.string(), errno);
  }
  for (Draft* file : files) file->commit();
  complete.commit();
  own_.swap(names);
}

}  // namespace denoc::io
