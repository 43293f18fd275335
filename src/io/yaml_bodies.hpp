// What a body of YAML says of itself, whatever it hangs on.
#pragma once
#include "denoc/io/fields.hpp"

namespace denoc::io::yaml {

Words all_joint_types();
// A map of these keys, or just the word of its type.
Joint joint(const Fields& fields, const Words& types, const Words& keys, Source& source);
// What acts in the joint, what limits and drives it, and where the file draws it: keys of the body.
void complete(const Fields& body, Joint& joint);

Pose<double> frame(const Fields& fields, std::string_view key);

// Mass, com and inertia as the file says them.
Inertial inertial(const Fields& fields);
// Of the digits of the inertia; formulas are exact.
double inertia_rounding(const Fields& fields);
// One number is its moment about the axis of the joint; six are its tensor about the mass centre, whatever the joint.
Sym3<double> hub(const Fields& fields, const Body& body);

// Of shapes, in the order of Shape::Kind.
inline constexpr std::string_view shape_words[] = {"box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"};
// {type: box, size: [..], frame: {..}}; a mesh has its file, which is looked for beside the robot's, and its scale for a
// size.
Words shape_keys();
Shape shape(const Fields& fields, const std::string& robot_file);

}  // namespace denoc::io::yaml
