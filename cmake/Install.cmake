# The files of an installation: the libraries, the headers, the licence, the program, the CMake
# package and the pkg-config files. The installation may be moved as a whole, unless one of the
# folders was given as an absolute path.
#
# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(clrs_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clreshape)
# As a subproject, CMAKE_INSTALL_DOCDIR may be named after the host.
set(clrs_doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/clreshape)
if(PROJECT_IS_TOP_LEVEL)
  set(clrs_doc_dir ${CMAKE_INSTALL_DOCDIR})
endif()

# clrs_install_library(TARGET COMPONENT EXPORT)
function(clrs_install_library target component export)
  install(TARGETS ${target} EXPORT ${export}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE clreshape:: DESTINATION ${clrs_package_dir}
    COMPONENT development)
endfunction()
clrs_install_library(clreshape library clreshapeTargets)
install(DIRECTORY include/clreshape DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${clrs_doc_dir} COMPONENT development)

if(CLRS_BUILD_ONNX)
  clrs_install_library(clreshape_onnx onnx clreshapeOnnxTargets)
  # Both libraries lie in one folder. Below /usr the loader finds the folder by itself.
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set_target_properties(clreshape_onnx PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endif()

# clrs_way(FROM TO RESULT): the relative path from one folder of an installation to another folder,
# such as ../lib from bin to lib. If one folder is absolute, the result is the full path of TO.
function(clrs_way from to result)
  if(IS_ABSOLUTE "${from}" OR IS_ABSOLUTE "${to}")
    get_filename_component(way "${to}" ABSOLUTE BASE_DIR "${CMAKE_INSTALL_PREFIX}")
  else()
    file(RELATIVE_PATH way "/prefix/${from}" "/prefix/${to}")
    string(REGEX REPLACE "/$" "" way "${way}")
  endif()
  set(${result} "${way}" PARENT_SCOPE)
endfunction()

find_program(CLRS_GZIP gzip)
mark_as_advanced(CLRS_GZIP)
if(CLRS_BUILD_CLI)
  # Below /usr the loader finds the library by itself, and a package must not name a folder there.
  set(clrs_rpath "")
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    clrs_way("${CMAKE_INSTALL_BINDIR}" "${CMAKE_INSTALL_LIBDIR}" clrs_rpath)
    if(NOT IS_ABSOLUTE "${clrs_rpath}")
      string(PREPEND clrs_rpath "$ORIGIN/")
    endif()
  endif()
  set_target_properties(clreshape_program PROPERTIES INSTALL_RPATH "${clrs_rpath}")
  install(TARGETS clreshape_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES cmake/completion.bash COMPONENT program RENAME clreshape
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
  if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT clreshape.1 VERBATIM
      DEPENDS clreshape_program ${PROJECT_SOURCE_DIR}/cmake/man_page.sh
      COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man_page.sh $<TARGET_FILE:clreshape_program>
        ${PROJECT_VERSION} > clreshape.1)
    set(clrs_manual clreshape.1)
    if(CLRS_GZIP AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
      set(clrs_manual clreshape.1.gz)
      add_custom_command(OUTPUT ${clrs_manual} DEPENDS clreshape.1 VERBATIM
        COMMAND ${CLRS_GZIP} -9nkf clreshape.1)
    endif()
    add_custom_target(clreshape_manual ALL DEPENDS ${clrs_manual})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${clrs_manual} COMPONENT program
      DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()

configure_package_config_file(cmake/clreshapeConfig.cmake.in clreshapeConfig.cmake
  INSTALL_DESTINATION ${clrs_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(clreshapeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clreshapeConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/clreshapeConfigVersion.cmake DESTINATION ${clrs_package_dir}
  COMPONENT development)

# pkg-config sets ${pcfiledir} to the folder of the file being read. For lib/pkgconfig the prefix is
# ${pcfiledir}/../.., and for lib/x86_64-linux-gnu/pkgconfig the prefix is ${pcfiledir}/../../..
clrs_way("${CMAKE_INSTALL_LIBDIR}/pkgconfig" "." CLRS_PC_PREFIX)
if(NOT IS_ABSOLUTE "${CLRS_PC_PREFIX}")
  string(PREPEND CLRS_PC_PREFIX "\${pcfiledir}/")
endif()
foreach(folder LIBDIR INCLUDEDIR)
  set(CLRS_PC_${folder} "${CMAKE_INSTALL_${folder}}")
  if(NOT IS_ABSOLUTE "${CLRS_PC_${folder}}")
    string(PREPEND CLRS_PC_${folder} "\${prefix}/")
  endif()
endforeach()
# clrs_install_pc(NAME DESCRIPTION REQUIRES PRIVATE_LIBS)
function(clrs_install_pc name description requires private_libs)
  configure_file(cmake/clreshape.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc COMPONENT development
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(clrs_pc_requires OpenCL)
set(clrs_pc_private "${CMAKE_THREAD_LIBS_INIT}")
if(CLRS_OPENCL_LOADER)
  set(clrs_pc_requires "")
  string(APPEND clrs_pc_private " -ldl")
endif()
clrs_install_pc(clreshape "${PROJECT_DESCRIPTION}" "${clrs_pc_requires}" "${clrs_pc_private}")
if(CLRS_BUILD_ONNX)
  clrs_install_pc(clreshape-onnx "ONNX models of operators that move elements, on clreshape"
    "clreshape = ${PROJECT_VERSION}" "-lprotobuf-c -lm")
endif()

if(PROJECT_IS_TOP_LEVEL)
  # The folders that an installation writes to, one on a line, for Uninstall.cmake.
  set(clrs_roots "")
  foreach(folder LIBDIR INCLUDEDIR BINDIR DATAROOTDIR MANDIR DOCDIR)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
      string(APPEND clrs_roots "${CMAKE_INSTALL_${folder}}\n")
    endif()
  endforeach()
  install(CODE
    "file(WRITE [==[${CMAKE_BINARY_DIR}/install_roots.txt]==] \"\${CMAKE_INSTALL_PREFIX}\\n\" [==[${clrs_roots}]==])")
  add_custom_target(uninstall VERBATIM COMMAND ${CMAKE_COMMAND}
    -DBUILD=${CMAKE_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake)
  include(cmake/Package.cmake)
endif()
