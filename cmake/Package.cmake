# Debian packages: `cpack --config build/CPackConfig.cmake` makes libclreshape0, libclreshape-dev and
# clreshape of a build whose CMAKE_INSTALL_PREFIX is /usr.
#
# SPDX-License-Identifier: Apache-2.0
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clreshape)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reshape and transpose for tensors in OpenCL buffers")
set(CPACK_PACKAGE_CONTACT "clreshape's authors <clreshape@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclreshape0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
  "reshape and transpose for tensors in OpenCL buffers - library
 Shapes as ONNX, OpenVINO, oneDNN and NumPy resolve them. A result is a view
 wherever a layout allows one; else a kernel moves the bytes exactly once.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclreshape-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libclreshape0 (= ${PROJECT_VERSION}), opencl-c-headers, ocl-icd-opencl-dev | opencl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "reshape and transpose for tensors in OpenCL buffers - development
 The headers for C and C++, and what CMake and pkg-config find them by.")

if(CLRS_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL program)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME clreshape)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libclreshape0 (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "reshape and transpose for tensors in OpenCL buffers - program
 Moves the tensors of .npy files and ONNX models of movement operators on an
 OpenCL device, says what would be done and why, and measures how fast.")
endif()
include(CPack)
