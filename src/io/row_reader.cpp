#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <istream>
#include <limits>
#include <streambuf>

#include "denoc/error.hpp"
#include "denoc/io/csv.hpp"
#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"
#include "denoc/io/rows.hpp"
#include "digits.hpp"
#include "npy.hpp"
#include "readers.hpp"

namespace denoc::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_line = 4u << 20;

// The bytes of an open file. What a signal interrupts that the program catches is bad: nobody waits for a pipe who has
// been told to stop.
class FileStream : private std::streambuf, public std::istream {
 public:
  explicit FileStream(int file) : std::istream(this), file_(file) {}
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;
  ~FileStream() override { ::close(file_); }

 private:
  using Traits = std::char_traits<char>;
  Traits::int_type underflow() override {
    const ssize_t count = ::read(file_, bytes_.data(), bytes_.size());
    if (count < 0) throw failure("unreadable");  // the stream is bad now
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return count == 0 ? Traits::eof() : Traits::to_int_type(bytes_.front());
  }

  int file_;
  std::array<char, 1u << 16> bytes_ = {};
};

// A file or standard input, and where reading it stands.
struct Input {
  std::string name;
  std::unique_ptr<std::istream> in = {};
  std::optional<std::size_t> size = {};  // of a file that has one
  std::size_t taken = 0;                 // bytes

  [[noreturn]] void refuse(int line, std::string where, std::string rule) const {
    throw RobotError({{{name, line, std::move(where)}, std::move(rule)}});
  }
};

Input open(const fs::path& path) {
  const bool is_file = path != "-";
  Input input{shown_file(path)};
  if (std::string rule = is_file ? obstacle(path) : ""; !rule.empty()) input.refuse(0, "", rule);
  const int file = is_file ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : ::dup(STDIN_FILENO);
  if (file < 0) input.refuse(0, "", "it cannot be read");
  input.in = std::make_unique<FileStream>(file);
  if (is_file && fs::is_regular_file(path)) input.size = fs::file_size(path);
  return input;
}

std::string row_name(std::size_t row) { return fmt::format("rows[{}]", row); }

const RowReader::Names& some_columns(const RowReader::Names& names) {
  if (names.empty()) throw ArgumentError("rows without columns");
  return names;
}

// "q1, ..., tau6"
std::string range(const std::vector<std::string>& names) {
  return names.size() < 2 ? names.front() : fmt::format("{}, ..., {}", names.front(), names.back());
}

}  // namespace

class RowReader::Format {
 public:
  explicit Format(Input input) : input_(std::move(input)) {}
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  virtual ~Format() = default;

  virtual std::size_t read(std::span<double> by_rows) = 0;
  virtual void pass_over(std::size_t) {}
  virtual std::optional<std::size_t> rows() const { return std::nullopt; }
  virtual int line(std::size_t) const { return 0; }
  const Names& names() const { return names_; }
  const Input& input() const { return input_; }

 protected:
  void call_columns(const Names& names) { names_ = some_columns(names); }
  std::istream& in() { return *input_.in; }
  [[noreturn]] void refuse(int line, std::string where, std::string rule) const {
    input_.refuse(line, std::move(where), std::move(rule));
  }
  void take(std::size_t bytes) { input_.taken += bytes; }
  void refuse_unread() const {
    if (input_.in->bad()) refuse(0, "", "it cannot be read to its end");
  }

 private:
  Input input_;
  Names names_ = {};
};

namespace {

class NpyRows : public RowReader::Format {
 public:
  NpyRows(Input input_file, const RowReader::Choose& choose)
      : Format(std::move(input_file)), header_(read_npy_header(in())) {
    if (!header_.rule.empty()) refuse(0, "", header_.rule);
    call_columns(choose({}));
    const std::size_t columns = names().size();
    if (header_.shape.size() != 2 || header_.shape[1] != columns) {
      refuse(0, "",
             fmt::format("an array ({}): (rows, {}) is expected, with the columns {}", fmt::join(header_.shape, ", "),
                         columns, range(names())));
    }
    row_size_ = columns * size_of(header_.precision);
    if (header_.shape[0] > std::numeric_limits<std::size_t>::max() / 2 / row_size_)
      refuse(0, "", fmt::format("{} rows are too many", header_.shape[0]));
    take(header_.bytes);
    check_size();
  }

  std::optional<std::size_t> rows() const override { return header_.shape[0]; }

  std::size_t read(std::span<double> by_rows) override {
    const std::size_t count = std::min(by_rows.size() / names().size(), header_.shape[0] - row_);
    const std::span<double> wanted = by_rows.first(count * names().size());
    if (header_.precision == Precision::float64) {
      fill(wanted);
    } else {
      floats_.resize(wanted.size());
      fill(std::span(floats_));
      std::copy(floats_.begin(), floats_.end(), wanted.begin());
    }
    row_ += count;
    if (row_ == header_.shape[0] && in().peek() != std::istream::traits_type::eof())
      refuse(0, "", "more follows after the array");
    return count;
  }

 private:
  // Before any row is computed, where the file has a size.
  void check_size() const {
    if (!input().size) return;
    const std::size_t expected = header_.bytes + header_.shape[0] * row_size_;
    if (*input().size < expected)
      refuse(0, "", fmt::format("it ends too early: {} bytes, not {}", *input().size, expected));
    if (*input().size > expected)
      refuse(0, "", fmt::format("more follows after the array: {} bytes, not {}", *input().size, expected));
  }
  template <class E> void fill(std::span<E> numbers) {
    in().read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size_bytes()));
    const auto got = static_cast<std::size_t>(in().gcount());
    take(got);
    refuse_unread();
    if (got < numbers.size_bytes()) refuse(0, row_name(row_ + got / row_size_), "the file ends here");
  }

  NpyHeader header_;
  std::size_t row_size_ = 0, row_ = 0;
  std::vector<float> floats_ = {};
};

class CsvRows : public RowReader::Format {
 public:
  CsvRows(Input input_file, const RowReader::Choose& choose) : Format(std::move(input_file)), buffer_(longest_line) {
    has_line_ = next_line();
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // the byte order mark some editors write
    if (!has_line_) refuse(0, "", "it is empty");
    refuse_other_separators();
    const RowReader::Names found = is_header() ? csv_names(text_) : RowReader::Names{};
    call_columns(choose(found));
    is_passed_over_.resize(names().size());
    if (found.empty()) return;
    check_header(found);
    has_line_ = next_line();
    header_lines_ = 1;
  }

  void pass_over(std::size_t column) override { is_passed_over_[column] = true; }
  int line(std::size_t row) const override { return static_cast<int>(row) + header_lines_ + 1; }

  std::size_t read(std::span<double> by_rows) override {
    const std::size_t columns = names().size();
    std::size_t count = 0;
    for (; has_line_ && (count + 1) * columns <= by_rows.size(); ++count) {
      read_row(by_rows.subspan(count * columns, columns));
      ++row_;
      has_line_ = next_line();
    }
    return count;
  }

 private:
  // The next line to text_, without its end; false after the last. Empty lines may only be the last ones.
  bool next_line() {
    if (!take_line()) return false;
    if (!text_.empty()) return true;
    const int empty_line = lines_;
    while (take_line()) {
      if (!text_.empty()) refuse(empty_line, "", "an empty line among the rows");
    }
    return false;
  }
  bool take_line() {
    in().getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    refuse_unread();
    auto size = static_cast<std::size_t>(in().gcount());
    if (size == 0 && in().eof()) return false;
    ++lines_;
    if (in().fail()) refuse(lines_, "", fmt::format("a line longer than {} MB", longest_line >> 20));
    take(size);
    if (!in().eof()) --size;  // the end of the line is counted, not kept
    text_ = std::string_view(buffer_.data(), size);
    while (!text_.empty() && (text_.back() == '\r' || text_.back() == ' ' || text_.back() == '\t'))
      text_.remove_suffix(1);
    return true;
  }

  // f(column, text) for each entry of the line; how many there are.
  template <class F> std::size_t split(F&& f) const {
    std::string_view rest = text_;
    const bool has_quotes = rest.find('"') != std::string_view::npos;  // of texts that are passed over
    for (std::size_t column = 0;; ++column) {
      const std::size_t end = has_quotes ? end_of_entry(rest) : std::min(rest.find(','), rest.size());
      f(column, rest.substr(0, end));
      if (end == rest.size()) return column + 1;
      rest.remove_prefix(end + 1);
    }
  }
  void require_columns(std::size_t found, std::string where) const {
    if (found == names().size()) return;
    refuse(lines_, std::move(where), fmt::format("{} columns, not {}: {}", found, names().size(), range(names())));
  }

  // Of a table with decimal commas, of one that was pasted, of numpy.savetxt. A name may have what a number has not.
  void refuse_other_separators() const {
    const bool has_commas = text_.find(',') != std::string_view::npos;
    if (has_commas && is_header()) return;
    for (const auto& [separator, name] : {std::pair{';', "semicolons"}, {'\t', "tabs"}, {' ', "blanks"}})
      if (trimmed(text_).find(separator) != std::string_view::npos && (!has_commas || separator == ';'))
        refuse(lines_, "", fmt::format("columns are separated by {}: commas are wanted", name));
  }
  bool is_header() const {
    const std::string_view first = trimmed(text_.substr(0, text_.find(',')));
    return !trimmed(text_).empty() && !means_not_finite(first) &&
           (first.empty() || std::string_view("+-.0123456789").find(first.front()) == std::string_view::npos);
  }
  void check_header(const RowReader::Names& found) const {
    require_columns(found.size(), "header");
    for (std::size_t column = 0; column < found.size(); ++column) {
      if (found[column] == names()[column]) continue;
      refuse(lines_, "header",
             fmt::format("column {} is {}, not {}", column + 1, in_quotes(found[column]), in_quotes(names()[column])));
    }
  }
  void read_row(std::span<double> row) const {
    const std::size_t found = split([&](std::size_t column, std::string_view text) {
      if (column >= row.size()) return;
      // As RowWriter writes them.
      const Number number = is_passed_over_[column] ? Number{nothing} : number_or_not_finite(text);
      if (!number) refuse(lines_, fmt::format("{}: {}", row_name(row_), names()[column]), number.rule);
      row[column] = number.value;
    });
    require_columns(found, row_name(row_));
  }

  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<bool> is_passed_over_ = {};
  std::vector<char> buffer_;
  std::string_view text_ = {};
  bool has_line_ = false;
  int lines_ = 0, header_lines_ = 0;
  std::size_t row_ = 0;
};

}  // namespace

RowReader::RowReader(std::unique_ptr<Format> format) : format_(std::move(format)) {}
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader::RowReader(const fs::path& file, const Names& names)
    : RowReader(by_first_line(file, [&own = some_columns(names)](const Names&) { return own; })) {}

RowReader RowReader::by_first_line(const fs::path& file, const Choose& choose) {
  Input input = open(file);
  if (file.extension() == ".npz")
    throw RobotError({{{shown_file(file), 0, ""}, "it is an archive of arrays: rows are read from one, .npy, or CSV"}});
  const std::istream::int_type first = input.in->peek();
  if (file.extension() == ".npy" || first == std::istream::traits_type::to_int_type(npy_first_byte))
    return RowReader(std::make_unique<NpyRows>(std::move(input), choose));
  return RowReader(std::make_unique<CsvRows>(std::move(input), choose));
}
RowReader::~RowReader() = default;

const RowReader::Names& RowReader::names() const { return format_->names(); }
void RowReader::pass_over(std::size_t column) { format_->pass_over(column); }
std::optional<std::size_t> RowReader::rows() const { return format_->rows(); }
std::size_t RowReader::read(std::span<double> by_rows) { return format_->read(by_rows); }
std::optional<double> RowReader::part_read() const {
  const Input& input = format_->input();
  if (!input.size || *input.size == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(input.taken) / static_cast<double>(*input.size));
}
Source RowReader::source(std::size_t row) const { return {format_->input().name, format_->line(row), row_name(row)}; }

}  // namespace denoc::io
