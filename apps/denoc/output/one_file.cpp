#include "output/one_file.hpp"

#include <fmt/format.h>

#include "session.hpp"

namespace denoc::app {
namespace fs = std::filesystem;
namespace {

// Where a chain of links ends, whether anything is there or not.
fs::path end_of(fs::path name) {
  constexpr int most_links = 100;
  std::error_code error;
  for (int link = 0; link < most_links && fs::is_symlink(fs::symlink_status(name, error)); ++link)
    name = name.parent_path() / fs::read_symlink(name, error);
  return fs::weakly_canonical(fs::absolute(name, error), error);
}

}  // namespace

bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  const fs::file_status there = fs::status(a, error);
  if (fs::exists(there) && !fs::is_regular_file(there)) return false;
  return fs::equivalent(a, b, error) || end_of(a) == end_of(b);
}

void refuse_replacing(std::span<const fs::path> read, const fs::path& written) {
  for (const fs::path& file : read)
    if (are_one_file(file, written))
      throw Failure(Status::output,
                    fmt::format("{}: it holds the motion that the result is computed from, and would be replaced: "
                                "name another place for the result",
                                written.string()));
}

}  // namespace denoc::app
