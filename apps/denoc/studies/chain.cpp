#include "studies/chain.hpp"

#include <charconv>

namespace denoc::app {
namespace {

constexpr int longest_chain = 10000;

}  // namespace

std::optional<Chain> chain_named(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = std::string_view(name).substr(0, colon);
  if (colon == std::string::npos || (kind != "serial" && kind != "serial-rods")) return std::nullopt;
  int n = 0;
  const char *first = name.data() + colon + 1, *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, n);
  if (error != std::errc() || end != last || n < 1 || n > longest_chain) {
    throw Failure(Status::usage,
                  fmt::format("denoc: {}: {}:N is a chain of N joints, N from 1 to {}", name, kind, longest_chain));
  }
  return Chain{n, kind == "serial" ? ChainLinks::general : ChainLinks::rods};
}

Robot load_robot_or_chain(const RobotOptions& options, Session& session) {
  const std::optional<Chain> chain = chain_named(options.model);
  if (!chain) return load_robot(options, session);
  if (options.load.base == Base::free)
    throw Failure(
        Status::usage,
        fmt::format("denoc: {}: a free base is chosen for URDF only: a chain's first joint turns on the ground",
                    options.model));
  Robot robot = serial_chain(chain->n, chain->links);
  if (options.load.gravity) robot.gravity = *options.load.gravity;
  return robot;
}

std::string_view of_tree(const Model& model) {
  return model.robot().loops.empty() ? "" : ", the loops cut open: this is the tree";
}
void append_of_tree(const Model& model, std::vector<json::Member>& members) {
  if (!model.robot().loops.empty()) members.emplace_back("loops", json::text("open"));
}

}  // namespace denoc::app
