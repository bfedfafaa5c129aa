# Removes what the last installation from a build folder put in place, and those folders named
# clreshape that are empty then: cmake -DMANIFEST=build/install_manifest.txt -P Uninstall.cmake, which
# is what `cmake --build build --target uninstall` runs. DESTDIR is heeded as on installing. A component
# that was installed for itself is not in the manifest, nor is what cpack gathered.
#
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "clreshape: nothing to uninstall: there is no ${MANIFEST}, which installing "
    "everything from this build folder writes and uninstalling removes")
endif()

# clrs_remove_empty(FOLDER): if the folder has our name and holds nothing more.
function(clrs_remove_empty folder)
  get_filename_component(name "${folder}" NAME)
  file(GLOB inside LIST_DIRECTORIES true "${folder}/*" "${folder}/.*")
  if(name STREQUAL "clreshape" AND IS_DIRECTORY "${folder}" AND NOT inside)
    file(REMOVE_RECURSE "${folder}")
  endif()
endfunction()

file(STRINGS ${MANIFEST} files)
set(kept "")
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  file(REMOVE "${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    list(APPEND kept "${file}")
  else()
    message(STATUS "Uninstalled: ${file}")
    get_filename_component(folder "${file}" DIRECTORY)
    clrs_remove_empty("${folder}")
  endif()
endforeach()
if(kept)
  list(JOIN kept "\n  " kept)
  message(FATAL_ERROR "clreshape: not removed, and still in ${MANIFEST}:\n  ${kept}")
endif()
file(REMOVE ${MANIFEST})
