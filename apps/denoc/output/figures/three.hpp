// three.js, the library of the pages' 3D view: not ours, so it is read where the system has it.
#pragma once
#include <string>

namespace denoc::figures {

// Its text, fit for a <script>; empty where it is not installed (Debian: libjs-three). The environment variable
// DENOC_THREE names another file.
std::string three_library();

}  // namespace denoc::figures
