// Quaternions in rows: normalised, refused or not finite, one by one.
#include <gtest/gtest.h>

#include "support/build.hpp"
#include "unit/batch/rows.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Several quaternions in a row, several rows in a pack: each that is nearly of unit length is normalised, whichever others
// are; each with a number that is none makes its row not finite, in whichever place, and any other is refused.
using Reals = testing::Types<double, float>;
template <class E> struct BatchQuaternions : testing::Test {};
TYPED_TEST_SUITE(BatchQuaternions, Reals);
TYPED_TEST(BatchQuaternions, AreLookedAtOneByOne) {
  using E = TypeParam;
  Robot robot;
  robot.gravity = {1, 2, -9};
  for (const JointType type : {JointType::free, JointType::revolute, JointType::spherical, JointType::spherical})
    add(robot, joint(type), mass(1, {0.1, 0.2, 0.3}, {0.1, 0, 0.2, 0, 0, 0.25}), {0.3, 0.1, 0.2});
  const Mechanism mechanism(robot);
  const Model& model = mechanism.tree();
  const int nq = model.nq(), nv = model.nv(), firsts[] = {3, 8, 12};
  Random random(6);
  const double slightly =
      std::is_same_v<E, float> ? 4e-7 : 9e-7;  // of single precision the digits themselves are off by 1e-7
  enum What { as_it_is, longer, shorter, no_number, endless, much_longer, zero };
  for (const int count : {1, 2, 5, 21}) {
    TreeRows<E> rows(random, model, count);
    Executor executor(2);
    Batch<E> batch(mechanism, executor);
    // Every row in turn has each fault in each of its quaternions; all others are slightly off, or none is.
    for (const bool others_are_off : {true, false})
      for (int at = 0; at < count; ++at)
        for (int which = 0; which < 3; ++which)
          for (const What what : {as_it_is, longer, shorter, no_number, endless, much_longer, zero}) {
            std::vector<E> q = rows.q;
            for (int r = 0; r < count; ++r)
              for (int k = 0; k < 3; ++k) {
                E* const x = q.data() + r * nq + firsts[k];
                const auto scale = [&](double by) {
                  for (int i = 0; i < 4; ++i) x[i] = E(double(x[i]) * by);
                };
                const bool is_it = r == at && k == which;
                if (!is_it && others_are_off) scale(1 + ((r + k) % 2 == 0 ? slightly : -slightly) / (1 + k));
                if (!is_it) continue;
                if (what == longer || what == shorter) scale(what == longer ? 1 + slightly : 1 - slightly);
                if (what == no_number) x[(at + which) % 4] = std::numeric_limits<E>::quiet_NaN();
                if (what == endless) x[(at + 2 * which) % 4] = -std::numeric_limits<E>::infinity();
                if (what == much_longer) scale(1.5);
                if (what == zero) scale(0);
              }
            const std::vector<E> given = q;
            for (const bool is_inverse : {true, false}) {
              std::vector<E> y(rows.x.size());
              std::vector<RowStatus> status(static_cast<std::size_t>(count));
              if (is_inverse)
                batch.inverse_dynamics(q, rows.v, rows.x, y, status);
              else
                batch.forward_dynamics(q, rows.v, rows.x, y, status);
              for (int r = 0; r < count; ++r) {
                const bool is_it = r == at;
                const RowStatus expected = !is_it || what <= shorter              ? RowStatus::done
                                           : what == no_number || what == endless ? RowStatus::not_finite
                                                                                  : RowStatus::refused;
                ASSERT_EQ(status[std::size_t(r)], expected) << "row " << r << " of " << count << ", fault " << what
                                                            << " in row " << at << ", quaternion " << which;
                const std::vector<double> result = rows.row(y, r, nv);
                ASSERT_TRUE(expected != RowStatus::refused ||
                            std::all_of(result.begin(), result.end(), [](double e) { return std::isnan(e); }));
                if (expected != RowStatus::done) continue;
                std::vector<double> unit = rows.row(q, r, nq);
                for (const int first : firsts) {
                  double s = 0;
                  for (int i = 0; i < 4; ++i) s += unit[std::size_t(first + i)] * unit[std::size_t(first + i)];
                  for (int i = 0; i < 4; ++i) unit[std::size_t(first + i)] /= std::sqrt(s);
                }
                ASSERT_LE(roundings_off<E>(model, is_inverse, unit, rows.row(rows.v, r, nv), rows.row(rows.x, r, nv),
                                           result, {}),
                          4)
                    << "row " << r << " of " << count << ", " << what << " in row " << at << ", quaternion " << which;
              }
            }
          }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
