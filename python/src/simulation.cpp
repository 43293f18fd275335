// Simulations: a scenario's text and a robot in, arrays out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>

#include "denoc/io/fields.hpp"
#include "denoc/io/number.hpp"
#include "output/traced.hpp"

#include "core.hpp"
#include "interpreter.hpp"
#include "signals.hpp"

namespace denoc::python {
namespace {

using Clock = std::chrono::steady_clock;

// A control law in Python: law(t, q, v) gives tau. The interpreter is held while it runs.
class PythonLaw : public Controller {
 public:
  explicit PythonLaw(nb::object law) : law_(std::move(law)) {}
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    const nb::object given = ask_python([&] { return law_(t, array_of(q), array_of(v)); });
    const Buffer numbers(given);
    const std::span<const double> found = numbers.numbers<const double>();
    require_size(found, int(tau.size()), "tau of the control law");
    std::copy(found.begin(), found.end(), tau.begin());
  }

 private:
  nb::object law_;
};

// Everything of a run, by name; a row for each sample. The scenario must outlive it.
struct Recorded {
  const Scenario& scenario;
  app::Traced traced{scenario};
  std::vector<double> t, q, v, a, tau, kinetic, potential, input_power, dissipated_power, work, dissipated, reactions,
      multipliers, points, contacts;
  std::vector<FrictionEvent> events;

  explicit Recorded(const Scenario& of) : scenario(of) {}

  void add(const Sample& s) {
    const auto append = [](std::vector<double>& to, std::span<const double> x) {
      to.insert(to.end(), x.begin(), x.end());
    };
    t.push_back(s.t);
    append(q, s.q);
    append(v, s.v);
    append(a, s.a);
    append(tau, s.tau);
    kinetic.push_back(s.kinetic);
    potential.push_back(s.potential);
    input_power.push_back(s.input_power);
    dissipated_power.push_back(s.dissipated_power);
    work.push_back(s.work);
    dissipated.push_back(s.dissipated);
    for (const Wrench<double>& w : s.reactions) append(reactions, std::array{w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z});
    append(multipliers, s.multipliers);
    traced.go_to(s);
    for (const Vec3<double>& x : traced.points()) append(points, std::array{x.x, x.y, x.z});
    for (const Vec3<double>& f : traced.contacts()) append(contacts, std::array{f.x, f.y, f.z});
  }

  nb::dict arrays() const {
    const Model& model = *scenario.model;
    const std::size_t count = t.size();
    nb::dict all;
    const auto put = [&](const char* name, const std::vector<double>& x, auto... axes) {
      all[name] = array_of(x, nb::make_tuple(count, axes...));
    };
    put("t", t);
    put("q", q, model.nq());
    for (const auto& [name, x] : {std::pair{"v", &v}, {"a", &a}, {"tau", &tau}}) put(name, *x, model.nv());
    for (const auto& [name, x] : {std::pair{"kinetic", &kinetic},
                                  {"potential", &potential},
                                  {"input_power", &input_power},
                                  {"dissipated_power", &dissipated_power},
                                  {"work", &work},
                                  {"dissipated", &dissipated}})
      put(name, *x);
    if (!reactions.empty()) put("reactions", reactions, reactions.size() / count / 6, 6);
    put("multipliers", multipliers, count == 0 ? 0 : multipliers.size() / count);
    if (!scenario.points.empty()) put("points", points, scenario.points.size(), 3);
    if (scenario.contacts) put("contacts", contacts, scenario.setup.ground->points.size(), 3);
    return all;
  }
  // (name, body, point of it)
  nb::list watched() const {
    nb::list all;
    for (const auto& [name, body, p] : scenario.points) all.append(nb::make_tuple(name, body, p.x, p.y, p.z));
    return all;
  }
  nb::list moments() const {
    nb::list all;
    for (const FrictionEvent& e : events)
      all.append(nb::make_tuple(e.t, std::string(name_of(e.kind)), e.dof, e.position));
    return all;
  }
};

nb::dict as_python(const Statistics& s) {
  nb::dict all;
  all["steps"] = s.steps;
  all["rejected"] = s.rejected;
  all["evaluations"] = s.evaluations;
  all["least_step"] = s.least_step;
  all["largest_step"] = s.largest_step;
  all["events"] = s.events;
  all["balance_defect"] = s.balance_defect;
  all["largest_kinetic"] = s.largest_kinetic;
  all["loop_defect"] = s.loop_defect;
  all["quaternion_defect"] = s.quaternion_defect;
  all["stiff"] = s.stiff;
  return all;
}

// Of a run that was broken off: what its samples and events tell; what the integrator alone would know is None.
nb::dict known_of(const Recorded& run) {
  Statistics s;
  s.events = long(run.events.size());
  const auto balance = [&](std::size_t i) {
    return run.kinetic[i] + run.potential[i] - run.work[i] + run.dissipated[i];
  };
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    s.balance_defect = std::max(s.balance_defect, std::abs(balance(i) - balance(0)));
    s.largest_kinetic = std::max(s.largest_kinetic, run.kinetic[i]);
  }
  nb::dict all = as_python(s);
  for (const char* name :
       {"steps", "rejected", "evaluations", "least_step", "largest_step", "loop_defect", "quaternion_defect", "stiff"})
    all[name] = nb::none();
  return all;
}

// Lets Python see its signals, and how far the run is, now and then.
class Watch {
 public:
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}
  void at(double t) {
    if (!signals_.are_due()) return;
    const Held interpreter;
    signals_.look();
    if (!progress_.is_none()) ask_python([&] { progress_(t); });
  }

 private:
  nb::object progress_;
  Signals signals_;
};

// A dict: arrays by name, events, statistics, what the run took, and how it ended ("done", "interrupted", or the failure).
nb::dict simulate(Core& core, const std::string& text, const std::string& name, nb::object law, nb::object progress) {
  Scenario scenario = generated(text, name, core);
  SimulationSetup& setup = scenario.setup;
  if (!law.is_none()) setup.control = std::make_shared<PythonLaw>(law);
  Recorded recorded(scenario);
  Watch watch(std::move(progress));
  std::optional<Statistics> statistics;
  nb::object ending = nb::str("done");
  const auto run = [&] {
    statistics = denoc::simulate(
        *scenario.model, setup,
        {[&](const Sample& s) { recorded.add(s); }, [&](const FrictionEvent& e) { recorded.events.push_back(e); },
         [&](double t) { watch.at(t); }});
  };
  const auto start = Clock::now();
  try {
    if (law.is_none()) {
      const Released others_may_run;
      run();
    } else {
      run();
    }
  } catch (const SimulationFailure& failure) {
    ending = nb::make_tuple(failure.what(), failure.t, array_of(failure.q), array_of(failure.v));
  } catch (nb::python_error& raised) {
    if (!raised.matches(PyExc_KeyboardInterrupt)) throw;
    ending = nb::str("interrupted");
  }
  nb::dict result;
  result["arrays"] = recorded.arrays();
  result["events"] = recorded.moments();
  result["watched"] = recorded.watched();
  result["touched"] = scenario.contacts ? app::contact_names(scenario) : std::vector<std::string>{};
  result["statistics"] = statistics ? as_python(*statistics) : known_of(recorded);
  result["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
  result["method"] = std::string(name_of(setup.integrator.method));
  if (statistics)
    for (const std::string& warning : warnings_of(*statistics, setup.integrator))
      scenario.warnings.push_back({.source = {.file = scenario.file, .line = 0, .element = ""}, .rule = warning});
  result["warnings"] = python::as_python(scenario.warnings);
  result["ending"] = ending;
  return result;
}

// YAML as Python's own: `number` makes what is a plain number of its text, all other scalars (formulas, too) are text.
nb::object as_python(const io::Node& node, const nb::callable& number, io::Report& report) {
  switch (node.kind) {
    case io::Node::Kind::nothing:
      return nb::none();
    case io::Node::Kind::scalar: {
      if (node.text == "true" || node.text == "false") return nb::bool_(node.text == "true");
      const nb::str text(node.text.c_str());
      return io::plain_number(node.text) ? number(text) : nb::object(text);
    }
    case io::Node::Kind::list: {
      nb::list items;
      for (const io::Node* item : node.children) items.append(as_python(*item, number, report));
      return items;
    }
    case io::Node::Kind::map: {
      nb::dict entries;
      for (std::size_t k = 0; k + 1 < node.children.size(); k += 2) {
        const nb::str key(node.children[k]->text.c_str());
        if (entries.contains(key)) report.fault(node.children[k]->line, node.children[k]->text, "given twice");
        entries[key] = as_python(*node.children[k + 1], number, report);
      }
      return entries;
    }
  }
  return nb::none();
}

nb::object read_yaml(const std::string& text, const std::string& name, const nb::callable& number) {
  io::Report report{name};
  nb::object read;
  io::parse_yaml(text, report, [&](const io::Node& root) { read = as_python(root, number, report); });
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  return read;
}

// What a formula without the time comes to, as files are read. Throws ArgumentError.
double expression(const std::string& name, const std::string& text) {
  const io::Number found = io::expression(text);
  if (!found) throw ArgumentError(name + ": " + found.rule);
  return found.value;
}

// Files that it names keep their lines.
void drop_lines(std::vector<Fault>& faults, const std::string& name) {
  for (Fault& fault : faults)
    if (fault.source.file == name) fault.source.line = 0;
}

}  // namespace

Scenario generated(const std::string& text, const std::string& name, const Core& core) {
  try {
    Scenario scenario = read_scenario(text, name, core.model);
    drop_lines(scenario.warnings, name);
    return scenario;
  } catch (RobotError& error) {
    drop_lines(error.faults, name);
    throw RobotError(error.faults);
  }
}

void bind_simulation(nb::module_& module, nb::class_<Core>& core) {
  core.def("simulate", &simulate, nb::arg("text"), nb::arg("name"), nb::arg("law").none(), nb::arg("progress").none());
  module.def("read_yaml", &read_yaml);
  module.def("expression", &expression);
}

}  // namespace denoc::python
