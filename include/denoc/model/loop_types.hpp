// The types of loops: the list. Readers, rules and equations take what they know of a type from its row.
#pragma once
#include <array>
#include <span>
#include <string_view>

namespace denoc {

struct LoopType {
  std::string_view name;
  // Rows that keep b's origin on a's: 3 of the world's axes, 2 on the line along axis, 1 in the plane across it, 0
  // none.
  int across;
  // Rows that keep axes square: 3 no turning at all, 2 axis parallel, 1 universal, 0 none.
  int square;
  // It couples the coordinates of two joints instead of two places.
  bool couples;
  // What a file says of it besides type, a and b.
  std::array<std::string_view, 4> words;
};
std::span<const LoopType> loop_types();
// Null if there is none of that name.
const LoopType* loop_type(std::string_view name);

inline bool is_loop_type(std::string_view name) { return loop_type(name) != nullptr; }
inline bool couples_coordinates(std::string_view name) {
  const LoopType* const type = loop_type(name);
  return type != nullptr && type->couples;
}

}  // namespace denoc
