#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes dtypes_of_packages.h: the element types that the real packages list.

packages/bin/pip install onnx openvino onednn-devel
packages/bin/python generate_dtypes.py > dtypes_of_packages.h
"""

import importlib.metadata
import os
import re
import sys

import onnx
import openvino


def onnx_rows():
    types = sorted(onnx.TensorProto.DataType.items(), key=lambda item: item[1])
    return [f'    {{"{name.lower()}", {code}}},' for name, code in types if code != 0]


def openvino_rows():
    found = [getattr(openvino.Type, name) for name in dir(openvino.Type) if name[0] != "_"]
    types = {t.get_type_name(): t.bitwidth for t in found if isinstance(t, openvino.Type)}
    return [f'    {{"{name}", {types[name]}}},' for name in sorted(types) if name != "dynamic"]


def onednn_rows():
    header = os.path.join(sys.prefix, "include", "oneapi", "dnnl", "dnnl_common_types.h")
    with open(header, encoding="utf-8") as text:
        body = re.search(r"typedef enum \{([^}]*)\} dnnl_data_type_t;", text.read()).group(1)
    names = re.findall(r"^\s*dnnl_(\w+) = (\d+)", body, re.MULTILINE)
    return [f'    {{"{name}", {code}}},' for name, code in names if not name.startswith("data_type_")]


def table(name, comment, rows):
    return [f"/* {comment} */", f"static const package_dtype {name}[] = {{", *rows, "};", ""]


def main():
    version = importlib.metadata.version
    print(f"""/*
 * The element types of onnx {version("onnx")}, openvino {version("openvino")} and oneDNN {version("onednn-devel")}.
 * Written by generate_dtypes.py.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DTYPES_OF_PACKAGES_H
#define CLRS_TEST_DTYPES_OF_PACKAGES_H

/* clang-format off */
typedef struct package_dtype {{
  const char *name;
  int number;
}} package_dtype;
""")
    lines = table("onnx_dtypes", "TensorProto.DataType in lower case, and its number", onnx_rows())
    lines += table("openvino_dtypes", "ov::element::Type, and its bits", openvino_rows())
    lines += table("onednn_dtypes", "dnnl_data_type_t, and its number", onednn_rows())
    print("\n".join(lines + ["#endif"]))


if __name__ == "__main__":
    main()
