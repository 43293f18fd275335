// The five documents, one file each. Every number that is called ours is computed when the page is made.
#pragma once
#include <array>

#include "studies/reproduce/page.hpp"

namespace denoc::app {

struct Document {
  std::string_view key, title;
  void (*write)(Page& page);
};

void write_saha97(Page& page);
void write_mata02(Page& page);
void write_mohan07(Page& page);
void write_shah13(Page& page);
void write_angeles7(Page& page);

inline constexpr std::array documents = {
    Document{"saha97", "Saha 1997: A decomposition of the manipulator inertia matrix", write_saha97},
    Document{"mata02", "Mata and others 2002: Gibbs-Appell equations", write_mata02},
    Document{"mohan07", "Mohan and Saha 2007: A recursive, numerically stable, and efficient simulation algorithm",
             write_mohan07},
    Document{"shah13", "Shah, Saha and Dutt 2013: Dynamics algorithms for multibody systems", write_shah13},
    Document{"angeles7", "Angeles: Fundamentals of Robotic Mechanical Systems, chapter 7", write_angeles7}};

}  // namespace denoc::app
