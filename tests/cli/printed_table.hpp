// A table as people read it: what stands under which heading.
#pragma once
#include <map>

#include "cli/run.hpp"

namespace denoc::test {

// Columns begin or end with their headings, two spaces or more between them; what stands under no heading is under "".
// An entry that is empty is not there.
using PrintedRow = std::map<std::string, std::string>;

struct PrintedTable {
  std::vector<std::string> headings = {};
  std::vector<PrintedRow> rows = {};

  // The one whose first line comes after the line that begins so: its headings, and rows up to the first line that is
  // not indented.
  PrintedTable(const std::string& text, const std::string& title) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line) && !line.starts_with(title)) continue;
    EXPECT_TRUE(lines.good()) << "no table '" << title << "' in\n" << text;
    std::getline(lines, line);
    const std::vector<Entry> names = entries(line);
    for (const Entry& name : names) headings.push_back(name.text);
    while (std::getline(lines, line) && line.starts_with("  ")) {
      PrintedRow& row = rows.emplace_back();
      for (const Entry& entry : entries(line)) {
        std::string under;
        for (const Entry& name : names)
          if (entry.begin == name.begin || entry.end == name.end) under = name.text;
        EXPECT_TRUE(row.emplace(under, entry.text).second) << "two entries under '" << under << "': " << line;
      }
    }
  }

 private:
  struct Entry {
    std::size_t begin, end;
    std::string text;
  };
  static std::vector<Entry> entries(const std::string& line) {
    std::vector<Entry> all;
    for (std::size_t begin = line.find_first_not_of(' '); begin != std::string::npos;) {
      const std::size_t end = std::min(line.find("  ", begin), line.size());
      all.push_back({begin, end, line.substr(begin, end - begin)});
      begin = line.find_first_not_of(' ', end);
    }
    return all;
  }
};

inline std::string under(const PrintedRow& row, const std::string& heading) {
  const auto found = row.find(heading);
  return found == row.end() ? "" : found->second;
}
// Six digits of it.
inline void expect_shown(const std::string& entry, double x, const std::string& what) {
  char* end = nullptr;
  const double told = std::strtod(entry.c_str(), &end);
  EXPECT_TRUE(!entry.empty() && *end == '\0') << what << ": '" << entry << "' for " << x;
  EXPECT_NEAR(told, x, 5.0000001e-6 * std::abs(x)) << what;
}

}  // namespace denoc::test
