#include "denoc/io/rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>

#include "denoc/io/draft.hpp"
#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

using test::TemporaryFile;
using Numbers = std::vector<double>;

const std::vector<std::string> three = {"q1", "v1", "a1"};

template <class E> std::string bytes(const std::vector<E>& numbers) {
  std::string text(numbers.size() * sizeof(E), '\0');
  std::memcpy(text.data(), numbers.data(), text.size());
  return text;
}
// A header as NumPy writes it, or nearly.
std::string npy(const std::string& dictionary, int major = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(major);
  text += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) text += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  return text + dictionary;
}
std::string two_rows(int major = 1) {
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }   \n", major) +
         bytes<double>({1, 2, 3, 4, 5, 0.1});
}

Numbers all_of(RowReader& reader, std::size_t rows_at_a_time) {
  Numbers all, some(rows_at_a_time * reader.columns());
  while (const std::size_t count = reader.read(some))
    all.insert(all.end(), some.begin(), some.begin() + std::ptrdiff_t(count * reader.columns()));
  return all;
}
Numbers read(const std::string& name, const std::string& text, std::size_t rows_at_a_time = 5) {
  const TemporaryFile file(name, text);
  RowReader reader(file.path(), three);
  return all_of(reader, rows_at_a_time);
}
// What is said of a file at fault, without its folder.
std::string fault(const std::string& name, const std::string& text) {
  const TemporaryFile file(name, text);
  try {
    RowReader reader(file.path(), three);
    all_of(reader, 5);
  } catch (const RobotError& error) {
    const std::string folder = file.path().parent_path().string() + "/", what = error.what();
    return what.starts_with(folder) ? what.substr(folder.size()) : what;
  }
  return "no fault";
}
void expect_fault(const std::string& name, const std::string& text, const std::string& words) {
  EXPECT_NE(fault(name, text).find(words), std::string::npos) << fault(name, text) << "\nnot: " << words;
}

TEST(Rows, ReadsEveryVersionOfNpy) {
  const Numbers expected = {1, 2, 3, 4, 5, 0.1};
  for (const int major : {1, 2, 3}) EXPECT_EQ(read("x.npy", two_rows(major)), expected);
  EXPECT_EQ(read("x.dat", two_rows()), expected);  // by its first bytes
  const std::string other_order = npy("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}");
  EXPECT_EQ(read("x.npy", other_order + bytes<float>({1, 2, 3, 4, 5, 0.1f})), (Numbers{1, 2, 3, 4, 5, 0.1f}));
  EXPECT_EQ(read("x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }")), Numbers{});
}

TEST(Rows, ReadsInPiecesOfAnySize) {
  Numbers numbers(3 * 100);
  std::iota(numbers.begin(), numbers.end(), -7.5);
  std::string csv;
  for (std::size_t i = 0; i < numbers.size(); ++i) csv += fmt::format("{}{}", numbers[i], i % 3 == 2 ? '\n' : ',');
  const std::string array = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (100, 3), }") + bytes(numbers);
  for (const std::size_t size : {1u, 7u, 50u, 100u, 1000u}) {
    EXPECT_EQ(read("x.npy", array, size), numbers);
    EXPECT_EQ(read("x.csv", csv, size), numbers);
  }
}

TEST(Rows, SaysHowFarItIs) {
  const TemporaryFile array("x.npy", two_rows()), text("x.csv", "q1,v1,a1\n1,2,3\n4,5,6\n");
  RowReader npy_reader(array.path(), three), csv_reader(text.path(), three);
  EXPECT_EQ(npy_reader.rows(), 2u);
  EXPECT_FALSE(csv_reader.rows().has_value());
  EXPECT_LT(npy_reader.part_read().value(), 0.9);
  all_of(npy_reader, 1);
  all_of(csv_reader, 1);
  EXPECT_EQ(npy_reader.part_read(), 1.0);
  EXPECT_EQ(csv_reader.part_read(), 1.0);
  EXPECT_EQ(csv_reader.source(1).line, 3);
  EXPECT_EQ(csv_reader.source(1).element, "rows[1]");
  EXPECT_EQ(npy_reader.source(1).line, 0);
}

// A first line that begins with no number is a header, and so is one that begins with nothing.
TEST(Rows, HeadersAtFault) {
  expect_fault("x.csv", ",v1,a1\n1,2,3\n", "x.csv:1: header: column 1 is '', not 'q1'");
  expect_fault("x.csv", "q1,v2,a1\n1,2,3\n", "x.csv:1: header: column 2 is 'v2', not 'v1'");
  expect_fault("x.csv", ",q1,v1,a1\n0,1,2,3\n", "x.csv:1: header: 4 columns, not 3");
}

TEST(Rows, NpyAtFault) {
  const auto header = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return npy("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n");
  };
  const std::string six = bytes<double>({1, 2, 3, 4, 5, 6});
  expect_fault("x.npy", header("'<f8'", "True", "(2, 3)") + six, "Fortran order");
  for (const char* type : {"'>f8'", "'<i8'", "'<f2'", "'|b1'", "'<c16'", "'|O'", "''"})
    expect_fault("x.npy", header(type, "False", "(2, 3)") + six, "float64 or float32");
  for (const char* none : {"8", "<f8", "None", ""})
    expect_fault("x.npy", header(none, "False", "(2, 3)") + six, "NPY header: {'descr': ..., ");
  expect_fault("x.npy", header("[('q', '<f8')]", "False", "(2, 3)") + six, "records");
  for (const char* shape : {"()", "(6,)", "(3, 2)", "(1, 2, 3)", "(2, 0)"})
    expect_fault("x.npy", header("'<f8'", "False", shape) + six, "(rows, 3) is expected");
  expect_fault("x.npy", header("'<f8'", "False", "(6148914691236517205, 3)") + six, "too many");
  for (const char* shape : {"(2, 3", "2, 3", "(-2, 3)", "(2 3)", "(99999999999999999999999, 3)", "None"})
    expect_fault("x.npy", header("'<f8'", "False", shape) + six, "NPY header");
  for (const char* text : {"", "{", "}", "{}", "[]", "{'descr': '<f8'}", "{'descr: '<f8'}", "{descr: 1}"})
    expect_fault("x.npy", npy(text) + six, "NPY header");
  expect_fault("x.npy", npy("{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}") + six, "NPY header");
  expect_fault("x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shap': (2, 3)}") + six, "'shape'");
  expect_fault("x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} x") + six, "NPY header");
  expect_fault("x.npy", npy("{}", 4) + six, "NPY format 4.0");
  expect_fault("x.npy", npy(std::string(65537, ' '), 2) + six, "NPY header: 65537 bytes long");
  expect_fault("x.npy", "1,2,3\n", "no NPY file");
  expect_fault("x.npy", "", "no NPY file");
  expect_fault("x.csv", "\x93NUMPX....", "no NPY file");
}

TEST(Rows, NpyOfTheWrongLength) {
  const std::string whole = two_rows();
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(fault("x.npy", whole.substr(0, size)), "no fault");
  for (const std::size_t size : {9, 10, 11, 40})
    expect_fault("x.npy", whole.substr(0, size), "the file ends within it");
  expect_fault("x.npy", whole.substr(0, whole.size() - 1), "ends too early");
  expect_fault("x.npy", whole + "x", "more follows");
}

// A pipe has no size that would tell beforehand.
TEST(Rows, NpyOfTheWrongLengthFromAPipe) {
  const auto fault_of_pipe = [](const std::string& text) -> std::string {
    const TemporaryFile beside("beside", "");
    const auto pipe = beside.path().parent_path() / "pipe";
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
    std::string fault = "no fault";
    try {
      RowReader reader(pipe, three);
      all_of(reader, 1);
    } catch (const RobotError& error) {
      fault = error.what();
    }
    writer.join();
    return fault;
  };
  const std::string whole = two_rows();
  EXPECT_EQ(fault_of_pipe(whole), "no fault");
  EXPECT_NE(fault_of_pipe(whole + "x").find("more follows after the array"), std::string::npos);
  EXPECT_NE(fault_of_pipe(whole.substr(0, whole.size() - 1)).find("rows[1]: the file ends here"), std::string::npos);
}

TEST(Rows, ReadsCsvHoweverItWasSaved) {
  const Numbers expected = {1, -2.5, 3e-3, 4, 0.1, 6};
  for (const char* text :
       {"1,-2.5,3e-3\n4,0.1,6\n", "1,-2.5,3e-3\n4,0.1,6", "q1,v1,a1\n1,-2.5,3e-3\n4,0.1,6\n\n\n",
        "q1, v1 ,a1\r\n 1, -2.5 ,3e-3\r\n4,0.1,+6\r\n", "\xEF\xBB\xBFq1,v1,a1\n1,-2.5,3e-3\n4,0.1,6\n",
        "\xEF\xBB\xBF\x31,-2.5,3e-3\n4,.1,6\n", "1,-2.5,3e-3 \n4,0.1,6\t\n \t\n"})
    EXPECT_EQ(read("x.csv", text), expected) << text;
  EXPECT_EQ(read("x.csv", "q1,v1,a1\n"), Numbers{});
}

// What RowWriter writes is read again, in the first row, too: no name begins like that.
TEST(Rows, CsvHasNumbersThatAreNotFinite) {
  const Numbers found = read("x.csv", "nan,1, inf\n-Inf,NaN,.nan\n");
  ASSERT_EQ(found.size(), 6u);
  for (const std::size_t i : {0u, 4u, 5u}) EXPECT_TRUE(std::isnan(found[i])) << i;
  EXPECT_EQ(found[1], 1);
  EXPECT_EQ(found[2], std::numeric_limits<double>::infinity());
  EXPECT_EQ(found[3], -std::numeric_limits<double>::infinity());
}

TEST(Rows, CsvAtFaultWithItsLine) {
  expect_fault("x.csv", "", "x.csv: it is empty");
  expect_fault("x.csv", "\n\n", "x.csv: it is empty");
  expect_fault("x.csv", "1,2,3\n4,5\n", "x.csv:2: rows[1]: 2 columns, not 3: q1, ..., a1");
  expect_fault("x.csv", "1,2,3\n4,5,6,\n", "x.csv:2: rows[1]: 4 columns");
  expect_fault("x.csv", "q1,v1,a1\n1,2,3\n4,x,6\n", "x.csv:3: rows[1]: v1: 'x' is not a number");
  expect_fault("x.csv", "1,2,nano\n", "x.csv:1: rows[0]: a1: 'nano' is not a number");
  expect_fault("x.csv", "1,2,\n", "x.csv:1: rows[0]: a1: empty");
  expect_fault("x.csv", "1,1e999,3\n", "too large");
  for (const auto& [text, separator] : {std::pair{"1;2;3\n", "semicolons"},
                                        {"q1;v1;a1\n1;2;3\n", "semicolons"},
                                        {"0;0,5;0,25\n", "semicolons"},
                                        {"1\t2\t3\n", "tabs"},
                                        {"q1\tv1\ta1\n", "tabs"},
                                        {"1.5 2 3\n", "blanks"},
                                        {"# q1 v1 a1\n1 2 3\n", "blanks"}})
    expect_fault("x.csv", text, std::string("x.csv:1: columns are separated by ") + separator + ": commas are wanted");
  expect_fault("x.csv", "q1,v;1,a1\n", "x.csv:1: header: column 2 is 'v;1', not 'v1'");
  expect_fault("x.csv", "1,2,3\n\n4,5,6\n", "x.csv:2: an empty line");
  expect_fault("x.csv", "q1,v1,tau1\n1,2,3\n", "x.csv:1: header: column 3 is 'tau1', not 'a1'");
  expect_fault("x.csv", "v1,q1,a1\n", "x.csv:1: header: column 1 is 'v1', not 'q1'");
  expect_fault("x.csv", "q1,v1\n", "x.csv:1: header: 2 columns");
  expect_fault("x.csv", std::string("1,2,3\n\0,5,6\n", 12), "x.csv:2: ");
  expect_fault("x.csv", std::string(5u << 20, ' '), "x.csv:1: a line longer than 4 MB");
}

TEST(Rows, FilesThatAreNotThere) {
  EXPECT_THROW(RowReader("/no/such/file.npy", three), RobotError);
  EXPECT_THROW(RowReader("/tmp", three), RobotError);
  EXPECT_THROW(RowReader("x.csv", {}), ArgumentError);
}

TEST(Rows, WhatIsWrittenIsReadAgain) {
  const Numbers rows = {1, -0.1, 1e300, 5e-324, 123456789.123456789, -0.0};
  const TemporaryFile beside("beside", "");
  for (const char* name : {"x.npy", "x.csv"}) {
    const auto path = beside.path().parent_path() / name;
    RowWriter writer(path, three, Precision::float64);
    writer.write(std::span(rows).first(3));
    writer.write(std::span(rows).subspan(3));
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.commit();
    RowReader reader(path, three);
    const Numbers again = all_of(reader, 2);
    EXPECT_EQ(bytes(again), bytes(rows)) << name;
  }
}

TEST(Rows, FloatsAreHalfAsLongAndReadAgain) {
  const Numbers rows = {1, 0.1f, 16777217, -3.4e38f, 1e-3f, 0};
  const TemporaryFile beside("beside", "");
  for (const char* name : {"x.npy", "x.csv"}) {
    const auto path = beside.path().parent_path() / name;
    RowWriter writer(path, three, Precision::float32);
    writer.write(rows);
    writer.commit();
    RowReader reader(path, three);
    const Numbers again = all_of(reader, 5);
    ASSERT_EQ(again.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(float(again[i]), float(rows[i])) << name;
  }
  EXPECT_EQ(std::filesystem::file_size(beside.path().parent_path() / "x.npy"), 128u + 6 * sizeof(float));
}

TEST(Rows, NothingIsLeftWithoutCommit) {
  const TemporaryFile old("x.csv", "old");
  const auto folder = old.path().parent_path();
  {
    RowWriter writer(old.path(), three, Precision::float64);
    writer.write(Numbers{1, 2, 3});
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1u);
  EXPECT_EQ(std::filesystem::file_size(old.path()), 3u);
}

TEST(Rows, FilesThatCannotBeWritten) {
  EXPECT_THROW(RowWriter("/no/such/folder/x.npy", three, Precision::float64), WriteError);
  EXPECT_THROW(RowWriter("x.txt", three, Precision::float64), ArgumentError);
  EXPECT_TRUE(RowWriter::knows("x.npy") && RowWriter::knows("x.csv"));
  EXPECT_FALSE(RowWriter::knows("npy") || RowWriter::knows("") || RowWriter::knows("x.npy.gz"));
}

TEST(Rows, NotANumberHasOneSpelling) {
  const TemporaryFile beside("beside", "");
  const auto path = beside.path().parent_path() / "x.csv";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  RowWriter writer(path, three, Precision::float64);
  writer.write(Numbers{nan, -nan, 1});
  writer.commit();
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "q1,v1,a1\nnan,nan,1\n");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
