#include "denoc/io/fields.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <streambuf>

#include "digits.hpp"

namespace denoc::io {
namespace {

constexpr int deepest_nesting = 64;
constexpr std::size_t most_values = 4'000'000;
constexpr int most_open_brackets = 1000;  // counted in the bare text, comments and quotes included

// Why building stopped; the parser's own exceptions say the rest.
struct Refusal {
  int line;
  std::string rule;
};

std::string too_deep() { return fmt::format("nested more than {} levels deep", deepest_nesting); }

// The scanner looks for the end of a bracket, which may be a key, before it tells of its beginning: a file of nothing
// but brackets would fill the memory first.
void check_brackets(std::string_view text) {
  int open = 0, line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    if ((c == '[' || c == '{') && ++open > most_open_brackets) throw Refusal{line, too_deep()};
    if ((c == ']' || c == '}') && open > 0) --open;
  }
}

// Builds the tree from the parser's events. Refusing a level as soon as it opens keeps the parser, which recurses, off
// the end of the stack.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Tree& tree) : tree_(tree) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (tree_.root != nullptr) throw Refusal{mark.line + 1, "several documents in one file: one is expected"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(Node::Kind::nothing, mark, anchor)); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& text) override {
    Node& node = make(Node::Kind::scalar, mark, anchor);
    node.text = text;
    add(node);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node* node = anchor < anchors_.size() ? anchors_[anchor] : nullptr;
    const bool is_open = std::find(open_.begin(), open_.end(), node) != open_.end();
    if (node == nullptr || is_open) throw Refusal{mark.line + 1, "an alias stands inside what it stands for"};
    add(*node);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(Node::Kind::list, mark, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(make(Node::Kind::map, mark, anchor));
  }
  void OnMapEnd() override { close(); }

 private:
  Node& make(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (tree_.nodes.size() >= most_values)
      throw Refusal{mark.line + 1, fmt::format("more than {} values", most_values)};
    Node& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.line = mark.line + 1;
    if (anchor != YAML::NullAnchor) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
      anchors_[anchor] = &node;
    }
    return node;
  }
  void open(Node& node) {
    open_.push_back(&node);
    if (open_.size() > deepest_nesting) throw Refusal{node.line, too_deep()};
  }
  void close() {
    const Node& node = *open_.back();
    open_.pop_back();
    add(node);
  }
  // A complete value takes its place in what is open, or is the document.
  void add(const Node& node) {
    if (open_.empty()) {
      tree_.root = &node;
      return;
    }
    Node& parent = *open_.back();
    parent.children.push_back(&node);
    parent.size += node.size;
    parent.depth = std::max(parent.depth, node.depth + 1);
    if (parent.size > most_values)
      throw Refusal{node.line, fmt::format("its aliases unfold to more than {} values", most_values)};
    if (parent.depth > deepest_nesting) throw Refusal{node.line, too_deep()};
  }

  Tree& tree_;
  std::vector<Node*> open_;
  std::vector<const Node*> anchors_;  // by the parser's numbers
};

// The number of an escape \uXXXX that the text begins with, or nothing.
std::optional<unsigned> escaped_unit(std::string_view text) {
  unsigned unit = 0;
  if (!text.starts_with("\\u") || text.size() < 6) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return error == std::errc() && end == text.data() + 6 ? std::optional(unit) : std::nullopt;
}

// JSON escapes a letter beyond U+FFFF as two surrogates, \ud83d\ude00, YAML as one letter, \U0001f600.
std::string without_surrogates(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t start = std::min(text.find('\\'), text.size());
    out += text.substr(0, start);
    text.remove_prefix(start);
    const auto high = escaped_unit(text), low = escaped_unit(text.substr(std::min<std::size_t>(6, text.size())));
    const bool is_pair = high && low && *high >> 10 == 0xD800 >> 10 && *low >> 10 == 0xDC00 >> 10;
    if (is_pair) out += fmt::format("\\U{:08x}", 0x10000 + ((*high & 0x3FF) << 10) + (*low & 0x3FF));
    const std::size_t taken = is_pair ? 12 : std::min<std::size_t>(2, text.size());  // what is escaped is no backslash
    if (!is_pair) out += text.substr(0, taken);
    text.remove_prefix(taken);
  }
  return out;
}

// A stream that reads the text where it is.
class TextStream : private std::streambuf, public std::istream {
 public:
  explicit TextStream(std::string_view text) : std::istream(this) {
    char* begin = const_cast<char*>(text.data());  // a streambuf's type; it only reads
    setg(begin, begin, begin + text.size());
  }
};

std::string_view line_of(std::string_view text, int line) {
  while (line-- > 1) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

bool is_indented_by_tab(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '\t';
}

// The end of the quotes that the text begins with, or its last character.
std::size_t end_of_quotes(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != text[0]) end += text[end] == '\\' && text[0] == '"' ? 2 : 1;
  return std::min(end, text.size() - 1);
}

// The line with a key that is longer than YAML lets it be, which the parser takes for something else; 0: there is none.
int line_of_long_key(std::string_view text) {
  constexpr std::size_t longest_key = 1024;
  std::size_t start = 0;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '"' || c == '\'') && text.find_first_not_of(" \t", start) == i) {
      i += end_of_quotes(text.substr(i));
    } else if (c == ':' && i - start > longest_key) {
      return line;
    } else if (c == '\n' || c == '{' || c == '[' || c == ',' || c == ':') {
      start = i + 1;
    }
    line += c == '\n';
  }
  return 0;
}

// What the parser says, and what is behind it most of the time.
constexpr std::pair<std::string_view, std::string_view> usual_reasons[] = {
    {"illegal map value", "a text with a colon stands in quotes, and the keys of a map are indented alike"},
    {"end of map not found", "the keys of a map are indented alike"},
    {"end of sequence not found", "the items of a list are indented alike"},
    {"end of map flow not found", "a bracket, a quote or a comma is missing, here or further up"},
    {"end of sequence flow not found", "a bracket, a quote or a comma is missing, here or further up"},
    {"illegal flow end", "brackets close in the order in which they open"},
    {"unknown token", "a text that begins with a sign stands in quotes"}};

// Of a tab, and of a space that was pasted, it complains in its own words, and sometimes only on the line after.
std::string syntax_rule(std::string_view text, int line, const std::string& said) {
  for (int near = std::max(1, line - 1); near <= line; ++near) {
    if (is_indented_by_tab(line_of(text, near))) {
      return fmt::format("line {} is indented with a tab: YAML wants spaces", near);
    }
    if (line_of(text, near).find("\u00A0") != std::string_view::npos)
      return fmt::format("line {} has a no-break space: YAML wants plain ones", near);
  }
  const auto* const reason = std::find_if(std::begin(usual_reasons), std::end(usual_reasons),
                                          [&](const auto& row) { return row.first == said; });
  return "not YAML: " + said + (reason == std::end(usual_reasons) ? "" : fmt::format(" ({})", reason->second));
}

// Why there is a key that nobody knows and that has no value: what stands before it was to go on.
std::string_view cut_off(std::string_view key) {
  if (key.find(':') != std::string_view::npos) return "a space is missing behind the colon";
  if (key.find_first_of("()") != std::string_view::npos) return "a formula with commas stands in quotes";
  return starts_number(key) ? "decimals are written with a point, not with a comma" : "";
}

}  // namespace

std::string description(const Node& node) {
  switch (node.kind) {
    case Node::Kind::nothing:
      return "nothing";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
    case Node::Kind::scalar:
      break;
  }
  return node.text.empty() ? "an empty text" : "the text " + in_quotes(node.text);
}

Number number_of(const Node& node) {
  return node.kind == Node::Kind::scalar ? expression(node.text)
                                         : Number{0, fmt::format("expected a number, found {}", description(node))};
}

Tree parse_yaml(std::string_view text, Report& report) {
  Tree tree;
  const auto refuse = [&](int line, std::string rule) {
    report.fault(line, "", std::move(rule));
    tree.root = nullptr;
  };
  try {
    check_brackets(text);
    const bool has_escapes = text.find("\\u") != std::string_view::npos;
    const std::string joined = has_escapes ? without_surrogates(text) : "";
    TextStream stream(has_escapes ? joined : text);
    YAML::Parser parser(stream);
    TreeBuilder builder(tree);
    while (parser.HandleNextDocument(builder)) {
    }
    if (tree.root == nullptr || tree.root->kind == Node::Kind::nothing) refuse(1, "there is nothing in the file");
  } catch (const Refusal& refusal) {
    refuse(refusal.line, refusal.rule);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line + 1, long_key = line_of_long_key(text);
    if (long_key > 0) {
      refuse(long_key, "a key has at most 1024 characters");
    } else {
      refuse(line, syntax_rule(text, line, error.msg));
    }
  }
  return tree;
}

Fields::Fields(const Node& node, std::string element, const Words& known, Report& report, std::string_view elsewhere)
    : element_(std::move(element)),
      line_(node.line),
      is_map_(node.kind == Node::Kind::map),
      elsewhere_(elsewhere),
      report_(&report) {
  if (is_map_) {
    collect(node, known, false);
  } else {
    report.fault(line_, element_, fmt::format("expected a map of keys and values, found {}", description(node)));
  }
}

void Fields::collect(const Node& map, const Words& known, bool merged) {
  std::vector<const Node*> merges;
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    const Node &key = *map.children[i], &value = *map.children[i + 1];
    if (key.kind == Node::Kind::scalar && key.text == "<<") {
      merges.push_back(&value);
    } else {
      collect_key(key, value, known, merged);
    }
  }
  for (const Node* value : merges) merge(*value, known);  // what the map says itself comes first
}

void Fields::collect_key(const Node& key, const Node& value, const Words& known, bool merged) {
  if (key.kind != Node::Kind::scalar) {
    report_->fault(key.line, element_, fmt::format("a key is a word, not {}", description(key)));
  } else if (std::find(known.begin(), known.end(), key.text) == known.end()) {
    const std::string_view reason = value.kind == Node::Kind::nothing ? cut_off(key.text) : "";
    if (!reason.empty()) {
      report_->fault(key.line, element_, fmt::format("unknown key {}: {}", in_quotes(key.text), reason));
    } else {
      report_->fault(key.line, element_, unknown("key", key.text, known) + elsewhere_);
    }
  } else if (const Entry* first = find(key.text); first == nullptr) {
    entries_.push_back({key.text, key.line, &value});
  } else if (!merged) {
    report_->fault(key.line, path(key.text), fmt::format("given twice (first on line {})", first->line));
  }
}

void Fields::merge(const Node& value, const Words& known) {
  if (value.kind == Node::Kind::map) return collect(value, known, true);
  if (value.kind != Node::Kind::list) {
    report_->fault(value.line, path("<<"), fmt::format("expected a map to merge, found {}", description(value)));
  }
  for (const Node* item : value.children) merge(*item, known);
}

const Fields::Entry* Fields::find(std::string_view key) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries_.end() ? nullptr : &*found;
}

std::string Fields::path(std::string_view key) const {
  return element_.empty() ? std::string(key) : fmt::format("{}: {}", element_, key);
}

int Fields::line(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr ? entry->line : line_;
}

const Node* Fields::node(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr ? entry->value : nullptr;
}

void Fields::refuse(std::string rule) const { report_->fault(line_, element_, std::move(rule)); }
void Fields::refuse(std::string_view key, std::string rule) const {
  report_->fault(line(key), path(key), std::move(rule));
}
void Fields::refuse_empty(std::string_view key, std::string rule) const {
  const Node* found = node(key);
  if (found != nullptr && found->kind == Node::Kind::list && found->children.empty()) refuse(key, std::move(rule));
}
void Fields::warn(std::string_view key, std::string rule) const {
  report_->warn(line(key), path(key), std::move(rule));
}

void Fields::require(std::string_view key) const {
  if (is_map_ && !has(key)) report_->fault(line_, element_, fmt::format("missing key '{}'", key));
}

const Node* Fields::value(std::string_view key, Node::Kind kind, std::string_view expected) const {
  const Node* found = node(key);
  if (found == nullptr || found->kind == kind) return found;
  refuse(key, fmt::format("expected {}, found {}", expected, description(*found)));
  return nullptr;
}

double Fields::number(std::string_view key) const {
  require(key);
  return number(key, 0);
}

double Fields::number(std::string_view key, double fallback) const {
  const Node* found = value(key, Node::Kind::scalar, "a number");
  if (found == nullptr) return fallback;
  const Number number = expression(found->text);
  if (!number) refuse(key, number.rule);
  return number ? number.value : fallback;
}

std::vector<double> Fields::numbers(std::string_view key, std::size_t size) const {
  const Node* found = value(key, Node::Kind::list, fmt::format("a list of {} number{}", size, size == 1 ? "" : "s"));
  if (found == nullptr) return {};
  if (found->children.size() != size) {
    refuse(key, fmt::format("expected {} number{}, found {}", size, size == 1 ? "" : "s", found->children.size()));
    return {};
  }
  std::vector<double> numbers;
  numbers.reserve(size);
  for (const Node* item : found->children) {
    const Number number = number_of(*item);
    if (number) {
      numbers.push_back(number.value);
    } else {
      report_->fault(item->line, path(key), number.rule);
    }
  }
  return numbers.size() == size ? numbers : std::vector<double>{};
}

Vec3<double> Fields::vec3(std::string_view key, const Vec3<double>& fallback) const {
  const std::vector<double> x = numbers(key, 3);
  return x.empty() ? fallback : Vec3<double>{x[0], x[1], x[2]};
}

std::string Fields::text(std::string_view key) const {
  require(key);
  const Node* found = value(key, Node::Kind::scalar, "a text");
  if (found == nullptr) return "";
  if (found->text.empty()) refuse(key, "it is empty");
  return found->text;
}

std::string Fields::text(std::string_view key, const std::string& fallback) const {
  const Node* found = value(key, Node::Kind::scalar, "a text");
  return found != nullptr ? found->text : fallback;
}

bool Fields::flag(std::string_view key, bool fallback) const {
  const std::string said = word(key, {"true", "false"}, fallback ? "true" : "false");
  return said.empty() ? fallback : said == "true";
}

std::string Fields::word(std::string_view key, const Words& choices) const {
  require(key);
  return word(key, choices, "");
}

std::string Fields::word(std::string_view key, const Words& choices, const std::string& fallback) const {
  const Node* found = value(key, Node::Kind::scalar, "one of " + fmt::format("{}", fmt::join(choices, ", ")));
  if (found == nullptr) return fallback;
  if (std::find(choices.begin(), choices.end(), found->text) != choices.end()) return found->text;
  refuse(key, unknown("word", found->text, choices));
  return "";
}

std::optional<Fields> Fields::map(std::string_view key, const Words& known, std::string_view elsewhere) const {
  const Node* found = value(key, Node::Kind::map, "a map of keys and values");
  if (found == nullptr) return std::nullopt;
  return Fields(*found, path(key), known, *report_, elsewhere);
}

std::vector<const Node*> Fields::list(std::string_view key) const {
  const Node* found = value(key, Node::Kind::list, "a list");
  return found != nullptr ? found->children : std::vector<const Node*>{};
}

}  // namespace denoc::io
