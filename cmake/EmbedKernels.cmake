# Embeds OpenCL C files, byte for byte, as C arrays. If included, this file defines
# clrs_embed_kernels. If run as a script (cmake -DOUTPUT=... -DKERNELS=a.cl,b.cl -P ...), this file
# writes the C file.
#
# SPDX-License-Identifier: Apache-2.0

# clrs_embed_kernels(OUTPUT KERNEL...): OUTPUT, in the build folder, defines the variables that
# src/opencl/program/kernel_source.h declares. OUTPUT is made again when a kernel changes.
function(clrs_embed_kernels output)
  list(JOIN ARGN "," kernels)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${output} -DKERNELS=${kernels}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Embedding the kernels"
    VERBATIM)
endfunction()

# The array of one file's bytes, 16 on a line.
function(clrs_array_of kernel name result)
  file(READ ${kernel} hex HEX)
  if(hex STREQUAL "")
    message(FATAL_ERROR "${kernel} is empty")
  endif()
  string(REPEAT "[0-9a-f]" 32 line)
  string(REGEX REPLACE "(${line})" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  set(${result} "static const unsigned char text_of_${name}[] = {\n${bytes}};\n\n" PARENT_SCOPE)
endfunction()

function(clrs_write_kernels output kernels)
  string(REPLACE "," ";" kernels "${kernels}")
  list(LENGTH kernels count)
  foreach(kernel IN LISTS kernels)
    get_filename_component(name ${kernel} NAME_WE)
    clrs_array_of(${kernel} ${name} array)
    string(APPEND arrays "${array}")
    string(APPEND entries "  {\"${name}\", text_of_${name}, sizeof text_of_${name}},\n")
  endforeach()
  file(WRITE ${output} "/* Made from kernels/ by cmake/EmbedKernels.cmake. */\n"
    "#include \"kernel_source.h\"\n\n${arrays}"
    "const struct clrs__kernel_source clrs__kernel_sources[] = {\n${entries}};\n"
    "const size_t clrs__kernel_source_count = ${count};\n")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  clrs_write_kernels(${OUTPUT} ${KERNELS})
endif()
