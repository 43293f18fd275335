#include "denoc/dynamics/mass_centres.hpp"
#include "denoc/error.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "links.hpp"

namespace denoc::study {

namespace {

Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Matrix3d eigen(const Sym3<double>& a) {
  Matrix3d x;
  x << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
  return x;
}

// The joint's constraints on t_i and its parent's twist, K_i,i-1 t_i-1 + K_ii t_i = 0. What the joint leaves free is
// not constrained: a spherical joint has no rows for w, a free one none at all.       [Angeles7 (7.63), (7.67), (7.79)]
struct Constraint {
  Matrix6d before = Matrix6d::Zero(), own = Matrix6d::Zero();
  Constraint(const StudyLink& link, const Vector3d& c_before) {
    const Matrix3d one = Matrix3d::Identity(), E = tilde(link.e), R = tilde(link.c - link.o),
                   D = tilde(link.o - c_before);
    if (link.p.cols() == 6) return;
    if (link.is_screw && !link.turns) {
      own << one, Matrix3d::Zero(), E * (D + R), E;
      before << -one, Matrix3d::Zero(), Matrix3d::Zero(), -E;
      return;
    }
    if (link.is_screw) {
      own.topLeftCorner<3, 3>() = E;
      before.topLeftCorner<3, 3>() = -E;
    }
    // A screw slides by pitch times what it turns.
    const Matrix3d slide = link.pitch * one;
    own.bottomRows<3>() << R - slide, one;
    before.bottomRows<3>() << D + slide, -one;
  }
};

}  // namespace

// t_ij = [e; s + e x r] with e and s fixed in link j: how it changes where r ends in a point that moves.
//                                                                                       [Angeles7 (7.84), (7.86)]
Vector6d rate_of_column(const StudyLink& mover, int c, const Vector3d& point, const Vector3d& velocity) {
  const Vector3d e = mover.p.col(c).head<3>(), s = mover.p.col(c).tail<3>(), e_rate = mover.w.cross(e);
  Vector6d rate;
  rate << e_rate, mover.w.cross(s) + e_rate.cross(point - mover.o) + e.cross(velocity - mover.v_o);
  return rate;
}

std::vector<StudyLink> study_links(const Model& model, std::span<const double> q, std::span<const double> v) {
  if (!model.rotors().empty())
    throw NotCovered("the papers' matrices know no inertia of drives (rotor_inertia, armature), and joint '" +
                     model.joint_of_dof(model.rotors()[0].dof) + "' has one: leave it out to study the bodies");
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, v, kin);
  const Pose<double> world = inverse(model.bodies()[0].in_link);
  const auto centred = centred_links(model);
  std::vector<StudyLink> links;
  for (int i = 1; i <= model.link_count(); ++i) {
    const auto& link = model.links()[i];
    const Pose<double> pose = world * kin.in_ground[i];
    const auto& [m, c, I] = centred[i];
    const Twist<double>& t = kin.twist[i];
    StudyLink s{link.parent - 1,
                link.columns == 1,
                link.turn != 0,
                link.turn != 0 ? link.slide / link.turn : 0,
                {},
                eigen(pose.r),
                eigen(pose.r + pose.R * c),
                eigen(column_z(pose.R)),
                eigen(pose.R * t.w),
                eigen(pose.R * t.v),
                eigen(pose.R * (t.v + cross(t.w, c))),
                {},
                m,
                eigen(turn(pose.R, I))};
    s.p.resize(6, link.columns);
    model.columns(i, [&](int k, const Twist<double>& p) {
      s.p.col(Eigen::Index(s.dofs.size())) << eigen(pose.R * p.w), eigen(pose.R * p.v);
      s.dofs.push_back(k);
    });
    links.push_back(std::move(s));
  }
  return links;
}

Matrices matrices(const Model& model, std::span<const double> q, std::span<const double> v) {
  require_size(v, model.nv(), "v");
  const auto links = study_links(model, q, v);
  const int m = int(links.size()), n = model.nv();
  const auto square = [&] { return MatrixXd(MatrixXd::Zero(6 * m, 6 * m)); };
  const auto tall = [&](int cols) { return MatrixXd(MatrixXd::Zero(6 * m, cols)); };
  MatrixXd K = square(), M = square(), W = square(), N_l = square(), M_origin = square(), Omega = square(),
           E = square(), T_l = square(), M_tilde = square(), N = tall(n), N_d = tall(n), T = tall(n), T_d = tall(n),
           T_rate = tall(n), N_rate = tall(n), t = tall(1), t_origin = tall(1);
  // N is how the links move when one joint does at unit rate.
  std::vector<double> unit(size_t(n), 0.0);
  for (int k = 0; k < n; ++k) {
    unit[k] = 1;
    const auto moved = study_links(model, q, unit);
    for (int i = 0; i < m; ++i) N.col(k).middleRows<6>(6 * i) << moved[i].w, moved[i].v_o;
    unit[k] = 0;
  }
  for (int i = 0; i < m; ++i) {
    const StudyLink& link = links[i];
    const auto block = [&, i](MatrixXd& of, int j) { return of.block<6, 6>(6 * i, 6 * j); };
    const Matrix3d omega = tilde(link.w);
    block(M, i) = inertia_about(link, link.c);
    block(M_origin, i) = inertia_about(link, link.o);
    block(W, i).topLeftCorner<3, 3>() = omega;
    block(Omega, i) << omega, Matrix3d::Zero(), Matrix3d::Zero(), omega;
    block(E, i).topLeftCorner<3, 3>().setIdentity();
    t.middleRows<6>(6 * i) << link.w, link.v_c;
    t_origin.middleRows<6>(6 * i) << link.w, link.v_o;

    const Constraint constraint(link, link.parent < 0 ? Vector3d::Zero().eval() : links[link.parent].c);
    block(K, i) = constraint.own;
    if (link.parent >= 0) block(K, link.parent) = constraint.before;

    for (int c = 0; c < int(link.dofs.size()); ++c) {
      N_d.col(link.dofs[c]).middleRows<6>(6 * i) = link.p.col(c);
      T_d.col(link.dofs[c]).middleRows<6>(6 * i) = propagation(link.c, link.o) * link.p.col(c);
    }
    for (int j = i; j >= 0; j = links[j].parent) {  // joint j moves link i
      const StudyLink& mover = links[j];
      block(N_l, j) = propagation(link.o, mover.o);
      block(T_l, j) = propagation(link.c, mover.c);
      for (int c = 0; c < int(mover.dofs.size()); ++c) {
        const int k = mover.dofs[c];
        T.col(k).middleRows<6>(6 * i) = propagation(link.c, mover.o) * mover.p.col(c);
        T_rate.col(k).middleRows<6>(6 * i) = rate_of_column(mover, c, link.c, link.v_c);
        N_rate.col(k).middleRows<6>(6 * i) = rate_of_column(mover, c, link.o, link.v_o);
      }
    }
  }
  // M~_i = M_i + sum B^T M~ B tip to base, then M~_i B_ij for the links j that carry i.              [Saha97 (4), (7)]
  for (int i = m; i-- > 0;) {
    const auto own = [&](int k) { return M_tilde.block<6, 6>(6 * k, 6 * k); };
    own(i) += inertia_about(links[i], links[i].c);
    if (const int j = links[i].parent; j >= 0) {
      const Matrix6d B = propagation(links[i].c, links[j].c);
      own(j) += B.transpose() * own(i) * B;
    }
    for (int j = links[i].parent; j >= 0; j = links[j].parent) {
      M_tilde.block<6, 6>(6 * i, 6 * j) = own(i) * propagation(links[i].c, links[j].c);
      M_tilde.block<6, 6>(6 * j, 6 * i) = M_tilde.block<6, 6>(6 * i, 6 * j).transpose();
    }
  }
  return {.K = to_matrix(K),
          .T = to_matrix(T),
          .T_rate = to_matrix(T_rate),
          .M = to_matrix(M),
          .W = to_matrix(W),
          .t = to_matrix(t),
          .C = to_matrix(T.transpose() * (M * T_rate + W * M * T)),
          .T_l = to_matrix(T_l),
          .T_d = to_matrix(T_d),
          .M_tilde = to_matrix(M_tilde),
          .N = to_matrix(N),
          .N_rate = to_matrix(N_rate),
          .N_l = to_matrix(N_l),
          .N_d = to_matrix(N_d),
          .M_origin = to_matrix(M_origin),
          .Omega = to_matrix(Omega),
          .E = to_matrix(E),
          .t_origin = to_matrix(t_origin)};
}

std::span<const Name> names() {
  using enum Name::Entries;
  static constexpr Name all[] = {
      {"K", "constraints of the joints: K t = 0", links, links, &Matrices::K},
      {"T", "natural orthogonal complement: t = T v, K T = 0", links, dofs, &Matrices::T},
      {"T'", "its rate: t' = T a + T' v", links, dofs, &Matrices::T_rate},
      {"M", "inertias about the mass centres: I = T^T M T", links, links, &Matrices::M},
      {"W", "angular velocities: W t = 0, M' = W M - M W", links, links, &Matrices::W},
      {"t", "twists of the mass centres", links, one, &Matrices::t},
      {"C", "Coriolis and centrifugal forces are C v: C = T^T M T' + T^T W M T, I' = C + C^T", dofs, dofs,
       &Matrices::C},
      {"T_l", "its lower block triangular part about mass centres: blocks B_ij, T = T_l T_d", links, links,
       &Matrices::T_l},
      {"T_d", "its block diagonal part: p_i about the mass centres", links, dofs, &Matrices::T_d},
      {"Mtil", "composite bodies about mass centres: T_l^T M T_l, I = T_d^T Mtil T_d", links, links,
       &Matrices::M_tilde},
      {"N", "complement about the links' origins: N = N_l N_d", links, dofs, &Matrices::N},
      {"N'", "its rate: t_o' = N a + N' v", links, dofs, &Matrices::N_rate},
      {"N_l", "its lower block triangular part: how twists travel", links, links, &Matrices::N_l},
      {"N_d", "its block diagonal part: the joints' columns", links, dofs, &Matrices::N_d},
      {"M_o", "inertias about the links' origins: I = N^T M_o N", links, links, &Matrices::M_origin},
      {"Omega", "angular velocities, for moments and forces: w = M_o t' + Omega M_o E t", links, links,
       &Matrices::Omega},
      {"E", "picks the angular part: E t = [w; 0]", links, links, &Matrices::E},
      {"t_o", "twists of the links' origins: t_o = N v", links, one, &Matrices::t_origin},
  };
  return all;
}

}  // namespace denoc::study
