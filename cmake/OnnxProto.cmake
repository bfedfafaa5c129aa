# Generates the protobuf-c code of ONNX's schema, as Debian's libonnx-dev installs it, and makes
# the static library clrs_onnx_proto of it.
#
# SPDX-License-Identifier: Apache-2.0

find_path(CLRS_ONNX_PROTO_DIR onnx/onnx.proto
  DOC "Folder that holds onnx/onnx.proto (package libonnx-dev)")
find_program(CLRS_PROTOC_C protoc-c DOC "protobuf-c's compiler (package protobuf-c-compiler)")
find_path(CLRS_PROTOBUF_C_DIR protobuf-c/protobuf-c.h
  DOC "protobuf-c's headers (package libprotobuf-c-dev)")
find_library(CLRS_PROTOBUF_C_LIBRARY protobuf-c
  DOC "protobuf-c's library (package libprotobuf-c-dev)")
mark_as_advanced(CLRS_ONNX_PROTO_DIR CLRS_PROTOC_C CLRS_PROTOBUF_C_DIR CLRS_PROTOBUF_C_LIBRARY)

# A program without one of its commands would be found out at the worst time, so there is none.
set(clrs_missing "")
foreach(variable CLRS_ONNX_PROTO_DIR CLRS_PROTOC_C CLRS_PROTOBUF_C_DIR CLRS_PROTOBUF_C_LIBRARY)
  if(NOT ${variable})
    get_property(clrs_doc CACHE ${variable} PROPERTY HELPSTRING)
    string(APPEND clrs_missing "  ${variable}: ${clrs_doc}\n")
  endif()
endforeach()
if(clrs_missing)
  message(FATAL_ERROR "The program clreshape reads ONNX models, and for that there is no\n"
    "${clrs_missing}"
    "Install what is missing (Debian: apt-get install protobuf-c-compiler libprotobuf-c-dev "
    "libonnx-dev), or build the library alone: -DCLRS_BUILD_CLI=OFF")
endif()

set(_onnx_proto_out ${CMAKE_CURRENT_BINARY_DIR}/onnx-proto)
file(MAKE_DIRECTORY ${_onnx_proto_out})
add_custom_command(
  OUTPUT ${_onnx_proto_out}/onnx.pb-c.c ${_onnx_proto_out}/onnx.pb-c.h
  COMMAND ${CLRS_PROTOC_C} --proto_path=${CLRS_ONNX_PROTO_DIR}/onnx --c_out=${_onnx_proto_out}
          onnx.proto
  DEPENDS ${CLRS_ONNX_PROTO_DIR}/onnx/onnx.proto
  COMMENT "Generating onnx.pb-c.c"
  VERBATIM)

add_library(clrs_onnx_proto STATIC ${_onnx_proto_out}/onnx.pb-c.c ${_onnx_proto_out}/onnx.pb-c.h)
set_target_properties(clrs_onnx_proto PROPERTIES POSITION_INDEPENDENT_CODE ON)
clrs_optimize(clrs_onnx_proto)
target_compile_options(clrs_onnx_proto PRIVATE -w)
# SYSTEM: no warnings from the generated header either.
target_include_directories(clrs_onnx_proto SYSTEM PUBLIC ${_onnx_proto_out} ${CLRS_PROTOBUF_C_DIR})
target_link_libraries(clrs_onnx_proto PUBLIC ${CLRS_PROTOBUF_C_LIBRARY})
