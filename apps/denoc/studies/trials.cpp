#include "studies/trials.hpp"

#include <numbers>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc::app {
namespace {

std::vector<double> some(Chance& chance, int n, double most) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& e : x) e = chance.between(-most, most);
  return x;
}

// Anywhere on the manifold; v and a of a lively motion, tau of the size that a needs.
State random_state(Chance& chance, const Model& model, const std::vector<Coordinate>& coordinates) {
  State state;
  for (const Coordinate& c : coordinates) {
    const double most = c.kind == Coordinate::Kind::angle ? std::numbers::pi : 1;
    state.q.push_back(chance.between(-most, most));
  }
  normalise<double>(model, state.q);
  state.v = some(chance, model.nv(), 2);
  state.a = some(chance, model.nv(), 5);
  state.tau.resize(state.v.size());
  Configuration<double> at(model);
  InverseScratch<double> scratch(model);
  place<double>(model, state.q, at);
  inverse_dynamics<double>(model, at, state.v, state.a, scratch, state.tau);
  for (double& tau : state.tau) tau *= chance.between(-2, 2);
  return state;
}

}  // namespace

const std::string trial_format = fmt::format(
    "{}\n"
    "MODEL may be a chain, too: serial:N or serial-rods:N.",
    state_format);

void trial_arguments(Arguments& arguments, StateOptions& options) {
  state_arguments(arguments, options, "states to try, instead of random ones");
}

void require_tryable(const Model& model, std::string_view command) {
  if (model.nv() == 0) throw Failure(Status::numbers, fmt::format("denoc {}: no joint of the robot moves", command));
}

std::string left_out(const Model& model) {
  if (model.nv() <= most_for_cubes) return "";
  return fmt::format("Methods of order n^3 are tried up to n = {}, of order n^2 up to n = {}.\n", most_for_cubes,
                     most_for_squares);
}

StateFile trial_states(const StateOptions& options, int at_random, const Model& model, Session& session) {
  if (options.has_states()) {
    StateFile given = load_states(options, model, session);
    if (given.states.empty()) throw Failure(Status::file, fmt::format("{}: no state to try in it", options.states));
    return given;
  }
  StateFile file{.is_array = true, .states = {}};
  Chance chance;
  const std::vector<Coordinate> coordinates = coordinates_of(model);
  for (int i = 0; i < at_random; ++i) file.states.push_back(random_state(chance, model, coordinates));
  return file;
}

State rest(const Model& model) {
  State state;
  for (const Coordinate& c : coordinates_of(model))
    state.q.push_back(c.kind == Coordinate::Kind::quaternion && c.name.ends_with(".qw") ? 1 : 0);
  for (std::vector<double>* x : {&state.v, &state.a, &state.tau}) x->resize(static_cast<std::size_t>(model.nv()));
  return state;
}

}  // namespace denoc::app
