# Builds by mingw-w64: a DLL has the name that Windows' own tools give, and needs no file of the
# compiler's. A DLL that this machine lacks is linked by a list of functions.
#
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SHARED_LIBRARY_PREFIX "")
add_link_options(-static-libgcc)

# clrs_import_library(DLL FUNCTION...): sets CLRS_IMPORT_LIBRARY to a library that stands for DLL.
function(clrs_import_library dll)
  set(library ${CMAKE_CURRENT_BINARY_DIR}/windows/lib${dll}.a)
  list(JOIN ARGN "\n" functions)
  file(WRITE ${library}.def "LIBRARY ${dll}\nEXPORTS\n${functions}\n")
  execute_process(COMMAND ${CMAKE_DLLTOOL} -d ${library}.def -l ${library} COMMAND_ERROR_IS_FATAL ANY)
  set(CLRS_IMPORT_LIBRARY ${library} PARENT_SCOPE)
endfunction()

if(NOT TARGET OpenCL::OpenCL)
  find_package(OpenCL QUIET)
endif()
if(OpenCL_INCLUDE_DIR AND NOT OpenCL_FOUND)
  file(STRINGS ${OpenCL_INCLUDE_DIR}/CL/cl.h clrs_opencl_functions REGEX "^cl[A-Z][A-Za-z0-9]*[(]")
  list(TRANSFORM clrs_opencl_functions REPLACE "[(].*" "")
  clrs_import_library(OpenCL.dll ${clrs_opencl_functions})
  set_property(CACHE OpenCL_LIBRARY PROPERTY VALUE ${CLRS_IMPORT_LIBRARY})
  # The rest of this system's headers must not precede the compiler's own.
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/windows/include)
  file(CREATE_LINK ${OpenCL_INCLUDE_DIR}/CL ${CMAKE_CURRENT_BINARY_DIR}/windows/include/CL SYMBOLIC)
  set_property(CACHE OpenCL_INCLUDE_DIR PROPERTY VALUE ${CMAKE_CURRENT_BINARY_DIR}/windows/include)
endif()
