#include "output/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "session.hpp"

namespace denoc::app {
namespace {

constexpr int significant = 6;

// Characters, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

}  // namespace

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    right_.push_back(heading.starts_with('>'));
    if (right_.back()) heading.erase(0, 1);
    heading = printable(heading);
  }
}

void Table::row(std::vector<std::string> entries) {
  entries.resize(headings_.size());
  for (std::string& entry : entries) entry = printable(entry);
  rows_.push_back(std::move(entries));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    std::size_t widest = 0;
    for (const auto& row : rows_) widest = std::max(widest, width(row[c]));
    widths.push_back(widest == 0 ? 0 : std::max(widest, width(headings_[c])));
  }
  std::string all;
  const auto line = [&](const std::vector<std::string>& entries) {
    std::string text;
    for (std::size_t c = 0; c < entries.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string space(widths[c] - width(entries[c]), ' ');
      text += right_[c] ? fmt::format("  {}{}", space, entries[c]) : fmt::format("  {}{}", entries[c], space);
    }
    all.append(text, 0, text.find_last_not_of(' ') + 1).append("\n");
  };
  line(headings_);
  for (const auto& row : rows_) line(row);
  return all;
}

std::string shown(double x) { return fmt::format("{:.{}g}", x, significant); }

std::string shown(double x, double size, int terms) {
  constexpr double factor = 8;  // as in dynamics/rounding.hpp
  return std::abs(x) <= factor * terms * std::numeric_limits<double>::epsilon() * size ? "0" : shown(x);
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

std::string matrix_table(std::span<const double> matrix, const std::vector<std::string>& rows,
                         const std::vector<std::string>& columns, std::span<const double> noise) {
  std::vector<std::string> headings = {""};
  for (const std::string& column : columns) headings.push_back(fmt::format(">{}", column));
  Table table(headings);
  const double size = largest(matrix);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> row = {rows[i]};
    for (std::size_t k = i * columns.size(); k < (i + 1) * columns.size(); ++k)
      row.push_back(noise.empty() ? shown(matrix[k], size) : std::abs(matrix[k]) <= noise[k] ? "0" : shown(matrix[k]));
    table.row(row);
  }
  return table.text();
}

}  // namespace denoc::app
