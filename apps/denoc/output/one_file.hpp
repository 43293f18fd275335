// A result does not replace what it is computed from.
#pragma once
#include <filesystem>
#include <span>

namespace denoc::app {

// However they are spelled, and whether anything is there or not. Into pipes and devices several results may go.
bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b);

// Throws Failure where one of the files that were read would be replaced by what is written.
void refuse_replacing(std::span<const std::filesystem::path> read, const std::filesystem::path& written);

}  // namespace denoc::app
