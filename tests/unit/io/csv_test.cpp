#include "denoc/io/csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "denoc/io/rows.hpp"
#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

using Names = std::vector<std::string>;

std::string line_of(const Names& names) {
  Names entries;
  for (const std::string& name : names) entries.push_back(csv_entry(name));
  return fmt::format("{}", fmt::join(entries, ","));
}

TEST(Csv, QuotesWhatRfc4180Quotes) {
  EXPECT_EQ(csv_entry("q.elbow"), "q.elbow");
  EXPECT_EQ(csv_entry("left, upper"), "\"left, upper\"");
  EXPECT_EQ(csv_entry("the \"arm\""), "\"the \"\"arm\"\"\"");
  EXPECT_EQ(csv_entry(""), "");
  EXPECT_EQ(csv_entry(" left "), "\" left \"");  // blanks that nothing holds are those that people put behind commas
}

// A spreadsheet computes what begins with these, in quotes or not; it shows what begins with an apostrophe.
TEST(Csv, NothingIsAFormula) {
  for (const char* name : {"=1+1", "+x", "-x", "@SUM(A1)", "=cmd|' /C calc'!A0", "=\"a\",1"}) {
    const std::string entry = csv_entry(name);
    EXPECT_EQ(entry.find('\''), entry.starts_with('"') ? 1u : 0u) << entry;
  }
  EXPECT_EQ(csv_entry("=a,b"), "\"'=a,b\"");
  EXPECT_EQ(csv_entry("a=b"), "a=b");
}

TEST(Csv, ALineGivesItsNamesAgain) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  constexpr std::string_view letters = "ab'\"=,+-@ .\t";
  for (int i = 0; i < 2000; ++i) {
    Names names(1 + below(4));
    for (std::string& name : names) {
      name = "x";
      for (std::size_t size = below(5); size > 0; --size) name.insert(0, 1, letters[below(letters.size())]);
      for (std::size_t size = below(5); size > 0; --size) name += letters[below(letters.size())];
    }
    EXPECT_EQ(csv_names(line_of(names)), names) << line_of(names);
  }
  EXPECT_EQ(csv_names(" q1 ,\tv1\r"), (Names{"q1", "v1"}));
  EXPECT_EQ(csv_names("a,,"), (Names{"a", "", ""}));
  EXPECT_EQ(csv_names("\"a,b"), (Names{"a,b"}));
}

TEST(Csv, RowsAreReadUnderAnyNames) {
  const Names names = {"=1+1", "a,b", "the \"arm\"", "-x", "\xC3\xA4"};
  const test::TemporaryFile beside("beside", "");
  const auto path = beside.path().parent_path() / "x.csv";
  RowWriter writer(path, names, Precision::float64);
  writer.write(std::vector<double>{1, 2, 3, 4, 5});
  writer.commit();
  std::vector<double> row(5);
  RowReader reader(path, names);
  ASSERT_EQ(reader.read(row), 1u);
  EXPECT_EQ(row[4], 5);
}

// A text with commas is one entry, of a column that nobody reads.
TEST(Csv, TextsInQuotesArePassedOver) {
  const test::TemporaryFile file("x.csv", "t,note,q\n1,\"a, \"\"b\"\",c\",2\n3,d,4\n");
  RowReader reader(file.path(), {"t", "note", "q"});
  reader.pass_over(1);
  std::vector<double> rows(6);
  ASSERT_EQ(reader.read(rows), 2u);
  EXPECT_EQ(rows[0], 1);
  EXPECT_EQ(rows[2], 2);
  EXPECT_EQ(rows[5], 4);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
