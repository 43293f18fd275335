#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "denoc/io/number.hpp"

namespace denoc::io {
namespace {

constexpr std::size_t most_names = 12;

void add_once(Words& words, std::string_view word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

}  // namespace

Layout::Layout(const Model& model, int size, int (*size_of)(JointType), int BodyOf<double>::*first)
    : size_(static_cast<std::size_t>(size)) {
  for (std::size_t b = 1; b < model.bodies().size(); ++b) {
    const auto entries = static_cast<std::size_t>(size_of(model.robot().bodies[b].joint.type));
    const auto at = static_cast<std::size_t>(model.bodies()[b].*first);
    if (entries > 0) joints_.push_back({model.joint_name(static_cast<int>(b)), at, entries});
  }
}
Layout Layout::of_coordinates(const Model& model) { return {model, model.nq(), coordinates, &BodyOf<double>::q}; }
Layout Layout::of_rates(const Model& model) { return {model, model.nv(), degrees_of_freedom, &BodyOf<double>::v}; }

std::string Layout::description() const {
  std::vector<std::string> names;
  for (const Joint& j : joints_) names.push_back(j.size == 1 ? j.name : fmt::format("{} of {}", j.size, j.name));
  if (names.size() > most_names) {
    names.erase(names.begin() + most_names - 2, names.end() - 1);
    names.insert(names.end() - 1, "...");
  }
  return fmt::format("{} numbers ({})", size_, fmt::join(names, ", "));
}

std::string path_of(const Fields& fields, std::string_view key) {
  return fields.element().empty() ? std::string(key) : fmt::format("{}: {}", fields.element(), key);
}

double positive(const Fields& fields, std::string_view key, double fallback) {
  const double value = fields.number(key, std::numeric_limits<double>::quiet_NaN());
  if (value > 0) return value;
  if (value <= 0) fields.refuse(key, fmt::format("it is positive, not {}", value));
  return fallback;
}

namespace {

Words known_keys(std::string_view choice, const std::vector<Variant>& variants) {
  Words known = {choice};
  for (const Variant& v : variants)
    for (const std::string_view k : v.keys) add_once(known, k);
  return known;
}
std::optional<ChosenVariant> chosen(const Fields& fields, std::string_view choice,
                                    const std::vector<Variant>& variants) {
  Words words;
  for (const Variant& v : variants) words.push_back(v.word);
  std::string word = fields.word(choice, words);
  const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.word == word; });
  if (found == variants.end()) return std::nullopt;
  for (const std::string_view k : known_keys(choice, variants)) {
    const bool belongs = k == choice || std::find(found->keys.begin(), found->keys.end(), k) != found->keys.end();
    if (!belongs && fields.has(k))
      fields.refuse(
          k, fmt::format("it does not belong to {} {}, whose keys are {}", choice, word, fmt::join(found->keys, ", ")));
  }
  return ChosenVariant{fields, std::move(word)};
}

}  // namespace

std::optional<ChosenVariant> variant(const Fields& file, std::string_view key, std::string_view choice,
                                     const std::vector<Variant>& variants) {
  const auto fields = file.map(key, known_keys(choice, variants));
  return fields ? chosen(*fields, choice, variants) : std::nullopt;
}
std::optional<ChosenVariant> variant(const Node& map, const std::string& element, std::string_view choice,
                                     const std::vector<Variant>& variants, Report& report) {
  const Fields fields(map, element, known_keys(choice, variants), report);
  return map.kind == Node::Kind::map ? chosen(fields, choice, variants) : std::nullopt;
}

std::vector<double> Vectors::posture(const Fields& fields, std::string_view key) const {
  return unit_posture(entries(fields, key, q_), fields.line(key), path_of(fields, key));
}

std::vector<std::vector<double>> Vectors::postures(const Fields& fields, std::string_view key) const {
  std::vector<std::vector<double>> rows;
  for (const Node* item : fields.list(key)) {
    const std::string element = fmt::format("{}[{}]", path_of(fields, key), rows.size());
    const bool is_list = item->kind == Node::Kind::list;
    if (!is_list)
      report_.fault(item->line, element, fmt::format("expected {}, found {}", q_.description(), description(*item)));
    rows.push_back(is_list ? unit_posture(listed(*item, item->line, element, q_), item->line, element) : neutral());
  }
  return rows;
}

std::vector<double> Vectors::rates(const Fields& fields, std::string_view key) const {
  return numbers(entries(fields, key, v_), path_of(fields, key), std::vector<double>(v_.size()));
}

std::vector<double> Vectors::gains(const Fields& fields, std::string_view key) const {
  fields.require(key);
  const Node* node = fields.node(key);
  const bool is_one = node != nullptr && node->kind == Node::Kind::scalar;
  std::vector<double> gains = is_one ? std::vector<double>(v_.size(), fields.number(key)) : rates(fields, key);
  for (const double gain : gains) {
    if (gain < 0) {
      fields.refuse(key, fmt::format("a gain is not negative: {}", gain));
      break;
    }
  }
  return gains;
}

std::vector<double> Vectors::weights(const Fields& fields, std::string_view key) const {
  const Node* node = fields.node(key);
  if (node != nullptr && node->kind == Node::Kind::scalar) return std::vector<double>(v_.size(), fields.number(key));
  return numbers(entries(fields, key, v_), path_of(fields, key), std::vector<double>(v_.size(), 1));
}

std::vector<Formula> Vectors::torques(const Fields& fields, std::string_view key,
                                      std::span<const std::string> variables) const {
  fields.require(key);
  return formulas(entries(fields, key, v_), path_of(fields, key), std::vector<double>(v_.size()), variables);
}

std::vector<Formula> Vectors::coordinates(const Fields& fields, std::string_view key) const {
  fields.require(key);
  return formulas(entries(fields, key, q_), path_of(fields, key), neutral_);
}

std::vector<Formula> Vectors::three(const Fields& fields, std::string_view key) const {
  Entries items = fields.list(key);
  const Node* node = fields.node(key);
  if (node != nullptr && node->kind == Node::Kind::list && items.size() != 3)
    fields.refuse(key, fmt::format("expected 3 numbers or formulas, found {}", items.size()));
  items.resize(3);
  return formulas(items, path_of(fields, key), {0, 0, 0});
}

Vectors::Entries Vectors::entries(const Fields& fields, std::string_view key, const Layout& layout) const {
  const Node* node = fields.node(key);
  if (node == nullptr) return Entries(layout.size());
  if (node->kind == Node::Kind::list) return listed(*node, fields.line(key), path_of(fields, key), layout);
  if (node->kind == Node::Kind::map) return named(fields, key, layout);
  fields.refuse(
      key, fmt::format("expected a list of {}, or a map by joint, found {}", layout.description(), description(*node)));
  return Entries(layout.size());
}

Vectors::Entries Vectors::listed(const Node& list, int line, const std::string& element, const Layout& layout) const {
  if (list.children.size() == layout.size()) return list.children;
  report_.fault(line, element, fmt::format("expected {}, found {}", layout.description(), list.children.size()));
  return Entries(layout.size());
}

Vectors::Entries Vectors::named(const Fields& fields, std::string_view key, const Layout& layout) const {
  Words names;
  for (const Layout::Joint& joint : layout.joints()) names.push_back(joint.name);
  const auto map = fields.map(key, names);
  Entries entries(layout.size());
  for (const Layout::Joint& joint : layout.joints()) {
    const Node* node = map->node(joint.name);
    if (node == nullptr) continue;
    if (node->kind != Node::Kind::list && joint.size == 1) {
      entries[joint.first] = node;
    } else if (node->kind == Node::Kind::list && node->children.size() == joint.size) {
      std::copy(node->children.begin(), node->children.end(),
                entries.begin() + static_cast<std::ptrdiff_t>(joint.first));
    } else {
      map->refuse(joint.name,
                  fmt::format("expected {}, found {}",
                              joint.size == 1 ? "a number" : fmt::format("a list of {} numbers", joint.size),
                              node->kind == Node::Kind::list ? fmt::format("a list of {}", node->children.size())
                                                             : description(*node)));
    }
  }
  return entries;
}

std::vector<double> Vectors::numbers(const Entries& entries, const std::string& element,
                                     std::vector<double> fallback) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] == nullptr) continue;
    const Number number = entries[i]->kind == Node::Kind::scalar
                              ? expression(entries[i]->text)
                              : Number{0, fmt::format("expected a number, found {}", description(*entries[i]))};
    if (number) fallback[i] = number.value;
    if (!number) report_.fault(entries[i]->line, element, number.rule);
  }
  return fallback;
}

std::vector<Formula> Vectors::formulas(const Entries& entries, const std::string& element,
                                       const std::vector<double>& fallback,
                                       std::span<const std::string> variables) const {
  std::vector<Formula> all(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    all[i] = Formula(fallback[i]);
    if (entries[i] == nullptr) continue;
    const bool is_text = entries[i]->kind == Node::Kind::scalar;
    ParsedFormula parsed;
    if (is_text) parsed = Formula::parse(entries[i]->text, variables);
    if (!is_text) parsed.rule = fmt::format("expected a number or a formula, found {}", description(*entries[i]));
    if (!parsed) report_.fault(entries[i]->line, element, parsed.rule);
    all[i] = std::move(parsed.formula);
  }
  return all;
}

std::vector<double> Vectors::unit_posture(const Entries& entries, int line, const std::string& element) const {
  std::vector<double> q = numbers(entries, element, neutral());
  for (const QuaternionPlace& place : quaternions_) {
    if (std::string rule = normalise(place, q); !rule.empty()) report_.fault(line, element, std::move(rule));
  }
  return q;
}

}  // namespace denoc::io
