# clreshape from the checkout that this port lies in: `vcpkg install clreshape
# --overlay-ports=cmake/vcpkg --no-binarycaching`. vcpkg knows a package by its port and not by
# sources that it did not download, so a cache would not notice when they change. In a registry the
# first line is vcpkg_from_github, and nothing else is another.
#
# SPDX-License-Identifier: Apache-2.0
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

file(STRINGS "${SOURCE_PATH}/include/clreshape/core.h" version
  REGEX "^#define CLRS_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM version REPLACE "^.* " "")
list(JOIN version "." version)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "the sources are of version ${version}, vcpkg.json is of ${VERSION}")
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tools CLRS_BUILD_CLI
  onnx CLRS_BUILD_ONNX)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features}
    -DCLRS_LIBZIP=OFF # taken where it happens to be: not in a package
    -DCLRS_JANSSON=OFF # the same
    -DCLRS_PACKAGE_PYTHON=OFF # the wheel is another package
  MAYBE_UNUSED_VARIABLES CLRS_LIBZIP CLRS_JANSSON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clreshape)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES clreshape AUTO_CLEAN)
endif()
# Headers and texts are those of the other build, and vcpkg has a place of its own for the licence.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
