# The library of models, clreshape::onnx. The library contains protobuf-c code, generated from ONNX's
# schema, which Debian's libonnx-dev installs. The library's interface does not use protobuf. A
# program that links the shared library needs neither headers nor symbols of protobuf.
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

# A missing package is an error. A program without the onnx command would be noticed too late.
set(clrs_missing "")
foreach(variable CLRS_ONNX_PROTO_DIR CLRS_PROTOC_C CLRS_PROTOBUF_C_DIR CLRS_PROTOBUF_C_LIBRARY)
  if(NOT ${variable})
    get_property(clrs_doc CACHE ${variable} PROPERTY HELPSTRING)
    string(APPEND clrs_missing "  ${variable}: ${clrs_doc}\n")
  endif()
endforeach()
if(clrs_missing)
  message(FATAL_ERROR "The program clreshape and the library clreshape::onnx read ONNX models, and for that there is no\n"
    "${clrs_missing}"
    "Install what is missing (Debian: apt-get install protobuf-c-compiler libprotobuf-c-dev "
    "libonnx-dev), or build the library alone: -DCLRS_BUILD_CLI=OFF -DCLRS_BUILD_ONNX=OFF")
endif()

# The installed package uses the same name.
add_library(clreshape::protobuf-c UNKNOWN IMPORTED)
set_target_properties(clreshape::protobuf-c PROPERTIES IMPORTED_LOCATION ${CLRS_PROTOBUF_C_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${CLRS_PROTOBUF_C_DIR})

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
set_target_properties(clrs_onnx_proto PROPERTIES POSITION_INDEPENDENT_CODE ON
  C_VISIBILITY_PRESET hidden)
clrs_optimize(clrs_onnx_proto)
target_compile_options(clrs_onnx_proto PRIVATE -w)
# SYSTEM suppresses warnings from the generated header.
target_include_directories(clrs_onnx_proto SYSTEM PUBLIC ${_onnx_proto_out})
target_link_libraries(clrs_onnx_proto PUBLIC clreshape::protobuf-c)

# ---- code of this project ----

file(GLOB clrs_onnx_sources CONFIGURE_DEPENDS src/onnx/*.c)
add_library(clrs_onnx STATIC ${clrs_onnx_sources}) # for tests, which look inside
clrs_program_rules(clrs_onnx)
clrs_shows_marked(clrs_onnx)
target_include_directories(clrs_onnx PUBLIC ${PROJECT_SOURCE_DIR}/src/onnx)
target_compile_definitions(clrs_onnx PUBLIC CL_TARGET_OPENCL_VERSION=120 _POSIX_C_SOURCE=200809L)
target_link_libraries(clrs_onnx PUBLIC clrs_base clrs_onnx_proto clreshape m) # floor

add_library(clreshape_onnx $<TARGET_OBJECTS:clrs_onnx> $<TARGET_OBJECTS:clrs_onnx_proto>)
add_library(clreshape::onnx ALIAS clreshape_onnx)
set_target_properties(clreshape_onnx PROPERTIES LINKER_LANGUAGE C EXPORT_NAME onnx BUILD_RPATH_USE_ORIGIN ON
  OUTPUT_NAME clreshape-onnx VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(clreshape_onnx PUBLIC clreshape PRIVATE clreshape::protobuf-c m)
# A shared libclreshape does not export base. This library has a copy of base, and exports neither
# the copy nor a static protobuf-c.
if(BUILD_SHARED_LIBS)
  add_library(clrs_onnx_base STATIC $<TARGET_OBJECTS:clrs_base>)
  set_target_properties(clrs_onnx_base PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(clreshape_onnx PRIVATE clrs_onnx_base)
  target_link_options(clreshape_onnx PRIVATE LINKER:--exclude-libs,ALL)
endif()
