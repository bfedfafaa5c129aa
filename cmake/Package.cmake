# Debian packages: `cpack --config build/CPackConfig.cmake` makes libclreshape0.3,
# libclreshape-onnx0.3, libclreshape-dev and clreshape from a build with CMAKE_INSTALL_PREFIX /usr.
# The name of a library's package has the number of the SONAME, as Debian's policy demands. Needs
# `file` and `dpkg-shlibdeps` (packages file and dpkg-dev).
#
# SPDX-License-Identifier: Apache-2.0
set(CPACK_GENERATOR DEB)
set(clrs_library_package libclreshape${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(clrs_onnx_package libclreshape-onnx${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_PACKAGE_NAME clreshape)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reshape and transpose for tensors in OpenCL buffers")
set(CPACK_PACKAGE_CONTACT "clreshape's authors <clreshape@clreshape.invalid>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${clrs_library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
  "reshape and transpose for tensors in OpenCL buffers - library
 Shapes as ONNX, OpenVINO, oneDNN and NumPy resolve them. A result is a view
 wherever a layout allows one; else a kernel moves the bytes exactly once.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclreshape-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "${clrs_library_package} (= ${PROJECT_VERSION}), opencl-c-headers, ocl-icd-opencl-dev | opencl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "reshape and transpose for tensors in OpenCL buffers - development
 The headers for C and C++, and what CMake and pkg-config find them by.")

if(CLRS_BUILD_ONNX)
  list(APPEND CPACK_COMPONENTS_ALL onnx)
  set(CPACK_DEBIAN_ONNX_PACKAGE_NAME ${clrs_onnx_package})
  set(CPACK_DEBIAN_ONNX_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_ONNX_PACKAGE_DEPENDS "${clrs_library_package} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_ONNX_DESCRIPTION
    "reshape and transpose for tensors in OpenCL buffers - ONNX models
 Executes models of operators that move elements, and map them on the way.")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    ", ${clrs_onnx_package} (= ${PROJECT_VERSION})")
endif()

if(CLRS_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL program)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME clreshape)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${clrs_onnx_package} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "reshape and transpose for tensors in OpenCL buffers - program
 Moves the tensors of .npy files and ONNX models of movement operators on an
 OpenCL device, says what would be done and why, and measures how fast.")
endif()

# clrs_package_papers(COMPONENT PACKAGE): installs licence and changes in a folder with the package's
# name. Only packages have this folder.
function(clrs_package_papers component package)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
# Like clrs_package_papers, for a package of a library.
function(clrs_library_papers component package)
  clrs_package_papers(${component} ${package})
  file(CONFIGURE OUTPUT ${package}_overrides @ONLY CONTENT [=[
# CPack writes a postinst and a postrm that call ldconfig, beside the trigger that Debian asks for.
@package@: maintscript-calls-ldconfig [postinst]
@package@: maintscript-calls-ldconfig [postrm]
]=])
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}_overrides RENAME ${package}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
if(CLRS_GZIP)
  string(TIMESTAMP clrs_date "%a, %d %b %Y %H:%M:%S +0000" UTC) # heeds SOURCE_DATE_EPOCH
  file(CONFIGURE OUTPUT copyright @ONLY CONTENT [=[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: clreshape

Files: *
Copyright: 2026 clreshape's authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
]=])
  file(CONFIGURE OUTPUT changelog @ONLY CONTENT [=[
clreshape (@PROJECT_VERSION@) unstable; urgency=medium

  * Version @PROJECT_VERSION@.

 -- @CPACK_PACKAGE_CONTACT@  @clrs_date@
]=])
  execute_process(COMMAND ${CLRS_GZIP} -9nf changelog WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
  clrs_library_papers(library ${clrs_library_package})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
  if(CLRS_BUILD_ONNX)
    clrs_library_papers(onnx ${clrs_onnx_package})
    set(CPACK_DEBIAN_ONNX_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
  endif()
  clrs_package_papers(development libclreshape-dev)
  if(CLRS_BUILD_CLI)
    clrs_package_papers(program clreshape)
  endif()
endif()
include(CPack)
