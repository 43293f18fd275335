// Pages of the documents as HTML: one file that loads nothing, with its figures and a table of contents.
#include <fmt/format.h>

#include "output/figures/assets.hpp"
#include "output/figures/html.hpp"
#include "output/figures/text.hpp"
#include "studies/reproduce/page.hpp"

namespace denoc::app {
namespace {

using figures::escaped;

// Marks of the text, one after the other: `code`, **strong**, [word](#section), \x for x itself.
class Inline {
 public:
  explicit Inline(std::string_view text) : rest_(text) {}

  std::string html() {
    while (!rest_.empty()) {
      if (enclosed("`", "code") || enclosed("**", "strong") || link()) continue;
      if (rest_.size() > 1 && rest_[0] == '\\') rest_.remove_prefix(1);
      html_ += escaped(rest_.substr(0, 1));
      rest_.remove_prefix(1);
    }
    return html_;
  }

 private:
  bool enclosed(std::string_view mark, std::string_view element) {
    if (!rest_.starts_with(mark)) return false;
    const std::size_t end = rest_.find(mark, mark.size());
    if (end == std::string_view::npos) return false;
    html_ += fmt::format("<{0}>{1}</{0}>", element, escaped(rest_.substr(mark.size(), end - mark.size())));
    rest_.remove_prefix(end + mark.size());
    return true;
  }
  bool link() {
    if (!rest_.starts_with('[')) return false;
    const std::size_t middle = rest_.find("](#"), end = rest_.find(')', middle);
    if (middle == std::string_view::npos || end == std::string_view::npos || rest_.find(']') != middle) return false;
    html_ += fmt::format("<a href='#{}'>{}</a>", escaped(rest_.substr(middle + 3, end - middle - 3)),
                         escaped(rest_.substr(1, middle - 1)));
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
  std::string html_ = {};
};
std::string marked(std::string_view text) { return Inline(text).html(); }

struct AsHtml {
  std::string operator()(const page::Section& s) const {
    return fmt::format("<h2 id='{}'>{}</h2>\n", escaped(s.id), marked(s.title));
  }
  std::string operator()(const page::Paragraph& p) const { return fmt::format("<p>{}</p>\n", marked(p.text)); }
  std::string operator()(const page::Table& t) const {
    const auto kind = [&](std::size_t column) { return t.headings[column].starts_with('>') ? "number" : "text"; };
    std::string text = "<div class='scroll'><table>\n<thead><tr>";
    for (std::size_t k = 0; k < t.headings.size(); ++k)
      text += fmt::format("<th class='{}' scope='col'>{}</th>", kind(k),
                          marked(std::string_view(t.headings[k]).substr(t.headings[k].starts_with('>') ? 1 : 0)));
    text += "</tr></thead>\n<tbody>\n";
    for (const page::Row& row : t.rows) {
      text += "<tr>";
      for (std::size_t k = 0; k < row.size(); ++k)
        text += fmt::format("<td class='{}'>{}</td>", kind(k), marked(row[k]));
      text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
  }
  std::string operator()(const page::Figure& f) const {
    return fmt::format("<figure class='wide' id='figure-{}'>{}<figcaption>{}</figcaption></figure>\n", escaped(f.name),
                       f.svg, marked(f.caption));
  }
};

std::string contents(const std::vector<page::Block>& blocks) {
  std::string list;
  for (const page::Block& block : blocks)
    if (const auto* const section = std::get_if<page::Section>(&block))
      list += fmt::format("<li><a href='#{}'>{}</a></li>\n", escaped(section->id), marked(section->title));
  return fmt::format("<nav><h2>Contents</h2>\n<ol>\n{}</ol></nav>\n", list);
}

}  // namespace

std::string page::html(const std::string& title, const std::vector<Block>& blocks) {
  std::string text = figures::html_opening(title, "document");
  text += fmt::format("<header><h1>{}</h1></header>\n{}", escaped(title), contents(blocks));
  for (const Block& block : blocks) text += std::visit(AsHtml{}, block);
  return text + "</main>\n" + figures::html_footer() + figures::html_script(figures::asset("plots.js")) +
         figures::html_end;
}

}  // namespace denoc::app
