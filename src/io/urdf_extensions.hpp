// What a URDF says beyond links, joints and loops: transmissions, and elements of ours for what URDF lacks.
//   in <joint>: <axis2 xyz=".."/> <pitch value=".."/> <spring stiffness=".." rest=".."/> <neutral q=".."/>
//               <actuator gear=".." rotor_inertia=".." max_torque=".." armature=".."/>
//   in <limit>: stiffness, damping; in <dynamics>: stribeck, surface_speed; in <inertial>: <hub ixx=".." .. izz=".."/>
//   in <robot>: <gravity xyz=".."/> <posture name=".." q=".."/>
//               <spring stiffness=".." damping=".." rest=".."><a link=".." xyz=".."/><b link=".." xyz=".."/></spring>
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "element.hpp"

namespace denoc::io {

void read_joint_extensions(const Element& element, Joint& joint, std::vector<std::pair<std::string, int>>& lines);
void read_extensions(const Element& file, Robot& robot, Report& report);

// Elements of other programs (Drake, Gazebo) that would move the robot otherwise: passed over, and doubted.
void doubt_forces_of_others(const Element& file);

// The bodies whose joints have an <actuator> that says its gear.
std::vector<int> geared_bodies(const Robot& robot);
// Its mechanicalReduction is the gear of its joint's drive, whose rotor nobody tells: inertia 0. Of several for one joint
// the first counts: geared are the bodies of joints that have one.
void read_transmission(const Element& transmission, Robot& robot, std::vector<int>& geared);

}  // namespace denoc::io
