# No device, and the failures on the way to a device: the cases that end with 77 (no device) and
# with 1 (a failure). Each message must say what to install or to set. The test compiles a driver
# with calls that fail as requested. Needs no device.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess

import numpy as np

from program import DONE, FAILED, NO_DEVICE, Case, call, main, shim

# A platform with a device that can be listed and no more. PLATFORMS, DEVICES and CONTEXT are the
# codes of clGetPlatformIDs (of the loader), clGetDeviceIDs and clCreateContext. NAME is the
# platform's name, and DEVICE the device's. TYPE is the type of the device, by default a CPU.
DRIVER = r"""
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdlib.h>
#include <string.h>

static cl_icd_dispatch table;
struct _cl_platform_id { cl_icd_dispatch *dispatch; } the_platform = {&table};
struct _cl_device_id { cl_icd_dispatch *dispatch; } the_device = {&table};

static cl_int code_of(const char *name) { return getenv(name) ? atoi(getenv(name)) : 0; }

static cl_int say(const void *answer, size_t size, size_t room, void *to, size_t *needed) {
  if (needed) *needed = size;
  if (to && room < size) return CL_INVALID_VALUE;
  if (to) memcpy(to, answer, size);
  return CL_SUCCESS;
}

static cl_int platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void *to,
                            size_t *needed) {
  const char *name = getenv("NAME") ? getenv("NAME") : "Made\x1b Up";
  const char *text = what == CL_PLATFORM_EXTENSIONS ? "cl_khr_icd"
                     : what == CL_PLATFORM_NAME     ? name
                     : what == 0x0920               ? "MADE" /* CL_PLATFORM_ICD_SUFFIX_KHR */
                                                    : "OpenCL 1.2";
  return say(text, strlen(text) + 1, room, to, needed);
}

static cl_int device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                         cl_device_id *devices, cl_uint *count) {
  const cl_int code = code_of("DEVICES");
  if (code == CL_SUCCESS && count) *count = 1;
  if (code == CL_SUCCESS && devices) *devices = &the_device;
  return code;
}

static cl_int device_info(cl_device_id device, cl_device_info what, size_t room, void *to,
                          size_t *needed) {
  const cl_platform_id platform = &the_platform;
  const cl_device_type type = getenv("TYPE") ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
  if (what == CL_DEVICE_PLATFORM) return say(&platform, sizeof platform, room, to, needed);
  const char *name = getenv("DEVICE") ? getenv("DEVICE") : "";
  if (what == CL_DEVICE_NAME) return say(name, strlen(name) + 1, room, to, needed);
  if (what == CL_DEVICE_TYPE) return say(&type, sizeof type, room, to, needed);
  if (what == CL_DRIVER_VERSION && getenv("VERSION"))
    return say(getenv("VERSION"), strlen(getenv("VERSION")) + 1, room, to, needed);
  if (what == CL_DEVICE_EXTENSIONS && getenv("EXTENSIONS"))
    return say(getenv("EXTENSIONS"), strlen(getenv("EXTENSIONS")) + 1, room, to, needed);
  return CL_INVALID_VALUE;
}

static cl_context create_context(const cl_context_properties *properties, cl_uint count,
                                 const cl_device_id *devices,
                                 void (CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                            void *),
                                 void *data, cl_int *code) {
  *code = code_of("CONTEXT");
  return NULL;
}

static cl_int platform_ids(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  if (count) *count = 1;
  if (platforms && room) *platforms = &the_platform;
  return CL_SUCCESS;
}

void *clGetExtensionFunctionAddress(const char *name) {
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceIDs = device_ids;
  table.clGetDeviceInfo = device_info;
  table.clCreateContext = create_context;
  return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)platform_ids : NULL;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *to,
                         size_t *needed) {
  return platform_info(platform, what, room, to, needed);
}
"""

# In front of the loader: what no driver can make it say.
LOADER = r"""
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  if (count) *count = 0;
  return atoi(getenv("PLATFORMS"));
}
"""


class Devices(Case):
    def setUp(self):
        super().setUp()
        np.save("in.npy", np.zeros((2, 3), "f4"))
        with open("cases.tsv", "w") as file:
            file.write("a\tplain\tf32\t16x8\tC\t1,0\tC\n")

    def compile(self, name, source):
        with open(name + ".c", "w") as file:
            file.write(source)
        subprocess.run(["gcc", "-w", "-shared", "-fPIC", "-o", name + ".so", name + ".c"],
                       check=True)
        return os.path.abspath(name + ".so")

    def driver(self, **variables):
        """Without layers, which would be asked for the calls that this driver has not."""
        return {"OCL_ICD_VENDORS": self.compile("driver", DRIVER), "OPENCL_LAYERS": "",
                "CLRS_TEST_FAULT_LAYER": "", **variables}

    def all_refuse(self, code, words, environment):
        commands = (("devices",), ("devices", "--json"), ("run", "in.npy", "out.npy"),
                    ("bench", "cases.tsv"), ("onnx", "model.onnx"))
        for command in commands:
            with self.subTest(command):
                text = self.refused(code, words[0], *command, environment=environment)
                self.assertEqual(text.count("\n"), 1)
                for word in words[1:]:
                    self.assertIn(word, text)
        self.assertFalse(os.path.exists("out.npy"))

    def test_no_platform(self):
        os.mkdir("empty")
        for folder in ("empty", "missing"):
            self.all_refuse(NO_DEVICE, ("no OpenCL device: no OpenCL platform", "install",
                                        "OCL_ICD_VENDORS"),
                            {"OCL_ICD_VENDORS": os.path.abspath(folder)})

    def test_a_loader_without_an_error_of_its_own(self):
        """0 platforms is an answer that some loaders give."""
        self.all_refuse(NO_DEVICE, ("no OpenCL platform is installed",),
                        shim(LOADER, PLATFORMS="0"))
        for code in ("-6", "-30", "-1", "-1000"):
            self.all_refuse(FAILED, (f"clGetPlatformIDs failed with OpenCL error {code}",
                                     "reinstall", "OCL_ICD_VENDORS"),
                            shim(LOADER, PLATFORMS=code))

    def test_a_platform_without_a_device(self):
        self.all_refuse(NO_DEVICE, (r"no OpenCL device: none of the installed OpenCL platforms "
                                    r"(Made\x1b Up) offers one", "install"),
                        self.driver(DEVICES="-1"))

    def test_a_driver_that_fails(self):
        for code in ("-6", "-5", "-1001"):
            self.all_refuse(FAILED, (f"clGetDeviceIDs failed with OpenCL error {code}",
                                     r'the platform "Made\x1b Up"', "reinstall", "OCL_ICD_VENDORS"),
                            self.driver(DEVICES=code))

    def test_a_device_that_is_gone_when_it_is_used(self):
        """A "no device" code of a call that had a device is a failure."""
        for code in ("-1", "-1001"):
            environment = self.driver(CONTEXT=code)
            self.check(call("devices", environment=environment), DONE)
            self.refused(FAILED, f"clCreateContext failed with OpenCL error {code}", "run",
                         "in.npy", "out.npy", environment=environment)

    def test_pocl_without_its_cache(self):
        """A driver of that name without a device, like PoCL without a writable cache folder."""
        with open("file", "w"):
            pass
        os.mkdir("good")
        bad = os.path.abspath("file") + "/none"
        pocl = self.driver(DEVICES="-1", NAME="Portable Computing Language")
        for variables in ({"POCL_CACHE_DIR": bad}, {"XDG_CACHE_HOME": bad}, {"HOME": bad}):
            environment = {name: os.path.abspath("good") for name in ("XDG_CACHE_HOME", "HOME")}
            if "HOME" in variables:
                environment["XDG_CACHE_HOME"] = ""
            environment.update(pocl, **variables)
            self.without_pocl_cache_dir(environment, variables)
            self.all_refuse(FAILED, ("PoCL cannot write its cache folder " + bad,
                                     "Not a directory", "set POCL_CACHE_DIR"), environment)
        good = {**pocl, "POCL_CACHE_DIR": os.path.abspath("good/new")}
        self.all_refuse(NO_DEVICE, ("offers one", "POCL_DEVICES"), good)

    def without_pocl_cache_dir(self, environment, variables):
        if "POCL_CACHE_DIR" not in variables and "POCL_CACHE_DIR" in os.environ:
            self.addCleanup(os.environ.__setitem__, "POCL_CACHE_DIR", os.environ["POCL_CACHE_DIR"])
            del os.environ["POCL_CACHE_DIR"]

    def test_the_cache_is_asked_only_where_it_matters(self):
        bad = {"POCL_CACHE_DIR": "/dev/null/none"}
        self.refused(FAILED, "clCreateContext", "run", "in.npy", "out.npy",
                     environment=self.driver(CONTEXT="-6", **bad))
        listed = self.succeeds("devices", "--json", environment=self.driver(**bad))
        self.assertEqual(len(json.loads(listed)["devices"]), 1)
        self.refused(FAILED, "PoCL cannot write its cache folder /dev/null/none", "run", "in.npy",
                     "out.npy", environment=self.driver(NAME="Portable Computing Language", **bad))

    def test_pocl_without_a_linker(self):
        """Before PoCL aborts. A folder of PATH counts if the folder has a program of that name."""
        os.mkdir("tools")
        with open("tools/ld", "w") as file:
            os.chmod(file.name, 0o700)
        tools = os.path.abspath("tools")
        for name, path, is_said in (("Portable Computing Language", "", True),
                                    ("Portable Computing Language", "/dev/null:/usr", True),
                                    ("Portable Computing Language", "/usr:" + tools, False),
                                    ("Portable Computing Language", tools + ":", False),
                                    ("Another", "", False)):
            environment = self.driver(NAME=name, CONTEXT="-6", PATH=path,
                                      POCL_CACHE_DIR=os.path.abspath("cache"))
            said = self.refused(FAILED, "clCreateContext", "run", "in.npy", "out.npy",
                                environment=environment)
            self.assertEqual("no program ld in PATH" in said, is_said, (name, path, said))

    def listed(self, **variables):
        text = self.succeeds("devices", "--json", environment=self.driver(**variables))
        return json.loads(text)["devices"][0]

    def test_what_the_library_makes_of_a_driver(self):
        unknown = self.listed(VERSION="1.0")
        self.assertEqual(unknown["compile_path"], "portable")
        self.assertEqual(unknown["execution"], "cpu")
        self.assertEqual(unknown["known"], [])
        pocl = self.listed(VERSION="7.1+made", NAME="Portable Computing Language")
        self.assertEqual(pocl["compile_path"], "native")
        self.assertTrue(any("sub-buffer" in note for note in pocl["known"]))
        older = self.listed(VERSION="6.0", NAME="Portable Computing Language")
        self.assertFalse(any("sub-buffer" in note for note in older["known"]))
        intel = self.listed(VERSION="2026.22", NAME="Intel(R) OpenCL")
        self.assertEqual(intel["compile_path"], "native")
        self.assertTrue(any("clWaitForEvents" in note for note in intel["known"]))
        rusticl = self.listed(VERSION="26.2.0", NAME="rusticl")
        self.assertEqual(rusticl["compile_path"], "portable")
        self.assertEqual([note.split(":")[0] for note in rusticl["known"]], ["rusticl 26.2"] * 2)
        self.assertTrue(any("several queues" in note for note in rusticl["known"]))
        older = self.listed(VERSION="25.0.7", NAME="rusticl")
        self.assertEqual([note.split(":")[0] for note in older["known"]],
                         ["rusticl 25.0", "rusticl 26.2"])
        chosen = self.listed(VERSION="1.0", CLRS_COMPILE_PATH="native", CLRS_EXECUTION="gpu")
        self.assertEqual((chosen["compile_path"], chosen["execution"]), ("native", "gpu"))

    def test_a_driver_is_known_whatever_its_device(self):
        gpu = {"TYPE": "gpu", "VERSION": "26.2", "NAME": "rusticl"}
        of_cpu = self.listed(VERSION="26.2", NAME="rusticl")["known"]
        self.assertTrue(any("words in a buffer" in note for note in of_cpu))
        self.assertEqual(self.listed(**gpu)["compile_path"], "portable")
        for wish in ("portable", "native"):
            found = self.listed(**gpu, CLRS_COMPILE_PATH=wish)
            self.assertEqual((found["execution"], found["compile_path"]), ("gpu", wish))
            self.assertEqual(found["known"], of_cpu)

    def test_machine_code_is_said_of_cpus_alone(self):
        pocl = self.listed(TYPE="gpu", VERSION="7.1", NAME="Portable Computing Language")
        self.assertEqual(pocl["compile_path"], "portable")
        self.assertFalse(any("machine code" in note for note in pocl["known"]))
        self.assertTrue(any("sub-buffer" in note for note in pocl["known"]))

    def test_pocl_for_a_processor_without_sse(self):
        pocl = {"VERSION": "3.1+debian", "NAME": "Portable Computing Language"}
        for device, keeps_excess in (("pthread-i686-Intel(R) Xeon(R) Processor", True),
                                     ("pthread-cascadelake-Intel(R) Xeon(R) Processor", False),
                                     ("cpu-icelake-i686", False), ("cpu-i786-Made Up", False)):
            notes = self.listed(**pocl, DEVICE=device)["known"]
            self.assertEqual(any("keep more bits" in note for note in notes), keeps_excess, device)
        notes = self.listed(**pocl | {"NAME": "rusticl"}, DEVICE="pthread-i686-Made Up")["known"]
        self.assertFalse(any("keep more bits" in note for note in notes))

    def test_a_driver_that_does_not_say_its_version(self):
        silent = self.listed()
        self.assertIsNone(silent["compile_path"])
        self.assertIsNone(silent["execution"])
        self.assertIn("does not say enough",
                      self.succeeds("devices", environment=self.driver()))

    def test_extensions_are_whole_words(self):
        names = ("sub_groups", "fp16", "fp64", "usm")
        none = self.listed(EXTENSIONS="cl_khr_fp16x xcl_khr_fp64 cl_intel_subgroups_short")
        self.assertEqual([none[name] for name in names], [False] * 4)
        every = self.listed(EXTENSIONS=" cl_khr_fp64  cl_intel_subgroups cl_khr_fp16 "
                                       "cl_intel_unified_shared_memory")
        self.assertEqual([every[name] for name in names], [True] * 4)
        self.assertEqual(every["svm"], [])

    def test_an_environment_that_asks_for_what_there_is_not(self):
        for name in ("CLRS_COMPILE_PATH", "CLRS_EXECUTION"):
            self.refused(FAILED, f"{name} is \"fast\"; it must be", "devices",
                         environment=self.driver(VERSION="1.0", **{name: "fast"}))

    def test_the_environment_controls_no_terminal(self):
        for raw, shown in (("\x1b[31m\nclreshape: fine", r"\x1b[31m\nclreshape: fine"),
                           ("\udcff \u202e \u00e4", "\\xff \\u202e \u00e4")):
            self.refused(FAILED, "/dev/null/" + shown, "run", "in.npy", "out.npy",
                         environment=self.driver(NAME="Portable Computing Language",
                                                 POCL_CACHE_DIR="/dev/null/" + raw))


if __name__ == "__main__":
    main()
