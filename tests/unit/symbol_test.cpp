#include "denoc/scalar/symbol.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "denoc/dynamics/symbolic.hpp"
#include "denoc/io/load.hpp"
#include "denoc/model/manifold.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Symbols = std::vector<Symbol>;

static_assert(Scalar<Symbol>);

class SymbolTest : public testing::Test {
 protected:
  OperationCount count(const Symbols& results, const Symbols& given = {}) { return graph.operations(results, given); }
  double at(double x_value, double y_value, Symbol result) {
    return graph.evaluate(Symbols{result}, std::vector{x_value, y_value})[0];
  }
  std::string printed(Symbol result) {
    std::ostringstream out;
    graph.print(out, std::vector<Graph::Named>{{"r", result}});
    return out.str();
  }
  void expect_constant(Symbol s, double expected) {
    ASSERT_TRUE(s.is_constant());
    EXPECT_EQ(s.constant(), expected);
  }

  Graph graph;
  const Symbol x = graph.input("x"), y = graph.input("y");
};

TEST_F(SymbolTest, ArithmeticAmongConstantsIsDoneWhileRecording) {
  expect_constant(Symbol(2) * 3 + 4 / Symbol(8) - 1, 5.5);
  expect_constant(sqrt(Symbol(9)), 3);
  expect_constant(atan2(Symbol(1), Symbol(0)), std::atan2(1.0, 0.0));
  Symbol s, c;
  sincos(Symbol(0.3), s, c);
  expect_constant(s, std::sin(0.3));
  expect_constant(c, std::cos(0.3));
  expect_constant(select(Symbol(1) < Symbol(2), Symbol(5), Symbol(6)), 5);
}

TEST_F(SymbolTest, ZerosAndOnesFold) {
  const size_t before = graph.size();
  expect_constant(x * 0, 0);
  expect_constant(0 / x, 0);
  expect_constant(x - x, 0);
  expect_constant(x + -x, 0);
  expect_constant(x / x, 1);
  expect_constant(x / -x, -1);
  for (const Symbol same : {x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, -(-x), -x * -1, 0 - -x, x / -1 * -1})
    EXPECT_EQ(printed(same), "r = x;\n");
  EXPECT_EQ(printed(-1 * x), "r = -x;\n");
  EXPECT_EQ(graph.size(), before);
}

TEST_F(SymbolTest, WhatComesTwiceIsComputedOnce) {
  const Symbol sum = x + y, difference = x - y, product = x * y, quotient = x / y, half = 0.5 * x;
  Symbol s, c, minus_s, same_c;
  sincos(x, s, c);
  const size_t before = graph.size();
  sincos(-x, minus_s, same_c);
  expect_constant(sum - (y + x), 0);
  expect_constant(-sum - (-x - y), 0);
  expect_constant(difference + (y - x), 0);
  expect_constant(product - y * x, 0);
  expect_constant(product + -x * y, 0);
  expect_constant(product - -x * -y, 0);
  expect_constant(quotient + x / -y, 0);
  expect_constant(half + x * -0.5, 0);
  expect_constant(s + minus_s, 0);
  expect_constant(c - same_c, 0);
  EXPECT_EQ(graph.size(), before);
}

TEST_F(SymbolTest, CountsWhatTheResultsNeed) {
  Symbol s, c;
  sincos(x + 0.25, s, c);
  const Symbol used = s * c - -y / sqrt(c), dead = x * x * x;
  EXPECT_EQ(count({used}), (OperationCount{1, 2, 1, 1, 1}));
  EXPECT_EQ(count({used, used, 3.0, -used}), count({used}));
  EXPECT_EQ(count({used}, {s, c}), (OperationCount{1, 1, 1, 1, 0}));
  EXPECT_EQ(count({used}, {-c}), (OperationCount{1, 2, 1, 1, 1}));  // the sine still needs its angle
  EXPECT_EQ(count({used}, {used}), OperationCount{});
  EXPECT_EQ(count({dead}), (OperationCount{2, 0, 0, 0, 0}));
  EXPECT_EQ(count({atan2(x, y)}), (OperationCount{0, 0, 0, 0, 1}));
  EXPECT_EQ(count({select(x < y, x, y)}), OperationCount{});
}

TEST_F(SymbolTest, EvaluatesEveryOperation) {
  Symbol s, c;
  sincos(-x, s, c);
  EXPECT_EQ(at(0.7, -2, s * y + c), std::sin(-0.7) * -2.0 + std::cos(0.7));
  EXPECT_EQ(at(0.7, -2, sqrt(-y) / x), std::sqrt(2.0) / 0.7);
  EXPECT_EQ(at(0.7, -2, -atan2(x, y)), -std::atan2(0.7, -2.0));
  EXPECT_EQ(at(0.7, -2, select(x < y, x, -y)), 2);
  EXPECT_EQ(at(-3, -2, select(x < y, x, -y)), -3);
  EXPECT_EQ(at(-2, -2, select(x < y, x, -y)), 2) << "x is not less than itself";
  EXPECT_EQ(at(0.7, -2, Symbol(4)), 4);
  Symbol sum = x;
  sum += y;
  sum -= 1;
  EXPECT_EQ(at(0.5, 2, sum), 1.5);
}

TEST_F(SymbolTest, PrintsOneStatementPerOperation) {
  EXPECT_EQ(printed(x * 7), "const double t3 = x * 7.0;\nr = t3;\n");
  Symbol s, c;
  sincos(x, s, c);
  const Symbol sum = 2 - s * y;
  std::ostringstream out;
  graph.print(out, std::vector<Graph::Named>{{"r[0]", -sum}, {"r[1]", select(x < 3, c, sum / 0.1)}, {"r[2]", 1.0}});
  EXPECT_EQ(out.str(),
            "const double t4 = sin(x);\n"
            "const double t5 = cos(x);\n"
            "const double t6 = y * t4;\n"
            "const double t8 = t6 - 2.0;\n"
            "const double t10 = t8 / 0.10000000000000001;\n"
            "const double t12 = x < 3.0 ? t5 : -t10;\n"
            "r[0] = t8;\n"
            "r[1] = t12;\n"
            "r[2] = 1.0;\n");
}

// A constant is a floating number to a compiler, that one and nothing behind it: whole, tiny or huge.
TEST_F(SymbolTest, PrintsConstantsThatACompilerReads) {
  for (const double size :
       {0.0, 1.0, 7.0, 0.1, 1.5, 1e16, 1e17, 1e20, 1.5e20, 1e-5, 1e-20, 3e-7, 5e-324, 1.7976931348623157e308})
    for (const double constant : {size, -size}) {
      const std::string text = printed(constant), start = "r = ", end = ";\n";
      ASSERT_TRUE(text.starts_with(start) && text.ends_with(end)) << text;
      const std::string number = text.substr(start.size(), text.size() - start.size() - end.size());
      char* rest = nullptr;
      EXPECT_EQ(std::strtod(number.c_str(), &rest), constant) << text;
      EXPECT_STREQ(rest, "") << text;
      EXPECT_NE(number.find_first_of(".e"), std::string::npos) << text << "is a whole number in C";
    }
}

TEST_F(SymbolTest, RefusesWhatDoesNotBelongTogether) {
  Graph other;
  const Symbol z = other.input("z");
  EXPECT_THROW(x + z, ArgumentError);
  EXPECT_THROW(x - z, ArgumentError);
  EXPECT_THROW(x / z, ArgumentError);
  EXPECT_THROW(count({z}), ArgumentError);
  EXPECT_THROW(graph.evaluate(Symbols{x}, std::vector{1.0}), ArgumentError);
}

// Every algorithm, recorded and evaluated, against itself. A Counted<double> does plain double arithmetic, so the two
// must agree to the last bit: only signs of zeros may differ; and both count every operation.
class Recorded {
 public:
  using Number = Counted<double>;

  Recorded(const Model& of, unsigned seed) : model(of) {
    Random random(seed);
    q = random_q<double>(random, model);
    v = random_vector<double>(random, model.nv());
    x = random_vector<double>(random, model.nv(), 5);
  }
  // f(q, v, x, results), once with numbers, once with symbols
  template <class F> void expect_same(int results, F&& f) {
    std::vector<Number> numbers(results);
    const OperationCount counted = operations<Number>([&] { f(as<Number>(q), as<Number>(v), as<Number>(x), numbers); });

    Graph graph;
    std::vector<double> values;
    const auto inputs = [&](const std::vector<double>& from) {
      Symbols symbols;
      for (const double value : from) {
        symbols.push_back(graph.input("x" + std::to_string(values.size())));
        values.push_back(value);
      }
      return symbols;
    };
    const Symbols q_in = inputs(q), v_in = inputs(v), x_in = inputs(x);
    Symbols symbols(results);
    EXPECT_EQ(operations<Symbol>([&] { f(q_in, v_in, x_in, symbols); }), counted);
    const std::vector<double> evaluated = graph.evaluate(symbols, values);
    for (int k = 0; k < results; ++k) EXPECT_EQ(evaluated[k], value(numbers[k])) << k;
  }
  template <class T, class Run> OperationCount operations(Run&& run) const {
    const OperationCount before = T::count();
    run();
    return T::count() - before;
  }
  template <class T> Configuration<T> placed(const std::vector<T>& at_q) const {
    Configuration<T> at(model);
    place<T>(model, at_q, at);
    return at;
  }
  void expect_same_dynamics() {
    const int n = model.nv();
    expect_same(n, [&]<class T>(const std::vector<T>& q_, const std::vector<T>& v_, const std::vector<T>& x_,
                                std::vector<T>& tau) {
      inverse_formulations<T>().front().prepare(model)(placed<T>(q_), v_, x_, tau, {});
    });
    expect_same(n, [&]<class T>(const std::vector<T>& q_, const std::vector<T>& v_, const std::vector<T>& x_,
                                std::vector<T>& a) {
      forward_formulations<T>().front().prepare(model)(placed<T>(q_), v_, x_, a, {});
    });
    expect_same(n * n, [&]<class T>(const std::vector<T>& q_, const std::vector<T>&, const std::vector<T>&,
                                    std::vector<T>& inertia) {
      inertia_formulations<T>().front().prepare(model)(placed<T>(q_), inertia);
    });
    expect_same(
        n, [&]<class T>(const std::vector<T>& q_, const std::vector<T>&, const std::vector<T>& x_, std::vector<T>& a) {
          const auto at = placed<T>(q_);
          Factor<T> factor(model);
          SolveScratch<T> scratch(model);
          factorize<T>(model, at, factor);
          solve<T>(model, at, factor, x_, scratch, a);
        });
    expect_same(model.nq(), [&]<class T>(const std::vector<T>& q_, const std::vector<T>& v_, const std::vector<T>&,
                                         std::vector<T>& moved) { integrate<T>(model, q_, v_, moved); });
  }

  const Model& model;
  std::vector<double> q, v, x;
};

TEST(RecordedDynamics, OfThePumaIsTheDynamicsOfThePuma) {
  const Model model(load("puma560"));
  Recorded(model, 1).expect_same_dynamics();
}

TEST(RecordedDynamics, OfRandomTreesIsTheirDynamics) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomRobot wanted;
    wanted.bodies = 3 + int(seed) % 10;
    wanted.free_root = seed % 2 == 0;
    Random random(seed);
    const Model model(random_robot(random, wanted));
    if (model.nv() > 0) Recorded(model, seed).expect_same_dynamics();
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
