# How this project's own code is compiled; nothing of it reaches programs that use the library.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Never -ffast-math: it breaks the checks for NaN and the argument reduction of sines.
add_compile_options(-fno-math-errno -fno-trapping-math -Wall -Wextra -Wpedantic)
# clang's -Wshadow counts friends defined in a class among its members.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wshadow>)
# Where several files are compiled as one (CMAKE_UNITY_BUILD), what is private to one of them is no outside name that others shadow or use.
if(CMAKE_UNITY_BUILD)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:GNU>:-Wno-shadow> $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi>)
endif()
# g++ looks for garbage in its own memory whenever that has grown a little; with half a gigabyte to begin with it compiles a tenth sooner.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>)
if(DENOC_WERROR)
  add_compile_options(-Werror)
endif()
if(DENOC_NATIVE)
  add_compile_options(-march=native -ffp-contract=fast)
  # g++ 12 takes the "undefined" registers of its own AVX-512 headers for mistakes of ours.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
