// Files for tests: written to a folder of their own, gone afterwards.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "denoc/io/load.hpp"

namespace denoc::test {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, std::string_view text) {
    // In memory where that is: thousands of small files keep a busy disk waiting.
    const bool has_memory = std::filesystem::is_directory("/dev/shm");
    const std::filesystem::path root = has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string folder = (root / "denoc_test_XXXXXX").string();
    folder_ = ::mkdtemp(folder.data());
    path_ = folder_ / name;
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_, path_;
};

inline Document read_text_as(const std::string& name, std::string_view text, const LoadOptions& options = {}) {
  return read_robot(TemporaryFile(name, text).path(), options);
}

inline std::string all_texts(const std::vector<Fault>& faults) {
  std::string all;
  for (const Fault& fault : faults) all += fault.text() + "\n";
  return all;
}

// Whether one of the faults is on that line (0: on any) and says that.
inline bool says(const std::vector<Fault>& faults, int line, std::string_view fragment) {
  for (const Fault& fault : faults) {
    if ((line == 0 || fault.source.line == line) && fault.text().find(fragment) != std::string::npos) return true;
  }
  return false;
}

// A file that is refused: where, and in which words. `faults` is how many there are in all.
struct Broken {
  const char* name;
  const char* text;
  int line;
  const char* fragment;
  std::size_t faults = 1;
};

}  // namespace denoc::test
