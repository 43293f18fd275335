// The files of a run, in one folder; they appear together when the run is complete.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "denoc/io/npz.hpp"
#include "denoc/io/result_set.hpp"
#include "denoc/io/rows.hpp"
#include "denoc/scenario/scenario.hpp"

namespace denoc::app {

// trajectory.csv and power.csv; reactions.csv and trajectory.npz if the scenario wants them; events.csv if there are
// any; figures and pages that are handed to it; manifest.json, which names them all. Every call throws WriteError.
class Recorder {
 public:
  // `pages`: the names of those that may be handed to it.
  Recorder(const std::filesystem::path& folder, const Scenario& scenario, const std::vector<std::string>& pages = {});

  void sample(const Sample& sample);
  void event(const FrictionEvent& event);
  // A figure or a page: all of it at once.
  void page(const std::string& name, std::string_view content);
  // Everything under its final name, and what an earlier run has written beyond it gone. The files.
  std::vector<std::string> commit();

 private:
  void write_trajectory(const Sample& s);
  void write_power(const Sample& s);
  void write_reactions(const Sample& s);
  void write_arrays(const Sample& s);

  io::ResultFolder folder_;
  io::ResultSet set_;
  std::vector<std::string> dofs_;  // by name
  std::optional<double> first_energy_ = {};
  io::RowWriter trajectory_, power_;
  std::optional<io::RowWriter> reactions_ = {};
  std::optional<io::NpzWriter> arrays_ = {};
  std::optional<io::Draft> events_ = {};
  std::map<std::string, io::Draft> pages_ = {};
  std::vector<double> row_ = {};  // the row of each file is put together here
};

}  // namespace denoc::app
