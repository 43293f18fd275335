// Faces of many corners, as the triangles that they are made of.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "denoc/spatial/tensor.hpp"

namespace denoc::io {

/// Three corners of a polygon each, by their numbers, in its sense of rotation.
using Cut = std::vector<std::array<std::size_t, 3>>;

/// Cuts a polygon, convex or not, in the plane that its area lies in. Of all cuts within it the shortest is the next: four
/// corners are cut along the shorter diagonal, or the second where both are as long. Nothing where its edges cross.
std::optional<Cut> cut_polygon(std::span<const Vec3<double>> corners);

}  // namespace denoc::io
