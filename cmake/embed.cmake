# cmake -DOUT=FILE -P embed.cmake -- FILES...: a source with the texts of the files, by their names (see assets.hpp).
set(rows "")
set(i 0)
while(i LESS CMAKE_ARGC)
  if(past_dashes)
    file(READ ${CMAKE_ARGV${i}} text)
    get_filename_component(name ${CMAKE_ARGV${i}} NAME)
    string(APPEND rows "    {\"${name}\", R\"DENOC_ASSET(${text})DENOC_ASSET\"},\n")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(past_dashes TRUE)
  endif()
  math(EXPR i "${i} + 1")
endwhile()
file(WRITE ${OUT} "#include \"output/figures/assets.hpp\"\n
#include <array>
#include <stdexcept>\n
namespace denoc::figures {\n
std::string_view asset(std::string_view name) {
  struct Row {
    std::string_view name, text;
  };
  static constexpr Row rows[] = {\n${rows}  };
  for (const Row& row : rows)
    if (row.name == name) return row.text;
  throw std::logic_error(\"no asset of this name is built in\");
}\n
}  // namespace denoc::figures\n")
