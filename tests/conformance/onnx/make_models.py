#!/usr/bin/env python3
"""Writes models.txt: small models with inputs and expected outputs, and models that must fail.

    python3 make_models.py models.txt && python3 -m zipfile -c models.zip models.txt

Needs the packages onnx and ml_dtypes from PyPI. NumPy gives the expected outputs. If onnx's
ReferenceEvaluator can run the model, the evaluator must agree. Debian's libonnx-testdata has the
newest form of each operator up to opset 17. This script adds every opset from 1 to 28, the old
forms, all element types, all data fields of a TensorProto, and bad input.

One case per line. Tabs separate the fields. Messages are hexadecimal, or "-" if empty.
    ok   name  model  number-of-inputs input...  number-of-outputs output...
    ok:N as ok, with exactly N launches
    bad  name  model  number-of-inputs input...  text that the error must contain

SPDX-License-Identifier: Apache-2.0
"""
import sys

import models
import models_arithmetic
import models_assemble
import models_bad
import models_bad_graphs
import models_bad_maps
import models_graphs
import models_maps
import models_operators
import models_resize
import models_strings


def main():
    for family in (models_operators, models_assemble, models_arithmetic, models_graphs, models_maps,
                   models_resize, models_strings, models_bad, models_bad_graphs, models_bad_maps):
        family.make()
    with open(sys.argv[1], "w", encoding="ascii") as file:
        for line in models.CASES.values():
            file.write(line + "\n")
    good = sum(line.startswith("ok") for line in models.CASES.values())
    print(f"{good} models that run, {len(models.CASES) - good} that must fail; the reference "
          f"evaluator confirmed {models.CHECKED[0]}")


if __name__ == "__main__":
    main()
