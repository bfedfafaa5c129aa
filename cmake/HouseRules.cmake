# The settings for all code of this project, whatever the settings of a host project are.
#
# SPDX-License-Identifier: Apache-2.0

# A host's optimization is used unchanged, also -O0. If the host has neither a configuration nor an
# option -O, compilers would not optimize. The library is then compiled with -O2.
function(clrs_optimize target)
  get_directory_property(given COMPILE_OPTIONS)
  if(NOT "${CMAKE_C_FLAGS};${given}" MATCHES "(^|[ ;])-O")
    target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2>)
  endif()
endfunction()

# clrs_warn(TARGET WARNING...): adds warnings only if this project is built alone or with
# CLRS_WERROR. In a host with -Werror, a new warning of the next compiler would stop the host's build.
function(clrs_warn target)
  if(PROJECT_IS_TOP_LEVEL OR CLRS_WERROR)
    target_compile_options(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# A C11 compiler may compute floats with more bits: GCC as doubles for s390x, and in x87 registers for
# 32-bit x86. The first of these flags with which floats have their own bits is in clrs_float_flags.
function(clrs_find_float_flags)
  foreach(flags "" "-fexcess-precision=fast" "-msse2 -mfpmath=sse")
    string(MAKE_C_IDENTIFIER "CLRS_FLOATS_ARE_EXACT ${flags}" found)
    set(CMAKE_REQUIRED_FLAGS "-std=c11 ${flags}")
    check_c_source_compiles("#include <float.h>
      _Static_assert(FLT_EVAL_METHOD == 0, \"\");
      int main(void) { return 0; }" ${found})
    if(${found})
      string(REPLACE " " ";" flags "${flags}")
      set(clrs_float_flags ${flags} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
include(CheckCSourceCompiles)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  clrs_find_float_flags()
endif()

# Each operation of a map is rounded, and a NaN stays a NaN. A host's -ffast-math would change both.
# If two flags contradict each other, the compiler uses the last flag, which is the flag set here.
function(clrs_exact_floats target)
  target_compile_options(${target} PRIVATE ${clrs_float_flags})
  target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-fno-fast-math
    -fno-finite-math-only -fno-unsafe-math-optimizations -ffp-contract=off>)
endfunction()

# Every file is compiled separately, also if a host sets CMAKE_UNITY_BUILD. Several files use the
# same short names for different static functions and types. A unity build would save only a few
# seconds.
#
# A shared library may link a static library only if the static library's code is
# position-independent. The code here is therefore position-independent, unless the host turns the
# property off for a static library.
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

# A library, also a DLL, exports only the functions that the public headers mark.
function(clrs_shows_marked target)
  target_compile_definitions(${target} PRIVATE $<$<BOOL:${CLRS_HIDDEN}>:CLRS_HIDDEN>
    $<$<BOOL:${BUILD_SHARED_LIBS}>:$<$<PLATFORM_ID:Windows>:CLRS_BUILDS_DLL>>)
endfunction()

# Code that is linked into other programs also compiles with warnings common in such programs.
function(clrs_library_rules target)
  clrs_house_rules(${target})
  clrs_warn(${target} -Wshadow -Wswitch-enum)
  clrs_shows_marked(${target})
endfunction()

# In the program and the library of models, a switch over 40 element types relies on `default`.
function(clrs_program_rules target)
  clrs_house_rules(${target})
  clrs_warn(${target} -Wshadow)
  target_compile_options(${target} PRIVATE -Wno-switch-enum)
endfunction()
