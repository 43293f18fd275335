#include "denoc/io/formula.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace denoc::io {
namespace {
namespace THIS_FILE {

Formula formula(const std::string& text) {
  const ParsedFormula parsed = Formula::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.rule;
  return parsed.formula;
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  constexpr double pi = std::numbers::pi, t = 0.7;
  const std::pair<const char*, double> cases[] = {{"t", t},
                                                  {"-t", -t},
                                                  {"2*sin(2*t)", 2 * std::sin(2 * t)},
                                                  {"cos(t) - tan(t)/exp(t)", std::cos(t) - std::tan(t) / std::exp(t)},
                                                  {"log(t) + abs(-t)", std::log(t) + t},
                                                  {"t^2", t * t},
                                                  {"-t^2", -(t * t)},
                                                  {"2^-t", std::pow(2, -t)},
                                                  {"2^t^2", std::pow(2, std::pow(t, 2))},
                                                  {"(2^t)^2", std::pow(std::pow(2, t), 2)},
                                                  {"3*t^2", 3 * std::pow(t, 2)},
                                                  {"8/t/2", 8 / t / 2},
                                                  {"8-t-2", 8 - t - 2},
                                                  {"8-(t-2)", 8 - (t - 2)},
                                                  {"pow(t, 3)", std::pow(t, 3)},
                                                  {"atan(3*t) - tanh(t)", std::atan(3 * t) - std::tanh(t)},
                                                  {"min(t, 0.5) + max(t, 0.5)", 0.5 + t},
                                                  {"min(1, max(t, pi))", 1},
                                                  {"deg(180*t)", 180 * t * (pi / 180)},
                                                  {"sqrt(t + 1)", std::sqrt(t + 1)},
                                                  {"step(t - 0.7)", 1},
                                                  {"step(t - 0.71)", 0},
                                                  {"step(0.6 - t)", 0},
                                                  {"5*(step(t) - step(t - 0.5))", 0}};
  for (const auto& [text, value] : cases) EXPECT_DOUBLE_EQ(formula(text)(t), value) << text;
}

TEST(Formula, KnowsWhatIsConstant) {
  const std::pair<const char*, double> constants[] = {
      {"2^3^2", 512}, {"-2^2", -4},         {"2^-1", 0.5},
      {"(-2)^2", 4},  {"sin(pi/2)", 1},     {"max(1, min(5, 2))", 2},
      {"step(0)", 1}, {"step(-1e-300)", 0}, {"pow(2, 0.5)", std::sqrt(2.0)},
      {"exp(0)", 1},  {"log(exp(1))", 1}};
  for (const auto& [text, value] : constants) {
    EXPECT_TRUE(formula(text).is_constant()) << text;
    EXPECT_DOUBLE_EQ(formula(text)(99), value) << text;
  }
  for (const char* text : {"t", "0*t", "t - t", "sin(t)"}) EXPECT_FALSE(formula(text).is_constant()) << text;
  EXPECT_TRUE(Formula().is_constant());
  EXPECT_EQ(Formula()(3), 0);
  EXPECT_EQ(Formula(1.5)(3), 1.5);
}

TEST(Formula, TellsWhereItJumps) {
  using Times = std::vector<double>;
  const std::pair<const char*, Times> cases[] = {{"3", {}},
                                                 {"sin(t)", {}},
                                                 {"step(1)", {}},
                                                 {"step(t)", {0}},
                                                 {"step(t - 1.5)", {1.5}},
                                                 {"step(1.5 - t)", {1.5}},
                                                 {"4*step(2*t - 1)*sin(t)", {0.5}},
                                                 {"step(-(t - 3)/2)", {3}},
                                                 {"step(t*pi - pi)", {1}},
                                                 {"step(t - 2) - step(t - 1) + step(t - 2)", {1, 2}},
                                                 {"step(t + (t - 4))", {2}},
                                                 {"step(step(t - 1) - 0.5)", {1}},
                                                 {"step(t - t + 1)", {}},
                                                 {"step(sin(t))", {}},
                                                 {"step(t^2 - 4)", {}},
                                                 {"step(1/t)", {}}};
  for (const auto& [text, breaks] : cases) EXPECT_EQ(formula(text).breaks(), breaks) << text;
  const Formula several[] = {formula("step(t - 2)"), formula("1"), formula("step(t - 1) + step(t - 2)")};
  EXPECT_EQ(breaks_of(several), (Times{1, 2}));
}

TEST(Formula, TellsWhereItHasKinks) {
  using Times = std::vector<double>;
  const std::pair<const char*, Times> cases[] = {{"abs(t - 2)", {2}}, {"min(t, 1)", {1}},  {"max(2*t, t + 3)", {3}},
                                                 {"min(1, 2)", {}},   {"abs(sin(t))", {}}, {"max(t, t + 1)", {}}};
  for (const auto& [text, breaks] : cases) EXPECT_EQ(formula(text).breaks(), breaks) << text;
}

// Differentiated by hand.
// The last number before the instant lies before it, and the next one behind it, whatever the terms round to.
TEST(Formula, IsOnTheRightSideOfItsBreaks) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const char* number : {"10.3", "0.52", "1e6 + 0.1", "1/3", "123.456"})
    for (const char* offset : {"10", "0.491", "1e6", "3e-5", "100"})
      for (const char* rate : {"1", "0.1", "-3"}) {
        const std::string z = fmt::format("({1} + {2}*t - ({0}))", number, offset, rate);
        const double sign = rate[0] == '-' ? -1 : 1, size = std::abs(std::stod(rate));
        const auto at_break = [&](const std::string& text, auto&& expect) {
          SCOPED_TRACE(text);
          const Formula f = formula(text);
          ASSERT_EQ(f.breaks().size(), 1u);
          const double at = f.breaks()[0];
          expect(f, std::nextafter(at, -infinity), at, std::nextafter(at, infinity));
        };
        at_break("step" + z, [&](const Formula& f, double before, double at, double after) {
          EXPECT_EQ(f(before), sign < 0);
          EXPECT_EQ(f(at), 1);
          EXPECT_EQ(f(after), sign > 0);
        });
        const std::pair<std::string, double> bent[] = {{"abs" + z, -size},
                                                       {fmt::format("max(7 + {0}, 7 - {0})", z), -size},
                                                       {fmt::format("min({0}, -{0})", z), size}};
        for (const auto& [text, rate_before] : bent)
          at_break(text, [&, slope = rate_before](const Formula& f, double before, double at, double after) {
            EXPECT_NEAR(f.jet(before).d, slope, 1e-9);
            EXPECT_NEAR(f.jet(at).d, -slope, 1e-9);
            EXPECT_NEAR(f.jet(after).d, -slope, 1e-9);
          });
      }
  // Which of two is less is asked of their difference; what comes out is the one or the other to rounding.
  const Formula least = formula("min(3*t + 2, 10 - t)"), most = formula("max(0.2, 1 - t/3)");
  for (double t = -5; t < 8; t += 0.17) {
    EXPECT_NEAR(least(t), std::min(3 * t + 2, 10 - t), 1e-14);
    EXPECT_NEAR(most(t), std::max(0.2, 1 - t / 3), 1e-14);
  }
}

TEST(Formula, HasExactDerivatives) {
  constexpr double t = 0.7;
  struct Case {
    const char* text;
    Jet jet;
  };
  const Case cases[] = {
      {"3", {3, 0, 0}},
      {"t", {t, 1, 0}},
      {"-t^3", {-t * t * t, -3 * t * t, -6 * t}},
      {"2*sin(3*t)", {2 * std::sin(3 * t), 6 * std::cos(3 * t), -18 * std::sin(3 * t)}},
      {"cos(t)^2 + sin(t)^2", {1, 0, 0}},
      {"exp(-2*t)", {std::exp(-2 * t), -2 * std::exp(-2 * t), 4 * std::exp(-2 * t)}},
      {"log(t)", {std::log(t), 1 / t, -1 / (t * t)}},
      {"1/(1 + t)", {1 / (1 + t), -1 / ((1 + t) * (1 + t)), 2 / ((1 + t) * (1 + t) * (1 + t))}},
      {"sqrt(t)", {std::sqrt(t), 0.5 / std::sqrt(t), -0.25 / (t * std::sqrt(t))}},
      {"tan(t)", {std::tan(t), 1 + std::pow(std::tan(t), 2), 2 * std::tan(t) * (1 + std::pow(std::tan(t), 2))}},
      {"atan(3*t)", {std::atan(3 * t), 3 / (1 + 9 * t * t), -54 * t / std::pow(1 + 9 * t * t, 2)}},
      {"tanh(2*t)",
       {std::tanh(2 * t), 2 / std::pow(std::cosh(2 * t), 2), -8 * std::tanh(2 * t) / std::pow(std::cosh(2 * t), 2)}},
      {"2^t", {std::pow(2, t), std::log(2) * std::pow(2, t), std::pow(std::log(2), 2) * std::pow(2, t)}},
      {"deg(180*t)", {std::numbers::pi * t, std::numbers::pi, 0}},
      {"step(t - 0.5)*t^2", {t * t, 2 * t, 2}},
      {"max(t, t^2) + min(t, t^2) - abs(-t)", {t * t, 2 * t, 2}},
  };
  for (const auto& [text, jet] : cases) {
    const Jet found = formula(text).jet(t);
    EXPECT_NEAR(found.x, jet.x, 1e-15 * 8 * (1 + std::abs(jet.x))) << text;
    EXPECT_NEAR(found.d, jet.d, 1e-15 * 8 * (1 + std::abs(jet.d))) << text;
    EXPECT_NEAR(found.dd, jet.dd, 1e-15 * 16 * (1 + std::abs(jet.dd))) << text;
    EXPECT_EQ(found.x, formula(text)(t)) << text;
  }
}

// At a jump the value is that of the moment, the jet that of just after; elsewhere they are the same number.
TEST(Formula, HasTheJetOfJustAfterAJump) {
  struct Case {
    const char* text;
    double t, value;
    Jet jet;
  };
  const Case cases[] = {
      {"step(-t)", 0, 1, {0, 0, 0}},
      {"step(t)", 0, 1, {1, 0, 0}},
      {"step(0.75 - t)*t", 0.75, 0.75, {0, 0, 0}},
      {"t + step(-t^2)", 0, 1, {0, 1, 0}},
      {"step(-abs(t - 2)) + t^2", 2, 5, {4, 4, 2}},
      {"step(-0*t) - t", 3, -2, {-2, -1, 0}},  // nothing moves
      {"max(t, step(-t)) - min(t, 0)", 0, 1, {0, 1, 0}},
  };
  for (const auto& [text, t, value, jet] : cases) {
    const Jet found = formula(text).jet(t);
    EXPECT_EQ(formula(text)(t), value) << text;
    EXPECT_EQ(found.x, jet.x) << text;
    EXPECT_EQ(found.d, jet.d) << text;
    EXPECT_EQ(found.dd, jet.dd) << text;
  }
}

// Whichever side of min and max it stands on, and in a jet as in a value.
TEST(Formula, IsNoNumberWhereAnArgumentIsNone) {
  for (const char* text :
       {"max(t, log(-t))", "max(log(-t), t)", "min(t, log(-t))", "min(log(-t), t)", "abs(log(-t))", "step(log(-t))"}) {
    EXPECT_TRUE(std::isnan(formula(text)(0.7))) << text;
    EXPECT_TRUE(std::isnan(formula(text).jet(0.7).x)) << text;
  }
}

// At a kink the value is that of the numbers to the sign of a zero, which tells the two infinities apart.
TEST(Formula, HasTheJetOfTheSameZero) {
  for (const char* text :
       {"1/abs(0/(-t - 1))", "1/abs(-t)", "1/max(t, -t)", "1/max(-t, t)", "1/min(t, -t)", "1/min(-t, t)"})
    EXPECT_EQ(formula(text)(0), formula(text).jet(0).x) << text;
}

TEST(Formula, ReadsVariables) {
  const std::vector<std::string> names = {"q.arm", "q.arm-left", "v.arm", "q.base.x"};
  const std::vector<double> values = {2, 3, 5, 7};
  const std::pair<const char*, double> cases[] = {{"q.arm", 2},
                                                  {"q.arm-2", 0},
                                                  {"2*q.arm-left", 6},
                                                  {"q.arm - 2", 0},
                                                  {"-4*q.arm + 8*v.arm*t", 12},
                                                  {"sin(q.base.x)^2 + cos(q.base.x)^2", 1}};
  for (const auto& [text, value] : cases) {
    const ParsedFormula parsed = Formula::parse(text, names);
    ASSERT_TRUE(parsed) << text << ": " << parsed.rule;
    EXPECT_DOUBLE_EQ(parsed.formula(0.5, values), value) << text;
    EXPECT_FALSE(parsed.formula.is_constant()) << text;
  }
  EXPECT_NE(Formula::parse("2*q.arn", names).rule.find("'q.arn' is not a number, did you mean 'q.arm'?"),
            std::string::npos)
      << Formula::parse("2*q.arn", names).rule;
  EXPECT_NE(Formula::parse("2 q.arm", names).rule.find("'q.arm' follows the number: a product"), std::string::npos);
  EXPECT_FALSE(Formula::parse("q.arm")) << "a variable that is none";
  EXPECT_FALSE(Formula::parse("q.armature", names));
}

// A function or variable that is there is no slip of the pen for another one.
TEST(Formula, SuggestsNothingThatMeansSomethingElse) {
  const std::vector<std::string> names = {"q.shoulder", "v.shoulder"};
  for (const char* text : {"asin(t)", "sinh(1)", "sign(t)", "atan2(t, 1)", "dq.shoulder", "a.shoulder"}) {
    const std::string rule = Formula::parse(text, names).rule;
    EXPECT_EQ(rule.find("did you mean"), std::string::npos) << rule;
  }
  EXPECT_NE(Formula::parse("dq.shoulder", names).rule.find("'dq.shoulder' is not a number, nor one of pi, t"),
            std::string::npos);
  EXPECT_NE(Formula::parse("dq.shoulder", names).rule.find("q.shoulder, v.shoulder"), std::string::npos);
}

// With the joints 'arm' and 'arm-2' it may be either; a space says that it is the difference.
TEST(Formula, RefusesNamesThatMeanTwoThings) {
  const std::vector<std::string> names = {"q.arm", "q.arm-2", "q.leg", "q.leg-q.arm", "q.hip.1", "q.hip.1", "q.arm^t"};
  for (const char* text : {"q.arm-2", "2*q.arm-2", "sin(q.arm-2)", "q.leg-q.arm", "q.arm^t"}) {
    const std::string rule = Formula::parse(text, names).rule;
    EXPECT_NE(rule.find("' is a name, and '"), std::string::npos) << text << ": " << rule;
  }
  EXPECT_NE(Formula::parse("1 + q.hip.1", names).rule.find("'q.hip.1' is the name of two things"), std::string::npos);
  for (const char* text : {"q.arm - 2", "q.arm -2", "q.leg - q.arm", "q.leg-q.leg", "q.arm-3"})
    EXPECT_TRUE(Formula::parse(text, names)) << text << ": " << Formula::parse(text, names).rule;
}

TEST(Formula, LeavesTheTimeToArithmetic) {
  EXPECT_EQ(formula("1/t")(0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(formula("sqrt(-t)")(1)));
  EXPECT_TRUE(std::isnan(formula("log(t)")(-1)));
  for (const char* text : {"min(0/t, 1)", "max(1, 0/t)", "step(0/t)", "abs(0/t)"})
    EXPECT_TRUE(std::isnan(formula(text)(0))) << text;
}

TEST(Formula, RefusesEverythingElse) {
  const std::pair<const char*, const char*> cases[] = {{"", "empty where a number is expected"},
                                                       {"nan", "not a finite number"},
                                                       {"t*inf", "not a finite number"},
                                                       {"1/0*t", "divides by zero"},
                                                       {"t + sqrt(-1)", "the square root of a negative number"},
                                                       {"t*log(0)", "is not finite"},
                                                       {"sin t", "'sin' wants parentheses"},
                                                       {"sin(t", "a parenthesis is not closed"},
                                                       {"sin()", "where a number is expected"},
                                                       {"sin(t, 2)", "too many arguments"},
                                                       {"min(t)", "2 arguments are expected"},
                                                       {"min(t, 2, 3)", "too many arguments"},
                                                       {"(1, 2)", "too many arguments, or a decimal comma"},
                                                       {"1,5", "point, not with a comma"},
                                                       {"2t", "'t' follows the number: a product is written with *"},
                                                       {"sin(2t)", "'t' follows the number: a product is written"},
                                                       {"min(2t, 1)", "'t' follows the number: a product is written"},
                                                       {"2(t)", "a product is written with *"},
                                                       {"2 sin(t)", "a product is written with *"},
                                                       {"t s", "'s' follows the number (units"},
                                                       {"sine(t)", "unknown function 'sine'; known: deg, sqrt, sin"},
                                                       {"np.sin(t)", "unknown function 'np.sin'; known: deg, sqrt"},
                                                       {"time", "'time' is not a number, nor one of pi, t, deg"},
                                                       {"t^", "ends where a number is expected"},
                                                       {"t**2", "a power is written with ^"},
                                                       {"10 deg", "degrees are written deg(10)"},
                                                       {"10deg", "degrees are written deg(10)"},
                                                       {"-1.5*deg", "degrees are written deg(1.5)"},
                                                       {"sin(90 degrees)", "degrees are written deg(90)"},
                                                       {"2 deg(t)", "a product is written with *"},
                                                       {"deg 10", "'deg' wants parentheses"},
                                                       {"45°", "'°' is written deg(...)"},
                                                       {"π/2", "'π' is written pi"},
                                                       {"sin(2π)", "'π' is written pi"},
                                                       {"−0.5", "'−' is written -"},
                                                       {"1 − t", "'−' is written -"},
                                                       {"½", "'½' where a number is expected"}};
  for (const auto& [text, fragment] : cases) {
    const ParsedFormula parsed = Formula::parse(text);
    EXPECT_FALSE(parsed) << text;
    EXPECT_NE(parsed.rule.find(fragment), std::string::npos) << text << ": " << parsed.rule;
  }
}

// Whatever the depth that is let in, the values that wait for their operation have room.
TEST(Formula, CapsItsDepth) {
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "t";
    for (int i = 0; i < depth; ++i) text += close;
    return Formula::parse(text);
  };
  EXPECT_EQ(nested(64, "(", ")").formula(3), 3);
  EXPECT_EQ(nested(64, "max(t, t+1*", ")").rule, "");
  EXPECT_TRUE(std::isfinite(nested(64, "max(t, 0*t+0*t*", ")").formula(0.5)));
  EXPECT_EQ(nested(64, "t^", "").formula(1), 1);
  EXPECT_EQ(nested(21, "min(t, t+t*t^(", "))").formula(1), 1);
  for (const char* open : {"(", "sin(", "2^", "2^-", "min(t,"})
    EXPECT_NE(nested(100000, open, "").rule.find("nested too deeply"), std::string::npos) << open;
  EXPECT_EQ(nested(100001, "-", "").formula(2), -2);  // signs nest nothing
  EXPECT_EQ(nested(100000, "t+", "").formula(1), 100001);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
