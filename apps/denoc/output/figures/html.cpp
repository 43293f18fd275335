#include "output/figures/html.hpp"

#include <fmt/format.h>

#include "denoc/version.hpp"
#include "output/figures/assets.hpp"
#include "output/figures/text.hpp"

namespace denoc::figures {

std::string html_opening(std::string_view title, std::string_view kind) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
      "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body class='{}'>\n<main>\n",
      escaped(title), asset("page.css"), kind);
}
std::string html_script(std::string_view text) { return fmt::format("<script>\n{}</script>\n", text); }
std::string html_footer() { return fmt::format("<footer>Made by denoc {}.</footer>\n", version); }

}  // namespace denoc::figures
