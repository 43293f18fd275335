#include "studies/reproduce/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "studies/reproduce/items.hpp"

namespace denoc::app {
namespace {

std::string table_line(const page::Row& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

struct AsMarkdown {
  std::string operator()(const page::Section& s) const {
    return fmt::format("\n<a id=\"{}\"></a>\n\n## {}\n", s.id, s.title);
  }
  std::string operator()(const page::Paragraph& p) const { return fmt::format("\n{}\n", p.text); }
  std::string operator()(const page::Table& t) const {
    page::Row shown, rules;
    for (const std::string& heading : t.headings) {
      const bool is_number = heading.starts_with('>');
      shown.push_back(heading.substr(is_number ? 1 : 0));
      rules.emplace_back(is_number ? "---:" : "---");
    }
    std::string text = fmt::format("\n{}{}", table_line(shown), table_line(rules));
    for (const page::Row& row : t.rows) text += table_line(row);
    return text;
  }
  std::string operator()(const page::Figure& f) const {
    return fmt::format("\n![{}]({})\n\n*{}*\n", f.name, f.file, f.caption);
  }
};

std::string_view word_for(Reproduced how) {
  return how == Reproduced::yes ? "yes" : how == Reproduced::partly ? "in part" : "no";
}

}  // namespace

std::string page::markdown(const std::string& title, const std::vector<Block>& blocks) {
  std::string text = fmt::format("# {}\n", title);
  for (const Block& block : blocks) text += std::visit(AsMarkdown{}, block);
  return text;
}

Page::Page(std::string key, std::string_view title, std::function<void(const std::string&)> begins)
    : key_(std::move(key)), title_(title), begins_(std::move(begins)) {}

void Page::section(const std::string& id, const std::string& title) {
  begins_(title);
  blocks_.emplace_back(page::Section{id, title});
}
void Page::say(std::string_view paragraph) { blocks_.emplace_back(page::Paragraph{std::string(paragraph)}); }
void Page::table(const Row& headings, const std::vector<Row>& rows) {
  blocks_.emplace_back(page::Table{headings, rows});
}

void Page::compare(const std::vector<Compared>& rows) {
  std::vector<Row> cells;
  cells.reserve(rows.size());
  for (const auto& [what, published, ours, why] : rows) cells.push_back({what, published, ours, why});
  table({"", "published", "ours", "why they differ"}, cells);
}

void Page::figure(const std::string& name, std::string_view caption, std::span<const figures::Plot> panels,
                  const figures::Size& size) {
  blocks_.emplace_back(
      page::Figure{name, fmt::format("{}-{}.svg", key_, name), std::string(caption), figures::svg(panels, size)});
}
void Page::figure(const std::string& name, std::string_view caption, const figures::Plot& plot,
                  const figures::Size& size) {
  figure(name, caption, std::span(&plot, 1), size);
}

const page::Section* Page::section_of(std::string_view id) const {
  for (const page::Block& block : blocks_)
    if (const auto* const section = std::get_if<page::Section>(&block); section != nullptr && section->id == id)
      return section;
  return nullptr;
}

// Every item of the document, whether it is reproduced, and where; where it is not, why.
page::Table Page::contents() const {
  page::Table table{{"item", "what it is", "reproduced", "where, or why not"}, {}};
  for (const Item& item : items_of(key_)) {
    const page::Section* const section = section_of(item.section);
    if ((section != nullptr) != (item.reproduced != Reproduced::no))
      throw std::logic_error(fmt::format("{}: {} points to the section '{}'", key_, item.name, item.section));
    const std::string where =
        section == nullptr ? ""
                           : fmt::format("[{}](#{})", section->title.substr(0, section->title.find(':')), section->id);
    table.rows.push_back({std::string(item.name), std::string(item.what), std::string(word_for(item.reproduced)),
                          fmt::format("{}{}{}", where, where.empty() || item.note.empty() ? "" : "; ", item.note)});
  }
  return table;
}

std::map<std::string, std::string> Page::files() const {
  const page::Table items = contents();
  const auto count = [&](Reproduced how) {
    return std::count_if(items.rows.begin(), items.rows.end(), [&](const Row& row) { return row[2] == word_for(how); });
  };
  std::vector<page::Block> all = {page::Paragraph{fmt::format(
      "Every table, figure, example and exercise of the document, and what is said there of numbers: {} items, {} "
      "reproduced, {} in part, {} not.",
      items.rows.size(), count(Reproduced::yes), count(Reproduced::partly), count(Reproduced::no))}};
  all.emplace_back(items);
  all.insert(all.end(), blocks_.begin(), blocks_.end());
  std::map<std::string, std::string> files = {{key_ + ".md", page::markdown(title_, all)},
                                              {key_ + ".html", page::html(title_, all)}};
  for (const page::Block& block : blocks_)
    if (const auto* const figure = std::get_if<page::Figure>(&block)) files[figure->file] = figure->svg;
  return files;
}

}  // namespace denoc::app
