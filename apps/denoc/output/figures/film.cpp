#include "output/figures/film.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "output/figures/axis.hpp"
#include "output/figures/base64.hpp"
#include "output/figures/run_figures.hpp"
#include "output/figures/solids.hpp"
#include "output/figures/text.hpp"
#include "output/figures/view.hpp"

namespace denoc::figures {
namespace {

constexpr std::size_t usual_frames = 600, most_poses = 40'000;  // of all bodies together: 0.75 MB of the page
// Who goes further between two frames, in rad and in parts of the way of all, needs more of them ...
constexpr double smooth = 0.2;
constexpr int leap = 30;          // ... and who turns by more, in degrees, is not led from one to the other
constexpr double whole = 32'767;  // of 16 bits

template <class Items, class Text> std::string array(const Items& items, Text&& text) {
  std::string all = "[";
  for (const auto& item : items) {
    if (all.size() > 1) all += ',';
    all += text(item);
  }
  return all + "]";
}
std::string number(double x) { return fmt::format("{:.6g}", x == 0 ? 0.0 : x); }
std::string numbers(const std::vector<double>& all) { return array(all, number); }
std::string integers(const std::vector<int>& all) {
  return array(all, [](int i) { return std::to_string(i); });
}
std::string vector(const Point& p) { return numbers({p.x, p.y, p.z}); }

struct Quat {
  double x, y, z, w;
  double dot(const Quat& b) const { return x * b.x + y * b.y + z * b.z + w * b.w; }
};
Quat quaternion(const Mat3<double>& R) {
  Eigen::Matrix3d M;
  M << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  const Eigen::Quaterniond q(M);
  return {q.x(), q.y(), q.z(), q.w()};
}

std::int16_t rounded(double part) {
  return static_cast<std::int16_t>(std::lround(std::clamp(part, -1.0, 1.0) * whole));
}

// The axes of the film are those of its view: x and y level, z up; its origin is in the middle of all that happens.
struct Stage {
  View view;
  Point middle{0, 0, 0}, half{0, 0, 0};  // of the box around everything
  double size = 0;                       // half the robot's own diagonal, at the start

  Point turned(const Point& p) const { return {dot(p, view.a), dot(p, view.b), dot(p, view.up)}; }
  Point operator()(const Point& p) const { return turned(p) - middle; }
  Pose<double> operator()(const Pose<double>& pose) const {
    const auto& [a, b, up] = std::tie(view.a, view.b, view.up);
    const Mat3<double> V{a.x, a.y, b.x, b.y, up.x, up.y, a.z, b.z, up.z};
    return {V * pose.R, (*this)(pose.r)};
  }
  double radius() const { return std::max(norm(half), 1e-9); }
};

struct Box {
  Range x, y, z;
  void cover(const Point& p) { x.cover(p.x), y.cover(p.y), z.cover(p.z); }
  Point middle() const { return {(x.low + x.high) / 2, (y.low + y.high) / 2, (z.low + z.high) / 2}; }
  Point half() const { return {(x.high - x.low) / 2, (y.high - y.low) / 2, (z.high - z.low) / 2}; }
};

using Frames = std::vector<std::vector<Pose<double>>>;

// The largest angle by which a body turns from one frame to the next. Of A^T B: its trace is 1 + 2 cos(angle).
double largest_turn(const Frames& frames) {
  double least = 1;  // cosine
  for (std::size_t i = 1; i < frames.size(); ++i)
    for (std::size_t b = 0; b < frames[i].size(); ++b) {
      const Mat3<double>&A = frames[i - 1][b].R, &B = frames[i][b].R;
      const double trace =
          dot(column_x(A), column_x(B)) + dot(column_y(A), column_y(B)) + dot(column_z(A), column_z(B));
      least = std::min(least, (trace - 1) / 2);
    }
  return std::acos(std::max(least, -1.0));
}
// The largest part of the way of all that a body goes from one frame to the next.
double largest_way(const Frames& frames) {
  Box all;
  double most = 0;
  for (std::size_t i = 0; i < frames.size(); ++i)
    for (std::size_t b = 1; b < frames[i].size(); ++b) {
      all.cover(frames[i][b].r);
      if (i > 0) most = std::max(most, norm(frames[i][b].r - frames[i - 1][b].r));
    }
  return most > 0 ? most / (2 * norm(all.half())) : 0;
}

struct Shown {
  std::vector<std::size_t> samples;
  Frames frames;
};
// As many as usual; more where bodies go far between them, as far as the page carries them.
Shown shown_of(const Model& model, const Record& record) {
  const std::size_t affordable = std::max<std::size_t>(2, most_poses / model.robot().bodies.size());
  for (std::size_t wanted = usual_frames;; wanted *= 2) {
    std::vector<std::size_t> samples = instants(record, std::min(wanted, affordable));
    Frames frames = poses(model, selected(record.q, samples));
    if (wanted >= affordable || samples.size() == record.size() ||
        std::max(largest_turn(frames), largest_way(frames)) <= smooth)
      return {std::move(samples), std::move(frames)};
  }
}

// What people should know of a film that leaves samples out, or whose bodies leap.
std::string remark_of(const Frames& frames, std::size_t samples, double duration) {
  const bool leaps = largest_turn(frames) > leap * std::numbers::pi / 180;
  if (frames.size() == samples && !leaps) return "";
  std::string text = frames.size() < samples ? fmt::format("Shown are {} of {} samples", frames.size(), samples)
                                             : fmt::format("The run has {} samples", samples);
  text += fmt::format(", {} s apart.",
                      readable(duration / static_cast<double>(std::max<std::size_t>(frames.size(), 2) - 1), 2));
  if (leaps)
    text += fmt::format(
        " Where bodies turn by more than {}\u00b0 from one to the next, the film jumps, and traces are straight.",
        leap);
  return text;
}

std::vector<Skeleton::OnBody> corners_of(const Solids& solids) {
  std::vector<Skeleton::OnBody> all;
  for (const Solid& solid : solids.all)
    for (const Point& corner : corners_of(solids, solid)) all.push_back({solid.body, corner});
  return all;
}

Stage stage_of(const Model& model, const Skeleton& skeleton, const std::vector<Skeleton::OnBody>& corners,
               const Frames& frames) {
  Stage stage{view_of(places(skeleton, frames), model.robot().gravity)};
  std::vector<Skeleton::OnBody> marks = skeleton.points;
  marks.insert(marks.end(), corners.begin(), corners.end());
  Box all, first;
  for (const auto& frame : frames)
    for (const auto& [body, at] : marks) {
      const auto& pose = frame[static_cast<std::size_t>(body)];
      const Point p = stage.turned(pose.r + pose.R * at);
      all.cover(p);
      if (&frame == &frames.front() && body > 0) first.cover(p);
    }
  stage.middle = all.middle();
  stage.half = all.half();
  stage.size = std::max(norm(first.half()), 1e-9);
  return stage;
}

// Position in parts of the stage's radius and quaternion, body by body, frame by frame. A quaternion has the sign that
// makes it the nearer one to that of the frame before, so that they can be mixed.
std::string poses_of(const Stage& stage, const Frames& frames) {
  std::vector<std::int16_t> all;
  std::vector<Quat> last(frames.front().size(), {0, 0, 0, 1});
  for (const auto& frame : frames)
    for (std::size_t b = 0; b < frame.size(); ++b) {
      const auto [R, r] = stage(frame[b]);
      Quat q = quaternion(R);
      if (q.dot(last[b]) < 0) q = {-q.x, -q.y, -q.z, -q.w};
      last[b] = q;
      for (const double u : {r.x, r.y, r.z}) all.push_back(rounded(u / stage.radius()));
      for (const double u : {q.x, q.y, q.z, q.w}) all.push_back(rounded(u));
    }
  return base64(all);
}

std::string solid_text(const Solid& solid) {
  const auto& [kind, size, frame, file] = solid.shape;
  const Quat q = quaternion(frame.R);
  return fmt::format("[{},{},{},{},{},{},{}]", solid.body, static_cast<int>(solid.role), static_cast<int>(kind),
                     vector(size), vector(frame.r), numbers({q.x, q.y, q.z, q.w}), solid.mesh);
}

// Points in parts of the box around them.
std::string mesh_text(const Mesh& mesh) {
  Box box;
  for (const Point& p : mesh.points) box.cover(p);
  const Point middle = box.middle(), half = box.half();
  std::vector<std::int16_t> points;
  std::vector<std::uint16_t> corners;
  const auto part = [](double x, double most) { return rounded(most > 0 ? x / most : 0); };
  for (const Point& p : mesh.points)
    points.insert(points.end(),
                  {part(p.x - middle.x, half.x), part(p.y - middle.y, half.y), part(p.z - middle.z, half.z)});
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) corners.push_back(static_cast<std::uint16_t>(corner));
  return fmt::format("{{\"middle\":{},\"half\":{},\"points\":\"{}\",\"triangles\":\"{}\"}}", vector(middle),
                     vector(half), base64(points), base64(corners));
}

// About or along what a degree of freedom moves: a point of one body, a direction of the same or another.
struct DofAxis {
  int at_body;
  Point at;
  int body;
  Point axis;
  bool is_angular;
};
std::vector<DofAxis> dof_axes(const Robot& robot) {
  std::vector<DofAxis> all;
  for (int b = 1; b < static_cast<int>(robot.bodies.size()); ++b) {
    const Body& body = robot.bodies[static_cast<std::size_t>(b)];
    const Pose<double> moving = inverse(body.own_frame);
    const Joint& joint = body.joint;
    const auto on_body = [&](const Point& axis, bool is_angular) {
      all.push_back({b, moving.r, b, moving.R * axis, is_angular});
    };
    const auto on_parent = [&](const Point& axis, bool is_angular) {
      all.push_back({b, moving.r, body.parent, body.joint_frame.R * axis, is_angular});
    };
    const Point x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    switch (joint.type) {
      case JointType::fixed:
        break;
      case JointType::revolute:
      case JointType::continuous:
      case JointType::helical:
        on_body(joint.axis, true);
        break;
      case JointType::prismatic:
        on_body(joint.axis, false);
        break;
      case JointType::universal:
        on_parent(joint.axis, true);
        on_body(joint.axis2, true);
        break;
      case JointType::cylindrical:
        on_body(joint.axis, true);
        on_body(joint.axis, false);
        break;
      case JointType::planar:
        on_parent(x, false);
        on_parent(y, false);
        on_body(z, true);
        break;
      case JointType::spherical:
        for (const Point& e : {x, y, z}) on_body(e, true);
        break;
      case JointType::free:
        for (const Point& e : {x, y, z}) on_body(e, true);
        for (const Point& e : {x, y, z}) on_body(e, false);
    }
  }
  return all;
}
std::string axes_text(const std::vector<DofAxis>& axes) {
  return array(axes, [](const DofAxis& d) {
    return fmt::format("[{},{},{},{},{}]", d.at_body, vector(d.at), d.body, vector(d.axis * (1 / norm(d.axis))),
                       static_cast<int>(d.is_angular));
  });
}

// Arrows are in parts of the longest of their kind.
struct Peaks {
  double angular = 0, linear = 0;
  void cover(bool is_angular, double x) {
    double& peak = is_angular ? angular : linear;
    peak = std::max(peak, std::abs(x));
  }
  std::int16_t part(bool is_angular, double x) const {
    const double peak = is_angular ? angular : linear;
    return rounded(peak > 0 ? x / peak : 0);
  }
  std::string text(const std::vector<std::int16_t>& values) const {
    return fmt::format("{{\"angular\":{},\"linear\":{},\"values\":\"{}\"}}", number(angular), number(linear),
                       base64(values));
  }
};
// What the drives give; those that never give more than rounding explains give nothing.
std::vector<std::vector<double>> felt_drives(const Model& model, const Record& record) {
  std::vector<std::vector<double>> tau = record.tau;
  if (tau.empty() || record.v.empty()) return tau;
  const std::vector<double> noise = noise_of_drives(model, record);
  for (std::size_t k = 0; k < noise.size(); ++k) {
    double most = 0;
    for (const auto& row : tau) most = std::max(most, std::abs(row[k]));
    if (most > noise[k]) continue;
    for (auto& row : tau) row[k] = 0;
  }
  return tau;
}
std::string drives_text(const std::vector<DofAxis>& axes, const std::vector<std::vector<double>>& tau) {
  Peaks peaks;
  for (const auto& row : tau)
    for (std::size_t k = 0; k < row.size(); ++k) peaks.cover(axes[k].is_angular, row[k]);
  if (peaks.angular == 0 && peaks.linear == 0) return "null";
  std::vector<std::int16_t> values;
  for (const auto& row : tau)
    for (std::size_t k = 0; k < row.size(); ++k) values.push_back(peaks.part(axes[k].is_angular, row[k]));
  return peaks.text(values);
}
// About the joint, in the body's axes: moment, then force, body by body from the first.
std::string reactions_text(const Robot& robot, const std::vector<std::vector<Wrench<double>>>& reactions) {
  if (reactions.empty() || reactions.front().empty()) return "null";
  std::vector<std::vector<double>> rows;
  Peaks peaks;
  for (const auto& wrenches : reactions) {
    auto& row = rows.emplace_back();
    for (std::size_t b = 1; b < wrenches.size(); ++b) {
      const auto& [about_origin, f] = wrenches[b];
      const Point n = about_origin - cross(inverse(robot.bodies[b].own_frame).r, f);
      row.insert(row.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
      peaks.cover(true, norm(n));
      peaks.cover(false, norm(f));
    }
  }
  std::vector<std::int16_t> values;
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) values.push_back(peaks.part(k % 6 < 3, row[k]));
  return peaks.text(values);
}

std::string centres_text(const Robot& robot) {
  return array(robot.bodies, [](const Body& body) {
    const Inertial& i = body.inertial;
    return numbers({i.mass, i.com.x, i.com.y, i.com.z});
  });
}

// Of each body: the number of its parent, and where its joint is in its own frame.
std::string parents_text(const Robot& robot) {
  return array(robot.bodies, [](const Body& body) { return std::to_string(body.parent); });
}
std::string pivots_text(const Robot& robot) {
  return array(robot.bodies, [](const Body& body) { return vector(inverse(body.own_frame).r); });
}

template <class Rows> Rows rows_of(const Rows& rows, const std::vector<std::size_t>& samples) {
  Rows chosen;
  if (rows.empty()) return chosen;
  for (const std::size_t k : samples) chosen.push_back(rows[k]);
  return chosen;
}

}  // namespace

Film film_of(const Model& model, const Record& record, std::size_t of_run) {
  const Robot& robot = model.robot();
  const auto [samples, frames] = shown_of(model, record);
  std::vector<double> times;
  times.reserve(samples.size());
  for (const std::size_t k : samples) times.push_back(record.t[k]);

  Skeleton skeleton = skeleton_of(model);
  const Solids solids = solids_of(model, skeleton);
  watch(record, skeleton);
  const std::vector<Skeleton::OnBody> corners = corners_of(solids);
  const Stage stage = stage_of(model, skeleton, corners, frames);
  const std::vector<DofAxis> axes = dof_axes(robot);

  const auto line = [](const Skeleton::Stick& s) { return integers({s.from, s.to, s.body}); };
  const auto joint = [](const Skeleton::Joint& j) {
    return integers({static_cast<int>(j.symbol), j.at, j.from, j.to});
  };
  const auto mark = [](const Skeleton::OnBody& p) { return numbers({double(p.body), p.at.x, p.at.y, p.at.z}); };
  // A floor under everything, in squares of a round size, where there is a down.
  const double square = norm(robot.gravity) > 0 ? round_below(stage.radius() / 3) : 0;
  const std::string remark = remark_of(frames, std::max(of_run, record.size()), record.t.back() - record.t.front());
  std::string json =
      fmt::format("{{\"bodies\":{},\"radius\":{},\"half\":{},\"size\":{},\"thickness\":{},", robot.bodies.size(),
                  number(stage.radius()), vector(stage.half), number(stage.size), number(solids.thickness));
  json += fmt::format("\"leap\":{},\"told\":\"{}\",\n", leap, remark);
  json += fmt::format("\"yaw\":{:.5f},\"pitch\":{:.5f},\"flat\":{},\"square\":{},\n\"t\":{},\n", stage.view.yaw,
                      stage.view.pitch, stage.view.is_square_on, number(square),
                      array(times, [](double t) { return fmt::format("{:.9g}", t); }));
  json += fmt::format(
      "\"points\":{},\n\"sticks\":{},\"springs\":{},\"joints\":{},\"ground\":{},\"tips\":{},\"watched\":{},\n",
      array(skeleton.points, mark), array(skeleton.sticks, line), array(skeleton.springs, line),
      array(skeleton.joints, joint), integers(skeleton.ground), integers(skeleton.tips), integers(skeleton.watched));
  json +=
      fmt::format("\"parents\":{},\"pivots\":{},\n\"solids\":{},\n\"corners\":{},\n\"meshes\":{},\n\"centres\":{},\n",
                  parents_text(robot), pivots_text(robot), array(solids.all, solid_text), array(corners, mark),
                  array(solids.meshes, mesh_text), centres_text(robot));
  json += fmt::format("\"axes\":{},\n\"drives\":{},\n\"reactions\":{},\n\"poses\":\"{}\"}}", axes_text(axes),
                      drives_text(axes, rows_of(felt_drives(model, record), samples)),
                      reactions_text(robot, rows_of(record.reactions, samples)), poses_of(stage, frames));
  return {std::move(json), solids.missing};
}

}  // namespace denoc::figures
