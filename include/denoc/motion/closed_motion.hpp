// Motions of robots with loops: driven joints lead, all others follow as the loops say.
#pragma once
#include <memory>
#include <vector>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

/// The first of the driven degrees of freedom (all, if none is named) that lead a closed chain at q: with them at rest
/// nothing moves. Throws NotDriveable with the joint that the driven ones leave to itself.
std::vector<int> leading(const Model& model, In<double> q, const std::vector<int>& driven);

/// The motion as given in the driven degrees of freedom that lead, closed in all others: it starts where they are
/// nearest to the given ones, and stays on that branch. Where more are driven than lead, the first are followed. Throws
/// NotDriveable as above, with the instant where it is a dead point; NotAssembled with the instant where the loops do
/// not reach; ArgumentError for a joint with a quaternion that leads in part. at() follows the motion to t, and throws
/// the first two where it goes there in less time than it was looked at.
std::shared_ptr<const Trajectory> closed_motion(std::shared_ptr<const Model> model,
                                                std::shared_ptr<const Trajectory> motion,
                                                const std::vector<int>& driven = {});

}  // namespace denoc
