#!/usr/bin/env python3
"""Writes torch.txt: the chains of torch_chains.py through both of PyTorch's exporters.

    python3 make_torch_models.py torch.txt && python3 -m zipfile -c torch.zip torch.txt

Needs torch, onnx and onnxscript from PyPI. Each chain is exported twice, with a fixed and with a
dynamic batch. The model with the dynamic batch is then run with another batch than the exporter
saw. PyTorch's own results are the expected outputs. The script strips all that exporters say about
themselves: names, documentation, metadata, and declared shapes of intermediate values.

Lines are as in make_models.py, with the number of launches after "ok:".

SPDX-License-Identifier: Apache-2.0
"""
import io
import logging
import sys
import warnings

import onnx
import torch
from onnx import numpy_helper

from torch_chains import CHAINS


class Chain(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def arange(shapes):
    inputs, first = [], 1
    for shape in shapes:
        count = int(torch.tensor(shape).prod())
        inputs.append(torch.arange(first, first + count, dtype=torch.int16).reshape(shape))
        first += count
    return tuple(inputs)


def other_batch(shapes):
    """One and a half times as much."""
    return [(shape[0] * 3 // 2,) + shape[1:] for shape in shapes]


def export_script(chain, inputs, dynamic):
    names = [f"x{i}" for i in range(len(inputs))]
    axes = {name: {0: "batch"} for name in names} if dynamic else None
    file = io.BytesIO()
    torch.onnx.export(chain, inputs, file, input_names=names, dynamic_axes=axes, dynamo=False,
                      opset_version=17)
    return onnx.load_from_string(file.getvalue())


def export_dynamo(chain, inputs, dynamic):
    shapes = None
    if dynamic:
        batch = torch.export.Dim.AUTO
        shapes = (tuple({0: batch} for _ in inputs),)
    program = torch.onnx.export(chain, inputs, dynamic_shapes=shapes, dynamo=True, verbose=False)
    return program.model_proto


def strip(model):
    model.ClearField("doc_string")
    model.ClearField("metadata_props")
    model.graph.ClearField("value_info")
    model.graph.ClearField("metadata_props")
    for item in list(model.graph.node) + list(model.graph.input) + list(model.graph.output):
        item.ClearField("doc_string")
        item.ClearField("metadata_props")
    for node in model.graph.node:
        node.ClearField("name")
    for value in model.graph.output:
        value.ClearField("type")
    return model


def hexadecimal(message):
    return message.SerializeToString(deterministic=True).hex()


def line(name, launches, model, inputs, outputs):
    tensors = [numpy_helper.from_array(value.numpy()) for value in inputs]
    expected = [numpy_helper.from_array(value.contiguous().numpy()) for value in outputs]
    fields = [f"ok:{launches}", name, hexadecimal(model), str(len(tensors))]
    fields += [hexadecimal(tensor) for tensor in tensors]
    fields += [str(len(expected))] + [hexadecimal(tensor) for tensor in expected]
    return "\t".join(fields)


def cases():
    for name, (function, shapes, launches) in CHAINS.items():
        chain = Chain(function).eval()
        seen = arange(shapes)
        for kind, export in (("script", export_script), ("dynamo", export_dynamo)):
            for dynamic in (False, True):
                case = f"{name}_{kind}_{'dynamic' if dynamic else 'static'}"
                try:
                    model = strip(export(chain, seen, dynamic))
                except Exception as error:  # an operator that the exporter does not know
                    print(f"{case}: not exported: {str(error).splitlines()[0]}")
                    continue
                inputs = arange(other_batch(shapes)) if dynamic else seen
                outputs = chain(*inputs)
                outputs = outputs if isinstance(outputs, tuple) else (outputs,)
                yield line(case, launches, model, inputs, outputs)


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    lines = list(cases())
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.writelines(text + "\n" for text in lines)
    print(f"{len(lines)} models by torch {torch.__version__}")


if __name__ == "__main__":
    main()
