#include "npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <optional>

#include "denoc/io/report.hpp"

namespace denoc::io {
namespace {

static_assert(std::endian::native == std::endian::little, "NPY files are read and written as they are in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t written_size = 128, longest_header = 1u << 16;

const char* const wanted_type = "'<f8' or '<f4' (little-endian float64 or float32) is expected";

// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : rest_(text) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    if (!take("{")) return {.rule = malformed()};
    while (!take("}")) {
      const auto key = quoted();
      if (!key || !take(":")) return {.rule = malformed()};
      std::string rule;
      if (*key == "descr") {
        has_descr = true;
        rule = descr(header.precision);
      } else if (*key == "fortran_order") {
        has_order = true;
        rule = order();
      } else if (*key == "shape") {
        has_shape = true;
        rule = shape(header.shape);
      } else {
        rule = fmt::format("NPY header: {}", unknown("key", *key, {"descr", "fortran_order", "shape"}));
      }
      if (!rule.empty()) return {.rule = rule};
      if (!take(",") && !next_is('}')) return {.rule = malformed()};
    }
    skip_space();
    if (!rest_.empty() || !has_descr || !has_order || !has_shape) return {.rule = malformed()};
    return header;
  }

 private:
  static std::string malformed() {
    return "NPY header: {'descr': ..., 'fortran_order': ..., 'shape': ...} is expected";
  }
  std::string descr(Precision& precision) {
    if (next_is('[')) return fmt::format("an array of records: {}", wanted_type);
    const auto type = quoted();
    if (!type) return malformed();
    if (*type != "<f8" && *type != "<f4") return fmt::format("numbers of type {}: {}", in_quotes(*type), wanted_type);
    precision = *type == "<f8" ? Precision::float64 : Precision::float32;
    return "";
  }
  std::string order() {
    if (take("False")) return "";
    if (take("True")) return "the array is in Fortran order: save numpy.ascontiguousarray of it";
    return malformed();
  }
  std::string shape(std::vector<std::size_t>& sizes) {
    if (!take("(")) return malformed();
    while (!take(")")) {
      skip_space();
      std::size_t size = 0;
      const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (read.ec != std::errc{}) return malformed();
      rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
      sizes.push_back(size);
      if (!take(",") && !next_is(')')) return malformed();
    }
    return "";
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool next_is(char c) {
    skip_space();
    return rest_.starts_with(c);
  }
  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string_view> quoted() {
    if (!next_is('\'') && !next_is('"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }

  std::string_view rest_;
};

// So many bytes, or fewer at the end of the file.
std::string take_bytes(std::istream& in, std::size_t count) {
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

NpyHeader read_npy_header(std::istream& in) {
  const std::string start = take_bytes(in, magic.size() + 2);
  if (!start.starts_with(magic)) return {.rule = "it is no NPY file: it does not begin with \\x93NUMPY"};
  const int major = start.size() > magic.size() ? static_cast<unsigned char>(start[magic.size()]) : 0;
  if (start.size() == magic.size() + 2 && (major < 1 || major > 3))
    return {.rule = fmt::format("NPY format {}.{}: 1.0, 2.0 and 3.0 are known", major, int(start.back()))};
  const std::string length = take_bytes(in, major == 1 ? 2 : 4);
  std::size_t size = 0;
  for (std::size_t i = length.size(); i-- > 0;) size = size << 8 | static_cast<unsigned char>(length[i]);
  if (size > longest_header) return {.rule = fmt::format("NPY header: {} bytes long", size)};
  const std::string text = take_bytes(in, size);
  if (!in) return {.rule = "NPY header: the file ends within it"};
  NpyHeader header = Dictionary(text).read();
  header.bytes = start.size() + length.size() + text.size();
  return header;
}

std::string npy_header(std::span<const std::size_t> shape, Precision precision) {
  const char* const end = shape.size() == 1 ? "," : "";  // (3,) is a tuple, (3) is not
  const std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                       precision == Precision::float64 ? "<f8" : "<f4", fmt::join(shape, ", "), end);
  const std::size_t start = magic.size() + 4, size = written_size - start;
  std::string header = fmt::format("{}{}{}", magic, '\x01', '\0');
  header += static_cast<char>(size);
  header += '\0';
  return header + fmt::format("{:<{}}\n", text, size - 1);
}

}  // namespace denoc::io
