#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "readers.hpp"

namespace denoc::io {
namespace {

constexpr std::size_t largest_file = 64u << 20;

// Never more than the limit and a byte, however long the stream: /dev/zero is a file too.
std::string bytes_of(std::istream& in) {
  std::string text, piece(1u << 16, '\0');
  while (text.size() <= largest_file && in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

std::string too_large() { return fmt::format("larger than {} MB", largest_file >> 20); }

std::string why_no_text(const std::string& bytes) {
  if (bytes.size() > largest_file) return too_large();
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return "it is UTF-16: save it as UTF-8";
  if (bytes.find('\0') != std::string::npos) return "it is binary, not a text";
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) return "it is empty";
  return "";
}

}  // namespace

std::string obstacle(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (!std::filesystem::exists(status)) return "it cannot be reached: " + error.message();
  if (std::filesystem::is_directory(status)) return "it is a folder, not a file";
  return "";
}

std::optional<std::string> read_bytes(const std::filesystem::path& file, std::string& why) {
  why = obstacle(file);
  if (!why.empty()) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) why = "it cannot be read";
  std::string bytes = bytes_of(in);
  if (in.bad()) why = "it cannot be read to its end";
  if (bytes.size() > largest_file) why = too_large();
  return why.empty() ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<std::string> read_text(const std::filesystem::path& file, Report& report) {
  std::string why;
  std::optional<std::string> text = file == "-" ? bytes_of(std::cin) : read_bytes(file, why);
  if (text && text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);  // the byte order mark some editors write
  if (text) text->erase(text->find_last_not_of('\0') + 1);           // the end of a string that some programs write
  if (text) why = why_no_text(*text);
  if (why.empty()) return text;
  report.fault(0, "", why);
  return std::nullopt;
}

}  // namespace denoc::io
