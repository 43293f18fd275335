// What a loop says besides its ends: the same words in YAML and in URDF.
#pragma once
#include "readers.hpp"

namespace denoc::io {

Words loop_types();
// The words that belong to a type of loop, besides type, a and b; of an unknown type: all.
Words loop_words(std::string_view type);

// The body whose joint is meant by the name of the joint, or of the body; -1: none.
int joint_named(const Robot& robot, std::string_view name);

// Reads the words from `said`, which answers as Fields does.
template <class Said> void loop_values(const Said& said, Loop& loop) {
  loop.axis = unit(said.vec3("axis", loop.axis));
  loop.axis2 = unit(said.vec3("axis2", loop.axis2));
  if (loop.type == "distance") said.require("length");
  if (loop.type == "rolling") said.require("radius");
  if (loop.type == "eccentric-cam") said.require("eccentricity");
  const std::pair<const char*, double*> values[] = {{"length", &loop.length}, {"ratio", &loop.ratio},
                                                    {"offset", &loop.offset}, {"eccentricity", &loop.eccentricity},
                                                    {"radius", &loop.radius}, {"phase", &loop.phase}};
  for (const auto& [key, value] : values) *value = said.number(key, *value);
  if (loop.type == "rolling") loop.ratio = loop.radius;
  if (loop.type != "gear" && loop.type != "bevel-gear" && loop.type != "belt") return;
  const char* const sizes = said.has("teeth") ? "teeth" : "radii";
  said.require(sizes);
  if (said.has("teeth") && said.has("radii")) said.refuse("teeth", "either radii or teeth, not both");
  const std::vector<double> size = said.numbers(sizes, 2);
  if (size.empty()) return;
  if (size[0] == 0 || size[1] == 0) {
    said.refuse(sizes, "a wheel of size 0 turns nothing");
  } else {
    loop.ratio = (loop.type == "belt" ? 1 : -1) * size[0] / size[1];
  }
}

}  // namespace denoc::io
