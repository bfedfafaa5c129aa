# The settings that everything written here is compiled with, whatever those of a host are.
#
# SPDX-License-Identifier: Apache-2.0

# A host's optimization is taken as it is, also if it is -O0. Where there is neither a configuration
# nor an option -O, compilers do not optimize at all; then we ask for -O2.
function(clrs_optimize target)
  get_directory_property(given COMPILE_OPTIONS)
  if(NOT "${CMAKE_C_FLAGS};${given}" MATCHES "(^|[ ;])-O")
    target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2>)
  endif()
endfunction()

# clrs_warn(TARGET WARNING...): for us only. With a host's -Werror, what the next compiler notices
# would stop the host's build.
function(clrs_warn target)
  if(PROJECT_IS_TOP_LEVEL OR CLRS_WERROR)
    target_compile_options(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Each operation of a map is rounded, and a NaN stays one. A host's -ffast-math would change both. Of two
# flags that contradict each other the compiler takes the last, which is ours.
function(clrs_exact_floats target)
  target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-fno-fast-math
    -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off>)
endfunction()

# Every file is compiled for itself, also where a host sets CMAKE_UNITY_BUILD: static functions and
# types have short names, which several files use for different things, and a unity build would gain
# a few seconds only.
#
# A shared library may link a static one only if its code is position-independent, so ours is, unless
# the host says for a static one that it need not be.
function(clrs_house_rules target)
  set(position_independent ON)
  if(DEFINED CMAKE_POSITION_INDEPENDENT_CODE AND NOT BUILD_SHARED_LIBS)
    set(position_independent ${CMAKE_POSITION_INDEPENDENT_CODE})
  endif()
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON
    C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden UNITY_BUILD OFF
    POSITION_INDEPENDENT_CODE "${position_independent}")
  clrs_optimize(${target})
  clrs_exact_floats(${target})
  clrs_warn(${target} -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion)
  target_compile_options(${target} PRIVATE $<$<BOOL:${CLRS_WERROR}>:-Werror>)
endfunction()

# A library shows the functions that its public headers mark, and no others: also a DLL does.
function(clrs_shows_marked target)
  target_compile_definitions(${target} PRIVATE $<$<BOOL:${CLRS_HIDDEN}>:CLRS_HIDDEN>
    $<$<BOOL:${BUILD_SHARED_LIBS}>:$<$<PLATFORM_ID:Windows>:CLRS_BUILDS_DLL>>)
endfunction()

# What is linked into other people's programs also compiles with the warnings that they like.
function(clrs_library_rules target)
  clrs_house_rules(${target})
  clrs_warn(${target} -Wshadow -Wswitch-enum)
  clrs_shows_marked(${target})
endfunction()

# In the program and the library of models, a switch over 40 element types means its default.
function(clrs_program_rules target)
  clrs_house_rules(${target})
  clrs_warn(${target} -Wshadow)
  target_compile_options(${target} PRIVATE -Wno-switch-enum)
endfunction()
