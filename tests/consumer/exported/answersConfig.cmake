# SPDX-License-Identifier: Apache-2.0
include(CMakeFindDependencyMacro)
find_dependency(clreshape)
include(${CMAKE_CURRENT_LIST_DIR}/answersTargets.cmake)
