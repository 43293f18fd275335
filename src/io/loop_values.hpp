// What a loop says besides its ends: the same words in YAML and in URDF.
#pragma once
#include "readers.hpp"

namespace denoc::io {

Words loop_names();
// The words that belong to a type of loop, besides type, a and b; of an unknown type: all.
Words loop_words(std::string_view name);

// What a file says of a loop besides its type and ends: each word with its numbers.
struct LoopWord {
  std::string_view name;
  std::vector<double> numbers;
};
std::vector<LoopWord> words_of(const Loop& loop);

// The body whose joint has that name; -1: none.
int joint_called(const Robot& robot, std::string_view name);
// The body whose joint is meant by the name of the joint, or of the body; -1: none.
int joint_named(const Robot& robot, std::string_view name);

// Whether two wheels turn the same way (1), as on a belt, or against each other (-1).
inline int sense_of(LoopType type) { return type == LoopType::belt ? 1 : -1; }
// The ratio of two wheels.
template <class Said> bool wheels(const Said& said, Loop& loop) {
  const char* const key = said.has("teeth") ? "teeth" : "radii";
  said.require(key);
  if (said.has("teeth") && said.has("radii")) said.refuse("teeth", "either radii or teeth, not both");
  const std::vector<double> size = said.numbers(key, 2);
  if (size.empty()) return false;
  const bool is_sound = size[0] != 0 && size[1] != 0;
  if (!is_sound) said.refuse(key, "a wheel of size 0 turns nothing");
  if (is_sound) loop.ratio = sense_of(loop.type) * size[0] / size[1];
  return is_sound;
}

// Reads the words from `said`, which answers as Fields does. False: the loop lacks a word it must have, which is
// reported.
template <class Said> bool loop_values(const Said& said, Loop& loop) {
  loop.axis = unit(said.vec3("axis", loop.axis));
  loop.axis2 = unit(said.vec3("axis2", loop.axis2));
  const std::pair<const char*, double*> values[] = {{"length", &loop.length}, {"ratio", &loop.ratio},
                                                    {"offset", &loop.offset}, {"eccentricity", &loop.eccentricity},
                                                    {"radius", &loop.radius}, {"phase", &loop.phase}};
  for (const auto& [key, value] : values) *value = said.number(key, *value);
  loop.coefficients = said.numbers("coefficients");
  const LoopShape& shape = shape_of(loop.type);
  if (loop.type == LoopType::rolling) loop.ratio = loop.radius;
  if (shape.has("radii")) return wheels(said, loop);
  if (shape.needed == nullptr) return true;
  said.require(shape.needed);
  return said.has(shape.needed);
}

}  // namespace denoc::io
