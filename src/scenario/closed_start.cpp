// Where a run with loops starts: what `start` names stays as it says, and the rest follows.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/dofs.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

using Numbers = std::vector<double>;

class ClosedStart {
 public:
  ClosedStart(const Fields& start, const Model& model, SimulationSetup& setup)
      : start_(start), model_(model), setup_(setup), chain_(model) {}

  // Joints that `start: q` names stay there, and the others close the loops. Where that cannot be, all of them move, which
  // is told; where that cannot be either, the run says so. A list names none: it is closed when the run starts, and what
  // that moves is told, too.
  void close_posture(const Vectors& vectors) {
    if (is_list("q")) {
      if (const auto near = closed({})) warn_of_moved("q", open_list, all(setup_.q), setup_.q, *near, name_them);
      return;
    }
    const Vectors::Named named = vectors.named_in_posture(start_, "q");
    if (named.q.empty()) return;
    if (auto held = closed(named.v)) {
      setup_.q = std::move(*held);
    } else if (auto moved = closed({})) {
      warn_of_moved("q", "the loops cannot be closed with these joints held", named.q, setup_.q, *moved,
                    "name those that are to stay, or give a list, which is closed near by");
      setup_.q = std::move(*moved);
    }
  }

  // The same of the rates that `start: v` names.
  void close_rates(const Vectors& vectors) {
    const auto q = closed({});
    if (!q) return;  // the run says so
    const Numbers near = chain_.closed_rates(*q, setup_.v);
    if (is_list("v")) {
      warn_of_moved("v", open_list, all(setup_.v), setup_.v, near, name_them);
      return;
    }
    const Vectors::Named named = vectors.named_in_rates(start_, "v");
    Numbers held = chain_.closed_rates(*q, setup_.v, named.v);
    if (chain_.opening(*q, held).is_open()) {
      warn_of_moved("v", "the loops do not stay closed with these rates", named.v, setup_.v, near,
                    "name those that are to stay, as many as move by themselves");
      held = near;
    }
    setup_.v = std::move(held);
  }

 private:
  static constexpr const char *open_list = "the loops are not closed there",
                              *name_them = "a map holds the joints that it names";

  bool is_list(std::string_view key) const { return start_.node(key)->kind == Node::Kind::list; }
  static std::vector<int> all(const Numbers& of) {
    std::vector<int> places(of.size());
    std::iota(places.begin(), places.end(), 0);
    return places;
  }
  std::optional<Numbers> closed(const std::vector<int>& held) {
    try {
      return chain_.assemble(setup_.q, held);
    } catch (const NotAssembled&) {
      return std::nullopt;
    }
  }
  std::string name(std::string_view key, std::size_t k) const {
    return key == "q" ? coordinates_of(model_)[k].name : dofs_of(model_)[k].name();
  }
  void warn_of_moved(std::string_view key, std::string_view cause, const std::vector<int>& given, const Numbers& from,
                     const Numbers& to, std::string_view advice) const {
    constexpr double same = 1e-5;  // rad or m (/s), of large numbers in parts: six digits of what is closed
    std::vector<std::string> moved;
    for (const int i : given) {
      const auto k = static_cast<std::size_t>(i);
      if (std::abs(to[k] - from[k]) > same * std::max(1.0, std::abs(from[k])))
        moved.push_back(fmt::format("{} starts at {:.6g}, not {:.6g}", in_quotes(name(key, k)), to[k], from[k]));
    }
    if (!moved.empty()) start_.warn(key, fmt::format("{}: {}; {}", cause, fmt::join(moved, ", "), advice));
  }

  const Fields& start_;
  const Model& model_;
  SimulationSetup& setup_;
  ClosedChain chain_;
};

}  // namespace

void close_start(const Fields& start, const Vectors& vectors, const Model& model, SimulationSetup& setup) {
  if (model.robot().loops.empty()) return;
  ClosedStart closing(start, model, setup);
  if (start.has("q")) closing.close_posture(vectors);
  if (start.has("v")) closing.close_rates(vectors);
}

}  // namespace denoc::io
