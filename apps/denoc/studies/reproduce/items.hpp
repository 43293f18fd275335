// Every table, figure, example, exercise and algorithm of the documents, and what they claim in numbers: whether it is
// reproduced and where, and where not, why. One list; the pages begin with it.
#pragma once
#include <string_view>
#include <vector>

namespace denoc::app {

enum class Reproduced { yes, partly, no };

struct Item {
  std::string_view document, name, what;
  Reproduced reproduced;
  std::string_view section = {};  // of the document's page, unless it is not reproduced
  std::string_view note = {};     // why it is not, or not all of it, or on what terms
};
// Those of a document, in its order.
std::vector<Item> items_of(std::string_view document);

}  // namespace denoc::app
