// Values of scenarios: vectors in the order of q or v, formulas, and words that bring keys of their own.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/fields.hpp"
#include "denoc/io/formula.hpp"
#include "denoc/model/model.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::io {

// Which entries of q, or of v, are whose.
class Layout {
 public:
  struct Joint {
    std::string name;
    std::size_t first, size;
  };
  static Layout of_coordinates(const Model& model);
  static Layout of_rates(const Model& model);

  std::size_t size() const { return size_; }
  const std::vector<Joint>& joints() const { return joints_; }
  // "6 numbers (joint1, joint2, ..., joint6)"
  std::string description() const;

 private:
  Layout(const Model& model, int size, int (*size_of)(JointType), int BodyOf<double>::*first);
  std::vector<Joint> joints_ = {};
  std::size_t size_;
};

// Reads what is as long as q or v: a list, or a map by joint in which whatever is not named keeps its fallback. Faults
// are reported, and the fallback returned.
class Vectors {
 public:
  Vectors(const Model& model, Report& report)
      : q_(Layout::of_coordinates(model)),
        v_(Layout::of_rates(model)),
        quaternions_(quaternions_of(model.robot())),
        neutral_(neutral_posture(model.robot())),
        report_(report) {}

  // The posture that the robot's file draws: zero, and the identity where q is a quaternion, unless it says otherwise.
  const std::vector<double>& neutral() const { return neutral_; }
  // Quaternions of unit length.
  std::vector<double> posture(const Fields& fields, std::string_view key) const;
  std::vector<std::vector<double>> postures(const Fields& fields, std::string_view key) const;
  std::vector<double> rates(const Fields& fields, std::string_view key) const;
  // One number for all, too.
  std::vector<double> gains(const Fields& fields, std::string_view key) const;
  // Weights: one number for all, or by joint; those not named are 1.
  std::vector<double> weights(const Fields& fields, std::string_view key) const;
  // Formulas of t and of the variables.
  std::vector<Formula> torques(const Fields& fields, std::string_view key,
                               std::span<const std::string> variables = {}) const;
  std::vector<Formula> coordinates(const Fields& fields, std::string_view key) const;
  // Exactly three; zero if the key is not there.
  std::vector<Formula> three(const Fields& fields, std::string_view key) const;

 private:
  // The value of each entry; null: not given.
  using Entries = std::vector<const Node*>;
  Entries entries(const Fields& fields, std::string_view key, const Layout& layout) const;
  Entries listed(const Node& list, int line, const std::string& element, const Layout& layout) const;
  Entries named(const Fields& fields, std::string_view key, const Layout& layout) const;

  std::vector<double> numbers(const Entries& entries, const std::string& element, std::vector<double> fallback) const;
  std::vector<Formula> formulas(const Entries& entries, const std::string& element, const std::vector<double>& fallback,
                                std::span<const std::string> variables = {}) const;
  std::vector<double> unit_posture(const Entries& entries, int line, const std::string& element) const;

  Layout q_, v_;
  std::vector<QuaternionPlace> quaternions_;
  std::vector<double> neutral_;
  Report& report_;
};

// "motion: from"
std::string path_of(const Fields& fields, std::string_view key);
// A number above zero, or the fallback.
double positive(const Fields& fields, std::string_view key, double fallback);

// A word such as `type`, and the keys that go with it.
struct Variant {
  std::string_view word;
  Words keys;
};
// The map under the key, read with the keys of all variants; those of another than the chosen one are reported. Nothing
// if the map or its word is at fault.
struct ChosenVariant {
  Fields fields;
  std::string word;
};
std::optional<ChosenVariant> variant(const Fields& file, std::string_view key, std::string_view choice,
                                     const std::vector<Variant>& variants);
// The same of a map that stands in a list; `element` is what messages call it.
std::optional<ChosenVariant> variant(const Node& map, const std::string& element, std::string_view choice,
                                     const std::vector<Variant>& variants, Report& report);

}  // namespace denoc::io
