#include "output/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/problem.hpp"
#include "denoc/forces/dry_friction.hpp"

namespace denoc::app {
namespace {

constexpr const char *trajectory_file = "trajectory.csv", *power_file = "power.csv", *reactions_file = "reactions.csv",
                     *events_file = "events.csv", *arrays_file = "trajectory.npz", *manifest_file = "manifest.json";

using Names = std::vector<std::string>;

void append_numbered(Names& names, std::string_view letter, int count) {
  for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", letter, i));
}

Names trajectory_columns(const Model& model) {
  Names names = {"t"};
  append_numbered(names, "q", model.nq());
  append_numbered(names, "v", model.nv());
  append_numbered(names, "tau", model.nv());
  names.insert(names.end(), {"kinetic", "potential"});
  return names;
}

// A name as an entry of a CSV file.
std::string entry(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted += '"';
}

// Bodies in their order; last what the world exerts on the whole robot.
Names reaction_columns(const Robot& robot) {
  Names names = {"t"};
  const auto add = [&](const std::string& body) {
    for (const char* part : {"nx", "ny", "nz", "fx", "fy", "fz"})
      names.push_back(entry(fmt::format("{}.{}", body, part)));
  };
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) add(robot.bodies[b].name);
  add("(base)");
  return names;
}

std::vector<io::NpzWriter::Array> arrays_of(const Scenario& scenario) {
  const auto nq = static_cast<std::size_t>(scenario.model->nq()), nv = static_cast<std::size_t>(scenario.model->nv());
  std::vector<io::NpzWriter::Array> arrays = {
      {"t"},         {"q", {nq}},     {"v", {nv}},          {"a", {nv}}, {"tau", {nv}}, {"kinetic"},
      {"potential"}, {"input_power"}, {"dissipated_power"}, {"work"},    {"dissipated"}};
  // by body as in the model, [0] what the world exerts on the whole robot
  if (scenario.setup.with_reactions) arrays.push_back({"reactions", {scenario.model->bodies().size(), 6}});
  return arrays;
}

void append(std::vector<double>& row, std::span<const double> numbers) {
  row.insert(row.end(), numbers.begin(), numbers.end());
}
void append(std::vector<double>& row, const Wrench<double>& w) {
  row.insert(row.end(), {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z});
}

// What a run may write.
Names files_of(const Scenario& scenario, const Names& pages) {
  Names names = {trajectory_file, power_file};
  if (scenario.setup.with_reactions) names.push_back(reactions_file);
  if (scenario.npz) names.push_back(arrays_file);
  const auto& bodies = scenario.model->robot().bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return has_dry_friction(body.joint.friction); }))
    names.push_back(events_file);
  names.insert(names.end(), pages.begin(), pages.end());
  return names;
}

}  // namespace

Recorder::Recorder(const std::filesystem::path& folder, const Scenario& scenario, const Names& pages)
    : folder_(folder),
      set_(folder_, manifest_file, files_of(scenario, pages)),
      trajectory_(set_.path(trajectory_file), trajectory_columns(*scenario.model), io::Precision::float64),
      power_(set_.path(power_file),
             {"t", "input_power", "dissipated_power", "work", "dissipated", "total_energy", "balance"},
             io::Precision::float64) {
  for (const Dof& dof : dofs_of(*scenario.model)) dofs_.push_back(dof.name());
  if (scenario.setup.with_reactions)
    reactions_.emplace(set_.path(reactions_file), reaction_columns(scenario.model->robot()), io::Precision::float64);
  if (scenario.npz) arrays_.emplace(set_.path(arrays_file), arrays_of(scenario));
}

void Recorder::sample(const Sample& sample) {
  write_trajectory(sample);
  write_power(sample);
  if (reactions_) write_reactions(sample);
  if (arrays_) write_arrays(sample);
}

void Recorder::write_trajectory(const Sample& s) {
  row_ = {s.t};
  append(row_, s.q);
  append(row_, s.v);
  append(row_, s.tau);
  row_.insert(row_.end(), {s.kinetic, s.potential});
  trajectory_.write(row_);
}

void Recorder::write_power(const Sample& s) {
  const double energy = s.kinetic + s.potential;
  if (!first_energy_) first_energy_ = energy;
  power_.write(std::array{s.t, s.input_power, s.dissipated_power, s.work, s.dissipated, energy,
                          energy - *first_energy_ - s.work + s.dissipated});
}

void Recorder::write_reactions(const Sample& s) {
  row_ = {s.t};
  for (std::size_t b = 1; b < s.reactions.size(); ++b) append(row_, s.reactions[b]);
  append(row_, s.reactions[0]);
  reactions_->write(row_);
}

void Recorder::write_arrays(const Sample& s) {
  row_ = {s.t};
  for (const auto& numbers : {s.q, s.v, s.a, s.tau}) append(row_, numbers);
  row_.insert(row_.end(), {s.kinetic, s.potential, s.input_power, s.dissipated_power, s.work, s.dissipated});
  for (const Wrench<double>& w : s.reactions) append(row_, w);
  arrays_->write(row_);
}

void Recorder::event(const FrictionEvent& event) {
  if (!events_) {
    events_.emplace(set_.path(events_file));
    events_->append("t,event,joint,position\n");
  }
  events_->append(fmt::format("{},{},{},{}\n", event.t, event.kind == FrictionEvent::Kind::stick ? "stick" : "slip",
                              entry(dofs_[static_cast<std::size_t>(event.dof)]), event.position));
}

void Recorder::page(const std::string& name, std::string_view content) {
  pages_.try_emplace(name, set_.path(name)).first->second.append(content);
}

std::vector<std::string> Recorder::commit() {
  std::vector<io::Draft*> files = {&trajectory_.complete(), &power_.complete()};
  if (reactions_) files.push_back(&reactions_->complete());
  if (arrays_) files.push_back(&arrays_->complete());
  if (events_) files.push_back(&*events_);
  for (auto& [name, page] : pages_) files.push_back(&page);
  set_.commit(files);
  Names written;
  for (const io::Draft* file : files) written.push_back(folder_.path(file->name()).string());
  return written;
}

}  // namespace denoc::app
