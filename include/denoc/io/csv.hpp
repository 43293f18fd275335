// Names in files of CSV, which people open with spreadsheets.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace denoc::io {

/// A name as an entry: in quotes where it has a comma, a quote, the end of a line or blanks around it. What a
/// spreadsheet would take for a formula (= + - @ first) begins with an apostrophe, which makes it text there; so does
/// what begins with one.
std::string csv_entry(std::string_view name);

/// Where the first entry of a line ends: at a comma that is not in quotes, or with the line.
std::size_t end_of_entry(std::string_view line);

/// The names of a line that csv_entry made, without blanks around them that are not in quotes. A quote that is not
/// ended goes to the end.
std::vector<std::string> csv_names(std::string_view line);

}  // namespace denoc::io
