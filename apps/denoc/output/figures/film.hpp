// A run as a film: the robot's bodies, and where they are frame by frame, for the scripts of the page.
#pragma once
#include <string>
#include <vector>

#include "output/figures/record.hpp"

namespace denoc::figures {

struct Film {
  std::string json;                  // the object that film.js reads; it says what is in it
  std::vector<std::string> missing;  // meshes that could not be read, and why
};
// Of a record with q at least; v, tau and reactions may be empty. `of_run`: the samples of the run, where the record keeps
// fewer.
Film film_of(const Model& model, const Record& record, std::size_t of_run = 0);

}  // namespace denoc::figures
