#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "denoc/io/number.hpp"
#include "io/readers.hpp"

namespace denoc::io {
namespace {

void add_once(Words& words, std::string_view word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

}  // namespace

double positive(const Fields& fields, std::string_view key, double fallback) {
  const double value = fields.number(key, std::numeric_limits<double>::quiet_NaN());
  if (value > 0) return value;
  if (value <= 0) fields.refuse(key, fmt::format("it is positive, not {}", value));
  return fallback;
}

Vec3<double> direction(const Fields& fields, std::string_view key, const Vec3<double>& fallback) {
  const Vec3<double> found = unit(fields.vec3(key, fallback));
  if (!(norm(found) > 0)) fields.refuse(key, "a direction is not zero");
  return found;
}

namespace {

Words known_keys(std::string_view choice, const std::vector<Variant>& variants) {
  Words known = {choice};
  for (const Variant& v : variants)
    for (const std::string_view k : v.keys) add_once(known, k);
  return known;
}
std::optional<ChosenVariant> chosen(const Fields& fields, std::string_view choice, const std::vector<Variant>& variants,
                                    std::string_view fallback = "") {
  Words words;
  for (const Variant& v : variants) words.push_back(v.word);
  std::string word = fallback.empty() ? fields.word(choice, words) : fields.word(choice, words, std::string(fallback));
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
                                     const std::vector<Variant>& variants, std::string_view fallback) {
  const auto fields = file.map(key, known_keys(choice, variants));
  return fields ? chosen(*fields, choice, variants, fallback) : std::nullopt;
}
std::optional<ChosenVariant> variant(const Node& map, const std::string& element, std::string_view choice,
                                     const std::vector<Variant>& variants, Report& report) {
  const Fields fields(map, element, known_keys(choice, variants), report);
  return map.kind == Node::Kind::map ? chosen(fields, choice, variants) : std::nullopt;
}

std::vector<double> Vectors::posture(const Fields& fields, std::string_view key) const {
  return unit_posture(entries(fields, key, q_, report_), fields.line(key), fields.path(key));
}

Vectors::Named Vectors::named(const Fields& fields, std::string_view key, const Layout& layout) const {
  const Node* node = fields.node(key);
  if (node == nullptr || node->kind != Node::Kind::map) return {};
  const Entries given = entries(fields, key, layout, report_);
  Named all;
  const auto add = [](const Layout::Joint& joint, std::vector<int>& to) {
    for (int i = 0; i < joint.size; ++i) to.push_back(joint.first + i);
  };
  for (std::size_t j = 0; j < q_.joints().size(); ++j) {  // both layouts have the same joints
    if (given[static_cast<std::size_t>(layout.joints()[j].first)] == nullptr) continue;
    add(q_.joints()[j], all.q);
    add(v_.joints()[j], all.v);
  }
  return all;
}

std::vector<std::vector<double>> Vectors::postures(const Fields& fields, std::string_view key) const {
  std::vector<std::vector<double>> rows;
  for (const Node* item : fields.list(key)) {
    const std::string element = fmt::format("{}[{}]", fields.path(key), rows.size());
    const bool is_list = item->kind == Node::Kind::list;
    if (!is_list)
      report_.fault(item->line, element, fmt::format("expected {}, found {}", q_.description(), description(*item)));
    rows.push_back(is_list ? unit_posture(listed(*item, item->line, element, q_, report_), item->line, element)
                           : neutral());
  }
  return rows;
}

std::vector<double> Vectors::rates(const Fields& fields, std::string_view key) const {
  return numbers(entries(fields, key, v_, report_), fields.path(key), std::vector<double>(v_.size()), report_);
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
  return numbers(entries(fields, key, v_, report_), fields.path(key), std::vector<double>(v_.size(), 1), report_);
}

std::vector<Formula> Vectors::torques(const Fields& fields, std::string_view key,
                                      std::span<const std::string> variables) const {
  fields.require(key);
  return formulas(entries(fields, key, v_, report_), fields.path(key), std::vector<double>(v_.size()), variables);
}

std::vector<Formula> Vectors::coordinates(const Fields& fields, std::string_view key) const {
  fields.require(key);
  return formulas(entries(fields, key, q_, report_), fields.path(key), neutral_);
}

std::vector<Formula> Vectors::three(const Fields& fields, std::string_view key) const {
  Entries items = fields.list(key);
  const Node* node = fields.node(key);
  if (node != nullptr && node->kind == Node::Kind::list && items.size() != 3)
    fields.refuse(key, fmt::format("expected 3 numbers or formulas, found {}", items.size()));
  items.resize(3);
  return formulas(items, fields.path(key), {0, 0, 0});
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
    if (!parsed && variables.empty() && names_state(entries[i]->text))
      parsed.rule = fmt::format(
          "{}: formulas here know t only; those of `control: {{type: feedback}}` know q.JOINT and v.JOINT, too",
          in_quotes(entries[i]->text));
    if (!is_text) parsed.rule = fmt::format("expected a number or a formula, found {}", description(*entries[i]));
    if (!parsed) report_.fault(entries[i]->line, element, parsed.rule);
    all[i] = std::move(parsed.formula);
  }
  return all;
}

bool Vectors::names_state(std::string_view formula) const {
  const auto& joints = q_.joints();
  return std::any_of(joints.begin(), joints.end(), [&](const Layout::Joint& joint) {
    return formula.find("q." + joint.name) != std::string_view::npos ||
           formula.find("v." + joint.name) != std::string_view::npos;
  });
}

std::vector<double> Vectors::unit_posture(const Entries& entries, int line, const std::string& element) const {
  std::vector<double> q = numbers(entries, element, neutral(), report_);
  doubt_degrees(entries, element, q_, report_);
  for (const QuaternionPlace& place : quaternions_) {
    if (std::string rule = normalise(place, q); !rule.empty()) report_.fault(line, element, std::move(rule));
  }
  return q;
}

}  // namespace denoc::io
