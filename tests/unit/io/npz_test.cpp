// Archives as any reader of ZIP takes them (APPNOTE 6.3, with the sizes of ZIP64): sums, sizes and places are right.
#include "denoc/io/npz.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

// CRC-32 as the standard has it: division of the reflected bits by 0x104C11DB7, a bit at a time.
std::uint32_t crc_by_division(std::string_view bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char c : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool is_odd = ((rest ^ (static_cast<unsigned char>(c) >> bit)) & 1u) != 0;
      rest = (rest >> 1) ^ (is_odd ? 0xEDB88320u : 0u);
    }
  }
  return ~rest;
}

template <class T> T field(std::string_view text, std::size_t at) {
  T value{};
  EXPECT_LE(at + sizeof(T), text.size());
  if (at + sizeof(T) <= text.size()) std::memcpy(&value, text.data() + at, sizeof(T));
  return value;
}

struct Stored {
  std::string name, bytes;
};
// From the end: the directory of all files, then each file by what the directory says of it.
std::vector<Stored> unpacked(std::string_view zip) {
  std::vector<Stored> files;
  const std::size_t end = zip.size() - 22, locator = end - 20;
  EXPECT_EQ(field<std::uint32_t>(zip, end), 0x06054B50u);
  EXPECT_EQ(field<std::uint32_t>(zip, locator), 0x07064B50u);
  const auto record = field<std::uint64_t>(zip, locator + 8);
  EXPECT_EQ(field<std::uint32_t>(zip, record), 0x06064B50u);
  const auto count = field<std::uint64_t>(zip, record + 32), size = field<std::uint64_t>(zip, record + 40);
  auto at = field<std::uint64_t>(zip, record + 48);
  EXPECT_EQ(at + size, record);
  for (std::uint64_t i = 0; i < count; ++i) {
    EXPECT_EQ(field<std::uint32_t>(zip, at), 0x02014B50u);
    const auto crc = field<std::uint32_t>(zip, at + 16);
    const auto name_size = field<std::uint16_t>(zip, at + 28), extra_size = field<std::uint16_t>(zip, at + 30);
    const std::string name(zip.substr(at + 46, name_size));
    const std::uint64_t extra = at + 46 + name_size, bytes = field<std::uint64_t>(zip, extra + 4),
                        place = field<std::uint64_t>(zip, extra + 20);
    EXPECT_EQ(field<std::uint32_t>(zip, place), 0x04034B50u);
    EXPECT_EQ(field<std::uint32_t>(zip, place + 14), crc) << "both headers say the same";
    const std::uint64_t start =
        place + 30 + field<std::uint16_t>(zip, place + 26) + field<std::uint16_t>(zip, place + 28);
    files.push_back({name, std::string(zip.substr(start, bytes))});
    EXPECT_EQ(crc_by_division(files.back().bytes), crc) << name;
    at = extra + extra_size;
  }
  return files;
}

TEST(Npz, AnyReaderOfZipFindsEveryArray) {
  EXPECT_EQ(crc_by_division("123456789"), 0xCBF43926u) << "the check value of CRC-32";
  const test::TemporaryFile beside("beside", "");
  const auto path = beside.path().parent_path() / "x.npz";
  NpzWriter writer(path, {{"t"}, {"q", {3}}, {"J", {2, 2}}});
  std::vector<double> t, q, J;
  for (int i = 0; i < 20000; ++i) {  // more than a piece in memory
    const double x = 0.1 * i;
    writer.write(std::vector<double>{x, 1 + x, 2 + x, 3 + x, x * x, -x, 0, 1e300});
    t.push_back(x);
    q.insert(q.end(), {1 + x, 2 + x, 3 + x});
    J.insert(J.end(), {x * x, -x, 0, 1e300});
  }
  writer.complete().commit();
  std::ifstream in(path, std::ios::binary);
  const std::vector<Stored> files = unpacked(std::string(std::istreambuf_iterator<char>(in), {}));
  const std::tuple<const char*, const char*, const std::vector<double>*> arrays[] = {
      {"t.npy", "'shape': (20000,)", &t},
      {"q.npy", "'shape': (20000, 3)", &q},
      {"J.npy", "'shape': (20000, 2, 2)", &J}};
  ASSERT_EQ(files.size(), std::size(arrays));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [name, shape, numbers] = arrays[i];
    EXPECT_EQ(files[i].name, name);
    EXPECT_NE(files[i].bytes.find(shape), std::string::npos) << name;
    ASSERT_EQ(files[i].bytes.size(), 128 + numbers->size() * sizeof(double)) << name;
    EXPECT_EQ(std::memcmp(files[i].bytes.data() + 128, numbers->data(), numbers->size() * sizeof(double)), 0) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
