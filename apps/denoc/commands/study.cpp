// denoc study: the matrices of the papers for a robot at a state, written out, and the laws that they obey.
#include <algorithm>

#include "commands/list.hpp"
#include "output/json.hpp"
#include "output/table.hpp"
#include "studies/chain.hpp"
#include "studies/exhibits.hpp"
#include "studies/trials.hpp"

namespace denoc::app {
namespace {

constexpr int most_links = 100;            // of six rows and columns each, in dense matrices
constexpr std::size_t widest_matrix = 12;  // columns

// Which matrices are asked for: symbols and groups, or everything.
class Choice {
 public:
  explicit Choice(const std::string& only) {
    if (!only.empty()) words_ = split(only);
  }
  bool is_everything() const { return words_.empty(); }
  bool has(std::string_view word) const { return std::find(words_.begin(), words_.end(), word) != words_.end(); }
  bool shows(const Exhibition& e, const Exhibit& x) const { return is_everything() || has(e.group) || has(x.symbol); }
  // Throws Failure for a word that names nothing there.
  void require_known(const std::vector<Exhibition>& all) const {
    io::Words known(std::begin(exhibition_groups), std::end(exhibition_groups));
    std::vector<std::string> missing;
    for (const Exhibition& e : all) {
      if (!e.not_covered.empty()) missing.push_back(not_covered(e));
      if (!e.not_covered.empty() && has(e.group)) throw Failure(Status::numbers, not_covered(e));
      for (const Exhibit& x : e.exhibits) known.push_back(x.symbol);
    }
    for (const std::string& word : words_)
      if (std::find(known.begin(), known.end(), word) == known.end())
        throw Failure(Status::usage, fmt::format("denoc study: --only: {}", io::unknown("matrix", word, known)),
                      missing);
  }
  static std::string not_covered(const Exhibition& e) {
    return fmt::format("no {} matrices: {}", e.group, printable(e.not_covered));
  }

 private:
  std::vector<std::string> words_ = {};
};

// A matrix as text: where its blocks are, and their entries, without those that are nothing but zeros.
class Printed {
 public:
  explicit Printed(const Exhibit& x)
      : x_(x), size_(largest(x.value.entries)), row_(beginnings(x.rows)), col_(beginnings(x.cols)) {}

  std::string text() const {
    std::string all = fmt::format("\n{}  {} x {}  {}\n", x_.symbol, x_.value.rows, x_.value.cols, x_.meaning);
    const bool is_blocked = std::any_of(x_.rows.begin(), x_.rows.end(), [](const Block& b) { return b.size > 1; });
    if (!is_blocked) return all + rows_text(0, x_.rows.size());
    if (x_.rows.size() > 1 && x_.cols.size() > 1) all += map();
    for (std::size_t r = 0; r < x_.rows.size(); ++r) all += rows_text(r, r + 1);
    return all;
  }

 private:
  static std::vector<int> beginnings(const Blocks& blocks) {
    std::vector<int> all = {0};
    for (const Block& block : blocks) all.push_back(all.back() + block.size);
    return all;
  }
  static std::string name(const Block& block, int entry) {
    const std::string part = block.component(entry);
    return part.empty() ? block.name : fmt::format("{}.{}", block.name, part);
  }
  std::string cell(int i, int k) const { return shown(x_.value(i, k), size_); }

  // '.' nothing, '1' an identity, '*' anything else.
  char kind(std::size_t r, std::size_t c) const {
    const int rows = x_.rows[r].size, cols = x_.cols[c].size;
    bool is_zero = true, is_identity = rows == cols && rows > 1;
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < cols; ++k) {
        const std::string x = cell(row_[r] + i, col_[c] + k);
        is_zero = is_zero && x == "0";
        is_identity = is_identity && x == (i == k ? "1" : "0");
      }
    }
    return is_zero ? '.' : is_identity ? '1' : '*';
  }
  std::string map() const {
    std::vector<std::string> headings = {""};
    for (std::size_t c = 0; c < x_.cols.size(); ++c) headings.push_back(std::to_string(c + 1));
    Table table(headings);
    for (std::size_t r = 0; r < x_.rows.size(); ++r) {
      std::vector<std::string> cells = {x_.rows[r].name};
      for (std::size_t c = 0; c < x_.cols.size(); ++c) cells.emplace_back(1, kind(r, c));
      table.row(cells);
    }
    return table.text();
  }
  // The blocks of rows from first to before last, a few columns at a time.
  std::string rows_text(std::size_t first, std::size_t last) const {
    std::vector<std::pair<std::string, int>> columns;
    for (std::size_t c = 0; c < x_.cols.size(); ++c) {
      bool is_zero = true;
      for (std::size_t r = first; r < last; ++r) is_zero = is_zero && kind(r, c) == '.';
      for (int k = 0; k < x_.cols[c].size && !is_zero; ++k) columns.emplace_back(name(x_.cols[c], k), col_[c] + k);
    }
    std::string text;
    for (std::size_t from = 0; from < columns.size(); from += widest_matrix) {
      const std::size_t end = std::min(from + widest_matrix, columns.size());
      std::vector<std::string> headings = {""};
      for (std::size_t c = from; c < end; ++c) headings.push_back(">" + columns[c].first);
      Table table(headings);
      for (std::size_t r = first; r < last; ++r) {
        for (int i = 0; i < x_.rows[r].size; ++i) {
          std::vector<std::string> cells = {name(x_.rows[r], i)};
          for (std::size_t c = from; c < end; ++c) cells.push_back(cell(row_[r] + i, columns[c].second));
          table.row(cells);
        }
      }
      text += table.text();
    }
    return text;
  }

  const Exhibit& x_;
  double size_;
  std::vector<int> row_, col_;
};

// Those of the groups that are asked for.
std::vector<Exhibition> exhibitions(const Choice& choice, const Model& model, const State& state) {
  std::vector<Exhibition> all;
  for (const std::string_view group : exhibition_groups) {
    Exhibition e = exhibition(group, model, state.q, state.v);
    for (const Exhibit& x : e.exhibits)
      for (const double entry : x.value.entries) require_finite(entry, fmt::format("an entry of {}", x.symbol));
    all.push_back(std::move(e));
  }
  choice.require_known(all);
  for (Exhibition& e : all) {
    std::erase_if(e.exhibits, [&](const Exhibit& x) { return !choice.shows(e, x); });
    if (e.exhibits.empty() && !choice.is_everything()) e.laws.clear(), e.not_covered.clear();
  }
  return all;
}

std::string state_text(const std::vector<Exhibition>& all) {
  std::string text;
  Table laws({"law", ">largest entry left", ">times rounding"});
  for (const Exhibition& e : all)
    for (const Law& law : e.laws)
      laws.row({law.text, fmt::format("{:.2g}", law.residual), fmt::format("{:.2g}", law.times_rounding())});
  if (!laws.empty()) text += laws.text();
  for (const Exhibition& e : all)
    if (!e.not_covered.empty()) text += Choice::not_covered(e) + "\n";
  for (const Exhibition& e : all)
    for (const Exhibit& x : e.exhibits) text += Printed(x).text();
  return text;
}

std::string json_blocks(const Blocks& blocks) {
  return json::array(json::each(blocks, [](const Block& block) {
    return json::object({{"name", json::text(block.name)}, {"size", json::number(block.size)}});
  }));
}
std::string json_state(const Model& model, const State& state, const std::vector<Exhibition>& all) {
  std::vector<std::string> matrices, laws, missing;
  for (const Exhibition& e : all) {
    for (const Exhibit& x : e.exhibits) {
      matrices.push_back(json::object({{"symbol", json::text(x.symbol)},
                                       {"group", json::text(e.group)},
                                       {"meaning", json::text(x.meaning)},
                                       {"rows", json_blocks(x.rows)},
                                       {"columns", json_blocks(x.cols)},
                                       {"entries", json::matrix(x.value.entries, x.value.rows, x.value.cols)}}));
    }
    for (const Law& law : e.laws) {
      laws.push_back(json::object({{"law", json::text(law.text)},
                                   {"residual", json::number(law.residual)},
                                   {"times_rounding", json::number(law.times_rounding())}}));
    }
    if (!e.not_covered.empty())
      missing.push_back(json::object({{"group", json::text(e.group)}, {"why", json::text(e.not_covered)}}));
  }
  std::vector<json::Member> members = {{"n", json::number(model.nv())}};
  append_of_tree(model, members);
  members.emplace_back("q", json::numbers(state.q));
  members.emplace_back("v", json::numbers(state.v));
  members.emplace_back("laws", json::lines(laws));
  members.emplace_back("not_covered", json::array(missing));
  members.emplace_back("matrices", json::lines(matrices));
  return json::object(members);
}

struct StudyOptions : StateOptions {
  std::string only = {};  // symbols of matrices, separated by commas; all if empty
};

Status study(const StudyOptions& options, Session& session) {
  const Model model(load_robot_or_chain(options, session));
  require_tryable(model, "study");
  if (model.link_count() > most_links)
    throw Failure(Status::numbers, fmt::format("denoc study: matrices are written out for up to {} links, here are {}",
                                               most_links, model.link_count()));
  StateFile file = trial_states(options, 1, model, session);
  if (!options.has_states()) file.is_array = false;
  const Choice choice(options.only);

  std::vector<std::vector<Exhibition>> results;
  for_each_state(file, [&](const State& state) { results.push_back(exhibitions(choice, model, state)); });
  if (options.json) {
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < results.size(); ++i) objects.push_back(json_state(model, file.states[i], results[i]));
    session.out = json_results(file, objects);
    return Status::done;
  }
  session.out = fmt::format(
      "{}: the matrices of the papers at {}{}, n = {}\n"
      "World axes, SI units; six rows (columns) a link. A map of blocks: '.' zeros, '1' identity, '*' anything else.\n",
      printable(model.robot().name), !options.has_states() ? "a random state" : "the given states", of_tree(model),
      model.nv());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const State& state = file.states[i];
    session.out += state_line(file, i);
    session.out +=
        fmt::format("q = {}\nv = {}\n", fmt::join(json::each(state.q, [](double x) { return shown(x); }), ", "),
                    fmt::join(json::each(state.v, [](double x) { return shown(x); }), ", "));
    session.out += state_text(results[i]);
  }
  return Status::done;
}

}  // namespace

Command commands::study() {
  return command<StudyOptions>(
      "study", "the matrices of the papers, written out: complements, factors, modules", trial_format,
      {{"denoc study gripper --only N_l,N_d", "the papers' matrices, written out"}},
      [](Arguments& arguments, StudyOptions& options) {
        trial_arguments(arguments, options);
        arguments.option("--only", "NAMES", options.only,
                         "some of them: T,N_l or complements, elimination, modules, planar");
      },
      app::study);
}

}  // namespace denoc::app
