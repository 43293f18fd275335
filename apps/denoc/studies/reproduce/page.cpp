#include "studies/reproduce/page.hpp"

#include <fmt/format.h>

namespace denoc::app {
namespace {

std::string line(const Page::Row& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

}  // namespace

Page::Page(std::string key, std::string_view title, std::function<void(const std::string&)> begins)
    : key_(std::move(key)), text_(fmt::format("# {}\n", title)), begins_(std::move(begins)) {}

void Page::section(const std::string& title) {
  begins_(title);
  text_ += fmt::format("\n## {}\n", title);
}

void Page::say(std::string_view paragraph) { text_ += fmt::format("\n{}\n", paragraph); }

void Page::table(const Row& headings, const std::vector<Row>& rows) {
  Row shown, rules;
  for (const std::string& heading : headings) {
    const bool is_number = heading.starts_with('>');
    shown.push_back(heading.substr(is_number ? 1 : 0));
    rules.emplace_back(is_number ? "---:" : "---");
  }
  text_ += fmt::format("\n{}{}", line(shown), line(rules));
  for (const Row& row : rows) text_ += line(row);
}

void Page::compare(const std::vector<Compared>& rows) {
  std::vector<Row> cells;
  cells.reserve(rows.size());
  for (const auto& [what, published, ours, why] : rows) cells.push_back({what, published, ours, why});
  table({"", "published", "ours", "why they differ"}, cells);
}

void Page::figure(const std::string& name, std::string_view caption, std::span<const figures::Plot> panels,
                  const figures::Size& size) {
  const std::string file = fmt::format("{}-{}.svg", key_, name);
  figures_[file] = figures::svg(panels, size);
  text_ += fmt::format("\n![{}]({})\n\n*{}*\n", name, file, caption);
}
void Page::figure(const std::string& name, std::string_view caption, const figures::Plot& plot,
                  const figures::Size& size) {
  figure(name, caption, std::span(&plot, 1), size);
}

std::map<std::string, std::string> Page::files() const {
  std::map<std::string, std::string> all = figures_;
  all[key_ + ".md"] = text_;
  return all;
}

}  // namespace denoc::app
