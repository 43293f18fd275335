// Inertias that are printed with few digits: what rounding alone explains is not doubted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "support/random_robot.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::Random;

std::string link(int number, const std::array<std::string, 6>& i) {
  return fmt::format(R"(<link name="l{0}"><inertial><mass value="1"/>
<inertia ixx="{1}" iyy="{2}" izz="{3}" ixy="{4}" iyz="{5}" ixz="{6}"/></inertial></link>
<joint name="j{0}" type="continuous"><parent link="root"/><child link="l{0}"/></joint>
)",
                     number, i[0], i[1], i[2], i[3], i[4], i[5]);
}
std::vector<Fault> doubts(const std::string& links) {
  const Document document = test::read_text_as("r.urdf", "<robot name='r'><link name='root'/>\n" + links + "</robot>");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  return document.warnings;
}

// Flat bodies, the largest moment of which is exactly the sum of the others: rounding takes every second one beyond it. All
// entries have as many decimals, or as many significant digits; or the moments are short, and only the products rounded.
TEST(PrintedDigits, FlatBodiesAreNotDoubtedHoweverTheyAreRounded) {
  Random random(1);
  std::string decimals, significant, products;
  for (int n = 0; n < 1000; ++n) {
    // I = tr(S) E - S, S the second moments of area: S n = 0 for the normal n.
    const Mat3<double> R = rotation(random.attitude());
    const double a = random.uniform(0.1, 0.4), b = random.uniform(0.1, 0.4);
    const Sym3<double> I = turn(R, Sym3<double>{a, 0, b, 0, 0, a + b});
    const std::array<double, 6> entries = {I.xx, I.yy, I.zz, I.xy, I.yz, I.xz};
    const auto printed = [&](auto print) {
      std::array<std::string, 6> text;
      std::transform(entries.begin(), entries.end(), text.begin(), print);
      return link(n, text);
    };
    if (std::none_of(entries.begin(), entries.end(), [](double x) { return std::abs(x) < 1e-4; })) {
      decimals += printed([](double x) { return fmt::format("{:.4f}", x); });
      significant += printed([](double x) { return fmt::format("{:#.4g}", x); });
    }
    // S_xx, S_yy and S_zz of one digit, and n near the diagonal, where products count most: S n = 0 says the others.
    const std::array<int, 3> s = {4 + random.below(2), 4 + random.below(2), 4 + random.below(2)};
    const double x = random.uniform(0.95, 1.05), y = random.uniform(0.95, 1.05), z = random.uniform(0.95, 1.05);
    const double p = s[0] * x * x / 10, q = s[1] * y * y / 10, r = s[2] * z * z / 10;
    const double xy = (r - p - q) / (2 * x * y), yz = (p - q - r) / (2 * y * z), xz = (q - p - r) / (2 * x * z);
    const auto moment = [&](int i, int j) { return fmt::format("{}.{}", (i + j) / 10, (i + j) % 10); };
    products += link(n, {moment(s[1], s[2]), moment(s[0], s[2]), moment(s[0], s[1]), fmt::format("{:.5f}", -xy),
                         fmt::format("{:.5f}", -yz), fmt::format("{:.5f}", -xz)});
  }
  for (const std::string* links : {&decimals, &significant, &products}) {
    const std::vector<Fault> all = doubts(*links);
    EXPECT_TRUE(all.empty()) << all.size() << " doubts: " << all.front().text();
  }
}

// Each link is judged by its own digits, in whatever order the coordinates are.
TEST(PrintedDigits, AreThoseOfTheLinkInEveryOrder) {
  const std::string links = link(1, {"0.0833", "0.0833", "0.1667", "0", "0", "0"}) +
                            link(2, {"0.100000", "0.100000", "0.200005", "0", "0", "0"}) +
                            link(3, {"0.1", "0.1", "0.2", "0", "0", "0"});
  for (const char* order : {"l1 l2 l3", "l1 l3 l2", "l2 l1 l3", "l2 l3 l1", "l3 l1 l2", "l3 l2 l1"}) {
    const std::vector<Fault> all = doubts(links + fmt::format("<order links='root {}'/>", order));
    EXPECT_EQ(all.size(), 1u) << order << "\n" << all_texts(all);
    EXPECT_TRUE(test::says(all, 0, "link 'l2': inertia: triangle inequality")) << order << "\n" << all_texts(all);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
