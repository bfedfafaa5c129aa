"""Tests for a machine of another kind than this: device tests for Windows or 32 bits, and core tests
for processors that qemu emulates. See other.sh.

SPDX-License-Identifier: Apache-2.0
"""
import shutil
import subprocess
import sys

from on_driver import HERE, SOURCE, OnDriver


class Other(OnDriver):
    """Its tests have the names, and are started as, those of this machine."""

    def __init__(self, name, kept, cases, build, folder):
        super().__init__(name, kept, cases, build, folder)
        self.kind = name.partition("-")[0]
        self.is_windows, self.is_emulated = self.kind == "windows", self.kind == name
        where = folder / self.kind if self.kind == "i386" else "/"
        names = ["pocl-opencl-icd", "wine64"] if self.is_windows else ["pocl-opencl-icd"]
        if self.is_emulated:
            self.platform, names = "qemu", ["qemu-user-static"]
        elif name == "windows-intel":
            self.platform, names = "Intel(R) OpenCL", ["wine64"]
        wheels = (folder / f"{name}-files/wheels").glob("*opencl_rt*")
        self.packages = subprocess.run(
            ["dpkg-query", f"--admindir={where}/var/lib/dpkg", "-W", "-f", "${Package} ${Version} ",
             *names], text=True, capture_output=True, check=False).stdout
        self.packages += " ".join(" ".join(wheel.name.split("-")[:2]) for wheel in wheels)

    def missing(self):
        source = self.build / "libclreshape.so" if self.is_windows else self.folder / self.kind
        done = subprocess.run(["sh", HERE / "other.sh", self.kind, SOURCE, self.scratch, source],
                              text=True, capture_output=True, check=False)
        loader = self.folder / f"{self.name}-files/bin/OpenCL.dll"
        if loader.exists():  # Windows looks beside a program before it looks among its own files
            shutil.copy(loader, self.scratch / "tests")
        (self.logs / "build.log").write_text(done.stdout + done.stderr)
        lines = [line[8:].split(": ", 1) for line in done.stdout.splitlines()
                 if line.startswith("missing ")]
        found = {name: f"does not compile: {why}" for name, why in lines}
        return found if done.returncode == 0 else found | {"other.sh": f"exit code {done.returncode}"}

    def tests(self, label, with_long=False):
        for name, command, env in super().tests("core" if self.is_emulated else label, with_long):
            program = self.scratch / "tests" / command[0].rpartition("/")[2]
            if self.is_windows:
                program = program.with_suffix(".exe")
            if program.exists():
                own = self.scratch / "tests/libclrs_fault_layer.so"
                for layer in ("OPENCL_LAYERS", "CLRS_TEST_FAULT_LAYER"):
                    if layer in env and not own.exists():
                        env.pop(layer)
                    elif layer in env:
                        env[layer] = str(own)
                yield name, [program, *command[1:]], env
        if self.is_windows:
            program = self.scratch / "tests" / "clreshape"
            yield "windows_program", [sys.executable, "-B", HERE / "windows/program_tests.py"], {
                "CLRESHAPE_PROGRAM": str(program)}
