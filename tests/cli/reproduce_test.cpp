// denoc reproduce from outside: pages and figures appear, and say what the documents and we have.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "manifest.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const Surroundings around{.variables = {"DENOC_SCENARIOS=" DENOC_MODELS_DIR "/../examples/scenarios"}};

// Everything from each `begin` to its `end` replaced, or, without an end, all from there on.
std::string without(std::string text, const std::string& begin, const std::string& end,
                    const std::string& instead = "") {
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + instead.size())) {
    const size_t last = text.find(end, at + begin.size());
    text.replace(at, last == std::string::npos ? last : last + end.size() - at, instead);
  }
  return text;
}
std::string replaced(std::string text, const std::string& what, const std::string& instead) {
  return without(std::move(text), what, "", instead);
}
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}
// What a reader sees of a page: its words after the contents, without marks, pictures and the scripts at its end.
std::vector<std::string> words_of_html(const std::string& html) {
  const size_t begin = html.find("</nav>"), end = html.find("</main>");
  std::string text = without(html.substr(begin, end - begin), "<svg", "</svg>");
  for (const char* mark : {"code", "strong", "a"})
    text = without(without(text, fmt::format("<{}>", mark), "", ""), fmt::format("</{}>", mark), "");
  text = without(without(text, "<a href=", ">"), "<", ">", " ");
  for (const auto& [name, sign] :
       {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
    text = replaced(text, name, sign);
  return words_of(text);
}
std::vector<std::string> words_of_markdown(const std::string& page) {
  std::istringstream lines(page);
  std::string text, line;
  std::getline(lines, line);  // the title
  while (std::getline(lines, line)) {
    if (line.starts_with("![") || line.starts_with("<a id=") || line.starts_with("| ---")) continue;
    if (line.starts_with("## ")) line.erase(0, 3);
    if (line.size() > 2 && line[0] == '*' && line[1] != '*' && line.back() == '*')
      line = line.substr(1, line.size() - 2);
    if (line.starts_with("|")) line = replaced(replaced(replaced(line, "\\|", "\1"), "|", " "), "\1", "|");
    text += line + "\n";
  }
  for (size_t at = text.find("](#"); at != std::string::npos; at = text.find("](#")) {
    text.erase(at, text.find(')', at) + 1 - at);
    text.erase(text.rfind('[', at), 1);
  }
  for (const char* mark : {"**", "`", "\\"}) text = replaced(text, mark, "");
  return words_of(text);
}

double middle_of(const std::string& svg) {
  static const std::regex path("<path[^>]* d='([^']*)'"), number(R"(-?\d+(\.\d+)?)");
  double sum = 0;
  int count = 0;
  for (std::sregex_iterator p(svg.begin(), svg.end(), path), end; p != end; ++p) {
    const std::string drawn = (*p)[1];
    for (std::sregex_iterator at(drawn.begin(), drawn.end(), number); at != end; ++at, ++count)
      sum += std::strtod(at->str().c_str(), nullptr);
  }
  return sum / count;
}

struct Reproduce : testing::Test {
  Folder folder;
  std::string page(const std::string& key, const Arguments& words) {
    const Outcome outcome = run({"reproduce", key, "--out", folder.path("pages")}, around);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find(key + ".html, " + key + ".md"), std::string::npos) << outcome;
    std::ptrdiff_t drawn = 0;
    for (const auto& entry : fs::directory_iterator(folder.path("pages"))) drawn += entry.path().extension() == ".svg";
    EXPECT_NE(outcome.out.find(fmt::format("\n{} figures beside", drawn)), std::string::npos) << outcome;
    const std::string text = content_of(folder.path("pages/" + key + ".md"));
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
    const std::string html = content_of(folder.path("pages/" + key + ".html"));
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    expect_figures(text, html);
    expect_items(text, html);
    expect_tables(text);
    expect_reference(key, text);
    EXPECT_EQ(words_of_html(html), words_of_markdown(text));
    EXPECT_TRUE(is_complete(folder.path("pages"), key + ".manifest.json"));
    return text;
  }
  // Every figure that the page shows is there and has curves, and the HTML has it inside.
  void expect_figures(const std::string& text, const std::string& html) {
    size_t figures = 0;
    // Figures by their file: how many lines and words they have, and where their lines lie in the middle.
    std::map<std::string, std::pair<std::string, std::string>> known;
    std::ifstream list(DENOC_TEST_DATA "/pages/figures.txt");
    for (std::string file, lines, words, middle; list >> file >> lines >> words >> middle;)
      known[file] = {lines + " " + words, middle};
    const auto count = [](const std::string& svg, const std::string& tag) {
      size_t n = 0;
      for (size_t at = svg.find(tag); at != std::string::npos; at = svg.find(tag, at + 1)) ++n;
      return n;
    };
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string file = text.substr(at + 2, text.find(')', at) - at - 2);
      if (file.starts_with("#")) continue;
      ++figures;
      const std::string svg = content_of(folder.path("pages/" + file));
      EXPECT_NE(svg.find("<svg"), std::string::npos) << file;
      const std::string has = fmt::format("{} {}", count(svg, "<path"), count(svg, "<text"));
      const auto& [counts, middle] = known[file];
      EXPECT_TRUE(counts == "* *" || has == counts) << file << ": " << has << ", not " << counts;
      // The mean of all coordinates, to two pixels: which points of a curve are left out may hang on rounding.
      EXPECT_TRUE(middle == "*" || std::abs(middle_of(svg) - std::strtod(middle.c_str(), nullptr)) <= 2)
          << file << ": " << middle_of(svg) << ", not " << middle;
    }
    static const std::regex inside("<figure[^>]*><svg");
    EXPECT_EQ(std::distance(std::sregex_iterator(html.begin(), html.end(), inside), {}), std::ptrdiff_t(figures));
  }
  // The page as it was read against its document (tests/data/pages): the same words and operations (12 M, 9 A), and numbers
  // to a hundredth, which is what the growth of errors in unstable motions keeps; of those below a thousandth, mostly what
  // rounding leaves, the order of magnitude. `*` is a time of the processor. `denoc reproduce all` writes them anew.
  static void expect_reference(const std::string& key, const std::string& text) {
    const auto words = words_of(text), known = words_of(content_of(DENOC_TEST_DATA "/pages/" + key + ".md"));
    ASSERT_EQ(words.size(), known.size()) << key;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto number = [](const std::string& word, double& x) {
        char* end = nullptr;
        x = std::strtod(word.c_str(), &end);
        return end != word.c_str() && (*end == '\0' || std::string(end) == ",");
      };
      double found = 0, expected = 0;
      if (known[i] == "*" || words[i] == known[i]) continue;
      const bool are_operations = i + 1 < known.size() && (known[i + 1] == "M," || known[i + 1] == "A");
      const bool are_numbers = number(words[i], found) && number(known[i], expected);
      const double ratio = std::abs(expected) < 1e-3 ? 10 : 1.01, a = std::abs(found) + 1e-12,
                   b = std::abs(expected) + 1e-12;
      EXPECT_TRUE(are_numbers && !are_operations && a < ratio * b && b < ratio * a && found * expected >= 0)
          << key << ": '" << words[i] << "', not '" << known[i] << "', after "
          << (i > 4 ? known[i - 4] + ' ' + known[i - 3] : "");
    }
  }
  // Every row of a table has a cell for each heading.
  static void expect_tables(const std::string& text) {
    std::istringstream lines(replaced(text, "\\|", ""));
    std::ptrdiff_t columns = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::ptrdiff_t here = line.starts_with("|") ? std::count(line.begin(), line.end(), '|') : 0;
      if (here != 0 && columns != 0) {
        EXPECT_EQ(here, columns) << line;
      }
      columns = here;
    }
  }
  // The page begins with a row for every item: one that is reproduced, all of it or in part, points to a section that is
  // there, in both files; one that is not says why.
  void expect_items(const std::string& text, const std::string& html) {
    static const std::regex row("\\| ([^|]+) \\| ([^|]+) \\| (yes|in part|no) \\| ([^|]*) \\|");
    static const std::regex link("\\[[^\\]]+\\]\\(#([a-z0-9-]+)\\)(; )?");
    int items = 0;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), row); at != std::sregex_iterator(); ++at, ++items) {
      const std::string name = (*at)[1], reproduced = (*at)[3], where = (*at)[4];
      std::smatch found;
      const bool points = std::regex_search(where, found, link);
      EXPECT_EQ(points, reproduced != "no") << name;
      if (reproduced != "yes") {
        EXPECT_GT(std::ptrdiff_t(where.size()), points ? found[0].length() + 10 : 10) << name << " says why";
      }
      if (!points) continue;
      EXPECT_NE(text.find("<a id=\"" + found[1].str() + "\"></a>"), std::string::npos) << name;
      EXPECT_NE(html.find("<h2 id='" + found[1].str() + "'>"), std::string::npos) << name;
      EXPECT_NE(html.find("<li><a href='#" + found[1].str() + "'>"), std::string::npos) << name;
    }
    EXPECT_GE(items, 8);
  }
};

TEST_F(Reproduce, Saha97) {
  page("saha97", {"201n-335 M, 193n-361 A", "3.12176", "0.35624", "T_l^T M T_l = Mtil", "about mass centres"});
}
// The averages of the paper, the straight line's true speed, and single precision about joints (below 1e-3).
// All eight postures are tried, and all leave the line.
TEST_F(Reproduce, Mata02) {
  page("mata02", {"0.275063", "0.0657", "96n-101 M, 84n-100 A", "about mass centres", "96n-108 M, 83n-105 A",
                  "8 postures reach it", "8 of 8 leave the line"});
}
// Cells of the row of a table that begins with these.
std::vector<std::string> cells(const std::string& text, const std::string& beginning) {
  const size_t at = text.find(beginning);
  if (at == std::string::npos) throw std::out_of_range(beginning);
  std::istringstream row(text.substr(at, text.find('\n', at) - at));
  std::vector<std::string> all;
  for (std::string cell; std::getline(row, cell, '|');)
    if (!cell.empty()) all.push_back(cell.substr(1, cell.size() - 2));
  return all;
}

// Condition at its ends; D_3; the interval in which the misprinted C5 makes the inertia matrix indefinite. When angles
// leave, and when Cholesky's method ends, against an independent integration of both robots: within 0.05 s.
TEST_F(Reproduce, Mohan07) {
  const std::string text =
      page("mohan07", {"4892.467", "11350.182", "0.00116893", "4.52 to 5.45", "composite-cholesky", "float"});
  // Curves over the same time end at the same place.
  const std::string powers = content_of(folder.path("pages/mohan07-fig8.svg"));
  const auto end_of = [&](const std::string& curve) {
    const std::size_t at = powers.find("d='M", powers.find("data-name='" + curve + "'"));
    const std::string path = powers.substr(at, powers.find("' ", at) - at);
    return std::stod(path.substr(path.rfind('L') + 1));
  };
  EXPECT_EQ(end_of("desired input"), end_of("input"));
  const auto first_and_last = [&](const std::string& robot, const std::string& tolerance, const std::string& longest) {
    const auto row = cells(text, "| " + robot + " | " + tolerance + " | " + longest + " | recursive");
    double first = 1e9, last = 0;
    for (size_t k = 4; k < 10; ++k) {
      if (row[k] == "follows") continue;
      first = std::min(first, std::stod(row[k]));
      last = std::max(last, std::stod(row[k]));
    }
    return std::pair{first, last};
  };
  const auto expect = [&](const std::pair<double, double>& found, double first, double last) {
    EXPECT_NEAR(found.first, first, 0.05);
    EXPECT_NEAR(found.second, last, 0.05);
  };
  expect(first_and_last("as printed", "1e-03", "any"), 4.92, 5.19);
  expect(first_and_last("as printed", "1e-03", "0.1"), 5.30, 5.38);
  EXPECT_NEAR(first_and_last("as printed", "1e-05", "any").first, 5.43, 0.05);
  EXPECT_GT(first_and_last("as printed", "1e-08", "any").first, 6.6) << "no angle leaves";
  EXPECT_NEAR(first_and_last("right", "1e-08", "any").first, 5.876, 0.05);
  for (const char* tolerance : {"1e-03", "1e-05", "1e-08"}) {
    const auto row = cells(text, std::string("| as printed | ") + tolerance + " | any | composite");
    EXPECT_NEAR(std::stod(row[10]), 4.50, 0.05) << tolerance;
    EXPECT_EQ(cells(text, std::string("| right | ") + tolerance + " | any | composite")[4],
              cells(text, std::string("| right | ") + tolerance + " | any | recursive")[4]);
  }
}
TEST_F(Reproduce, Shah13) {
  page("shah13", {"135n-116 M, 131n-123 A", "3.44", "0.29", "0.025", "inter-modular recursion", "indeterminate",
                  "Dynamics algorithms for multibody systems"});
}
// Least times, where the pendulum sticks, the lowest published count; the inward recursion takes the 55 M a link of
// Table 7.2; every exercise is there.
TEST_F(Reproduce, Angeles7) {
  const std::string text =
      page("angeles7",
           {"1.029646", "1.885627", "0.095035616", "459 M, 390 A", "55n-22 M, 44n-14 A", "55n-62 M", "688 M, 558 A",
            "646 M, 394 A", "n^3+3n^2+2n", "1450 M, 1068 A", "backward_euler", "as printed, zero below"});
  for (int exercise = 1; exercise <= 15; ++exercise) {
    const std::string number = "7." + std::to_string(exercise);
    const bool is_there = text.find("## Exercise " + number + ":") != std::string::npos ||
                          text.find("and " + number + ":") != std::string::npos ||
                          text.find("Exercises " + number) != std::string::npos ||
                          text.find(", " + number + ":") != std::string::npos ||
                          text.find(", " + number + ", ") != std::string::npos;
    EXPECT_TRUE(is_there) << number;
  }
}

// Pages of others stay; its own, and what a document no longer has, go.
TEST_F(Reproduce, ReplacesItsOwnPagesOnly) {
  const std::string pages = folder.path("pages");
  const auto saha97 = [&] { return run({"reproduce", "saha97", "--out", pages}, around); };
  fs::create_directory(pages);
  std::ofstream(pages + "/saha97.md") << "mine";
  std::ofstream(pages + "/shah13.md") << "mine";
  const Outcome refused = saha97();
  EXPECT_EQ(refused.status, 5) << refused;
  EXPECT_NE(refused.first_line().find(pages + "/saha97.md"), std::string::npos) << refused;
  EXPECT_EQ(content_of(pages + "/saha97.md"), "mine");
  fs::remove(pages + "/saha97.md");
  std::ofstream(pages + "/saha97.manifest.json")
      << R"({"denoc": "0", "complete": false, "files": [{"name": "saha97-old.svg"}]})";
  std::ofstream(pages + "/saha97-old.svg") << "ours";
  for (int turn = 0; turn < 2; ++turn) {
    const Outcome outcome = saha97();
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(is_complete(pages, "saha97.manifest.json"));
    EXPECT_FALSE(fs::exists(pages + "/saha97-old.svg"));
    EXPECT_EQ(content_of(pages + "/shah13.md"), "mine");
  }
}

// A variable of the environment that is set to nothing says nothing; one that is set to a folder says where.
TEST_F(Reproduce, AnEmptyFolderOfScenariosIsNone) {
  const auto saha97 = [&](const Arguments& variables) {
    return run({"reproduce", "saha97", "--out", folder.path("pages")}, {.variables = variables});
  };
  const Outcome empty = saha97({"DENOC_SCENARIOS="}), elsewhere = saha97({"DENOC_SCENARIOS=" + folder.path("none")});
  EXPECT_EQ(empty.status, 0) << empty;
  EXPECT_EQ(elsewhere.status, 3) << elsewhere;
  EXPECT_NE(elsewhere.err.find(folder.path("none")), std::string::npos) << elsewhere;
}

TEST_F(Reproduce, RefusesWhatItDoesNotKnow) {
  const Outcome unknown = run({"reproduce", "mohan7", "--out", folder.path("pages")}, around);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("mohan07"), std::string::npos) << unknown;
  EXPECT_FALSE(fs::exists(folder.path("pages")));
  const Outcome file = run({"reproduce", "saha97", "--out", folder.write("file", "")}, around);
  EXPECT_EQ(file.status, 5) << file;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
