// Tables of numbers from and to files, a row at a time or many: NPY (NumPy) and CSV. However long the file, only the
// rows asked for are in memory.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "denoc/io/draft.hpp"
#include "denoc/model/robot.hpp"

namespace denoc::io {

/// A file ("-": standard input) whose rows have a number for each of the names. What begins like NPY is NPY: format 1.0
/// to 3.0, an array (rows, columns) of little-endian float64 or float32 in C order. Anything else is CSV: numbers with
/// commas between, after a line with the names, which may be left out. Faults are thrown as RobotError; so is a
/// wait for input that ends with a signal which the program catches.
class RowReader {
 public:
  using Names = std::vector<std::string>;
  using Choose = std::function<Names(const Names& first_line)>;
  RowReader(const std::filesystem::path& file, const Names& names);
  /// The same where the file says which columns it has: `choose` is given the names of its first line, none where it
  /// begins with a number or is NPY, and says what the columns are called. The file is read once: it may be a pipe.
  static RowReader by_first_line(const std::filesystem::path& file, const Choose& choose);
  RowReader(RowReader&&) noexcept;
  ~RowReader();

  const Names& names() const;
  std::size_t columns() const { return names().size(); }
  /// What stands in that column of CSV need not be a number: it reads as NaN. Said before rows are read.
  void pass_over(std::size_t column);
  /// How many rows there are, where the file says so.
  std::optional<std::size_t> rows() const;
  /// Reads as many of the next rows as there are and fit, and says how many. They need not be finite: CSV has nan and
  /// inf for such.
  std::size_t read(std::span<double> by_rows);

  /// What part of the file has been read, 0 to 1; nothing if it has no length.
  std::optional<double> part_read() const;
  /// "file:line: rows[3]"; rows count from 0, as in NumPy.
  Source source(std::size_t row) const;

  class Format;

 private:
  explicit RowReader(std::unique_ptr<Format> format);
  std::unique_ptr<Format> format_;
};

/// float32 halves an NPY file; CSV has the digits that give the same number again.
enum class Precision { float64, float32 };

/// NPY or CSV (with a line of names first) by the extension of the file, which appears only with commit().
class RowWriter {
 public:
  /// Whether the extension is one of those; else the constructor throws ArgumentError.
  static bool knows(const std::filesystem::path& file);

  /// Every call throws WriteError.
  RowWriter(const std::filesystem::path& file, const std::vector<std::string>& names, Precision precision);
  ~RowWriter();
  void write(std::span<const double> by_rows);
  /// Writes what is left, and gives the draft, to be committed together with others.
  Draft& complete();
  void commit();

  class Format;

 private:
  std::unique_ptr<Format> format_;
};

}  // namespace denoc::io
