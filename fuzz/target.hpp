// What the targets share. A target is fed with one input after the other: it may be refused by an exception of denoc's,
// and nothing else may happen.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "denoc/io/load.hpp"
#include "denoc/io/save.hpp"
#include "denoc/model/model.hpp"

namespace denoc::fuzz {

// Each target's own.
void feed(const std::string& input);

inline void require(bool is_so, std::string_view what, std::string_view more = "") {
  if (is_so) return;
  std::fprintf(stderr, "%.*s\n%.*s\n", int(what.size()), what.data(), int(more.size()), more.data());
  std::abort();
}

// A file in memory with the input in it, for readers that want one.
class InputFile {
 public:
  InputFile(const std::string& input, const char* extension)
      : path_("/dev/shm/denoc_fuzz_" + std::to_string(getpid()) + extension) {
    std::FILE* const file = std::fopen(path_.c_str(), "wb");
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Whatever a file holds, it is a robot or is refused; a robot becomes a model, and what is written of it is read again
// without a fault.
inline void read_as_robot(const std::string& input, const char* name) {
  const Document document = read_robot_text(input, name);
  const Robot& robot = document.robot;
  if (!document.faults.empty() || robot.bodies.size() > 60) return;
  const Model model(robot);
  for (const char* file : {"again.yaml", "again.urdf", "again.xml"}) {
    const RobotText said = robot_text(robot, file);
    const Document again = read_robot_text(said.text, file);
    require(again.faults.empty(), again.faults.empty() ? "" : again.faults.front().text(), said.text);
    const bool splits_screws = std::string_view(file) == "again.xml";
    require(Model(again.robot).nv() == model.nv() || splits_screws, "other degrees of freedom", said.text);
  }
}

}  // namespace denoc::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    denoc::fuzz::feed({reinterpret_cast<const char*>(data), size});
  } catch (const denoc::Error&) {
  }
  return 0;
}
