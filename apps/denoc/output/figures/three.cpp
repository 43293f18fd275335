#include "output/figures/three.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace denoc::figures {
namespace {

constexpr const char* installed = "/usr/share/javascript/three/three.min.js";

}  // namespace

std::string three_library() {
  const char* named = std::getenv("DENOC_THREE");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  std::ifstream in(named != nullptr ? named : installed, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  std::string script = std::move(text).str();
  // What would end the <script> is no library.
  return script.find("</script") == std::string::npos ? script : "";
}

}  // namespace denoc::figures
