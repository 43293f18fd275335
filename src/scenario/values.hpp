// Values of scenarios: vectors in the order of q or v, formulas, and words that bring keys of their own.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denoc/io/fields.hpp"
#include "denoc/io/formula.hpp"
#include "denoc/io/joint_vectors.hpp"
#include "denoc/model/model.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::io {

// Reads what is as long as q or v: a list, or a map by joint in which whatever is not named keeps its fallback. Faults
// are reported, and the fallback returned.
class Vectors {
 public:
  Vectors(const Model& model, Report& report)
      : q_(Layout::of_coordinates(model.robot())),
        v_(Layout::of_rates(model.robot())),
        quaternions_(quaternions_of(model.robot())),
        neutral_(neutral_posture(model.robot())),
        report_(report) {}

  // The posture that the robot's file draws: zero, and the identity where q is a quaternion, unless it says otherwise.
  const std::vector<double>& neutral() const { return neutral_; }
  // Quaternions of unit length.
  std::vector<double> posture(const Fields& fields, std::string_view key) const;
  // Entries of q and of v that belong to joints which a map of the posture, or of rates, names; none of a list.
  struct Named {
    std::vector<int> q = {}, v = {};
  };
  Named named_in_posture(const Fields& fields, std::string_view key) const { return named(fields, key, q_); }
  Named named_in_rates(const Fields& fields, std::string_view key) const { return named(fields, key, v_); }
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
  Named named(const Fields& fields, std::string_view key, const Layout& layout) const;
  std::vector<Formula> formulas(const Entries& entries, const std::string& element, const std::vector<double>& fallback,
                                std::span<const std::string> variables = {}) const;
  // Whether it has a q.JOINT or v.JOINT in it.
  bool names_state(std::string_view formula) const;
  std::vector<double> unit_posture(const Entries& entries, int line, const std::string& element) const;

  Layout q_, v_;
  std::vector<QuaternionPlace> quaternions_;
  std::vector<double> neutral_;
  Report& report_;
};

// A number above zero, or the fallback.
double positive(const Fields& fields, std::string_view key, double fallback);
// A direction, at length one.
Vec3<double> direction(const Fields& fields, std::string_view key, const Vec3<double>& fallback);

// A word such as `type`, and the keys that go with it.
struct Variant {
  std::string_view word;
  Words keys;
};
// The map under the key, read with the keys of all variants; those of another than the chosen one are reported. Nothing
// if the map or its word is at fault; a word that is missing is the fallback, if there is one.
struct ChosenVariant {
  Fields fields;
  std::string word;
};
std::optional<ChosenVariant> variant(const Fields& file, std::string_view key, std::string_view choice,
                                     const std::vector<Variant>& variants, std::string_view fallback = "");
// The same of a map that stands in a list; `element` is what messages call it.
std::optional<ChosenVariant> variant(const Node& map, const std::string& element, std::string_view choice,
                                     const std::vector<Variant>& variants, Report& report);

}  // namespace denoc::io
