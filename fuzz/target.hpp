// What the targets share. A target is fed with one input after the other: it may be refused by an exception of denoc's,
// and nothing else may happen.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "denoc/error.hpp"
#include "require.hpp"

namespace denoc::fuzz {

// Each target's own.
void feed(const std::string& input);

// A file in memory for readers that want one: it is there as long as the target runs, and holds one input after the
// other.
class InputFile {
 public:
  explicit InputFile(const char* extension)
      : path_("/dev/shm/denoc_fuzz_" + std::to_string(getpid()) + extension),
        file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}
  ~InputFile() { ::unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& with(std::string_view input) const {
    const bool is_written =
        ::ftruncate(file_, 0) == 0 && ::pwrite(file_, input.data(), input.size(), 0) == ssize_t(input.size());
    require(is_written, "no room in /dev/shm");
    return path_;
  }

 private:
  std::string path_;
  int file_;
};

}  // namespace denoc::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    denoc::fuzz::feed({reinterpret_cast<const char*>(data), size});
  } catch (const denoc::Error&) {
  }
  return 0;
}
