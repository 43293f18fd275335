// Joints that follow another in a fixed ratio (mimic, gears, belts):  q_f = ratio q_l + offset.  Their coordinates depend
// on those of the others, so packs can eliminate them: v = G w, a = G w', and the leading joints feel G^T tau.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "denoc/loops/open_gap.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/loop_types.hpp"
#include "denoc/model/model.hpp"

namespace denoc::batch {

template <class E> struct Coupling {
  struct Place {
    int q, v;
    E unit;  // of lengths, or rad
  };
  Place leader, follower;
  E ratio, offset;
};

// Those of a robot, each after the one that its leader follows in. Nothing where loops are of another kind, or a joint
// follows two others.
template <class E> std::optional<std::vector<Coupling<E>>> fixed_ratios(const BasicModel<E>& model) {
  std::vector<Coupling<E>> waiting, all;
  std::vector<bool> follows(size_t(model.nv()));
  const double length = length_of(model.robot());  // of all loops that couple coordinates
  for (const Loop& loop : model.robot().loops) {
    const std::vector<double>& c = loop.coefficients;  // of a polynomial
    if (!couples_coordinates(loop.type) || loop.eccentricity != 0) return {};
    for (size_t k = 2; k < c.size(); ++k)
      if (c[k] != 0) return {};
    const double ratio = c.empty() ? loop.ratio : c.size() < 2 ? 0 : c[1];
    const double offset = c.empty() ? loop.offset : loop.offset + c[0] + ratio * loop.phase;
    const auto &a = model.body(loop.a.body), &b = model.body(loop.b.body);
    if (follows[size_t(b.v)]) return {};
    follows[size_t(b.v)] = true;
    const auto unit = [&](const Attachment& end) {
      return model.robot().bodies[size_t(end.body)].joint.type == JointType::prismatic ? E(length) : E(1);
    };
    waiting.push_back({{a.q, a.v, unit(loop.a)}, {b.q, b.v, unit(loop.b)}, E(ratio), E(offset)});
  }
  while (!waiting.empty()) {
    const size_t before = waiting.size();
    std::erase_if(waiting, [&](const Coupling<E>& each) {
      if (follows[size_t(each.leader.v)]) return false;
      all.push_back(each);
      return true;
    });
    if (waiting.size() == before) return {};  // they follow each other round
    for (const Coupling<E>& each : all) follows[size_t(each.follower.v)] = false;
  }
  return all;
}

// Whether a row keeps the couplings closed, surely as Dynamics wants it; x are accelerations, or empty.
template <class E>
bool keeps_closed(std::span<const Coupling<E>> couplings, std::span<const E> q, std::span<const E> v,
                  std::span<const E> x) {
  constexpr E fits = std::max(E(1e-9), 4 * std::numeric_limits<E>::epsilon());
  E speed = 1;
  for (const auto& each : couplings)
    for (const auto& place : {each.leader, each.follower}) speed = std::max(speed, std::abs(v[place.v]) / place.unit);
  for (const auto& [leader, follower, ratio, offset] : couplings) {
    const E open = E(open_gap) * follower.unit;
    if (!(std::abs(ratio * q[leader.q] + offset - q[follower.q]) <= open)) return false;
    if (!(std::abs(ratio * v[leader.v] - v[follower.v]) <= open * speed)) return false;
    if (x.empty()) continue;
    const E led = ratio * x[leader.v], own = x[follower.v];
    if (!(std::abs(led - own) <= fits * (std::abs(led) + std::abs(own)))) return false;
  }
  return true;
}

// G^T tau in the leading joints, 0 in those that follow.
template <class E> void give_to_leaders(std::span<const Coupling<E>> couplings, std::span<E> tau) {
  for (auto each = couplings.rbegin(); each != couplings.rend(); ++each) {
    tau[each->leader.v] += each->ratio * tau[each->follower.v];
    tau[each->follower.v] = 0;
  }
}

}  // namespace denoc::batch
