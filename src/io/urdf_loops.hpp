// What couples the joints of a URDF beyond its tree: mimics, and the extension element <loop>.
#pragma once
#include "element.hpp"

namespace denoc::io {

// Its attributes xyz, and rpy or (since URDF 1.1) quat_xyzw.
Pose<double> read_pose(const Element& element);

void read_mimic(const Element& mimic, Joint& joint, std::vector<std::pair<std::string, int>>& lines);
// A coupler for every mimic of the robot. One on or of a joint that has not one coordinate is doubted and passed over;
// of one whose joint is not there, faults_of tells.
void couple_mimics(Robot& robot, Report& report);

// The child `which` of a loop or a spring: a link with a frame on it, or of a coupling a joint (by its name or by that
// of its link). False: at fault, which is reported.
bool read_end(const Element& owner, const char* which, bool is_coupling, const Robot& robot, Attachment& end);

// <loop type="revolute" name="pin"><a link="rod" xyz=".." rpy=".."/><b link="world"/><axis xyz="0 0 1"/></loop>; the
// numbers of other types are attributes of <loop>, and couplings have <a joint="elbow"/>.
void read_loop(const Element& element, Robot& robot, Report& report);

}  // namespace denoc::io
