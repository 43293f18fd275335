// The frame of every HTML file: one that loads nothing, with the style sheet inside.
#pragma once
#include <string>
#include <string_view>

namespace denoc::figures {

// Up to <main>. `kind` is the class of its body, for the style sheet.
std::string html_opening(std::string_view title, std::string_view kind);
std::string html_script(std::string_view text);
std::string html_footer();
inline constexpr const char* html_end = "</body>\n</html>\n";

}  // namespace denoc::figures
