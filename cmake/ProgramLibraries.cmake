# Libraries of the program, if installed. libzip unpacks the arrays of .npz archives: without libzip
# the program reads and writes archives of stored arrays. jansson reads the JSON headers of files of
# safetensors. What lacks a library is refused with a message.
#
# SPDX-License-Identifier: Apache-2.0

set(clrs_program_libraries "") # for who links the program's objects

# clrs_use_library(NAME header library purpose): looks for the library unless CLRS_NAME is off.
function(clrs_use_library NAME header library purpose)
  option(CLRS_${NAME} "${purpose} with ${library}, where it is installed" ON)
  if(NOT CLRS_${NAME})
    return()
  endif()
  find_path(CLRS_${NAME}_DIR ${header} DOC "the header of ${library} (Debian: lib${library}-dev)")
  find_library(CLRS_${NAME}_LIBRARY ${library} DOC "${library} (Debian: lib${library}-dev)")
  mark_as_advanced(CLRS_${NAME}_DIR CLRS_${NAME}_LIBRARY)
  if(CLRS_${NAME}_DIR AND CLRS_${NAME}_LIBRARY)
    target_compile_definitions(clrs_host PRIVATE CLRS_WITH_${NAME})
    target_include_directories(clrs_host SYSTEM PRIVATE ${CLRS_${NAME}_DIR})
    target_link_libraries(clrs_host PUBLIC ${CLRS_${NAME}_LIBRARY})
    set(clrs_program_libraries ${clrs_program_libraries} ${CLRS_${NAME}_LIBRARY} PARENT_SCOPE)
  endif()
endfunction()

clrs_use_library(LIBZIP zip.h zip "unpack arrays of .npz")
clrs_use_library(JANSSON jansson.h jansson "read and write safetensors")
