// A closed chain with everything a file can say, and its accelerations without any recursion of the library.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc::test {

// A four-bar with a rotor in every joint, springs, friction, stops and a spring to the ground.
Robot loaded_fourbar();

// The same equations written out: (I + R) a + bias = tau + forces + J^T f,  J a = -J'v, solved densely. I and bias are
// derivatives of the energies; forces by hand, that of the point spring through the Jacobian of its end.
Eigen::VectorXd dense_accelerations(const Robot& robot, const std::vector<double>& q, const std::vector<double>& v,
                                    const std::vector<double>& tau);

}  // namespace denoc::test
