#!/usr/bin/env python3
"""Makes the files that pip installs: make_wheels.py FOLDER

The files are an sdist, a wheel for this machine, and a wheel for Windows if mingw-w64 is installed.
Both wheels are made from the sdist, and have no OpenCL loader. This Python needs the packages
`build>=1.6` and, on Linux, `auditwheel>=6.7`, which names the wheel by the oldest glibc that has the
functions used.

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
WINDOWS_COMPILER = "x86_64-w64-mingw32-gcc-posix"
FOR_WINDOWS = ("-Cwheel.tags=py3-none-win_amd64", "-Ccmake.define.CMAKE_SYSTEM_NAME=Windows",
               f"-Ccmake.define.CMAKE_C_COMPILER={WINDOWS_COMPILER}")


def run(module, *arguments):
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


def make(what, source, folder, *settings):
    """Makes one file from the source. Returns the file's path."""
    run("build", what, "--outdir", folder, source, *settings)
    return max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    sdist = make("--sdist", ROOT, folder)
    with tempfile.TemporaryDirectory() as made:
        wheel = make("--wheel", sdist, pathlib.Path(made))
        if sys.platform == "linux":
            run("auditwheel", "repair", "--patcher", "none", "--exclude", "libOpenCL.so.1",
                "--wheel-dir", folder, wheel)
        else:
            shutil.copy(wheel, folder)
    if shutil.which(WINDOWS_COMPILER):
        make("--wheel", sdist, folder, *FOR_WINDOWS)
    print(*sorted(folder.iterdir()), sep="\n")


if __name__ == "__main__":
    main()
