// Everything of a run that figures and the page need, in memory.
#pragma once
#include <string>
#include <vector>

#include "denoc/simulation/simulation.hpp"
#include "output/figures/skeleton.hpp"

namespace denoc::figures {

// One entry per sample; q, v and tau by sample, then by coordinate or degree of freedom; reactions by sample, then by
// body, empty unless the run has them.
struct Record {
  // A point of a body, in its own frame, whose path is shown.
  struct Watched {
    std::string name;
    int body;
    Vec3<double> point;
  };
  std::vector<double> t;
  std::vector<std::vector<double>> q, v, tau;
  std::vector<std::vector<Wrench<double>>> reactions = {};
  std::vector<double> kinetic, potential, input_power, dissipated_power, work, dissipated;

  std::vector<Watched> watched = {};
  double rtol = 0, atol = 0;  // of the integrator: it knows no more; 0: not known, or not controlled

  std::size_t size() const { return t.size(); }
};
void store(Record& record, const Sample& sample);
// Adds the points that the record watches.
void watch(const Record& record, Skeleton& skeleton);
// Every second sample stays, from the first on.
void thin(Record& record);
void drop_last(Record& record);

// All samples, or that many (two or more) at most: those nearest to evenly spaced times, from the first to the last.
std::vector<std::size_t> instants(const Record& record, std::size_t most);

// The rows of those samples.
std::vector<std::vector<double>> selected(const std::vector<std::vector<double>>& rows,
                                          const std::vector<std::size_t>& samples);
// Entry k of every sample.
std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k);
// Kinetic and potential energy together.
std::vector<double> energy(const Record& record);
// Energy since the start less what the balance explains: E(t) - E(0) - work + dissipated. Zero for exact motion.
std::vector<double> balance_defect(const Record& record);
// dy/dt at the samples: the slope of the parabola through each one and its neighbours.
std::vector<double> rate(const std::vector<double>& t, const std::vector<double>& y);

}  // namespace denoc::figures
