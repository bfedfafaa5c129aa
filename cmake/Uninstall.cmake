# Removes what the last installation from a build folder put in place, and those folders named
# clreshape that are empty then: cmake -DBUILD=build -P Uninstall.cmake, which is what
# `cmake --build build --target uninstall` runs. DESTDIR is heeded as on installing. A component
# that was installed for itself is not in the manifest, nor is what cpack gathered.
#
# A prefix may have any character but a line break. So no path is ever put into a list of CMake's, which
# a semicolon or a bracket in the path would cut or join, nor read by file(STRINGS), which ends a line at a
# byte over 127.
#
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)
set(manifest "${BUILD}/install_manifest.txt")
set(roots "${BUILD}/install_roots.txt")
if(NOT EXISTS "${manifest}" OR NOT EXISTS "${roots}")
  message(FATAL_ERROR "clreshape: nothing to uninstall: there is no ${manifest}, which installing "
    "everything from this build folder writes and uninstalling removes")
endif()

# clrs_take_line(TEXT LINE): moves the first line of the variable TEXT to the variable LINE.
macro(clrs_take_line text line)
  string(FIND "${${text}}" "\n" end)
  if(end EQUAL -1)
    set(${line} "${${text}}")
    set(${text} "")
  else()
    string(SUBSTRING "${${text}}" 0 ${end} ${line})
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${${text}}" ${end} -1 ${text})
  endif()
endmacro()

# clrs_remove_empty(FOLDER): if the folder has our name and holds nothing more.
function(clrs_remove_empty folder)
  get_filename_component(name "${folder}" NAME)
  string(REGEX REPLACE "([[*?])" "[\\1]" literal "${folder}") # no pattern for file(GLOB)
  file(GLOB inside LIST_DIRECTORIES true "${literal}/*" "${literal}/.*")
  if(name STREQUAL "clreshape" AND IS_DIRECTORY "${folder}" AND NOT inside)
    file(REMOVE_RECURSE "${folder}")
  endif()
endfunction()

# clrs_is_below_a_root(FILE RESULT): the prefix, and folders that were given in full.
function(clrs_is_below_a_root file result)
  set(${result} FALSE PARENT_SCOPE)
  file(READ "${roots}" left)
  while(NOT left STREQUAL "")
    clrs_take_line(left root)
    string(FIND "${file}" "${root}/" at)
    if(at EQUAL 0 AND NOT root STREQUAL "")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endwhile()
endfunction()

# CMake makes the manifest of a list, and so ends a line at each semicolon of the prefix.
file(READ "${manifest}" files)
file(READ "${roots}" left)
while(NOT left STREQUAL "")
  clrs_take_line(left root)
  string(REPLACE ";" "\n" cut "${root}")
  if(NOT cut STREQUAL root)
    string(REPLACE "${cut}/" "${root}/" files "${files}")
  endif()
endwhile()

# Nothing is removed before all lines have been looked at.
set(left "${files}")
while(NOT left STREQUAL "")
  clrs_take_line(left file)
  clrs_is_below_a_root("${file}" is_ours)
  if(NOT is_ours AND NOT file STREQUAL "")
    message(FATAL_ERROR "clreshape: nothing was removed: ${manifest} names '${file}', which is not "
      "below the prefix of the installation, as ${roots} has it")
  endif()
endwhile()

set(kept "")
while(NOT files STREQUAL "")
  clrs_take_line(files file)
  set(file "$ENV{DESTDIR}${file}")
  file(REMOVE "${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    string(APPEND kept "\n  ${file}")
  else()
    message(STATUS "Uninstalled: ${file}")
    get_filename_component(folder "${file}" DIRECTORY)
    clrs_remove_empty("${folder}")
  endif()
endwhile()
if(NOT kept STREQUAL "")
  message(FATAL_ERROR "clreshape: not removed, and still in ${manifest}:${kept}")
endif()
file(REMOVE "${manifest}" "${roots}")
