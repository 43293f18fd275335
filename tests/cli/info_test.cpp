// denoc info: what the table of the bodies says of their inertias, and what it leaves out as rounding.
#include <fmt/format.h>

#include <cmath>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// The cells under a heading, from the first body to the last; a heading that stands there twice is counted from 0.
// Empty: there is no such column, as nobody has anything in it.
std::vector<std::string> column(const std::string& text, const std::string& heading, int which = 0) {
  std::istringstream lines(text.substr(text.find("\nBodies")));
  std::string line, headings;
  while (std::getline(lines, headings) && headings.find("module") == std::string::npos) continue;
  std::size_t from = headings.find(heading);
  for (; which > 0 && from != std::string::npos; --which) from = headings.find(heading, from + 1);
  if (from == std::string::npos) return {};
  std::size_t to = headings.find("  ", from);  // the next heading begins after two spaces or more
  if (to != std::string::npos) to = headings.find_first_not_of(' ', to);
  std::vector<std::string> cells;
  while (std::getline(lines, line) && !line.empty()) {
    std::string cell = from < line.size() ? line.substr(from, to == std::string::npos ? to : to - from) : "";
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
  }
  return cells;
}
constexpr char moments[] = "inertia xx yy zz", hub_moments[] = "hub xx yy zz", products[] = "xy yz zx";
Row numbers(const std::string& cell) {
  std::istringstream in(cell);
  Row all;
  for (double x = 0; in >> x;) all.push_back(x);
  return all;
}

struct Info : testing::Test {
  Folder folder;
  // A robot of bodies with these words for their inertia, and what is said of it.
  Arguments of(const std::vector<std::string>& bodies) const {
    std::string text = "bodies:\n";
    for (const std::string& each : bodies)
      text += fmt::format("  - {{parent: world, name: b{}, mass: 1, {}}}\n", text.size(), each);
    return {"info", folder.write("robot.yaml", text)};
  }
};

// Six numbers of each tensor, in the order of the file, whatever is zero among them; no products are none, and what is
// small is not zero: a file may count in any unit.
TEST_F(Info, TellsTheInertiaOfTheFile) {
  const Row tensors[] = {{0.11, 0.22, 0.3, 0.01, 0.02, 0.03},  {0.11, 0.22, 0.3, 0.01, 0, 0},
                         {0.11, 0.22, 0.3, 0, 0.02, 0},        {0.11, 0.22, 0.3, 0, 0, 0.03},
                         {0.11, 0.22, 0.3, 0, 0, 0},           {0.11, 0.22, 0.3, 1e-17, 0, 0},
                         {0.11, 0.22, 0.3, 0, -1e-20, 0},      {0, 0, 0, 0, 0, 0},
                         {1e-20, 2e-20, 2.5e-20, 1e-21, 0, 0}, {0.1, 0.1, 0.1, -0.01, -0.02, -0.03}};
  std::vector<std::string> bodies;
  for (const Row& tensor : tensors)
    bodies.push_back(fmt::format("joint: revolute, inertia: [{}]", fmt::join(tensor, ", ")));
  const Arguments command = of(bodies);
  const std::string text = run(command).out;
  const YAML::Node told = json(command)["bodies"];
  const std::vector<std::string> diagonal = column(text, moments), others = column(text, products);
  ASSERT_EQ(diagonal.size(), std::size(tensors)) << text;
  ASSERT_EQ(others.size(), std::size(tensors)) << text;
  EXPECT_TRUE(column(text, hub_moments).empty()) << text;
  for (std::size_t i = 0; i < std::size(tensors); ++i) {
    const Row& t = tensors[i];
    EXPECT_EQ(row(told[i]["inertia"]), t) << i;
    EXPECT_EQ(numbers(diagonal[i]), (Row{t[0], t[1], t[2]})) << text;
    const bool has_products = t[3] != 0 || t[4] != 0 || t[5] != 0;
    EXPECT_EQ(numbers(others[i]), has_products ? (Row{t[3], t[4], t[5]}) : Row{}) << text;
  }
}

// A hub turns about an axis, and its tensor is h a a^T: what rounding leaves of products that cancel, 1e-15 of all of
// it, is not told to people; what is above is, on either side of the diagonal and with either sign. JSON has all of it.
TEST_F(Info, HubsAreToldWithoutRounding) {
  std::vector<std::string> bodies;
  std::vector<Row> given, expected;
  const Row whole = {0.1, 0.2, 0.3, 0, 0, 0};  // 6e-16 is rounding
  for (std::size_t entry = 3; entry < 6; ++entry)
    for (const double sign : {1.0, -1.0})
      for (const double size : {1e-17, 5e-16, 7e-16, 1e-14, 0.03}) {
        Row tensor = whole, told = whole;
        tensor[entry] = sign * size;
        if (size > 6e-16) told[entry] = tensor[entry];
        given.push_back(tensor);
        expected.push_back(told);
      }
  for (std::size_t entry = 0; entry < 3; ++entry)
    for (const double size : {1e-17, 1e-14}) {
      Row tensor = whole, told = whole;
      tensor[entry] = size;
      told[entry] = size > 1e-15 ? size : 0;
      given.push_back(tensor);
      expected.push_back(told);
    }
  given.push_back({1e-18, 2e-18, 2e-18, 1e-19, 0, 0});  // small, but nothing beside it is larger
  expected.push_back(given.back());
  given.push_back({0, 0, 0, 0, 0, 0});
  expected.push_back(given.back());
  for (const Row& tensor : given)
    bodies.push_back(fmt::format("joint: revolute, inertia: [1, 1, 1, 0, 0, 0], hub: [{}]", fmt::join(tensor, ", ")));
  const Arguments command = of(bodies);
  const std::string text = run(command).out;
  const YAML::Node told = json(command)["bodies"];
  // Nobody has products of the inertia, so that there is one column of products: the hubs'.
  const std::vector<std::string> diagonal = column(text, hub_moments), others = column(text, products);
  EXPECT_TRUE(column(text, products, 1).empty()) << text;
  ASSERT_EQ(diagonal.size(), given.size()) << text;
  ASSERT_EQ(others.size(), given.size()) << text;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Row& t = expected[i];
    EXPECT_EQ(row(told[i]["hub"]), given[i]) << i;
    const bool has_products = t[3] != 0 || t[4] != 0 || t[5] != 0, is_one = has_products || t[0] != 0 || t[1] != 0;
    EXPECT_EQ(numbers(diagonal[i]), is_one ? (Row{t[0], t[1], t[2]}) : Row{}) << i << "\n" << text;
    EXPECT_EQ(numbers(others[i]), has_products ? (Row{t[3], t[4], t[5]}) : Row{}) << i << "\n" << text;
  }
}

// About any axis, one of which is not quite along x: h a a^T to six digits.
TEST_F(Info, HubsTurnAboutTheirAxis) {
  const Row axes[] = {{1, 0, 0}, {0, 0, -1}, {1, 1e-17, 0}, {1e-17, 1, -1e-16},
                      {1, 2, 0}, {0, 3, -4}, {2, -1, 2},    {1, 1e-9, 0}};
  std::vector<std::string> bodies;
  for (const Row& axis : axes)
    bodies.push_back(fmt::format("joint: {{type: revolute, axis: [{}]}}, hub: 0.25", fmt::join(axis, ", ")));
  const std::string text = run(of(bodies)).out;
  const std::vector<std::string> diagonal = column(text, hub_moments), others = column(text, products);
  ASSERT_EQ(diagonal.size(), std::size(axes)) << text;
  ASSERT_EQ(others.size(), std::size(axes)) << text;
  for (std::size_t i = 0; i < std::size(axes); ++i) {
    const double x = axes[i][0], y = axes[i][1], z = axes[i][2], factor = 0.25 / (x * x + y * y + z * z);
    Row squares = {x * x, y * y, z * z}, mixed = {x * y, y * z, z * x};
    bool has_products = false;
    for (Row* all : {&squares, &mixed})
      for (double& each : *all) {
        each *= factor;
        if (std::abs(each) < 1e-15 * 0.25) each = 0;
        has_products = has_products || (all == &mixed && each != 0);
      }
    const auto expect = [&](const Row& found, const Row& wanted) {
      ASSERT_EQ(found.size(), wanted.size()) << text;
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], wanted[k], 1e-5 * std::abs(wanted[k])) << i << "\n" << text;
    };
    expect(numbers(diagonal[i]), squares);
    expect(numbers(others[i]), has_products ? mixed : Row{});
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
