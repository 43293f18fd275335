// denoc count beside the papers: the published figures, the polynomials of ours, where O(n) overtakes O(n^3).
#include <fmt/format.h>

#include <map>
#include <regex>

#include "cli/run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::string text_of(const Arguments& arguments) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome;
  return outcome.out;
}
bool has(const std::string& text, const std::string& pattern) { return std::regex_search(text, std::regex(pattern)); }

// The figures that the papers print themselves for n = 6, behind the polynomials.
TEST(Count, PublishedPolynomialsGiveThePrintedFiguresOfSixJoints) {
  const std::string text = text_of({"count", "serial:6"});
  struct {
    const char* where;
    int mul, add;
  } const printed[] = {
      {"Mata02 Table 1", 475, 404},
      {"Li and Sankar, the lowest \\[Angeles7 Table 7\\.3", 459, 390},
      {"Luh and others \\[Angeles7 Table 7\\.3", 852, 738},
      {"Khalil and others \\[Angeles7 Table 7\\.3", 538, 478},
      {"Angeles and others \\[Angeles7 Table 7\\.3", 521, 435},
      {"Hollerbach \\[Angeles7 Table 7\\.3", 2195, 1719},
      {"Hollerbach and Sahar \\[Angeles7 Table 7\\.4\\]", 688, 558},
      {"Kane and Levinson \\[Angeles7 Table 7\\.4\\]", 646, 394},
      {"Angeles7 \\(7\\.43\\)", 800, 646},
      {"Walker and Orin \\[Mata02 Table 2\\]", 741, 598},
      {"Angeles and Ma \\[Mata02 Table 2\\]", 710, 629},
      {"Mata02 Table 2", 482, 426},
      {"Walker and Orin \\[Mata02 Table 4\\]", 1627, 1261},
      {"Featherstone \\[Mata02 Table 4\\]", 1533, 1415},
  };
  for (const auto& [where, mul, add] : printed)
    EXPECT_TRUE(has(text, std::to_string(mul) + " +" + std::to_string(add) + " +" + where)) << where << "\n" << text;
  EXPECT_TRUE(has(text, "1042 +905 +Mata02 Table 3")) << text;
  // Mohan07 Table 1 prints two n = 12: 1948 M and 1667 A of its own, 2357 M and 1716 A of Walker and Orin.
  const std::string twelve = text_of({"count", "serial:12"});
  EXPECT_TRUE(has(twelve, "1948 +1667 +Mohan and Saha, slender links .Mohan07 Table 1")) << twelve;
  EXPECT_TRUE(has(twelve, "2357 +1716 +Walker and Orin, O\\(n\\^3\\)")) << twelve;
  for (const char* only_six : {"Walker and Orin \\[Mata02 Table 4\\]", "Kane and Levinson"})
    EXPECT_FALSE(has(twelve, only_six)) << only_six << ": printed for six joints only";
}

// Of what is too long to be folded, beyond two million operations, only what is executed is told: a row has the numbers
// that the JSON has.
TEST(Count, WhatIsNotFoldedHasNoNumbers) {
  const std::string text = text_of({"count", "serial:25"});
  int folded = 0, not_folded = 0;
  for (const YAML::Node& row : json({"count", "serial:25"})["counts"]) {
    std::string line = row["problem"].as<std::string>() + " +" + row["method"].as<std::string>();
    for (const char* part : {"executed", "folded"})
      for (const char* kind : {"mul", "add", "div", "sqrt", "sincos"})
        if (row[part]) line += " +" + row[part][kind].as<std::string>();
    EXPECT_TRUE(has(text, "\n *" + line + " *\n")) << line << "\n" << text;
    const YAML::Node executed = row["executed"];
    EXPECT_EQ(row["folded"].IsDefined(), executed["mul"].as<long>() + executed["add"].as<long>() <= 2'000'000) << line;
    ++(row["folded"] ? folded : not_folded);
  }
  EXPECT_GT(folded, 0);
  EXPECT_GT(not_folded, 0);
}

// A chain of a name has the gravity that is asked for, whoever asks: forces at rest are linear in it.
TEST(Chains, HaveTheGravityThatIsAskedFor) {
  const std::string rest = R"({"q": [0.25, -0.5, 0.75]})";
  for (const char* chain : {"serial:3", "serial-rods:3"}) {
    const auto with = [&](const char* command, const char* gravity, Arguments more = {}) {
      Arguments all = {command, chain};
      if (*gravity != '\0') all.push_back(fmt::format("--gravity={}", gravity));
      all.insert(all.end(), more.begin(), more.end());
      return json(all, {.in = rest});
    };
    const auto size = [&](const char* gravity) {
      return with("stability", gravity, {"--state", "-"})["methods"][0]["size"].as<double>();
    };
    EXPECT_EQ(size("0,0,0"), 0) << chain;
    EXPECT_GT(size(""), 1) << chain << ": without the option it has one of its own";
    for (const char* axis : {"{},0,0", "0,{},0", "0,0,{}"}) {
      const double once = size(fmt::format(fmt::runtime(axis), 1).c_str()),
                   eight = size(fmt::format(fmt::runtime(axis), 8).c_str());
      EXPECT_GT(once, 0) << chain << axis;
      EXPECT_EQ(eight, 8 * once) << chain << axis;
    }
    // The wrenches that arrive at the links are those of the matrices, too.
    const auto arriving = [&](const char* gravity) {
      Row sum;
      for (const YAML::Node& matrix : with("study", gravity, {"--state", "-"})["matrices"])
        if (matrix["symbol"].as<std::string>().starts_with("wtil"))
          for (const YAML::Node& entries : matrix["entries"])
            for (const double x : row(entries)) sum.push_back(x);
      return sum;
    };
    const Row x = arriving("1,0,0"), y = arriving("0,1,0"), z = arriving("0,0,1"), all = arriving("2,-3,5");
    ASSERT_FALSE(all.empty());
    Row expected(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) expected[i] = 2 * x[i] - 3 * y[i] + 5 * z[i];
    expect_close(all, expected, 1e-13 * largest(all), chain);
    EXPECT_GT(largest(all), 1) << chain;
    // What gravity costs is saved without it, and along an axis it costs less than anywhere.
    const auto operations = [&](const char* gravity) {
      for (const YAML::Node& each : with("count", gravity)["counts"])
        if (each["problem"].as<std::string>() == "inverse" && each["method"].as<std::string>() == "denoc")
          return each["folded"]["mul"].as<int>() + each["folded"]["add"].as<int>();
      return -1;
    };
    EXPECT_LT(operations("0,0,0"), operations("0,0,-9.81")) << chain;
    EXPECT_LT(operations("0,0,-9.81"), operations("2.5,-3.5,4.5")) << chain;
    EXPECT_EQ(operations("2.5,-3.5,4.5"), operations("")) << chain << ": in a general direction";
    // Methods differ by rounding of what is computed.
    const auto difference = [&](const char* gravity) {
      double most = 0;
      for (const YAML::Node& each : with("compare", gravity, {"--state", "-"})["methods"])
        if (each["problem"].as<std::string>() == "inverse") most = std::max(most, each["difference"].as<double>());
      return most;
    };
    EXPECT_EQ(difference("0,0,0"), 0) << chain;
    EXPECT_LT(difference(""), 1e-10) << chain;
    EXPECT_GT(difference("1e12,2e12,3e12"), 1e-8) << chain;
    // Its first joint is its own: there is no file whose root could be carried otherwise.
    for (const char* command : {"count", "compare", "stability", "study"}) {
      const Outcome refused = run({command, chain, "--base", "free"});
      EXPECT_EQ(refused.status, 2) << command << refused;
      EXPECT_NE(refused.first_line().find("a free base is chosen for URDF only"), std::string::npos) << refused;
      EXPECT_EQ(run({command, chain, "--base", "fixed"}).status, 0) << command;
    }
  }
}

// Where a paper counts both, ours is both: the factors and the solution by them.
TEST(Count, PublishedSolutionsIncludeTheFactors) {
  std::map<std::string, std::pair<long, long>> ours;
  for (const YAML::Node& row : json({"count", "serial:6"})["counts"]) {
    const YAML::Node c = row["folded"];
    if (row["method"].as<std::string>() != "denoc") continue;
    ours[row["problem"].as<std::string>()] = {c["mul"].as<long>() + c["div"].as<long>() + c["sqrt"].as<long>(),
                                              c["add"].as<long>()};
  }
  const auto [mul, add] = ours["factorize"];
  const std::string expected = fmt::format("factorize \\+ solve +denoc +{} +{} +694 +663 +Shah13 Table 4",
                                           mul + ours["solve"].first, add + ours["solve"].second);
  const std::string text = text_of({"count", "serial:6"});
  EXPECT_TRUE(has(text, expected)) << expected << "\n" << text;
}

// a n + b, by the JSON of two other lengths.
TEST(Count, PolynomialsAreThoseOfTheCounts) {
  const std::string text = text_of({"count", "serial:5"});
  std::smatch found;
  // Of rods it holds from seven joints on, as it says.
  struct {
    const char *chain, *from;
    std::vector<int> n;
  } const chains[] = {{"serial", "", {4, 9, 15}},
                      {"serial-rods", " \\(n >= 7\\)", {7, 10, 12}}};  // as far as it was fitted
  for (const auto& [chain, from, lengths] : chains) {
    const std::string all = text_of({"count", std::string(chain) + ":5"});
    const std::regex row(fmt::format("inverse +denoc +(\\d+) n - (\\d+){0} +(\\d+) n - (\\d+){0}\n", from));
    ASSERT_TRUE(std::regex_search(all, found, row)) << all;
    for (const int n : lengths) {
      const YAML::Node inverse = json({"count", fmt::format("{}:{}", chain, n)})["counts"][1];
      ASSERT_EQ(inverse["problem"].as<std::string>(), "inverse");
      EXPECT_EQ(inverse["folded"]["mul"].as<int>(), std::stoi(found[1]) * n - std::stoi(found[2])) << chain << n;
      EXPECT_EQ(inverse["folded"]["add"].as<int>(), std::stoi(found[3]) * n - std::stoi(found[4])) << chain << n;
    }
  }
  // Where no polynomial goes through the counts, the one by least squares comes within a twentieth of them.
  ASSERT_TRUE(
      std::regex_search(text, found, std::regex("inertia +udut +~ ([\\d.]+) n\\^2 \\+ ([\\d.]+) n - ([\\d.]+) ")));
  for (const int n : {6, 10}) {
    for (const YAML::Node& row : json({"count", "serial:" + std::to_string(n)})["counts"]) {
      if (row["method"].as<std::string>() != "udut") continue;
      const double near = std::stod(found[1]) * n * n + std::stod(found[2]) * n - std::stod(found[3]);
      EXPECT_NEAR(near, row["folded"]["mul"].as<double>() + row["folded"]["div"].as<double>(), 0.05 * near) << n;
    }
  }
  // Cholesky's n^3/6, and of the composite bodies a quadratic part
  EXPECT_TRUE(has(text, "composite-cholesky +1/6 n\\^3 \\+ 23/2 n\\^2")) << text;
}

TEST(Count, CrossoverIsWhereTheTotalsCross) {
  std::smatch found;
  const std::string text = text_of({"count", "serial:6"});
  ASSERT_TRUE(std::regex_search(text, found, std::regex("composite-cholesky from n = (\\d+)"))) << text;
  const int crossing = std::stoi(found[1]);
  const auto total = [](int n, const std::string& method) {
    for (const YAML::Node& row : json({"count", "serial:" + std::to_string(n)})["counts"]) {
      if (row["problem"].as<std::string>() != "forward" || row["method"].as<std::string>() != method) continue;
      int sum = 0;
      for (const char* kind : {"mul", "add", "div", "sqrt"}) sum += row["folded"][kind].as<int>();
      return sum;
    }
    throw std::out_of_range(method);
  };
  EXPECT_LT(total(crossing, "denoc"), total(crossing, "composite-cholesky"));
  EXPECT_GE(total(crossing - 1, "denoc"), total(crossing - 1, "composite-cholesky"));
}

TEST(Count, OtherRobotsAreNotHeldAgainstSerialChains) {
  EXPECT_FALSE(has(text_of({"count", "humanoid"}), "published"));
  EXPECT_FALSE(has(text_of({"count", "gripper"}), "published"));
  EXPECT_TRUE(has(text_of({"count", "puma560"}), "published"));
}

TEST(Count, FigureIsWritten) {
  const Folder folder;
  const std::string file = folder.path("count.svg");
  EXPECT_EQ(run({"count", "serial-rods:14", "--plot", file}).status, 0);
  const std::string svg = content_of(file);
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  for (const char* name : {"composite-cholesky", "noc-qr", "Shah13", "Saha97", "Mohan and Saha", "Lilly and Orin"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  EXPECT_EQ(run({"count", "puma560", "--plot", folder.path("x.svg")}).status, 2);
  EXPECT_EQ(run({"count", "serial:3", "--plot", "/nonexistent/x.svg"}).status, 5);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
