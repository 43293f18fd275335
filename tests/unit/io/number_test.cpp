#include "denoc/io/number.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <locale>
#include <numbers>

#include "denoc/io/report.hpp"
#include "unit/io/files.hpp"

namespace denoc::io {
namespace {
namespace THIS_FILE {

void expect_refused(const Number& number, const std::string& text, const std::string& fragment) {
  EXPECT_FALSE(number) << text << " was read as " << number.value;
  EXPECT_NE(number.rule.find(fragment), std::string::npos) << text << ": " << number.rule;
}

TEST(PlainNumber, ReadsWhatFilesWrite) {
  const std::pair<const char*, double> cases[] = {
      {"0", 0},      {"1.5", 1.5},     {"-2e-3", -2e-3},     {"+1", 1},
      {" 7 ", 7},    {"\t-1\n", -1},   {".5", .5},           {"5.", 5},
      {"1E3", 1000}, {"1e-400", 0},    {"-1e-5000", -0.0},   {"0e999", 0},
      {"0.1", 0.1},  {"1e308", 1e308}, {"4.9e-324", 5e-324}, {"1e-99999999999999999999", 0}};
  for (const auto& [text, value] : cases) {
    const Number number = plain_number(text);
    EXPECT_TRUE(number) << text << ": " << number.rule;
    EXPECT_EQ(number.value, value) << text;
  }
  const std::string tiny = "0." + std::string(400, '0') + "1", huge = "1" + std::string(400, '0');
  EXPECT_TRUE(plain_number(tiny));
  EXPECT_EQ(plain_number(tiny).value, 0);
  expect_refused(plain_number(huge), huge, "too large");
}

TEST(PlainNumber, RefusesEverythingElse) {
  const std::pair<const char*, const char*> cases[] = {{"", "empty"},
                                                       {"  ", "empty"},
                                                       {"nan", "not a finite number"},
                                                       {"-NaN", "not a finite number"},
                                                       {"inf", "not a finite number"},
                                                       {"+Infinity", "not a finite number"},
                                                       {"1e999", "too large"},
                                                       {"-1e999", "too large"},
                                                       {"1e+999", "too large"},
                                                       {"0.0001e+999", "too large"},
                                                       {"0.0001E999", "too large"},
                                                       {"1e99999999999999999999", "too large"},
                                                       {"1,5", "point, not with a comma"},
                                                       {"1.5kg", "'kg' follows the number"},
                                                       {"1.5 2", "follows the number"},
                                                       {"1.5.2", "follows the number"},
                                                       {"0x10", "hexadecimal"},
                                                       {"-0X1p3", "hexadecimal"},
                                                       {"abc", "not a number"},
                                                       {"+-1", "not a number"},
                                                       {"--1", "not a number"},
                                                       {"-", "not a number"},
                                                       {".", "not a number"},
                                                       {"e5", "not a number"},
                                                       {"1e", "follows the number"},
                                                       {"1_000", "follows the number"},
                                                       {"pi/2", "not a number"},
                                                       {"${mass}", "xacro"}};
  for (const auto& [text, fragment] : cases) expect_refused(plain_number(text), text, fragment);
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  const double pi = std::numbers::pi;
  const std::pair<const char*, double> cases[] = {{"1.5", 1.5},
                                                  {"+1", 1},
                                                  {"-pi/2", -pi / 2},
                                                  {"2*pi", 2 * pi},
                                                  {"1 + 2 * 3", 7},
                                                  {"(1 + 2) * 3", 9},
                                                  {"8/4/2", 1},
                                                  {"8-4-2", 2},
                                                  {"2*-3", -6},
                                                  {"--2", 2},
                                                  {"-+-2", 2},
                                                  {"deg(180)", pi},
                                                  {"sqrt(2)/2", std::sqrt(2.0) / 2},
                                                  {"sqrt(sqrt(16))", 2},
                                                  {"deg( 45 + 45 )", 90 * (pi / 180)},
                                                  {"0.4*0.1*0.1/12", 0.4 * 0.1 * 0.1 / 12},
                                                  {"1e3+1e-3", 1e3 + 1e-3},
                                                  {"2^3", 8},
                                                  {"max(1, sin(0))", 1},
                                                  {"((((1))))", 1}};
  for (const auto& [text, value] : cases) {
    const Number number = expression(text);
    EXPECT_TRUE(number) << text << ": " << number.rule;
    EXPECT_EQ(number.value, value) << text;
  }
}

TEST(Expression, RefusesEverythingElse) {
  const std::pair<const char*, const char*> cases[] = {{"", "empty"},
                                                       {".nan", "not a finite number"},
                                                       {"-.inf", "not a finite number"},
                                                       {"inf", "not a finite number"},
                                                       {"2*nan", "not a finite number"},
                                                       {"1e999", "too large"},
                                                       {"1e300*1e300", "not finite"},
                                                       {"1/0", "divides by zero"},
                                                       {"1/(2-2)", "divides by zero"},
                                                       {"sqrt(-1)", "square root of a negative"},
                                                       {"sqrt 2", "wants parentheses"},
                                                       {"sqrt(2", "not closed"},
                                                       {"(1", "not closed"},
                                                       {"1)", "')' follows"},
                                                       {"()", "where a number is expected"},
                                                       {"1+", "ends where a number is expected"},
                                                       {"1 2", "follows the number"},
                                                       {"2**3", "a power is written with ^"},
                                                       {"2*t", "depends on the time t"},
                                                       {"1,5", "point, not with a comma"},
                                                       {"1.5kg", "'kg' follows the number"},
                                                       {"0x1F", "hexadecimal"},
                                                       {"tau", "'tau' is not a number"},
                                                       {"true", "'true' is not a number, nor one of pi, deg, sqrt"},
                                                       {"2pi", "'pi' follows the number"}};
  for (const auto& [text, fragment] : cases) expect_refused(expression(text), text, fragment);
}

TEST(Expression, CapsItsDepth) {
  EXPECT_TRUE(expression(std::string(60, '(') + "1" + std::string(60, ')')));
  expect_refused(expression(std::string(100000, '(') + "1" + std::string(100000, ')')), "100000 parentheses",
                 "nested too deeply");
  EXPECT_EQ(expression(std::string(100000, '-') + "1").value, 1);  // signs nest nothing
}

// Commas for points in everything that asks the locale.
class CommaLocale {
 public:
  CommaLocale() : old_c_(std::setlocale(LC_ALL, nullptr)) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "it_IT.UTF-8"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    }
    struct Comma : std::numpunct<char> {
      char do_decimal_point() const override { return ','; }
      char do_thousands_sep() const override { return '.'; }
      std::string do_grouping() const override { return "\3"; }
    };
    old_cpp_ = std::locale::global(std::locale(std::locale(), new Comma));
  }
  ~CommaLocale() {
    std::locale::global(old_cpp_);
    std::setlocale(LC_ALL, old_c_.c_str());
  }

 private:
  std::string old_c_;
  std::locale old_cpp_;
};

TEST(Locale, ChangesNothing) {
  const CommaLocale comma;
  EXPECT_EQ(plain_number("1.5").value, 1.5);
  EXPECT_EQ(expression("1.5*2").value, 3);
  EXPECT_FALSE(plain_number("1,5"));
  const Document yaml = denoc::test::read_text_as(
      "r.yaml", "dh: {convention: distal, links: [{joint: revolute, mass: 1234.5, b: -0.25}]}\n");
  ASSERT_TRUE(yaml.faults.empty()) << denoc::test::all_texts(yaml.faults);
  EXPECT_EQ(yaml.robot.bodies[1].inertial.mass, 1234.5);
  const Document bad =
      denoc::test::read_text_as("r.yaml", "dh: {convention: distal, links: [{joint: revolute, mass: -1234.5}]}\n");
  EXPECT_TRUE(denoc::test::says(bad.faults, 1, "-1234.5")) << denoc::test::all_texts(bad.faults);
  const Document urdf = denoc::test::read_text_as(
      "r.urdf",
      "<robot name='r'><link name='a'><inertial><mass value='1.5'/>"
      "<inertia ixx='0.5' ixy='0' ixz='0' iyy='0.5' iyz='0' izz='0.5'/></inertial></link></robot>",
      {Base::free, {}});
  ASSERT_TRUE(urdf.faults.empty()) << denoc::test::all_texts(urdf.faults);
  EXPECT_EQ(urdf.robot.bodies[1].inertial.mass, 1.5);
}

TEST(Nearest, FindsWhatWasMeant) {
  const Words keys = {"mass", "com", "inertia", "joint", "rod"};
  EXPECT_EQ(nearest("mas", keys), "mass");
  EXPECT_EQ(nearest("Mass", keys), "mass");
  EXPECT_EQ(nearest("MASS", keys), "mass");
  EXPECT_EQ(nearest("msas", keys), "mass");
  EXPECT_EQ(nearest("inertai", keys), "inertia");
  EXPECT_EQ(nearest("colour", keys), std::nullopt);
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'x'), keys), std::nullopt);
  EXPECT_EQ(unknown("key", "mas", keys), "unknown key 'mas'; did you mean 'mass'?");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
