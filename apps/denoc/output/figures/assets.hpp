// The scripts, the style sheet and the player of the pages: the files *.js, *.css and *.html of this folder, built into the program.
#pragma once
#include <string_view>

namespace denoc::figures {

std::string_view asset(std::string_view name);

}  // namespace denoc::figures
