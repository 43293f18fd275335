// Named arrays in one NPZ file, as numpy.load reads them: a ZIP archive, stored, of one NPY file each.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "denoc/io/draft.hpp"

namespace denoc::io {

/// Arrays of float64 that grow by a row at a time. Until the file is completed each array is in a nameless file in the
/// same folder: nothing is kept in memory, and nothing is left of a run that ends early.
class NpzWriter {
 public:
  struct Array {
    std::string name;
    std::vector<std::size_t> row = {};  // the shape of a row; empty: one number
  };
  /// Every call throws WriteError.
  NpzWriter(const std::filesystem::path& file, const std::vector<Array>& arrays);
  ~NpzWriter();
  /// The rows of all arrays, one after the other.
  void write(std::span<const double> rows);
  /// Puts the archive together; it appears when the draft is committed.
  Draft& complete();

 private:
  class Archive;
  std::unique_ptr<Archive> archive_;
};

}  // namespace denoc::io
