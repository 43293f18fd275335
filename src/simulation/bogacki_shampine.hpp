// Bogacki and Shampine's pair of orders 3 and 2, which MATLAB calls ode23.                      [Bogacki, Shampine 1989]
//    0  |
//   1/2 | 1/2
//   3/4 |  0   3/4
//    1  | 2/9  1/3  4/9          the last stage is the first of the next step
//       | 7/24 1/4  1/3  1/8     order 2
#pragma once
#include <vector>

namespace denoc::simulation {

class BogackiShampine {
 public:
  static constexpr double nodes[] = {0.5, 0.75};

  // From y, slope at t by h to y1, slope1; error: the difference of the two orders.
  template <class F>
  void do_step(F&& f, const std::vector<double>& y, const std::vector<double>& slope, double t, std::vector<double>& y1,
               std::vector<double>& slope1, double h, std::vector<double>& error) {
    k2_.resize(y.size()), k3_.resize(y.size());
    stage_.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) stage_[i] = y[i] + h / 2 * slope[i];
    f(stage_, k2_, t + h / 2);
    for (std::size_t i = 0; i < y.size(); ++i) stage_[i] = y[i] + 3 * h / 4 * k2_[i];
    f(stage_, k3_, t + 3 * h / 4);
    for (std::size_t i = 0; i < y.size(); ++i) y1[i] = y[i] + h / 9 * (2 * slope[i] + 3 * k2_[i] + 4 * k3_[i]);
    f(y1, slope1, t + h);
    for (std::size_t i = 0; i < y.size(); ++i)
      error[i] = h / 72 * (-5 * slope[i] + 6 * k2_[i] + 8 * k3_[i] - 9 * slope1[i]);
  }

 private:
  std::vector<double> k2_ = {}, k3_ = {}, stage_ = {};
};

}  // namespace denoc::simulation
