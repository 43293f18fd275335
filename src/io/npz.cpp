#include "denoc/io/npz.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "npy.hpp"

namespace denoc::io {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t piece = 1u << 16;

// CRC-32 of ZIP: the reflected polynomial 0xEDB88320, a byte at a time.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = (table[i] >> 1) ^ ((table[i] & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  return table;
}();
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  for (const char c : bytes) crc = crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xFFu] ^ (crc >> 8);
  return ~crc;
}

// A file without a name, gone with the program whatever happens to it.
class Scratch {
 public:
  explicit Scratch(const fs::path& beside) : where_(beside.string()) {
    std::string name;  // for the moment that it has one
    do {
      name = fmt::format("{}.XXXXXX{}", where_, Draft::suffix);
      file_ = ::mkostemps(name.data(), Draft::suffix.size(), O_CLOEXEC);
    } while (file_ < 0 && errno == EINTR);
    if (file_ < 0) refuse();
    if (::unlink(name.c_str()) == 0) return;
    const int why = errno;
    ::close(file_);
    throw WriteError(where_, why);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { ::close(file_); }

  void append(std::string_view bytes) {
    pending_ += bytes;
    if (pending_.size() >= piece) flush();
  }
  // f(bytes), from the start to the end.
  template <class F> void read(const F& f) {
    flush();
    std::string bytes(piece, '\0');
    for (off_t at = 0;;) {
      const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse();
      if (count == 0) return;
      f(std::string_view(bytes).substr(0, static_cast<std::size_t>(count)));
      at += count;
    }
  }

 private:
  void flush() {
    if (!write_all(file_, pending_)) refuse();
    pending_.clear();
  }
  [[noreturn]] void refuse() const { throw WriteError(where_, errno); }

  std::string where_, pending_ = {};
  int file_;
};

// Numbers of so many bytes, the least significant first.
struct Field {
  std::uint64_t value;
  std::size_t bytes;
};
std::string packed(std::initializer_list<Field> fields) {
  std::string all;
  for (const Field& f : fields) {
    for (std::size_t i = 0; i < f.bytes; ++i) all += static_cast<char>(f.value >> (8 * i) & 0xFFu);
  }
  return all;
}

// An entry of the archive. Sizes and places are always those of ZIP64: an array may be of any size.
struct Entry {
  std::string name;
  std::uint32_t crc;
  std::uint64_t size, offset;

  static constexpr std::uint64_t elsewhere = 0xFFFFFFFF, version = 45, january_1980 = 0x00210000;
  // version, flags, method (stored), time and date, crc, sizes, length of the name
  std::string common() const {
    return packed({{version, 2}, {0, 2}, {0, 2}, {january_1980, 4}, {crc, 4}, {elsewhere, 4}, {elsewhere, 4}}) +
           packed({{name.size(), 2}});
  }
  std::string local_header() const {
    const std::string extra = packed({{1, 2}, {16, 2}, {size, 8}, {size, 8}});
    return packed({{0x04034B50, 4}}) + common() + packed({{extra.size(), 2}}) + name + extra;
  }
  std::string central_header() const {
    const std::string extra = packed({{1, 2}, {24, 2}, {size, 8}, {size, 8}, {offset, 8}});
    return packed({{0x02014B50, 4}, {version, 2}}) + common() +
           packed({{extra.size(), 2}, {0, 2}, {0, 2}, {0, 2}, {0, 4}, {elsewhere, 4}}) + name + extra;
  }
};

std::string end_of(const std::vector<Entry>& entries, std::uint64_t start, std::uint64_t size) {
  const std::uint64_t n = entries.size();
  return packed({{0x06064B50, 4}, {44, 8}, {Entry::version, 2}, {Entry::version, 2}, {0, 4}, {0, 4}}) +
         packed({{n, 8}, {n, 8}, {size, 8}, {start, 8}}) +
         packed({{0x07064B50, 4}, {0, 4}, {start + size, 8}, {1, 4}}) +  // where the record above is
         packed(
             {{0x06054B50, 4}, {0, 2}, {0, 2}, {n, 2}, {n, 2}, {Entry::elsewhere, 4}, {Entry::elsewhere, 4}, {0, 2}});
}

struct Member {
  std::string name;
  std::vector<std::size_t> row;
  std::size_t width;
  std::unique_ptr<Scratch> numbers;
};

}  // namespace

class NpzWriter::Archive {
 public:
  Archive(const fs::path& file, const std::vector<Array>& arrays) : draft_(file) {
    for (const Array& a : arrays) {
      const std::size_t width = std::accumulate(a.row.begin(), a.row.end(), std::size_t{1}, std::multiplies<>());
      members_.push_back({a.name, a.row, width, std::make_unique<Scratch>(file)});
    }
  }

  void write(std::span<const double> rows) {
    for (const Member& m : members_) {
      m.numbers->append({reinterpret_cast<const char*>(rows.data()), m.width * sizeof(double)});
      rows = rows.subspan(m.width);
    }
    ++rows_;
  }

  Draft& complete() {
    if (std::exchange(is_complete_, true)) return draft_;
    std::vector<Entry> entries;
    for (const Member& m : members_) entries.push_back(store(m));
    const std::uint64_t start = written_;
    for (const Entry& e : entries) append(e.central_header());
    append(end_of(entries, start, written_ - start));
    draft_.complete();
    return draft_;
  }

 private:
  Entry store(const Member& m) {
    std::vector<std::size_t> shape = {rows_};
    shape.insert(shape.end(), m.row.begin(), m.row.end());
    const std::string header = npy_header(shape, Precision::float64);
    // The sum stands before the numbers: they are read twice.
    Entry entry{m.name + ".npy", crc32(0, header), header.size(), written_};
    m.numbers->read([&](std::string_view bytes) {
      entry.crc = crc32(entry.crc, bytes);
      entry.size += bytes.size();
    });
    append(entry.local_header());
    append(header);
    m.numbers->read([&](std::string_view bytes) { append(bytes); });
    return entry;
  }
  void append(std::string_view bytes) {
    draft_.append(bytes);
    written_ += bytes.size();
  }

  Draft draft_;
  std::vector<Member> members_ = {};
  std::size_t rows_ = 0;
  std::uint64_t written_ = 0;
  bool is_complete_ = false;
};

NpzWriter::NpzWriter(const fs::path& file, const std::vector<Array>& arrays)
    : archive_(std::make_unique<Archive>(file, arrays)) {}
NpzWriter::~NpzWriter() = default;
void NpzWriter::write(std::span<const double> rows) { archive_->write(rows); }
Draft& NpzWriter::complete() { return archive_->complete(); }

}  // namespace denoc::io
