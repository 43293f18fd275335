// A folder of results as its reader sees it.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "run.hpp"

namespace denoc::test {

using Names = std::vector<std::string>;

// What is in a folder, in order; nothing if it is not there.
inline Names names_in(const std::string& folder) {
  Names names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Whether the manifest is there and says that the set is complete. What it says is held against the files by their
// sizes and by sha256sum.
inline bool is_complete(const std::string& folder, const std::string& manifest = "manifest.json") {
  const std::string text = content_of(folder + "/" + manifest);
  if (text.empty()) return false;
  EXPECT_TRUE(JsonGrammar(text).holds()) << text;
  const YAML::Node node = YAML::Load(text);
  if (!node["complete"].as<bool>()) return false;
  const Folder beside;
  std::string sums;
  for (const YAML::Node& file : node["files"]) {
    const std::string name = file["name"].as<std::string>();
    std::error_code error;
    EXPECT_EQ(fs::file_size(folder + "/" + name, error), file["bytes"].as<std::uintmax_t>()) << name;
    sums += fmt::format("{}  {}\n", file["sha256"].as<std::string>(), name);
  }
  const std::string command =
      fmt::format("cd '{}' && sha256sum --strict --quiet -c '{}'", folder, beside.write("sums", sums));
  EXPECT_EQ(std::system(command.c_str()), 0) << text;
  return true;
}

// The files that it names, in order.
inline Names named_in(const std::string& folder, const std::string& manifest = "manifest.json") {
  Names names;
  for (const YAML::Node& file : YAML::LoadFile(folder + "/" + manifest)["files"])
    names.push_back(file["name"].as<std::string>());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace denoc::test
