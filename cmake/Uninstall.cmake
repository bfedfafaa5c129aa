# Removes the files of the last installation from a build folder, and then each empty folder named
# clreshape: cmake -DBUILD=build -P Uninstall.cmake. `cmake --build build --target uninstall` runs
# this command. DESTDIR has the same meaning as for an installation. The manifest lists neither a
# component that was installed separately nor the files that cpack gathered.
#
# A prefix may have any character except a line break. A semicolon or a bracket in a path would cut
# or join the entries of a CMake list, so no path is put into a list. file(STRINGS) ends a line at a
# byte over 127, so no path is read by file(STRINGS).
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

# clrs_remove_empty(FOLDER): removes an empty folder with the project's name.
function(clrs_remove_empty folder)
  get_filename_component(name "${folder}" NAME)
  string(REGEX REPLACE "([[*?])" "[\\1]" literal "${folder}") # no pattern for file(GLOB)
  file(GLOB inside LIST_DIRECTORIES true "${literal}/*" "${literal}/.*")
  if(name STREQUAL "clreshape" AND IS_DIRECTORY "${folder}" AND NOT inside)
    file(REMOVE_RECURSE "${folder}")
  endif()
endfunction()

# clrs_is_below_a_root(FILE RESULT): the roots are the prefix and folders given as absolute paths.
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

# CMake writes the manifest from a list, so each semicolon of the prefix ends a line.
file(READ "${manifest}" files)
file(READ "${roots}" left)
while(NOT left STREQUAL "")
  clrs_take_line(left root)
  string(REPLACE ";" "\n" cut "${root}")
  if(NOT cut STREQUAL root)
    string(REPLACE "${cut}/" "${root}/" files "${files}")
  endif()
endwhile()

# All lines are checked before anything is removed.
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
