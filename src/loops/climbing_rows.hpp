// The unit forces of a loop's rows on their way to the ground, as a translation unit compiled for one instruction set
// offers it: DENOC_CLIMBING_ROWS(avx2). Every function here carries Isa in its type, so that no code is shared with
// files compiled for another (scripts/isa_symbols checks it).
#pragma once
#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/loops/closure.hpp"
#include "denoc/scalar/pack.hpp"
#include "scalar/instruction_sets.hpp"

namespace denoc {

// What the unit forces of some rows do at the ends of their loop, row beside row: moment and force on the links of a and
// b, and on the joints of these links (couplings).
struct UnitForces {
  static constexpr int most = 4;
  int rows = 0, link_a = 0, link_b = 0;
  double on_a[6][most] = {}, on_b[6][most] = {}, load_a[most] = {}, load_b[most] = {};
};

// Each joint takes its part, the entries of B at to[entry] for the joints in turn:
//   phihat = p^T w,  w -= psi phihat                                                    [Mohan07 (34)-(35), eta = -w]
template <int width, class Isa = AnyIsa>
void climb_rows(const Model& model, const Configuration<double>& at, const Factor<double>& factor, const LoopPath& path,
                const UnitForces& given, const int* entry, double* to) {
  using Rows = Pack<double, width, Isa>;
  const auto rows = [](const double* numbers) DENOC_INLINED {
    Rows loaded;
    for (int r = 0; r < width; ++r) loaded.v[r] = numbers[r];
    return loaded;
  };
  const auto wrench = [&](const double(&w)[6][UnitForces::most]) DENOC_INLINED {
    return Wrench<Rows>{{rows(w[0]), rows(w[1]), rows(w[2])}, {rows(w[3]), rows(w[4]), rows(w[5])}};
  };
  const Rows load_a = rows(given.load_a), load_b = rows(given.load_b);
  climb<Rows, double>(model, at, path, wrench(given.on_a), wrench(given.on_b),
                      [&](int i, Wrench<Rows>& w) DENOC_INLINED {
                        const auto& link = model.links()[i];
                        const Rows load = i == given.link_a ? load_a : i == given.link_b ? load_b : Rows(0);
                        model.with_eliminated_columns(i, [&](const auto& columns) DENOC_INLINED {
                          w = full<Rows>(columns.inward(w, [&](auto p, const auto& arriving) DENOC_INLINED {
                            const Rows hat = dot(p, arriving) + load;
                            double* const taken = to + *entry++;
                            for (int r = 0; r < width; ++r)
                              if (r < given.rows) taken[r] = hat.v[r];
                            return loaded(p, arriving, factor.psi[link.dof + p.number], -hat, -load);
                          }));
                        });
                      });
}

struct ClimbingRows {
  decltype(&climb_rows<2>) two;
  decltype(&climb_rows<4>) four;
};

#define DENOC_DECLARE(isa, ...) const ClimbingRows& isa##_climbing_rows();
DENOC_FOR_INSTRUCTION_SETS(DENOC_DECLARE)
#undef DENOC_DECLARE

#define DENOC_CLIMBING_ROWS(isa)                                                   \
  namespace denoc {                                                                \
  namespace {                                                                      \
  struct isa {};                                                                   \
  }                                                                                \
  const ClimbingRows& isa##_climbing_rows() {                                      \
    static constexpr ClimbingRows rows = {climb_rows<2, isa>, climb_rows<4, isa>}; \
    return rows;                                                                   \
  }                                                                                \
  }

}  // namespace denoc
