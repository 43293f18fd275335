#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "denoc/error.hpp"
#include "denoc/io/csv.hpp"
#include "denoc/io/rows.hpp"
#include "npy.hpp"

namespace denoc::io {

namespace fs = std::filesystem;

class RowWriter::Format {
 public:
  explicit Format(const fs::path& file) : draft(file) {}
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  virtual ~Format() = default;
  virtual void write(std::span<const double> by_rows) = 0;
  virtual void complete() { draft.complete(); }

  Draft draft;
};

namespace {

class NpyWriter : public RowWriter::Format {
 public:
  NpyWriter(const fs::path& file, std::size_t columns, Precision precision)
      : Format(file), columns_(columns), precision_(precision) {
    draft.append(header());
  }
  void write(std::span<const double> by_rows) override {
    if (precision_ == Precision::float64) {
      append(by_rows);
    } else {
      floats_.resize(by_rows.size());
      for (std::size_t i = 0; i < by_rows.size(); ++i) floats_[i] = static_cast<float>(by_rows[i]);
      append(std::span<const float>(floats_));
    }
    rows_ += by_rows.size() / columns_;
  }
  void complete() override {
    if (std::exchange(is_complete_, true)) return;
    draft.overwrite_start(header());
    draft.complete();
  }

 private:
  std::string header() const { return npy_header(std::array{rows_, columns_}, precision_); }
  template <class E> void append(std::span<const E> numbers) {
    draft.append({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }

  std::size_t columns_, rows_ = 0;
  Precision precision_;
  bool is_complete_ = false;
  std::vector<float> floats_ = {};
};

class CsvWriter : public RowWriter::Format {
 public:
  CsvWriter(const fs::path& file, const std::vector<std::string>& names, Precision precision)
      : Format(file), columns_(names.size()), precision_(precision) {
    std::vector<std::string> entries;
    entries.reserve(names.size());
    for (const std::string& name : names) entries.push_back(csv_entry(name));
    draft.append(fmt::format("{}\n", fmt::join(entries, ",")));
  }
  void write(std::span<const double> by_rows) override {
    if (text_.size() < by_rows.size() * longest_entry) text_.resize(by_rows.size() * longest_entry);
    char* end = text_.data();
    for (std::size_t i = 0; i < by_rows.size(); ++i) {
      end = append(end, by_rows[i]);
      *end++ = (i + 1) % columns_ == 0 ? '\n' : ',';
    }
    draft.append({text_.data(), static_cast<std::size_t>(end - text_.data())});
  }

 private:
  static constexpr std::size_t longest_entry = 32;  // -1.2345678901234567e-308 and a comma have 25

  // The fewest digits that give the same number again, in every locale.
  char* append(char* text, double x) const {
    if (std::isnan(x)) return std::copy_n("nan", 3, text);  // of either sign
    char* const end = text + longest_entry;
    return (precision_ == Precision::float64 ? std::to_chars(text, end, x)
                                             : std::to_chars(text, end, static_cast<float>(x)))
        .ptr;
  }

  std::size_t columns_;
  Precision precision_;
  std::vector<char> text_ = {};
};

}  // namespace

bool RowWriter::knows(const fs::path& file) { return file.extension() == ".npy" || file.extension() == ".csv"; }

RowWriter::RowWriter(const fs::path& file, const std::vector<std::string>& names, Precision precision) {
  if (!knows(file)) throw ArgumentError("rows are written to .npy or .csv");
  if (names.empty()) throw ArgumentError("rows without columns");
  if (file.extension() == ".npy") {
    format_ = std::make_unique<NpyWriter>(file, names.size(), precision);
  } else {
    format_ = std::make_unique<CsvWriter>(file, names, precision);
  }
}
RowWriter::~RowWriter() = default;
void RowWriter::write(std::span<const double> by_rows) { format_->write(by_rows); }
Draft& RowWriter::complete() {
  format_->complete();
  return format_->draft;
}
void RowWriter::commit() { complete().commit(); }

}  // namespace denoc::io
