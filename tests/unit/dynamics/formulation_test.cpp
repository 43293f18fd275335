// The tables of formulations: what their rows promise.
#include "denoc/dynamics/formulation.hpp"

#include <gtest/gtest.h>

#include <set>

#include "denoc/model/serial_chain.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class Problem> void expect_told_apart(std::span<const Formulation<Problem>> table) {
  std::set<std::string_view> names;
  for (const auto& row : table) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands twice";
    EXPECT_TRUE(row.order == "n" || row.order == "n^2" || row.order == "n^3") << row.name << ": " << row.order;
    EXPECT_FALSE(row.covers.empty()) << row.name;
    EXPECT_EQ(&formulation_named(table, row.name), &row);
  }
}

TEST(FormulationTables, HaveNamesThatTellTheirRowsApart) {
  expect_told_apart(inverse_formulations<double>());
  expect_told_apart(inertia_formulations<double>());
  expect_told_apart(forward_formulations<double>());
}

TEST(FormulationTables, AreTheSameForEveryScalar) {
  const auto names = [](const auto& table) {
    std::vector<std::string_view> all;
    for (const auto& row : table) all.push_back(row.name);
    return all;
  };
  EXPECT_EQ(names(inverse_formulations<float>()), names(inverse_formulations<double>()));
  EXPECT_EQ(names(inertia_formulations<long double>()), names(inertia_formulations<double>()));
  EXPECT_EQ(names(forward_formulations<Dual<double>>()), names(forward_formulations<double>()));
}

TEST(FormulationTables, SayWhatThereIsInsteadOfAnUnknownName) {
  try {
    formulation_named(forward_formulations<double>(), "denok");
    FAIL() << "an unknown name";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("'denok'"), std::string::npos);
    EXPECT_NE(std::string(refused.what()).find("articulated-body"), std::string::npos) << refused.what();
  }
}

// What is prepared owns its scratch: a copy works for itself.
TEST(FormulationTables, PrepareMethodsThatDoNotShare) {
  const Model model(serial_chain(3));
  const std::vector<double> q = {0.3, -0.4, 0.5}, v = {1, 2, 3}, a = {3, 2, 1}, none(3);
  Configuration<double> at(model);
  place<double>(model, q, at);
  for (const auto& row : inverse_formulations<double>()) {
    const auto one = row.prepare(model);
    const auto other = one;
    std::vector<double> alone(3), again(3), rest(3);
    row.prepare(model)(at, v, a, alone, {});
    other(at, none, none, rest, {});
    one(at, v, a, again, {});
    EXPECT_EQ(again, alone) << row.name;
    EXPECT_NE(rest, alone) << row.name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
