# Lets find_package(OpenCL) find the system's ICD loader and headers first.
#
# CMake's own module also looks beside every `bin` folder in PATH and, on many machines, that is a
# CUDA toolkit with a second loader. Its search goes on from here if the system has none.
# CMAKE_PREFIX_PATH, OpenCL_LIBRARY and OpenCL_INCLUDE_DIR still have the last word.
#
# SPDX-License-Identifier: Apache-2.0
if(NOT APPLE AND NOT WIN32)
  find_path(OpenCL_INCLUDE_DIR CL/cl.h NO_SYSTEM_ENVIRONMENT_PATH)
  find_library(OpenCL_LIBRARY OpenCL NO_SYSTEM_ENVIRONMENT_PATH)
endif()
