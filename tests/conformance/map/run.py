#!/usr/bin/env python3
"""Runs a script with packages of PyPI.

    run.py FOLDER REQUIREMENTS SCRIPT [ARGUMENT...]

Makes a virtual environment in FOLDER with the packages of the file REQUIREMENTS. Then runs the
script with the environment's Python. A later run with the same REQUIREMENTS uses the existing
environment. If no registry can be reached, the test is skipped with 77.

SPDX-License-Identifier: Apache-2.0
"""
import fcntl
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def interpreter(folder, requirements):
    """The environment's Python, or None if the environment cannot be made."""
    python, wanted = folder / "bin" / "python", requirements.read_text("utf-8")
    done = folder / "installed.txt"
    if done.exists() and done.read_text("utf-8") == wanted:
        return python
    for command in ([sys.executable, "-m", "venv", "--clear", folder],
                    [python, "-m", "pip", "install", "--quiet", "-r", requirements]):
        if subprocess.run(command, check=False).returncode != 0:
            return None
    done.write_text(wanted, "utf-8")
    return python


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may start together
        python = interpreter(folder, HERE / sys.argv[2])
    if python is None:
        print("the packages cannot be installed here")
        return 77
    os.execv(python, [python, HERE / sys.argv[3], *sys.argv[4:]])
    return 1


if __name__ == "__main__":
    sys.exit(main())
