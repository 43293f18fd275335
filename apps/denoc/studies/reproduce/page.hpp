// What `denoc reproduce` tells of a document, put together in memory: Markdown with its figures beside it, and the same
// as one HTML file with the figures inside.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "output/figures/plot.hpp"

namespace denoc::app {

// A number of a document beside ours. `published` names its table or figure; `why` is empty where they agree.
struct Compared {
  std::string what, published, ours, why = {};
};

// Text may have `code`, **strong words**, [links](#section) and \*, in both kinds of file.
namespace page {
using Row = std::vector<std::string>;
struct Section {
  std::string id, title;
};
struct Paragraph {
  std::string text;
};
struct Table {
  Row headings;  // one that begins with '>' is of a column of numbers
  std::vector<Row> rows;
};
struct Figure {
  std::string name, file, caption, svg;
};
using Block = std::variant<Section, Paragraph, Table, Figure>;

std::string markdown(const std::string& title, const std::vector<Block>& blocks);
std::string html(const std::string& title, const std::vector<Block>& blocks);
}  // namespace page

class Page {
 public:
  using Row = page::Row;

  // `begins` is told of every section before its numbers are computed.
  Page(std::string key, std::string_view title, std::function<void(const std::string& section)> begins);

  // `id` is what the list of items (items.hpp) and the contents point to.
  void section(const std::string& id, const std::string& title);
  void say(std::string_view paragraph);
  void compare(const std::vector<Compared>& rows);
  // A heading that begins with '>' is of a column of numbers.
  void table(const Row& headings, const std::vector<Row>& rows);
  // The file is named after the document.
  void figure(const std::string& name, std::string_view caption, std::span<const figures::Plot> panels,
              const figures::Size& size = {});
  void figure(const std::string& name, std::string_view caption, const figures::Plot& plot,
              const figures::Size& size = {});

  // By file name: Markdown, HTML and the figures. At the top is every item of the document and where it is reproduced.
  // Throws std::logic_error for an item that points to no section.
  std::map<std::string, std::string> files() const;

 private:
  const page::Section* section_of(std::string_view id) const;
  page::Table contents() const;

  std::string key_, title_;
  std::function<void(const std::string&)> begins_;
  std::vector<page::Block> blocks_ = {};
};

}  // namespace denoc::app
