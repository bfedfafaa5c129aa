#!/usr/bin/env python3
"""Makes a wheel of the staged package: make_wheel.py PACKAGE FOLDER README

PACKAGE is the folder clreshape with the library beside the sources. The wheel is written to FOLDER,
and the wheel's name is printed. The wheel is for any Python 3 and one platform. The wheel contains
libclreshape, but not the system's OpenCL loader. Two wheels of the same files are identical.

SPDX-License-Identifier: Apache-2.0
"""

import base64
import hashlib
import pathlib
import re
import runpy
import sys
import sysconfig
import zipfile

METADATA = """Metadata-Version: 2.1
Name: clreshape
Version: {version}
Summary: Reshape, transpose, rearrange, cast and normalise tensors in OpenCL buffers
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """Wheel-Version: 1.0
Generator: clreshape
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def platform_tag(library):
    """Returns manylinux with the newest glibc whose symbols the library uses, or Python's tag."""
    here = re.sub(r"\W", "_", sysconfig.get_platform())
    needed = [int(minor) for minor in re.findall(rb"\bGLIBC_2\.(\d+)", library.read_bytes())]
    if here.startswith("linux_") and needed:
        return f"manylinux_2_{max(needed)}_{here.removeprefix('linux_')}"
    return here


def entry(name, content):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o755 if ".so" in name or name.endswith(".dylib") else 0o644) << 16
    return info, content


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def contents(package, readme, version, platform):
    """Returns {name in the wheel: bytes} without RECORD, and the name of the dist-info folder."""
    files = {f"clreshape/{path.name}": path.read_bytes()
             for path in sorted(package.iterdir()) if path.is_file()}
    about = f"clreshape-{version}.dist-info"
    files[f"{about}/METADATA"] = METADATA.format(version=version, readme=readme).encode()
    files[f"{about}/WHEEL"] = WHEEL.format(platform=platform).encode()
    return files, about


def main():
    package, folder, readme = map(pathlib.Path, sys.argv[1:])
    version = ".".join(map(str, runpy.run_path(str(package / "_layout.py"))["VERSION"]))
    library = next(path for path in package.iterdir() if path.stem == "libclreshape")
    platform = platform_tag(library)
    files, about = contents(package, readme.read_text("utf-8"), version, platform)
    record = "".join(record_line(name, content) for name, content in files.items())
    wheel = folder / f"clreshape-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(*entry(name, content))
        archive.writestr(*entry(f"{about}/RECORD", f"{record}{about}/RECORD,,\n"))
    print(wheel)


if __name__ == "__main__":
    main()
