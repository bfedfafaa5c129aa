# The Python package, staged in the build folder with the layout of a wheel. The library lies beside
# the package's sources, and an object file of the compiler describes the headers. pyproject.toml
# makes wheels of the component `python`.
#
# SPDX-License-Identifier: Apache-2.0
find_program(CLRS_PACKAGE_PYTHON NAMES python3 python
  DOC "A Python 3 that makes the Python package; needed for it alone")
mark_as_advanced(CLRS_PACKAGE_PYTHON)
if(NOT BUILD_SHARED_LIBS OR NOT CLRS_PACKAGE_PYTHON)
  return()
endif()

set(clrs_python_sources ${PROJECT_SOURCE_DIR}/src/python)
set(clrs_python_package ${PROJECT_BINARY_DIR}/python/clreshape)
file(GLOB clrs_python_modules CONFIGURE_DEPENDS ${clrs_python_sources}/clreshape/*.py)
list(APPEND clrs_python_modules ${clrs_python_sources}/clreshape/py.typed)
file(GLOB clrs_public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/clreshape/*.h)
set(clrs_python_library ${CMAKE_SHARED_LIBRARY_PREFIX}clreshape${CMAKE_SHARED_LIBRARY_SUFFIX})

set(clrs_opencl_options "")
foreach(folder IN LISTS OpenCL_INCLUDE_DIRS)
  list(APPEND clrs_opencl_options -I ${folder})
endforeach()

set(clrs_python_layout ${PROJECT_BINARY_DIR}/python/_layout.py)
add_custom_command(OUTPUT ${clrs_python_layout}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/python
  COMMAND ${CLRS_PACKAGE_PYTHON} ${clrs_python_sources}/generate_layout.py
    ${PROJECT_SOURCE_DIR}/include ${clrs_python_layout} ${CMAKE_C_COMPILER}
    ${clrs_opencl_options}
  DEPENDS ${clrs_python_sources}/generate_layout.py ${clrs_public_headers}
  COMMENT "What the compiler makes of the headers, for Python" VERBATIM)

# Python's functions are found in the process that loads the callbacks.
add_library(clreshape_callbacks MODULE ${clrs_python_sources}/callbacks.c)
target_include_directories(clreshape_callbacks PRIVATE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/src/opencl/tensor)
target_include_directories(clreshape_callbacks SYSTEM PRIVATE ${OpenCL_INCLUDE_DIRS})
target_compile_definitions(clreshape_callbacks PRIVATE CL_TARGET_OPENCL_VERSION=120)
set_target_properties(clreshape_callbacks PROPERTIES EXCLUDE_FROM_ALL ON)
if(APPLE)
  target_link_options(clreshape_callbacks PRIVATE -undefined dynamic_lookup)
elseif(MINGW) # a DLL names the DLLs of its functions
  file(STRINGS ${clrs_python_sources}/callbacks.c clrs_python_functions REGEX "^[a-z].* [*]?Py[A-Za-z_]+[(]")
  list(TRANSFORM clrs_python_functions REPLACE "^.*[ *](Py[A-Za-z_]+)[(].*" "\\1")
  clrs_import_library(python3.dll ${clrs_python_functions})
  target_link_libraries(clreshape_callbacks PRIVATE ${CLRS_IMPORT_LIBRARY})
endif()
clrs_library_rules(clreshape_callbacks)

set(clrs_strip ${CMAKE_COMMAND} -E true)
if(CMAKE_STRIP)
  set(clrs_strip ${CMAKE_STRIP})
endif()
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/python/staged
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${clrs_python_package}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${clrs_python_package}
  COMMAND ${CMAKE_COMMAND} -E copy ${clrs_python_modules} ${clrs_python_layout}
    ${clrs_python_package}
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:clreshape>
    ${clrs_python_package}/${clrs_python_library}
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:clreshape_callbacks>
    ${clrs_python_package}/_callbacks.so
  COMMAND ${clrs_strip} ${clrs_python_package}/${clrs_python_library}
    ${clrs_python_package}/_callbacks.so
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/python/staged
  DEPENDS clreshape clreshape_callbacks ${clrs_python_modules} ${clrs_python_layout}
  COMMENT "The Python package" VERBATIM)
set(clrs_tests_need_it "")
if(CLRS_BUILD_TESTS)
  set(clrs_tests_need_it ALL)
endif()
add_custom_target(clreshape_python ${clrs_tests_need_it}
  DEPENDS ${PROJECT_BINARY_DIR}/python/staged)

install(DIRECTORY ${clrs_python_package} DESTINATION . COMPONENT python EXCLUDE_FROM_ALL)
