#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "denoc/error.hpp"
#include "denoc/io/rows.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "io/readers.hpp"
#include "motions.hpp"

namespace denoc::io {
namespace {

std::vector<std::string> expected_columns(const Model& model) {
  std::vector<std::string> names = {"t"};
  for (const NamedCoordinate& c : coordinates_of(model)) names.push_back("q." + c.name);
  return names;
}

// Where in a row t and the entries of q stand; npos: nowhere, the joint stays at its neutral q. v, a, tau and what else
// denoc writes of a run is passed over.
struct Columns {
  std::vector<std::string> names;
  std::vector<std::size_t> places;
};
Columns columns_of(const std::vector<std::string>& first_line, const std::filesystem::path& file, const Model& model) {
  const std::vector<std::string> expected = expected_columns(model);
  Columns columns{first_line, {}};
  if (columns.names.empty()) {
    columns.names = expected;
    columns.places.resize(expected.size());
    std::iota(columns.places.begin(), columns.places.end(), std::size_t{0});
    return columns;
  }
  const auto refuse = [&](const std::string& rule) { throw RobotError({Fault{{file.string(), 1, "header"}, rule}}); };
  for (const std::string& name : columns.names) {
    const bool is_known = std::find(expected.begin(), expected.end(), name) != expected.end();
    if (!is_known && name.starts_with('q')) refuse(unknown("column", name, Words(expected.begin(), expected.end())));
  }
  for (const std::string& name : expected) {
    const auto said = std::count(columns.names.begin(), columns.names.end(), name);
    if (said > 1) refuse(fmt::format("there are {} columns {}", said, in_quotes(name)));
    if (said == 1 && std::count(expected.begin(), expected.end(), name) > 1)
      refuse(
          fmt::format("column {} may be of two joints of the robot: without a line of names they stand in the order "
                      "of q",
                      in_quotes(name)));
    const auto at = std::find(columns.names.begin(), columns.names.end(), name);
    columns.places.push_back(at == columns.names.end() ? std::string::npos
                                                       : static_cast<std::size_t>(at - columns.names.begin()));
  }
  if (columns.places[0] == std::string::npos) refuse("there is no column 't'");
  if (std::all_of(columns.places.begin() + 1, columns.places.end(),
                  [](std::size_t p) { return p == std::string::npos; }))
    refuse(fmt::format("there is no column of a joint, such as '{}'", expected.back()));
  return columns;
}

struct Points {
  std::vector<double> times;
  std::vector<std::vector<double>> q;
};
Points read_points(const std::filesystem::path& file, const Model& model, const std::vector<double>& neutral) {
  Columns columns;
  RowReader reader = RowReader::by_first_line(file, [&](const RowReader::Names& first_line) {
    columns = columns_of(first_line, file, model);
    return columns.names;
  });
  for (std::size_t i = 0; i < columns.names.size(); ++i)
    if (std::find(columns.places.begin(), columns.places.end(), i) == columns.places.end()) reader.pass_over(i);
  Points points;
  std::vector<double> row(reader.columns());
  while (reader.read(row) == 1) {
    for (const std::size_t place : columns.places)
      if (place != std::string::npos && !std::isfinite(row[place])) {
        Source source = reader.source(points.times.size());
        source.element += ": " + columns.names[place];
        throw RobotError({Fault{std::move(source), "it is not a finite number"}});
      }
    points.times.push_back(row[columns.places[0]]);
    std::vector<double>& q = points.q.emplace_back(neutral);
    for (std::size_t i = 0; i < q.size(); ++i)
      if (columns.places[i + 1] != std::string::npos) q[i] = row[columns.places[i + 1]];
  }
  // Times count from the first.
  if (!points.times.empty())
    for (const double first = points.times.front(); double& t : points.times) t -= first;
  return points;
}

}  // namespace

MakeMotion read_file(const Fields& fields, const MotionPlace& place) {
  const std::string name = fields.text("file");
  const Ends ends = read_ends(fields, "not_a_knot", place);
  if (name.empty()) return {};  // reported
  Points points;
  const std::filesystem::path path = place.folder / name;
  place.report.also_read.push_back(path);
  try {
    points = read_points(path, *place.model, place.vectors.neutral());
  } catch (const RobotError& error) {
    for (const Fault& fault : error.faults) fields.refuse("file", fault.text());
    return {};
  }
  return [=, model = place.model](const std::vector<double>&) {
    try {
      return spline(model, points.times, points.q, ends.first, ends.last);
    } catch (const ArgumentError& error) {
      throw ArgumentError(fmt::format("{}: {}", in_quotes(path.string()), error.what()));
    }
  };
}

}  // namespace denoc::io
