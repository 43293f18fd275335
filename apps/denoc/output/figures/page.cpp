#include "output/figures/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "denoc/error.hpp"
#include "output/dofs.hpp"
#include "output/figures/assets.hpp"
#include "output/figures/film.hpp"
#include "output/figures/html.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/run_figures.hpp"
#include "output/figures/text.hpp"
#include "output/figures/three.hpp"
#include "output/freedom.hpp"

namespace denoc::figures {
namespace {

using Out = std::back_insert_iterator<std::string>;
constexpr std::size_t most_events = 200, most_open_rows = 24;

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

struct Fact {
  std::string name, value, remark = "";
};

std::size_t samples_of(const ReportInput& in) { return std::max(in.samples, in.record.size()); }
std::string steps_of(const Statistics& s) {
  if (s.steps == 0) return "";
  const std::string least = readable(s.least_step, 2), largest = readable(s.largest_step, 2);
  return least == largest ? fmt::format("steps of {} s", least) : fmt::format("steps of {} to {} s", least, largest);
}

std::vector<Fact> facts(const ReportInput& in) {
  const Statistics& s = in.statistics;
  const double duration = in.record.t.back() - in.record.t.front();
  std::vector<Fact> all = {
      {"Simulated time", fmt::format("{:.6g} s", duration), counted(samples_of(in), "sample", "samples")}};
  all.push_back({"Time taken", readable(in.seconds, 3) + " s",
                 in.seconds > 0 ? readable(duration / in.seconds, 3) + " times real time" : ""});
  all.push_back({"Method", in.method, in.is_complete ? steps_of(s) : "the run was broken off"});
  if (in.is_complete) {
    all.push_back({"Steps", std::to_string(s.steps), fmt::format("{} rejected", s.rejected)});
    all.push_back({"Evaluations", std::to_string(s.evaluations), "of the accelerations"});
  }
  all.push_back({"Largest kinetic energy", readable(s.largest_kinetic) + " J"});
  const double part = s.largest_kinetic > 0 ? s.balance_defect / s.largest_kinetic : 0;
  all.push_back(
      {"Defect of the energy balance", readable(s.balance_defect, 2) + " J",
       s.largest_kinetic > 0
           ? readable(part, 2) + " of the largest kinetic energy" +
                 (in.record.rtol > 0 && part <= in.record.rtol ? ", within the tolerance of the integrator" : "")
           : ""});
  if (s.quaternion_defect > 0)
    all.push_back({"Quaternions off unit length", readable(s.quaternion_defect, 2), "before they were projected back"});
  if (in.is_complete && !in.model.robot().loops.empty())
    all.push_back({"Largest gap of the loops", readable(s.loop_defect, 2), "m or rad"});
  all.push_back({"Friction events", std::to_string(s.events)});
  return all;
}

void write_facts(Out out, const ReportInput& in) {
  fmt::format_to(out, "<dl class='key'>\n");
  for (const auto& [name, value, remark] : facts(in))
    fmt::format_to(out, "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, escaped(value), remark);
  fmt::format_to(out, "</dl>\n");
  for (const std::string& warning : in.warnings) fmt::format_to(out, "<p class='warning'>{}</p>\n", escaped(warning));
}

// Longer tables are folded away.
void write_table(Out out, std::size_t rows, const std::string& table) {
  if (rows > most_open_rows) fmt::format_to(out, "<details><summary>{} rows</summary>\n", rows);
  fmt::format_to(out, "<div class='scroll'><table>\n{}</table></div>\n", table);
  if (rows > most_open_rows) fmt::format_to(out, "</details>\n");
}

struct Extremes {
  double low, high;
  explicit Extremes(const std::vector<double>& y) {
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    low = *least, high = *most;
  }
  std::string cells() const { return fmt::format("<td>{}</td><td>{}</td>", readable(low), readable(high)); }
};

void write_extremes(Out out, const ReportInput& in) {
  using Kind = app::Coordinate::Kind;
  const auto row = [](std::string_view name, std::string_view quantity, std::string_view unit,
                      const std::vector<double>& y) {
    return fmt::format("<tr><th scope='row'>{}</th><td class='text'>{}</td>{}<td class='text'>{}</td></tr>\n",
                       escaped(name), quantity, Extremes(y).cells(), unit);
  };
  std::string table =
      "<thead><tr><th scope='col'>joint</th><th class='text' scope='col'>quantity</th><th scope='col'>least</th>"
      "<th scope='col'>largest</th><th class='text' scope='col'>unit</th></tr></thead>\n<tbody>\n";
  const std::vector<app::Coordinate> coordinates = app::coordinates_of(in.model);
  const std::vector<app::Dof> dofs = app::dofs_of(in.model);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const bool angle = coordinates[k].kind == Kind::angle, length = coordinates[k].kind == Kind::length;
    table += row(coordinates[k].name,
                 angle    ? "angle"
                 : length ? "displacement"
                          : "component",
                 angle    ? "rad"
                 : length ? "m"
                          : "",
                 column(in.record.q, k));
  }
  for (std::size_t k = 0; k < dofs.size(); ++k)
    table += row(dofs[k].name(), dofs[k].angular ? "rate" : "velocity", dofs[k].rate_unit(), column(in.record.v, k));
  for (std::size_t k = 0; k < dofs.size(); ++k)
    table += row(dofs[k].name(), dofs[k].angular ? "torque" : "force", dofs[k].force_unit(), column(in.record.tau, k));
  fmt::format_to(out, "<h2>Extremes</h2>\n");
  write_table(out, coordinates.size() + 2 * dofs.size(), table + "</tbody>\n");
}

void write_events(Out out, const ReportInput& in) {
  if (in.events.empty()) return;
  const std::vector<app::Dof> dofs = app::dofs_of(in.model);
  std::string table =
      "<thead><tr><th scope='col'>time (s)</th><th class='text' scope='col'>joint</th><th class='text' "
      "scope='col'>event</th><th scope='col'>position</th></tr></thead>\n<tbody>\n";
  const std::size_t shown = std::min(in.events.size(), most_events);
  for (const FrictionEvent& event : in.events.first(shown))
    table += fmt::format("<tr><td>{}</td><td class='text'>{}</td><td class='text'>{}</td><td>{}</td></tr>\n",
                         readable(event.t, 6), escaped(dofs[static_cast<std::size_t>(event.dof)].name()),
                         told(event.kind), readable(event.position, 5));
  fmt::format_to(out, "<h2>Events</h2>\n");
  write_table(out, shown, table + "</tbody>\n");
  if (shown < in.events.size()) fmt::format_to(out, "<p class='lead'>and {} more</p>\n", in.events.size() - shown);
}

// The stage, its buttons, and what the reader has to know of what is not on it.
void write_player(Out out, const Film& film, const std::string& three) {
  fmt::format_to(out, "{}", asset("player.html"));
  if (three.empty())
    fmt::format_to(out,
                   "<p class='warning'>The robot is drawn as sticks, since three.js was not found when this page was "
                   "made. Debian has it in the package libjs-three; DENOC_THREE may name its file.</p>\n");
  for (const std::string& missing : film.missing)
    fmt::format_to(out, "<p class='warning'>Not shown: {}.</p>\n", escaped(missing));
}
void write_script(Out out, std::string_view text) { fmt::format_to(out, "{}", html_script(text)); }
void write_film(Out out, const Film& film, const std::string& three) {
  if (!three.empty())
    write_script(out, "/* three.js, by its authors (threejs.org), under the MIT licence */\n" + three + "\n");
  write_script(out, "const filmData = " + film.json + ";\n");
  for (const char* name : {"film.js", "eye.js", "sticks.js", "shapes.js", "bodies.js", "player.js"})
    write_script(out, asset(name));
}

void write_picture(Out out, const ReportInput& in) {
  const std::size_t shown = std::min(in.record.size(), most_on_path(in.model, in.record)), all = samples_of(in);
  fmt::format_to(out,
                 "<figure class='wide'>{}<figcaption>The robot at several instants: at the start in full, later ones "
                 "paler; thin curves are the paths of its tips{}.</figcaption></figure>\n",
                 picture_of(in.model, in.record),
                 shown < all ? fmt::format(", straight between {} of {} samples", shown, all) : "");
}

void write_figures(Out out, const ReportInput& in) {
  fmt::format_to(out, "<h2>Figures</h2>\n<div class='figures'>\n");
  for (const NamedFigure& figure : figures_of(in.model, in.record, in.events))
    fmt::format_to(out, "<figure id='{}'>{}<figcaption>{}</figcaption></figure>\n", figure.name, figure.svg,
                   escaped(figure.caption));
  fmt::format_to(out, "</div>\n");
}

}  // namespace

std::string report_page(const ReportInput& input) {
  if (input.record.size() == 0) throw ArgumentError("a report needs a run with samples");
  std::string page;
  const Out out = std::back_inserter(page);
  fmt::format_to(out, "{}", html_opening(input.title, "report"));
  fmt::format_to(out, "<header><h1>{}</h1>\n<p class='lead'>{}: {}, {}</p></header>\n", escaped(input.title),
                 escaped(input.model.robot().name), counted(input.model.bodies().size() - 1, "body", "bodies"),
                 app::freedom_text(input.model, app::mobility_of(input.model)));
  const std::string three = input.animate ? three_library() : "";
  const Film film = input.animate ? film_of(input.model, input.record, input.samples) : Film{};
  if (input.animate) write_player(out, film, three);
  write_facts(out, input);
  fmt::format_to(out, "<h2>Motion</h2>\n");
  write_picture(out, input);
  write_figures(out, input);
  write_extremes(out, input);
  write_events(out, input);
  if (!input.scenario.empty())
    fmt::format_to(out, "<h2>Scenario</h2>\n<div class='scroll'><pre>{}</pre></div>\n", escaped(input.scenario));
  fmt::format_to(out, "</main>\n{}", html_footer());
  write_script(out, asset("plots.js"));
  if (input.animate) write_film(out, film, three);
  fmt::format_to(out, "{}", html_end);
  return page;
}

std::string run_page(const Model& model, const Record& record) {
  if (record.size() == 0) throw ArgumentError("a page of a run needs samples");
  for (const auto& q : record.q) require_size(std::span<const double>(q), model.nq(), "q");
  std::string page;
  const Out out = std::back_inserter(page);
  const std::string three = three_library();
  const Film film = film_of(model, record);
  fmt::format_to(out, "{}", html_opening(model.robot().name, "film"));
  write_player(out, film, three);
  fmt::format_to(out, "</main>\n");
  write_script(out, asset("plots.js"));
  write_film(out, film, three);
  fmt::format_to(out, "{}", html_end);
  return page;
}

std::string robot_page(const Model& model, std::span<const double> q) {
  Record still;
  still.t = {0};
  still.q = {{q.begin(), q.end()}};
  return run_page(model, still);
}

}  // namespace denoc::figures
