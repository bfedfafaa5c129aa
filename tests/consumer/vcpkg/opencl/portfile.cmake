# Stands in for vcpkg's port of OpenCL's loader and headers, which would be downloaded. Copies the
# system's files, from OPENCL_LIBRARY and OPENCL_HEADERS, for CMake's FindOpenCL and for pkg-config.
#
# SPDX-License-Identifier: Apache-2.0
set(VCPKG_POLICY_SKIP_COPYRIGHT_CHECK enabled)
file(INSTALL "$ENV{OPENCL_HEADERS}/CL" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
file(REAL_PATH "$ENV{OPENCL_LIBRARY}" loader)
foreach(build "" debug/)
  set(folder "${CURRENT_PACKAGES_DIR}/${build}lib")
  string(REPLACE debug .. up "${build}")
  foreach(name libOpenCL.so libOpenCL.so.1)
    configure_file("${loader}" "${folder}/${name}" COPYONLY)
  endforeach()
  file(WRITE "${folder}/pkgconfig/OpenCL.pc" "Name: OpenCL\nDescription: the system's\n"
    "Version: 3\nLibs: -L\${pcfiledir}/.. -lOpenCL\nCflags: -I\${pcfiledir}/../../${up}include\n")
endforeach()
