// Names in files of CSV, which people open with spreadsheets.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace denoc::io {

/// A name as an entry: in quotes where it has a comma, a quote or the end of a line. What a spreadsheet would take for
/// a formula (= + - @ first) begins with an apostrophe, which makes it text there; so does what begins with one.
std::string csv_entry(std::string_view name);

/// The names of a line that csv_entry made, without blanks around them. A quote that is not ended goes to the end.
std::vector<std::string> csv_names(std::string_view line);

}  // namespace denoc::io
