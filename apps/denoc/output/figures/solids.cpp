#include "output/figures/solids.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "output/figures/axis.hpp"

namespace denoc::figures {
namespace {

using Role = Solid::Role;
using Kind = Shape::Kind;
constexpr int most_balls = 24;                  // a rope has none: the ends of its capsules are round
constexpr std::size_t most_triangles = 50'000;  // of a page: some 0.7 MB

Point point(const Eigen::Vector3d& p) { return {p.x(), p.y(), p.z()}; }
Mat3<double> matrix(const Point& x, const Point& y, const Point& z) {
  return {x.x, y.x, x.y, y.y, x.z, y.z, z.x, z.y, z.z};
}

// A frame at `at` whose z is along the axis.
Pose<double> along(const Point& axis, const Point& at) {
  const Point z = unit(axis), x = unit(cross(z, std::abs(z.x) < 0.9 ? Point{1, 0, 0} : Point{0, 1, 0}));
  return {matrix(x, cross(z, x), z), at};
}

// The uniform block with a body's mass and inertia: of edges a, b, c the second moments are m a^2/12, ...
// S = tr(I)/2 - I has them on its principal axes.
struct Block {
  Pose<double> frame;
  Point edges{0, 0, 0};

  explicit Block(const Inertial& inertial) {
    frame.r = inertial.com;
    if (inertial.mass <= 0) return;
    const Sym3<double>& I = inertial.inertia;
    Eigen::Matrix3d S;
    S << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    S = S.trace() / 2 * Eigen::Matrix3d::Identity() - S;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(S);
    const auto edge = [&](int k) { return std::sqrt(12 * std::max(0.0, solver.eigenvalues()[k]) / inertial.mass); };
    edges = {edge(0), edge(1), edge(2)};  // rising
    const Point x = point(solver.eigenvectors().col(0)), z = point(solver.eigenvectors().col(2));
    frame.R = matrix(x, cross(z, x), z);
  }
  bool is_solid() const { return edges.x > 0.12 * edges.z; }
  // How far the point is outside.
  double distance(const Point& p) const {
    const Point d = back(frame.R, p - frame.r);
    const auto over = [](double x, double edge) { return std::max(0.0, std::abs(x) - edge / 2); };
    return norm(Point{over(d.x, edges.x), over(d.y, edges.y), over(d.z, edges.z)});
  }
  void limit(double least, double most) {
    for (double* edge : {&edges.x, &edges.y, &edges.z}) *edge = std::clamp(*edge, least, most);
  }
  void cover(const std::vector<Point>& points) {
    Range xs, ys, zs;
    for (const double sign : {-0.5, 0.5}) xs.cover(sign * edges.x), ys.cover(sign * edges.y), zs.cover(sign * edges.z);
    for (const Point& p : points) {
      const Point d = back(frame.R, p - frame.r);
      xs.cover(d.x), ys.cover(d.y), zs.cover(d.z);
    }
    edges = {xs.high - xs.low, ys.high - ys.low, zs.high - zs.low};
    frame.r = frame.r + frame.R * (Point{xs.low + xs.high, ys.low + ys.high, zs.low + zs.high} * 0.5);
  }
  // A ball or an upright cylinder where the edges say so: a uniform one has m r^2/5 or m r^2/4 for m a^2/12.
  Shape shape() const {
    const auto are_alike = [](double a, double b) { return std::max(a, b) < 1.12 * std::min(a, b); };
    const bool is_round = are_alike(edges.x, edges.y);
    if (is_round && are_alike(edges.x, edges.z)) return {Kind::sphere, {edges.y * std::sqrt(5.0 / 12), 0, 0}, frame};
    if (is_round) return {Kind::cylinder, {edges.y / std::sqrt(3.0), edges.z, 0}, frame};
    return {Kind::box, edges, frame};
  }
};

bool turns(JointType type) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::helical ||
         type == JointType::cylindrical;
}
bool is_ball(JointType type) { return type == JointType::universal || type == JointType::spherical; }

class Builder {
 public:
  Builder(const Model& model, const Skeleton& skeleton)
      : robot_(model.robot()), rods_(size()), attached_(size()), is_shaped_(size(), false) {
    for (const Skeleton::Stick& stick : skeleton.sticks)
      if (stick.body > 0)
        rods_[index(stick.body)].push_back(
            {on_body(skeleton, stick.from, stick.body), on_body(skeleton, stick.to, stick.body)});
    std::vector<double> reach(size(), 0), lengths;
    for (int b = 1; b < count(); ++b) {
      const Body& link = body(b);
      attached_[index(link.parent)].push_back(link.joint_frame.r);
      reach[index(b)] = reach[index(link.parent)] + norm(link.joint_frame.r) + norm(link.own_frame.r);
      extent_ = std::max(extent_, reach[index(b)] + length(b));
      if (length(b) > 0) lengths.push_back(length(b));
    }
    for (const Loop& loop : robot_.loops)
      for (const Attachment& end : {loop.a, loop.b}) attached_[index(end.body)].push_back(end.frame.r);
    if (extent_ <= negligible) extent_ = 1;  // nothing but joints in one place
    std::sort(lengths.begin(), lengths.end());
    typical_ = lengths.empty() ? extent_ / 2 : lengths[lengths.size() / 2];
    result_.thickness = std::max(0.045 * typical_, 0.0075 * extent_);
  }

  Solids solids() {
    add_shapes();
    const bool is_drawn_by_file = std::find(is_shaped_.begin(), is_shaped_.end(), true) != is_shaped_.end();
    for (int b = 1; b < count(); ++b) {
      // In a file that draws its bodies one without shapes is a mere frame, unless its meshes are missing.
      if (is_shaped_[index(b)] || (is_drawn_by_file && body(b).shapes.empty())) continue;
      add_body(b);
      add_joint(b);
    }
    for (const Loop& loop : robot_.loops)
      if (loop.type == LoopType::revolute && !is_drawn_by_file)
        add(loop.a.body, Role::joint, drum(loop.axis, loop.a.frame, radius(loop.a.body)));
    return std::move(result_);
  }

 private:
  struct Rod {
    Point from, to;  // in the body's frame
    double length() const { return norm(to - from); }
    double distance(const Point& p) const {
      const Point d = to - from;
      const double part = std::clamp(dot(p - from, d) / std::max(dot(d, d), negligible * negligible), 0.0, 1.0);
      return norm(from + d * part - p);
    }
  };
  const Robot& robot_;
  std::vector<std::vector<Rod>> rods_;
  std::vector<std::vector<Point>> attached_;  // to each body: joints of others, ends of loops
  std::vector<bool> is_shaped_;
  double extent_ = 0, typical_ = 0;  // of the whole robot, of a link
  Solids result_ = {};

  static std::size_t index(int b) { return static_cast<std::size_t>(b); }
  std::size_t size() const { return robot_.bodies.size(); }
  int count() const { return static_cast<int>(size()); }
  const Body& body(int b) const { return robot_.bodies[index(b)]; }
  Pose<double> joint_in_body(int b) const { return inverse(body(b).own_frame); }
  void add(int b, Role role, const Shape& shape) { result_.all.push_back({b, role, shape}); }

  // A stick may begin at a point of the parent: there the joint is.
  Point on_body(const Skeleton& skeleton, int p, int b) const {
    const auto& [carrier, at] = skeleton.points[index(p)];
    return carrier == b ? at : joint_in_body(b).r;
  }
  double length(int b) const {
    double longest = 0;
    for (const Rod& rod : rods_[index(b)]) longest = std::max(longest, rod.length());
    return longest;
  }

  // Of the uniform cylinder about the body's long axis with its second moments across, as far as that looks like a link.
  double radius(int b) const {
    const double least = result_.thickness;
    if (b == 0) return least;
    const Block block(body(b).inertial);
    const double across = std::sqrt((block.edges.x * block.edges.x + block.edges.y * block.edges.y) / 2);
    return std::clamp(across / std::sqrt(3.0), least, std::max(least, 0.13 * std::max(length(b), typical_)));
  }

  // Those of the file; what cannot be read is said.
  void add_shapes() {
    std::map<std::string, int> known;  // meshes by file, -1: not readable
    for (int b = 0; b < count(); ++b)
      for (const Shape& shape : body(b).shapes) {
        int mesh = -1;
        if (shape.kind == Kind::mesh) {
          const auto [found, is_new] = known.try_emplace(shape.mesh, -1);
          if (is_new) found->second = read(shape.mesh);
          mesh = found->second;
          if (mesh < 0) continue;
        }
        result_.all.push_back({b, b == 0 ? Role::ground : Role::link, shape, mesh});
        is_shaped_[index(b)] = true;
      }
    thin_meshes();
  }
  int read(const std::string& file) {
    try {
      result_.meshes.push_back(read_mesh(file));
      return static_cast<int>(result_.meshes.size()) - 1;
    } catch (const MeshError& error) {
      result_.missing.emplace_back(error.what());
      return -1;
    }
  }
  // One size of cells for all, in metres: what is near to each other is as detailed.
  void thin_meshes() {
    const std::vector<Mesh> whole = result_.meshes;
    std::vector<double> scale(whole.size(), 1e-12);  // the largest of each
    Range size;
    for (const Solid& solid : result_.all) {
      if (solid.mesh < 0) continue;
      const Point& s = solid.shape.size;
      double& largest = scale[index(solid.mesh)];
      largest = std::max({largest, std::abs(s.x), std::abs(s.y), std::abs(s.z)});
      for (const Point& corner : corners_of(result_, solid)) size.cover(norm(corner - solid.shape.frame.r));
    }
    if (whole.empty()) return;
    for (double cell = size.high / 300;; cell *= 1.25) {
      std::size_t triangles = 0, points = 0;
      for (std::size_t i = 0; i < whole.size(); ++i) {
        result_.meshes[i] = clustered(whole[i], cell / scale[i]);
        triangles += result_.meshes[i].triangles.size();
        points = std::max(points, result_.meshes[i].points.size());
      }
      if (triangles <= most_triangles && points < 65'536) return;  // corners are numbers of 16 bits
    }
  }

  void rod(int b, const Point& from, const Point& to, double r) {
    const double length = norm(to - from);
    if (length > negligible) add(b, Role::link, {Kind::capsule, {r, length, 0}, along(to - from, (from + to) * 0.5)});
  }

  // A trunk is the block with its inertia that also reaches the joints it carries. What ends a chain, or is shorter
  // than it is thick, is that block. What is left are rods; a mass centre far from them has a block of its own.
  void add_body(int b) {
    const Body& link = body(b);
    const double r = radius(b);
    Block block(link.inertial);
    const std::vector<Point>& carried = attached_[index(b)];
    const bool is_trunk = link.joint.type == JointType::free || carried.size() >= 3;
    const bool is_end = carried.empty() && block.is_solid();
    const bool is_lump = block.is_solid() && block.edges.z > 1.2 * length(b);
    const double off = offset(b, link.inertial.com);
    if (is_trunk && link.inertial.mass > 0) {
      block.limit(2 * result_.thickness, extent_);
      block.cover(carried);
      return add(b, Role::link, block.shape());
    }
    if (is_end || is_lump) {
      block.limit(1.6 * result_.thickness, 0.35 * extent_);
      add(b, Role::link, block.shape());
      const Point joint = joint_in_body(b).r;
      if (block.distance(joint) > 0) rod(b, joint, link.inertial.com, std::min(r, block.edges.x / 2));
      for (const Point& p : carried)
        if (block.distance(p) > 0) rod(b, link.inertial.com, p, std::min(r, block.edges.x / 2));
      return;
    }
    for (const Rod& piece : rods_[index(b)]) rod(b, piece.from, piece.to, r);
    if (rods_[index(b)].empty()) add(b, Role::link, {Kind::sphere, {1.15 * r, 0, 0}, joint_in_body(b)});
    if (link.inertial.mass > 0 && off > 2 * r && off < 0.35 * extent_) {
      block.limit(1.6 * r, 0.35 * extent_);
      add(b, Role::link, block.shape());
      const Point joint = joint_in_body(b).r;
      if (block.distance(joint) > 0) rod(b, joint, link.inertial.com, 0.7 * r);
    }
  }
  double offset(int b, const Point& p) const {
    double least = norm(p - joint_in_body(b).r);
    for (const Rod& piece : rods_[index(b)]) least = std::min(least, piece.distance(p));
    return least;
  }

  static Shape drum(const Point& axis, const Pose<double>& frame, double r) {
    return {Kind::cylinder, {1.18 * r, 2.5 * r, 0}, along(frame.R * axis, frame.r)};
  }
  void add_joint(int b) {
    const Body& link = body(b);
    const Pose<double> at = joint_in_body(b);
    const JointType type = link.joint.type;
    const double r = std::min(radius(b), link.parent > 0 ? 1.3 * radius(link.parent) : radius(b));
    if (turns(type)) add(b, Role::joint, drum(link.joint.axis, at, r));
    if (is_ball(type) && count() <= most_balls) add(b, Role::joint, {Kind::sphere, {1.3 * r, 0, 0}, at});
    if (type == JointType::prismatic)
      add(link.parent, Role::joint,
          {Kind::box, {3 * r, 3 * r, 5 * r}, along(link.joint_frame.R * link.joint.axis, link.joint_frame.r)});
    if (link.parent == 0 && (turns(type) || is_ball(type))) add_stand(b, r);
  }
  // What holds the robot: under an upright axis a column, else a bracket.
  void add_stand(int b, double r) {
    const Body& link = body(b);
    const Point axis = unit(link.joint_frame.R * link.joint.axis), gravity = robot_.gravity;
    const bool is_upright = norm(gravity) > 0 && std::abs(dot(axis, unit(gravity))) > 0.95 && turns(link.joint.type);
    if (!is_upright)
      return add(0, Role::ground, {Kind::box, {3.4 * r, 3.4 * r, 1.8 * r}, along(axis, link.joint_frame.r)});
    const double height = 0.22 * extent_;
    const Point down = unit(gravity), foot = link.joint_frame.r + down * height;
    add(0, Role::ground, {Kind::cylinder, {1.7 * r, height, 0}, along(down, link.joint_frame.r + down * (height / 2))});
    add(0, Role::ground, {Kind::cylinder, {3 * r, 0.6 * r, 0}, along(down, foot)});
  }
};

}  // namespace

Solids solids_of(const Model& model, const Skeleton& skeleton) { return Builder(model, skeleton).solids(); }

std::vector<Point> corners_of(const Solids& solids, const Solid& solid) {
  const auto& [kind, size, frame, file] = solid.shape;
  Point low{0, 0, 0}, high;
  switch (kind) {
    case Kind::box:
      high = size * 0.5;
      break;
    case Kind::sphere:
      high = {size.x, size.x, size.x};
      break;
    case Kind::cylinder:
      high = {size.x, size.x, size.y / 2};
      break;
    case Kind::capsule:
      high = {size.x, size.x, size.y / 2 + size.x};
      break;
    case Kind::ellipsoid:
      high = size;
      break;
    case Kind::mesh: {
      Range x, y, z;
      for (const Point& p : solids.meshes[static_cast<std::size_t>(solid.mesh)].points)
        x.cover(p.x * size.x), y.cover(p.y * size.y), z.cover(p.z * size.z);
      low = {x.low, y.low, z.low};
      high = {x.high, y.high, z.high};
    }
  }
  if (kind != Kind::mesh) low = high * -1.0;
  std::vector<Point> corners;
  for (const double x : {low.x, high.x})
    for (const double y : {low.y, high.y})
      for (const double z : {low.z, high.z}) corners.push_back(frame.r + frame.R * Point{x, y, z});
  return corners;
}

}  // namespace denoc::figures
