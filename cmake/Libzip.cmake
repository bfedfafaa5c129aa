# libzip, if installed, unpacks the arrays of .npz archives for the program. Without libzip the
# program reads and writes archives of stored arrays, and refuses a packed array with a message.
#
# SPDX-License-Identifier: Apache-2.0

option(CLRS_LIBZIP "unpack arrays of .npz with libzip, where it is installed" ON)
set(clrs_libzip "") # for who links the program's objects
if(CLRS_LIBZIP)
  find_path(CLRS_LIBZIP_DIR zip.h DOC "libzip's header (package libzip-dev)")
  find_library(CLRS_LIBZIP_LIBRARY zip DOC "libzip (package libzip-dev)")
  mark_as_advanced(CLRS_LIBZIP_DIR CLRS_LIBZIP_LIBRARY)
  if(CLRS_LIBZIP_DIR AND CLRS_LIBZIP_LIBRARY)
    set(clrs_libzip ${CLRS_LIBZIP_LIBRARY})
    target_compile_definitions(clrs_host PRIVATE CLRS_WITH_LIBZIP)
    target_include_directories(clrs_host SYSTEM PRIVATE ${CLRS_LIBZIP_DIR})
    target_link_libraries(clrs_host PUBLIC ${clrs_libzip})
  endif()
endif()
