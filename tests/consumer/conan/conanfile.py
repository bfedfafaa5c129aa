"""Stands in for two packages of ConanCenter, of which the name is given: opencl-headers and
opencl-icd-loader. The recipe holds copies of the system's headers or loader, from the folders in
OPENCL_HEADERS and OPENCL_LIBRARY, and provides the same targets as those packages.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil

from conan import ConanFile


class StandInConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    @property
    def _is_loader(self):
        return self.name == "opencl-icd-loader"

    def requirements(self):
        if self._is_loader:
            self.requires(f"opencl-headers/{self.version}", transitive_headers=True)

    def package(self):
        if self._is_loader:
            os.makedirs(os.path.join(self.package_folder, "lib"))
            for name in ("libOpenCL.so", "libOpenCL.so.1"):
                shutil.copy(os.environ["OPENCL_LIBRARY"], os.path.join(self.package_folder, "lib", name))
        else:
            shutil.copytree(os.path.join(os.environ["OPENCL_HEADERS"], "CL"),
                            os.path.join(self.package_folder, "include", "CL"))

    def package_info(self):
        if not self._is_loader:
            self.cpp_info.set_property("cmake_file_name", "OpenCLHeaders")
            self.cpp_info.set_property("cmake_target_name", "OpenCL::Headers")
            return
        self.cpp_info.set_property("cmake_find_mode", "both")
        self.cpp_info.set_property("cmake_module_file_name", "OpenCL")
        self.cpp_info.set_property("cmake_file_name", "OpenCLICDLoader")
        self.cpp_info.set_property("cmake_target_name", "OpenCL::OpenCL")
        self.cpp_info.includedirs = []
        self.cpp_info.libs = ["OpenCL"]
