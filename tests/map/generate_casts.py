#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes casts_of_packages.h: checksums of NumPy's and ml_dtypes' casts of every small code, and of
numbers near the borders of the wide types. The script asks the packages, never the library.

packages/bin/pip install -r ../conformance/map/requirements.txt packages/bin/python
generate_casts.py > casts_of_packages.h
"""

import importlib.metadata
import pathlib
import sys
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "conformance" / "map"))
import oracle  # pylint: disable=wrong-import-position

warnings.simplefilter("ignore")
PER_LINE = 9


def checksum(codes):
    """FNV-1a's steps over whole codes, kept to 64 bits."""
    total = 0xcbf29ce484222325
    for code in codes.tolist():
        total = (total ^ code) * 0x100000001b3 & 0xFFFFFFFFFFFFFFFF
    return (total ^ total >> 32) & 0xFFFFFFFF


def rows(dialect, source):
    words = oracle.sources(source)
    found = [checksum(oracle.cast(dialect, source, to, words)) for to in oracle.TYPES]
    lines = [",".join(f"0x{word:08x}" for word in found[i:i + PER_LINE])
             for i in range(0, len(found), PER_LINE)]
    yield f"    {{CLRS_{dialect}, CLRS_{source}, {words.size}, 0x{checksum(words):08x}, {{"
    yield " " + ",\n ".join(lines) + "}},"


def main():
    version = importlib.metadata.version
    types = ["CLRS_" + name for name in oracle.TYPES]
    print(f"""/*
 * Checksums of all casts as numpy {np.__version__} and ml_dtypes {version("ml_dtypes")} answer them.
 * Written by generate_casts.py.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_CASTS_OF_PACKAGES_H
#define CLRS_TEST_CASTS_OF_PACKAGES_H

/* clang-format off */
enum {{ TARGETS = {len(types)} }};

static const clrs_dtype cast_targets[TARGETS] = {{""")
    for i in range(0, len(types), 6):
        print("    " + ", ".join(types[i:i + 6]) + ",")
    print("""};

/* The sources' number and checksum, and one of the results for each target. */
static const struct cast_row {
  clrs_dialect dialect;
  clrs_dtype from;
  uint32_t count, sources, results[TARGETS];
} cast_rows[] = {""")
    for dialect in oracle.DIALECTS:
        for source in oracle.TYPES:
            print("\n".join(rows(dialect, source)))
    print("};\n/* clang-format on */\n\n#endif")


if __name__ == "__main__":
    main()
