#include "output/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "commands/problem.hpp"
#include "denoc/forces/dry_friction.hpp"
#include "denoc/io/csv.hpp"
#include "output/one_file.hpp"

namespace denoc::app {
namespace {

constexpr const char *events_file = "events.csv", *arrays_file = "trajectory.npz", *manifest_file = "manifest.json";

using Names = std::vector<std::string>;
using Row = std::vector<double>;

// t, then NAME.PART for each name and part.
Names columns_of(const Names& names, std::initializer_list<const char*> parts) {
  Names columns = {"t"};
  for (const std::string& name : names)
    for (const char* part : parts) columns.push_back(fmt::format("{}.{}", name, part));
  return columns;
}

// Who looks for a column by its name finds one: what is wrong if not.
std::string fault_of(const Names& names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      return fmt::format("two columns of the result would have the name {}", io::in_quotes(name));
  return "";
}
Names distinct(Names names) {
  if (const std::string fault = fault_of(names); !fault.empty())
    throw Failure(Status::file, fmt::format("denoc: {}", fault),
                  {"Give one of the joints, bodies or points another name."});
  return names;
}

Names plain_motion_columns(const Model& model, const Names& further) {
  Names names = {"t"};
  for (const Coordinate& c : coordinates_of(model)) names.push_back("q." + c.name);
  const std::vector<Dof> dofs = dofs_of(model);
  for (const char* letter : {"v", "a", "tau"})
    for (const Dof& dof : dofs) names.push_back(fmt::format("{}.{}", letter, dof.name()));
  names.insert(names.end(), further.begin(), further.end());
  return names;
}

void append(Row& row, std::span<const double> numbers) { row.insert(row.end(), numbers.begin(), numbers.end()); }
void append(Row& row, const Vec3<double>& v) { row.insert(row.end(), {v.x, v.y, v.z}); }
void append(Row& row, const Wrench<double>& w) {
  append(row, w.n);
  append(row, w.f);
}

std::vector<io::NpzWriter::Array> arrays_of(const Scenario& scenario) {
  const auto nq = static_cast<std::size_t>(scenario.model->nq()), nv = static_cast<std::size_t>(scenario.model->nv());
  std::vector<io::NpzWriter::Array> arrays = {
      {"t"},         {"q", {nq}},     {"v", {nv}},          {"a", {nv}}, {"tau", {nv}}, {"kinetic"},
      {"potential"}, {"input_power"}, {"dissipated_power"}, {"work"},    {"dissipated"}};
  // by body as in the model, [0] what the world exerts on the whole robot
  if (scenario.setup.with_reactions) arrays.push_back({"reactions", {scenario.model->bodies().size(), 6}});
  if (!scenario.points.empty()) arrays.push_back({"points", {scenario.points.size(), 3}});
  if (scenario.contacts) arrays.push_back({"contacts", {scenario.setup.ground->points.size(), 3}});
  return arrays;
}

}  // namespace

// A table of a run: its file, whether a scenario wants it, its columns, and a row of it.
struct Recorder::Table {
  const char* file;
  bool (*is_wanted)(const Scenario&);
  Names (*columns)(const Scenario&);
  void (*fill)(Recorder&, const Sample&, Row&);
};

namespace {

bool always(const Scenario&) { return true; }

Names trajectory_columns(const Scenario& s) { return plain_motion_columns(*s.model, {"kinetic", "potential"}); }
void trajectory_row(const Sample& s, Row& row) {
  for (const auto& numbers : {s.q, s.v, s.a, s.tau}) append(row, numbers);
  row.insert(row.end(), {s.kinetic, s.potential});
}

Names power_columns(const Scenario&) {
  return {"t", "input_power", "dissipated_power", "work", "dissipated", "total_energy", "balance"};
}
void power_row(const Sample& s, double first_energy, Row& row) {
  const double energy = s.kinetic + s.potential;
  row.insert(row.end(), {s.input_power, s.dissipated_power, s.work, s.dissipated, energy,
                         energy - first_energy - s.work + s.dissipated});
}

// Bodies in their order; last what the world exerts on the whole robot.
Names reaction_columns(const Scenario& scenario) {
  const auto& bodies = scenario.model->robot().bodies;
  Names names;
  for (std::size_t b = 1; b < bodies.size(); ++b) names.push_back(bodies[b].name);
  names.emplace_back("(base)");
  return columns_of(names, {"nx", "ny", "nz", "fx", "fy", "fz"});
}
void reaction_row(const Sample& s, Row& row) {
  for (std::size_t b = 1; b < s.reactions.size(); ++b) append(row, s.reactions[b]);
  append(row, s.reactions[0]);
}

Names point_columns(const Scenario& scenario) {
  Names names;
  for (const TracedPoint& p : scenario.points) names.push_back(p.name);
  return columns_of(names, {"x", "y", "z"});
}
Names contact_columns(const Scenario& scenario) { return columns_of(contact_names(scenario), {"fx", "fy", "fz"}); }

}  // namespace

// The list: a table that a run writes is a row here, and one in docs/scenario-files.md.
const Recorder::Table Recorder::tables[] = {
    {"trajectory.csv", always, trajectory_columns,
     [](Recorder&, const Sample& s, Row& row) { trajectory_row(s, row); }},
    {"power.csv", always, power_columns,
     [](Recorder& r, const Sample& s, Row& row) { power_row(s, *r.first_energy_, row); }},
    {"reactions.csv", [](const Scenario& s) { return s.setup.with_reactions; }, reaction_columns,
     [](Recorder&, const Sample& s, Row& row) { reaction_row(s, row); }},
    {"points.csv", [](const Scenario& s) { return !s.points.empty(); }, point_columns,
     [](Recorder& r, const Sample&, Row& row) {
       for (const Vec3<double>& p : r.traced_.points()) append(row, p);
     }},
    {"contacts.csv", [](const Scenario& s) { return s.contacts; }, contact_columns,
     [](Recorder& r, const Sample&, Row& row) {
       for (const Vec3<double>& f : r.traced_.contacts()) append(row, f);
     }},
};

// What a run may write.
Names Recorder::files_of(const Scenario& scenario, const Names& pages) {
  Names names;
  for (const Table& table : tables)
    if (table.is_wanted(scenario)) names.emplace_back(table.file);
  if (scenario.npz) names.emplace_back(arrays_file);
  const auto& bodies = scenario.model->robot().bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return has_dry_friction(body.joint.friction); }))
    names.emplace_back(events_file);
  names.insert(names.end(), pages.begin(), pages.end());
  return names;
}

Names motion_columns(const Model& model, const Names& further) {
  return distinct(plain_motion_columns(model, further));
}

std::vector<std::string> Recorder::faults_of(const Scenario& scenario) {
  std::vector<std::string> faults;
  for (const Table& table : tables) {
    if (!table.is_wanted(scenario)) continue;
    if (const std::string fault = fault_of(table.columns(scenario)); !fault.empty())
      faults.push_back(fmt::format("{}: {}", table.file, fault));
  }
  return faults;
}

Recorder::Recorder(const std::filesystem::path& folder, const Scenario& scenario, const Names& pages)
    : folder_(folder), set_(folder_, manifest_file, files_of(scenario, pages)), traced_(scenario) {
  for (const std::string& name : files_of(scenario, pages)) refuse_replacing(scenario.also_read, folder_.path(name));
  for (const Dof& dof : dofs_of(*scenario.model)) dofs_.push_back(dof.name());
  for (const Table& table : tables)
    if (table.is_wanted(scenario))
      tables_.emplace_back(table, set_.path(table.file), distinct(table.columns(scenario)));
  if (scenario.npz) arrays_.emplace(set_.path(arrays_file), arrays_of(scenario));
}

void Recorder::sample(const Sample& sample) {
  if (!first_energy_) first_energy_ = sample.kinetic + sample.potential;
  traced_.go_to(sample);
  for (Written& written : tables_) {
    row_ = {sample.t};
    written.table->fill(*this, sample, row_);
    written.rows.write(row_);
  }
  if (arrays_) write_arrays(sample);
}

void Recorder::write_arrays(const Sample& s) {
  row_ = {s.t};
  for (const auto& numbers : {s.q, s.v, s.a, s.tau}) append(row_, numbers);
  row_.insert(row_.end(), {s.kinetic, s.potential, s.input_power, s.dissipated_power, s.work, s.dissipated});
  for (const Wrench<double>& w : s.reactions) append(row_, w);
  for (const auto* vectors : {&traced_.points(), &traced_.contacts()})
    for (const Vec3<double>& v : *vectors) append(row_, v);
  arrays_->write(row_);
}

void Recorder::event(const FrictionEvent& event) {
  if (!events_) {
    events_.emplace(set_.path(events_file));
    events_->append("t,event,joint,position\n");
  }
  events_->append(fmt::format("{},{},{},{}\n", event.t, name_of(event.kind),
                              io::csv_entry(dofs_[static_cast<std::size_t>(event.dof)]), event.position));
}

void Recorder::page(const std::string& name, std::string_view content) {
  pages_.try_emplace(name, set_.path(name)).first->second.append(content);
}

std::vector<std::string> Recorder::commit() {
  std::vector<io::Draft*> files;
  for (Written& written : tables_) files.push_back(&written.rows.complete());
  if (arrays_) files.push_back(&arrays_->complete());
  if (events_) files.push_back(&*events_);
  for (auto& [name, page] : pages_) files.push_back(&page);
  set_.commit(files);
  Names written;
  for (const io::Draft* file : files) written.push_back(folder_.path(file->name()).string());
  return written;
}

}  // namespace denoc::app
