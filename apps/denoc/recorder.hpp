// The files of a run, in one folder; they appear together when the run is complete.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "denoc/io/draft.hpp"
#include "denoc/io/npz.hpp"
#include "denoc/io/rows.hpp"
#include "denoc/simulation/scenario.hpp"

namespace denoc::app {

// Made with its parents if it is not there; gone again unless it was kept, or holds anything.
class ResultFolder {
 public:
  explicit ResultFolder(const std::filesystem::path& folder);  // throws WriteError
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder();

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void keep() { is_new_ = false; }

 private:
  std::filesystem::path folder_;
  bool is_new_ = false;
};

inline constexpr const char* report_file = "report.html";

// trajectory.csv and power.csv; reactions.csv and trajectory.npz if the scenario wants them; events.csv if there are
// any; figures and pages that are handed to it. Every call throws WriteError.
class Recorder {
 public:
  Recorder(const std::filesystem::path& folder, const Scenario& scenario);

  void sample(const Sample& sample);
  void event(const FrictionEvent& event);
  // A figure or a page: all of it at once.
  void page(const std::string& name, std::string_view content);
  // Everything under its final name, and what an earlier run left of other results gone. The names.
  std::vector<std::string> commit();

 private:
  void write_trajectory(const Sample& s);
  void write_power(const Sample& s);
  void write_reactions(const Sample& s);
  void write_arrays(const Sample& s);
  void remove_old_figures() const;

  ResultFolder folder_;
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
