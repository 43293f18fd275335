// What `denoc reproduce` tells of a document: Markdown with tables, and the figures beside it, put together in memory.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/figures/plot.hpp"

namespace denoc::app {

// A number of a document beside ours. `published` names its table or figure; `why` is empty where they agree.
struct Compared {
  std::string what, published, ours, why = {};
};

class Page {
 public:
  using Row = std::vector<std::string>;

  // `begins` is told of every section before its numbers are computed.
  Page(std::string key, std::string_view title, std::function<void(const std::string& section)> begins);

  void section(const std::string& title);
  void say(std::string_view paragraph);
  void compare(const std::vector<Compared>& rows);
  // A heading that begins with '>' is of a column of numbers.
  void table(const Row& headings, const std::vector<Row>& rows);
  // The file is named after the document.
  void figure(const std::string& name, std::string_view caption, std::span<const figures::Plot> panels,
              const figures::Size& size = {});
  void figure(const std::string& name, std::string_view caption, const figures::Plot& plot,
              const figures::Size& size = {});

  // By file name, the Markdown among them.
  std::map<std::string, std::string> files() const;

 private:
  std::string key_, text_;
  std::function<void(const std::string&)> begins_;
  std::map<std::string, std::string> figures_ = {};
};

}  // namespace denoc::app
