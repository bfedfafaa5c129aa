# What an installation holds: the library, its headers, the program, and a CMake package and a
# pkg-config file by which others find them.
#
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

set(clrs_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clreshape)

install(TARGETS clreshape EXPORT clreshapeTargets FILE_SET HEADERS)
if(CLRS_BUILD_CLI)
  install(TARGETS clreshape_program)
endif()

install(EXPORT clreshapeTargets NAMESPACE clreshape:: DESTINATION ${clrs_package_dir})
configure_package_config_file(cmake/clreshapeConfig.cmake.in clreshapeConfig.cmake
  INSTALL_DESTINATION ${clrs_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(clreshapeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clreshapeConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/clreshapeConfigVersion.cmake DESTINATION ${clrs_package_dir})

configure_file(cmake/clreshape.pc.in clreshape.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clreshape.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
