#include <fmt/format.h>

#include "parts.hpp"

namespace denoc::io {
namespace {

Vec3<double> at(const std::vector<Formula>& three, double t) { return {three[0](t), three[1](t), three[2](t)}; }

ExternalWrench wrench(const Fields& fields, const Robot& robot, const Vectors& vectors) {
  ExternalWrench wrench;
  wrench.body = read_body(fields, robot);
  wrench.point = fields.vec3("point", wrench.point);
  wrench.in_world_axes = fields.word("axes", {"body", "world"}, "body") == "world";
  std::vector<Formula> moment = vectors.three(fields, "moment"), force = vectors.three(fields, "force");
  std::vector<Formula> all = moment;
  all.insert(all.end(), force.begin(), force.end());
  wrench.breaks = breaks_of(all);
  wrench.at = [moment = std::move(moment), force = std::move(force)](double t) {
    return Wrench<double>{at(moment, t), at(force, t)};
  };
  return wrench;
}

}  // namespace

std::vector<ExternalWrench> read_wrenches(const Fields& file, const Robot& robot, const Vectors& vectors,
                                          Report& report) {
  std::vector<ExternalWrench> all;
  for (const Node* item : file.list("wrenches")) {
    const Fields fields(*item, fmt::format("wrenches[{}]", all.size()), {"body", "point", "axes", "moment", "force"},
                        report);
    if (item->kind == Node::Kind::map && !fields.has("moment") && !fields.has("force"))
      fields.refuse("a wrench has a moment or a force");
    all.push_back(wrench(fields, robot, vectors));
  }
  return all;
}

}  // namespace denoc::io
