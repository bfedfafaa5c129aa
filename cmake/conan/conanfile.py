"""clreshape as a Conan 2 package: `conan create cmake/conan` from a checkout of the sources.

OpenCL's loader and headers are packages of ConanCenter, or with -o "&:with_system_opencl=True" the
system's. Consumers see the same names as after an installation by CMake: the CMake package clreshape
with the target clreshape::clreshape, and clreshape by pkg-config. The program brings the library
clreshape::onnx. The package does not offer that library to consumers: protobuf-c comes from the
system, and a Conan package cannot declare such a dependency.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.4"  # languages


class ClreshapeConan(ConanFile):
    name = "clreshape"
    description = "Reshape and the movement operations around it, for tensors in OpenCL buffers"
    license = "Apache-2.0"
    topics = ("opencl", "tensor", "reshape", "transpose", "gpu")
    package_type = "library"
    languages = "C"  # so neither compiler.cppstd nor compiler.libcxx makes another package
    implements = ["auto_shared_fpic"]
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "cli": [True, False],  # the program, which takes the system's protobuf-c and ONNX schema
        "with_system_opencl": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "cli": False, "with_system_opencl": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = load(self, os.path.join(self._root, "include", "clreshape", "core.h"))
        parts = [re.search(rf"#define CLRS_VERSION_{part} (\d+)", header).group(1)
                 for part in ("MAJOR", "MINOR", "PATCH")]
        self.version = ".".join(parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "kernels/*", "src/*"):
            copy(self, pattern, self._root, self.export_sources_folder,
                 excludes=("cmake/conan/*", "src/python/*"))

    def layout(self):
        self.folders.root = os.path.join(os.pardir, os.pardir)
        cmake_layout(self)

    def requirements(self):
        if not self.options.with_system_opencl:
            # The public headers include CL/cl.h, and users call the loader's functions too: on the
            # loader that we call, so it is a shared one.
            self.requires("opencl-headers/2025.07.22", transitive_headers=True)
            self.requires("opencl-icd-loader/2025.07.22", transitive_libs=True,
                          options={"shared": True})

    def system_requirements(self):
        packages = []
        if self.options.with_system_opencl:
            packages += ["ocl-icd-opencl-dev", "opencl-c-headers"]
        if self.options.cli:
            packages += ["protobuf-c-compiler", "libprotobuf-c-dev", "libonnx-dev"]
        if packages:
            Apt(self).install(packages)

    def validate(self):
        # The sources are C11 and POSIX, and no other system was ever tried.
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"{self.ref} is built for Linux only, not for {self.settings.os}")
        if self.settings.compiler not in ("gcc", "clang"):
            raise ConanInvalidConfiguration(
                f"{self.ref} is built by gcc or clang, not by {self.settings.compiler}")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # nothing is written beside the sources
        toolchain.cache_variables["CLRS_BUILD_CLI"] = bool(self.options.cli)
        toolchain.cache_variables["CLRS_LIBZIP"] = False  # taken where it happens to be: not in a package
        toolchain.cache_variables["CLRS_JANSSON"] = False
        toolchain.cache_variables["CLRS_PACKAGE_PYTHON"] = False  # the wheel is another package
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan makes these for its users, with the paths of their own OpenCL.
        for folder in (("lib", "cmake"), ("lib", "pkgconfig"), ("share",)):
            rmdir(self, os.path.join(self.package_folder, *folder))

    def package_info(self):
        self.cpp_info.libs = ["clreshape"]
        self.cpp_info.set_property("cmake_file_name", "clreshape")
        self.cpp_info.set_property("cmake_target_name", "clreshape::clreshape")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        self.cpp_info.set_property("pkg_config_name", "clreshape")
        if self.options.with_system_opencl:
            self.cpp_info.system_libs.append("OpenCL")
        if not self.options.shared:
            self.cpp_info.system_libs.append("pthread")
