// The types of loops: the list. Readers, writers, rules and equations take what they know of a type from its row; a new
// type is its name in the enumeration and its row, both here.
#pragma once
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace denoc {

/// What closes a loop: a joint cut open, a distance kept, or the coordinates of two joints coupled. `fixed` and `weld`
/// are two words for the same.
enum class LoopType {
  revolute,
  prismatic,
  universal,
  spherical,
  cylindrical,
  planar,
  weld,
  fixed,
  point_on_line,
  point_on_plane,
  distance,
  coupler,
  gear,
  bevel_gear,
  belt,
  rolling,
  eccentric_cam,
  polynomial
};

/// Which joints a loop couples, if it couples coordinates instead of places: any two with one coordinate, two that
/// turn, or one that turns (a) and one that slides (b).
enum class Coupled { no, any, turning, turning_and_sliding };

/// What the library knows of a type of loop.
struct LoopShape {
  LoopType type;
  std::string_view name;  // in files and messages
  // Rows that keep b's origin on a's: 3 of the world's axes, 2 on the line along axis, 1 in the plane across it, 0
  // none.
  int across;
  // Rows that keep axes square: 3 no turning at all, 2 axis parallel, 1 universal, 0 none.
  int square;
  Coupled coupled;
  std::array<std::string_view, 4> words = {};  // what a file says of it besides type, a and b
  const char* needed = nullptr;                // the one of them that it must say

  constexpr bool has(std::string_view word) const {
    return !word.empty() && std::find(words.begin(), words.end(), word) != words.end();
  }
};

inline constexpr LoopShape loop_shapes[] = {
    {LoopType::revolute, "revolute", 3, 2, Coupled::no, {"axis"}},
    {LoopType::prismatic, "prismatic", 2, 3, Coupled::no, {"axis"}},
    {LoopType::universal, "universal", 3, 1, Coupled::no, {"axis", "axis2"}},
    {LoopType::spherical, "spherical", 3, 0, Coupled::no},
    {LoopType::cylindrical, "cylindrical", 2, 2, Coupled::no, {"axis"}},
    {LoopType::planar, "planar", 1, 2, Coupled::no, {"axis"}},
    {LoopType::weld, "weld", 3, 3, Coupled::no},
    {LoopType::fixed, "fixed", 3, 3, Coupled::no},
    {LoopType::point_on_line, "point-on-line", 2, 0, Coupled::no, {"axis"}},
    {LoopType::point_on_plane, "point-on-plane", 1, 0, Coupled::no, {"axis"}},
    {LoopType::distance, "distance", 0, 0, Coupled::no, {"length"}, "length"},
    {LoopType::coupler, "coupler", 0, 0, Coupled::any, {"ratio", "offset"}},
    {LoopType::gear, "gear", 0, 0, Coupled::turning, {"radii", "teeth", "offset"}},
    {LoopType::bevel_gear, "bevel-gear", 0, 0, Coupled::turning, {"radii", "teeth", "offset"}},
    {LoopType::belt, "belt", 0, 0, Coupled::turning, {"radii", "teeth", "offset"}},
    {LoopType::rolling, "rolling", 0, 0, Coupled::turning_and_sliding, {"radius", "offset"}, "radius"},
    {LoopType::eccentric_cam,
     "eccentric-cam",
     0,
     0,
     Coupled::turning_and_sliding,
     {"eccentricity", "radius", "phase", "offset"},
     "eccentricity"},
    {LoopType::polynomial, "polynomial", 0, 0, Coupled::any, {"coefficients", "phase", "offset"}, "coefficients"}};

/// The row of a type.
constexpr const LoopShape& shape_of(LoopType type) { return loop_shapes[static_cast<int>(type)]; }
/// The word for a type in files and messages.
constexpr std::string_view name_of(LoopType type) { return shape_of(type).name; }
/// The type of that name, if there is one.
constexpr std::optional<LoopType> loop_type(std::string_view name) {
  for (const LoopShape& shape : loop_shapes)
    if (shape.name == name) return shape.type;
  return std::nullopt;
}
/// Whether it couples the coordinates of two joints instead of two places.
constexpr bool couples_coordinates(LoopType type) { return shape_of(type).coupled != Coupled::no; }

static_assert(
    [] {
      for (int i = 0; i < static_cast<int>(std::size(loop_shapes)); ++i)
        if (loop_shapes[i].type != static_cast<LoopType>(i)) return false;
      return std::size(loop_shapes) == static_cast<int>(LoopType::polynomial) + 1;
    }(),
    "loop_shapes has a row for each type, in their order");

}  // namespace denoc
