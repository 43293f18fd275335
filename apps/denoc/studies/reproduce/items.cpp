#include "studies/reproduce/items.hpp"

#include <algorithm>
#include <iterator>

namespace denoc::app {
namespace {

using enum Reproduced;

constexpr std::string_view a_sketch = "a sketch that names symbols: it has no numbers",
                           curves_are_lost = "the curves are missing from the scan; these are ours";

constexpr Item every_item[] = {
    {"saha97", "Fig. 1, Fig. 2", "an n-link manipulator; two coupled links", no, {}, a_sketch},
    {"saha97", "(1)-(8)", "T = T_l T_d, B_ij, M~, and i_ij = p_i^T M~_i B_ij p_j", yes, "complements"},
    {"saha97", "(9)-(13)", "I = U D U^T by reverse Gaussian elimination", yes, "decomposition"},
    {"saha97", "(14)-(19)", "forward dynamics: three triangular systems", yes, "solution"},
    {"saha97", "Table I", "operations of forward dynamics", yes, "table-1"},
    {"saha97", "Introduction", "solutions by O(n) algorithms are smoother, integration converges faster", yes,
     "smoother"},
    {"saha97", "Appendix, (20)-(27)", "elementary matrices and the recursion of Mhat about mass centres", yes,
     "decomposition", "with the misprints of (17), (18), (25) and (27) corrected"},
    {"saha97", "Fig. 8 on its first page", "nails driven by a hammer", no, {}, "the last page of another paper"},

    {"mata02", "(1)-(22)", "Gibbs's function, its gradient and its Hessian", yes, "table-1",
     "methods `gibbs-appell`; `denoc compare` holds them against the others"},
    {"mata02", "4.1, 4.2", "the two algorithms, step by step with their costs", yes, "table-1"},
    {"mata02", "Table 1", "operations of inverse dynamics", yes, "table-1"},
    {"mata02", "Table 2", "operations of the inertia matrix", yes, "table-2"},
    {"mata02", "Table 3", "operations of forward dynamics, part by part", yes, "table-3"},
    {"mata02", "Table 4", "the same for n = 6, four methods", yes, "table-4"},
    {"mata02", "Fig. 1", "a manipulator of two bodies", no, {}, a_sketch},
    {"mata02", "Fig. 2", "accelerations in single precision, and the condition number", yes, "table-5",
     curves_are_lost},
    {"mata02", "Table 5", "errors in single precision", partly, "table-5",
     "the averages of two methods are not found: the grouping of their sums is not printed"},
    {"mata02", "5.2, Fig. 3", "a PUMA on a straight line", partly, "line",
     "which PUMA, and which posture, is not said: the shipped one, every posture"},
    {"mata02", "Fig. 4", "a block diagram of the procedure", no, {}, "it has no numbers"},
    {"mata02", "Table 6", "average errors of angles, rates and accelerations", partly, "line",
     "the table is missing from the scan; these are ours"},
    {"mata02", "Table 7", "time and evaluations by method", partly, "line",
     "the table is missing from the scan; these are ours"},

    {"mohan07", "Fig. 1, Fig. 2, Fig. A.1", "a serial robot, its link, DH parameters", no, {}, a_sketch},
    {"mohan07", "(1)-(37)", "equations of motion, and their solution by U D U^T", yes, "table-1",
     "`denoc study` writes the matrices out; the misprints of (6), (13), (24), (27), (28), (33) corrected"},
    {"mohan07", "4.1, steps 1 to 15", "the algorithm with its costs", yes, "table-1"},
    {"mohan07", "Table 1", "operations of forward dynamics, and from which n on O(n) wins", yes, "table-1"},
    {"mohan07", "Table 2, Fig. 3", "the PUMA", yes, "table-2"},
    {"mohan07", "4.2", "an eigenvalue of the inertia matrix passes zero at 5.5 s", yes, "zero-eigenvalue"},
    {"mohan07", "Fig. 4", "torques of the motion (38)", yes, "fig-4", curves_are_lost},
    {"mohan07", "Fig. 5", "angles, simulated and desired", yes, "fig-5", curves_are_lost},
    {"mohan07", "Fig. 6", "errors of the angles, both methods", yes, "fig-6", curves_are_lost},
    {"mohan07", "5, text", "the recursive method lasts longer: 5.2 s against 1.5 s", yes, "lasts-longer",
     "found for the robot as printed, not for the right one; 1.5 s are found nowhere"},
    {"mohan07", "Fig. 7", "accelerations of joint 3: smoother by the recursion", yes, "fig-7", curves_are_lost},
    {"mohan07", "Fig. 8", "power, desired and simulated", yes, "fig-8", curves_are_lost},
    {"mohan07", "Table 3", "how long the angles follow", yes, "lasts-longer"},
    {"mohan07", "Fig. 9", "times of the processor", partly, "fig-9",
     "the curves are missing from the scan; ours are of another machine and compiled code"},
    {"mohan07", "5, text", "steps of 0.1 to 0.0001 s make no difference; smoother, hence fewer iterations", yes,
     "fig-9"},

    {"shah13",
     "Fig. 1, Fig. 2, Fig. 3",
     "a tree of modules, a module and its parent, what lies beyond it",
     no,
     {},
     a_sketch},
    {"shah13", "(1)-(14)", "module twists, A^{i,beta}, N^i, N_l, N_d and the equations of motion", yes, "modules"},
    {"shah13", "Fig. 4", "the gripper", partly, "modules", "where the thumb stands is left open: see there"},
    {"shah13", "Table 1", "inverse dynamics, from module to module and from link to link", yes, "table-1"},
    {"shah13", "2.2, text", "determinate and indeterminate subsystems of closed chains", yes, "subsystems"},
    {"shah13", "(15), Table 2, Fig. 5", "a motion of the gripper and its torques", partly, "fig-5",
     "the curves are missing from the scan, and those of ADAMS with them; these are ours"},
    {"shah13", "3.1, text", "0.025 s for the torques, 1.95 s by ADAMS", yes, "fig-5"},
    {"shah13", "(16)-(23)", "M~ of composite and Mhat of articulated modules, Phi, U and D by blocks", yes, "modules"},
    {"shah13", "Table 3", "forward dynamics, from module to module and from link to link", yes, "table-3"},
    {"shah13", "Fig. 6", "the gripper falls; 0.29 s, 31 s by ADAMS", partly, "fig-6",
     "the curves are missing from the scan, and those of ADAMS with them; these are ours"},
    {"shah13", "Table 4", "operations of inverse and forward dynamics", yes, "table-4"},
    {"shah13", "Fig. 7", "a rope of 100 degrees of freedom; 3.44 s", partly, "fig-7",
     "the curves are missing from the scan, and where the rope starts is not said; these are ours"},
    {"shah13", "Fig. 8 (captioned Fig. 3)", "operations against the number of joints", yes, "fig-8", curves_are_lost},

    {"angeles7", "Example 7.3.1, Fig. 7.1", "a planar arm by Euler and Lagrange", yes, "planar-arm"},
    {"angeles7", "Fig. 7.2 to 7.6", "joints, free bodies, a chain of links", no, {}, a_sketch},
    {"angeles7", "Algorithm 7.4.1, Table 7.1", "the outward recursion and its cost", yes, "tables-1-2",
     "method `newton-euler`; the prismatic branch of the algorithm corrected"},
    {"angeles7", "Algorithm 7.4.2, Table 7.2", "the inward recursion and its cost", yes, "tables-1-2"},
    {"angeles7", "(7.43), Table 7.3", "operations of inverse dynamics", yes, "tables-3-4"},
    {"angeles7", "Table 7.4", "the same for n = 6", yes, "tables-3-4"},
    {"angeles7", "(7.44), 7.7", "gravity as an acceleration of the base", yes, "exercise-10",
     "all methods of denoc do it; that it costs nothing is counted there"},
    {"angeles7", "7.5, (7.45)-(7.86)", "the natural orthogonal complement T, K, C of (7.59)", yes, "exercise-1",
     "`denoc study` writes them out"},
    {"angeles7", "Example 7.5.1", "the shortest time of a motion", yes, "minimum-time", "in letters: stated numbers"},
    {"angeles7", "7.5.2, (7.87)-(7.90)", "a base that floats", yes, "floating-base", "T of (7.89) corrected"},
    {"angeles7", "(7.91)-(7.106)", "forward dynamics by P^T P and Cholesky, and by orthogonalisation", yes,
     "forward-counts", "methods `noc-cholesky` and `noc-qr`"},
    {"angeles7", "Example 7.6.1, Fig. 7.7", "a spatial arm: I, its rate, C theta'", yes, "spatial-arm"},
    {"angeles7", "7.6.1, Example 7.6.2", "planar robots by the complement", yes, "planar-arm"},
    {"angeles7", "Algorithms 7.6.1 and 7.6.2, Fig. 7.8, (7.112)-(7.118)",
     "the inertia matrix, forward dynamics and their costs", yes, "forward-counts"},
    {"angeles7", "7.6.3, (7.119)-(7.121)", "simulation: explicit and implicit methods", yes, "integrators"},
    {"angeles7", "7.8, (7.122)-(7.138)", "friction", yes, "friction", "formulas only: stated robots"},
    {"angeles7", "Exercise 7.1", "laws of W, M and the momenta", yes, "exercise-1"},
    {"angeles7", "Exercise 7.2", "what gamma of Example 7.3.1 means", yes, "exercise-2"},
    {"angeles7", "Exercise 7.3", "torques of the decoupled arm", partly, "exercise-3",
     "dimensions and posture stand in a figure of another chapter: those of a PUMA are taken"},
    {"angeles7", "Exercise 7.4, Fig. 7.9", "belts, bevel gears and cams", yes, "exercise-4", "stated geometries"},
    {"angeles7", "Exercise 7.5", "I' - 2 C of the planar arm", yes, "exercise-5"},
    {"angeles7", "Exercise 7.6, Fig. 7.10", "a wrist", yes, "exercise-6", "in letters: stated numbers"},
    {"angeles7", "Exercise 7.7, Fig. 7.11", "a pointing device", yes, "exercise-6",
     "the figure is missing: a stated geometry"},
    {"angeles7", "Exercise 7.8", "no gyroscopic terms in the plane", yes, "exercise-8"},
    {"angeles7", "Exercise 7.9", "torques that balance a wrench, and their cost", yes, "exercise-9"},
    {"angeles7", "Exercise 7.10", "cost of Coriolis and centrifugal forces by Newton and Euler", yes, "exercise-10"},
    {"angeles7", "Exercise 7.11, Fig. 7.12, Table 7.5", "an RRP arm", yes, "exercise-6", "in letters: stated numbers"},
    {"angeles7", "Exercise 7.12", "isotropic links", yes, "exercise-12"},
    {"angeles7", "Exercise 7.13", "Algorithm 7.6.1 in the plane, and its cost", yes, "exercise-13"},
    {"angeles7", "Exercise 7.14", "the inertia matrix in numbers", yes, "exercise-14"},
    {"angeles7", "Exercise 7.15", "I' - 2 C is skew-symmetric", yes, "exercise-5"},
};

}  // namespace

std::vector<Item> items_of(std::string_view document) {
  std::vector<Item> some;
  std::copy_if(std::begin(every_item), std::end(every_item), std::back_inserter(some),
               [&](const Item& item) { return item.document == document; });
  return some;
}

}  // namespace denoc::app
