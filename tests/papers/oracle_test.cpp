// Robots with every feature of the file format, against an independent oracle (tests/data/make_oracle_cases.py):
// torques, accelerations and inertia matrices, with wrenches on the bodies.
#include <filesystem>
#include <fstream>

#include "support/condition.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const Json& cases() {
  static const Json all = data("oracle_cases.json")["cases"];
  return all;
}

// The robot of a case, by way of a file.
Robot loaded(const Json& robot) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "_" + test->name() + ".json";
  for (char& c : name)
    if (c == '/') c = '_';
  const auto path = std::filesystem::temp_directory_path() / ("denoc_oracle_" + name);
  std::ofstream(path) << YAML::Dump(robot);
  const Document document = read_robot(path);
  std::filesystem::remove(path);
  for (const Fault& fault : document.faults) ADD_FAILURE() << fault.text();
  return document.robot;
}

class Oracle : public testing::TestWithParam<int> {
 protected:
  template <class R> void expect_agreement() {
    const Json given = cases()[GetParam()];
    SCOPED_TRACE(given["name"].Scalar());
    const BasicModel<R> model(loaded(given["robot"]));
    const int n = model.nv();
    ASSERT_GT(given["states"].size(), 0u);
    for (size_t k = 0; k < given["states"].size(); ++k) {
      const Json state = given["states"][k];
      std::vector<R> q = numbers<R>(state["q"]);
      normalise<R>(model, q);
      std::vector<BodyWrench<R>> wrenches;
      for (const Json& w : state["wrenches"]) {
        const auto n3 = numbers<R>(w["moment"]), f3 = numbers<R>(w["force"]);
        const int body = model.robot().find(w["body"].Scalar());
        ASSERT_GE(body, 0) << w["body"].Scalar();
        wrenches.push_back({body, {{n3[0], n3[1], n3[2]}, {f3[0], f3[1], f3[2]}}});
      }
      Machine<R> machine(model, q, numbers<R>(state["v"]));
      const auto a = numbers<R>(state["a"]), tau = numbers<R>(state["tau"]);
      const auto id = numbers<R>(given["id"][k]), fd = numbers<R>(given["fd"][k]), I = numbers<R>(given["inertia"][k]);
      expect_near(machine.inverse(a, wrenches), id, 1e-12 * largest(id), "inverse dynamics");
      expect_near(machine.inertia(), I, 1e-12 * largest(I), "inertia matrix");
      // The conditions are below 1e4: eps cond, which the oracle's dense solve in double may lose, is 1e-12.
      EXPECT_LT(double(condition(I, n)), 1e4);
      expect_near(machine.forward(tau, wrenches), fd, 1e-12 * largest(fd), "forward dynamics");
      // Our own part is the residual, which knows no condition and has the digits of the scalar.
      const auto found = machine.forward(tau, wrenches);
      EXPECT_LE(largest_difference(machine.inverse(found, wrenches), tau),
                rounding<R>(n, terms_of(machine, found, tau)));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Case, Oracle, testing::Range(0, 14));

TEST(OracleCases, AreAllTried) { EXPECT_EQ(cases().size(), 14u); }
TEST_P(Oracle, AgreesInDouble) { expect_agreement<double>(); }
TEST_P(Oracle, AgreesInLongDouble) { expect_agreement<long double>(); }

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
