// YAML (and so JSON) read strictly: every key is known, every value has the kind that is asked for, and whatever is
// wrong is reported with its line, all of it. For robots, states and scenarios alike.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/number.hpp"
#include "denoc/io/report.hpp"

namespace denoc::io {

/// A value of the file.
struct Node {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  int line = 0;
  std::string text = {};                   // of a scalar
  std::vector<const Node*> children = {};  // of a list: its items; of a map: key, value, key, value, ...
  // With every alias written out: how many values, how deep.
  std::size_t size = 1;
  int depth = 1;
};
/// What it is, for messages: "a list", "the text 'abc'", ...
std::string description(const Node& node);
/// The number it is, or the rule that says what was found instead.
Number number_of(const Node& node);

/// A document and all its values.
struct Tree {
  std::deque<Node> nodes = {};
  const Node* root = nullptr;  // null: the text has faults
};
/// One document. Several documents, nesting beyond reason and aliases that would unfold to millions of values are
/// refused.
Tree parse_yaml(std::string_view text, Report& report);
/// The same, read by `read(root)` unless it has faults; a thousand of them end it.
template <class Read> void parse_yaml(std::string_view text, Report& report, const Read& read) {
  try {
    const Tree tree = parse_yaml(text, report);
    if (tree.root != nullptr) read(*tree.root);
  } catch (const TooManyFaults&) {  // the report says so
  }
}

/// A map of known keys. `element` says whose keys they are: "link 'arm'". A call without fallback asks for a key that
/// must be there; a value at fault is reported and the fallback (or zero, or nothing) returned, so that reading goes
/// on. `elsewhere` is said behind what is known, of keys that are looked for here and stand somewhere else.
class Fields {
 public:
  Fields(const Node& node, std::string element, const Words& known, Report& report, std::string_view elsewhere = "");

  bool has(std::string_view key) const { return find(key) != nullptr; }
  int line() const { return line_; }
  int line(std::string_view key) const;  // of the key, or of the map
  const std::string& element() const { return element_; }
  std::string path(std::string_view key) const;  // the element of a key: "start: q"
  const Node* node(std::string_view key) const;  // or null
  void require(std::string_view key) const;      // reports it if it is not there
  void refuse(std::string rule) const;
  void refuse(std::string_view key, std::string rule) const;
  void refuse_empty(std::string_view key, std::string rule) const;  // a list without items
  void warn(std::string_view key, std::string rule) const;

  double number(std::string_view key) const;
  double number(std::string_view key, double fallback) const;
  /// Exactly so many numbers; empty if the key is not there or its value at fault.
  std::vector<double> numbers(std::string_view key, std::size_t size) const;
  /// All numbers of the list under the key.
  std::vector<double> numbers(std::string_view key) const {
    const std::size_t size = list(key).size();
    return size == 0 ? std::vector<double>{} : numbers(key, size);
  }
  Vec3<double> vec3(std::string_view key, const Vec3<double>& fallback) const;
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, const std::string& fallback) const;
  bool flag(std::string_view key, bool fallback) const;
  /// One of some words; empty if at fault.
  std::string word(std::string_view key, const Words& choices) const;
  std::string word(std::string_view key, const Words& choices, const std::string& fallback) const;
  std::optional<Fields> map(std::string_view key, const Words& known, std::string_view elsewhere = "") const;
  std::vector<const Node*> list(std::string_view key) const;

 private:
  struct Entry {
    std::string_view key;
    int line;
    const Node* value;
  };
  void collect(const Node& map, const Words& known, bool merged);
  void collect_key(const Node& key, const Node& value, const Words& known, bool merged);
  void merge(const Node& value, const Words& known);
  const Entry* find(std::string_view key) const;
  // The value of the key; null if it is not there, or not of that kind, which is reported.
  const Node* value(std::string_view key, Node::Kind kind, std::string_view expected) const;

  std::string element_;
  int line_;
  bool is_map_;  // or nothing that has keys, which is reported once
  std::string elsewhere_;
  std::vector<Entry> entries_ = {};
  Report* report_;
};

}  // namespace denoc::io
