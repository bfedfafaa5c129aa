# OpenCL's loader and headers, and threads.
#
# If the host project has a target OpenCL::OpenCL, of any loader, the target is used. Otherwise
# CMake's own module searches first in OpenCL_ROOT and CMAKE_PREFIX_PATH, then in the system's
# folders, and last in folders of SDKs (/usr/local/cuda, and folders named by CUDA_PATH and similar
# variables). The cache variables OpenCL_LIBRARY and OpenCL_INCLUDE_DIR overrule the search.
#
# SPDX-License-Identifier: Apache-2.0

if(CLRS_OPENCL_LOADER AND NOT TARGET OpenCL::OpenCL) # src/loader is in the library: headers are enough
  find_path(OpenCL_INCLUDE_DIR CL/cl.h REQUIRED)
  add_library(OpenCL::OpenCL INTERFACE IMPORTED)
  set_target_properties(OpenCL::OpenCL PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${OpenCL_INCLUDE_DIR})
endif()
if(MINGW)
  include(${CMAKE_CURRENT_LIST_DIR}/Mingw.cmake)
endif()
if(NOT TARGET OpenCL::OpenCL)
  find_package(OpenCL)
  if(NOT OpenCL_FOUND)
    message(FATAL_ERROR "clreshape: there is no OpenCL loader, or no header CL/cl.h. Install them "
      "(Debian: apt-get install ocl-icd-opencl-dev opencl-c-headers), or say where they are: "
      "-DOpenCL_LIBRARY=FILE -DOpenCL_INCLUDE_DIR=FOLDER")
  endif()
endif()
set(clrs_threads Threads::Threads)
if(WIN32) # whose own locks the library takes
  set(clrs_threads "")
elseif(NOT TARGET Threads::Threads)
  find_package(Threads REQUIRED)
endif()
