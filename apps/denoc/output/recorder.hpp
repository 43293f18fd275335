// The files of a run, in one folder; they appear together when the run is complete.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "denoc/io/npz.hpp"
#include "denoc/io/result_set.hpp"
#include "denoc/io/rows.hpp"
#include "output/traced.hpp"

namespace denoc::app {

// Tables of the run, those that the scenario wants (the list is in recorder.cpp); trajectory.npz if it wants it;
// events.csv if there are any; figures and pages that are handed to it; manifest.json, which names them all. Every call
// throws WriteError.
class Recorder {
 public:
  // `pages`: the names of those that may be handed to it. The scenario must outlive it.
  Recorder(const std::filesystem::path& folder, const Scenario& scenario, const std::vector<std::string>& pages = {});

  // Why the tables of a run cannot be written.
  static std::vector<std::string> faults_of(const Scenario& scenario);

  void sample(const Sample& sample);
  void event(const FrictionEvent& event);
  // A figure or a page: all of it at once.
  void page(const std::string& name, std::string_view content);
  // Everything under its final name, and what an earlier run has written beyond it gone. The files.
  std::vector<std::string> commit();

 private:
  struct Table;
  static const Table tables[];
  static std::vector<std::string> files_of(const Scenario& scenario, const std::vector<std::string>& pages);
  void write_arrays(const Sample& s);

  io::ResultFolder folder_;
  io::ResultSet set_;
  std::vector<std::string> dofs_;  // by name
  Traced traced_;
  std::optional<double> first_energy_ = {};
  struct Written {
    const Table* table;
    io::RowWriter rows;
    Written(const Table& of, const std::filesystem::path& file, const std::vector<std::string>& columns)
        : table(&of), rows(file, columns, io::Precision::float64) {}
  };
  std::deque<Written> tables_ = {};
  std::optional<io::NpzWriter> arrays_ = {};
  std::optional<io::Draft> events_ = {};
  std::map<std::string, io::Draft> pages_ = {};
  std::vector<double> row_ = {};  // the row of each file is put together here
};

// The columns of trajectory.csv: t, then q.JOINT, v.JOINT, a.JOINT, tau.JOINT, and further ones.
std::vector<std::string> motion_columns(const Model& model, const std::vector<std::string>& further);

}  // namespace denoc::app
