# The HTML reference of the public headers, in docs/html of the build folder, if there is a Doxygen:
# `cmake --build build --target docs`. A warning of Doxygen's is an error.
#
# SPDX-License-Identifier: Apache-2.0
find_program(CLRS_DOXYGEN doxygen DOC "Doxygen, for the target docs alone")
mark_as_advanced(CLRS_DOXYGEN)
if(NOT CLRS_DOXYGEN OR NOT CLRS_PACKAGE_PYTHON)
  return()
endif()
configure_file(cmake/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
add_custom_target(docs COMMAND ${CLRS_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
