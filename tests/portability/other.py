"""Tests for a machine of another kind than this: device tests for Windows or 32 bits, and core tests
for processors that qemu emulates. See other.sh.

SPDX-License-Identifier: Apache-2.0
"""
import subprocess

from on_driver import HERE, SOURCE, OnDriver


class Other(OnDriver):
    """Its tests have the names, and are started as, those of this machine."""

    def __init__(self, name, kept, cases, build, folder):
        super().__init__(name, kept, cases, build, folder)
        self.kind = name.partition("-")[0]
        self.is_windows, self.is_emulated = self.kind == "windows", self.kind == name
        where = folder / self.kind if self.kind == "i386" else "/"
        names = ["qemu-user-static"] if self.is_emulated else ["pocl-opencl-icd"]
        names += ["wine64"] if self.is_windows else []
        self.platform = "qemu" if self.is_emulated else self.platform
        self.packages = subprocess.run(
            ["dpkg-query", f"--admindir={where}/var/lib/dpkg", "-W", "-f", "${Package} ${Version} ",
             *names], text=True, capture_output=True, check=False).stdout.strip()

    def missing(self):
        source = self.build / "libclreshape.so" if self.is_windows else self.folder / self.kind
        done = subprocess.run(["sh", HERE / "other.sh", self.kind, SOURCE, self.scratch, source],
                              text=True, capture_output=True, check=False)
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
                for layer in ("OPENCL_LAYERS", "CLRS_TEST_FAULT_LAYER"):
                    env.pop(layer, None)
                yield name, [program, *command[1:]], env
