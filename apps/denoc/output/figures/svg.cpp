#include "output/figures/svg.hpp"

#include <fmt/format.h>

#include "output/figures/assets.hpp"
#include "output/figures/text.hpp"

namespace denoc::figures {

std::string svg_opening(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' height='{1:.0f}' "
      "font-family='Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif' font-size='{2}' fill='#222' "
      "role='img' class='figure'>\n<title>{3}</title>\n<style>{4}</style>\n"
      "<rect class='paper' width='100%' height='100%' fill='white'/>\n",
      width, height, svg_font_size, escaped(title), asset("figure.css"));
}

std::string path_of(const std::vector<PagePoint>& points) {
  std::string path;
  for (const PagePoint& p : points) path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", p.x, p.y);
  return path;
}

}  // namespace denoc::figures
