# SPDX-License-Identifier: Apache-2.0
"""The real packages, each behind one function: (input dims, pattern, literal zeros) -> dims or None.

None is a refusal. No rule about reshape is written here: the packages answer. See generate.py.
"""

import numpy
import onnx
import onnxruntime
import openvino
from onnx import TensorProto, helper
from onnx.reference.ops.op_reshape import reshape_reference_implementation
from onnxruntime.capi import onnxruntime_pybind11_state as pybind
from openvino import opset1


def numpy_answer(dims, pattern, literal):
    del literal  # NumPy has no such switch: zeros are always literal
    try:
        return numpy.zeros(dims, numpy.int8).reshape(pattern).shape
    except ValueError:
        return None


def onnx_reference_answer(dims, pattern, literal):
    try:
        data = numpy.zeros(dims, numpy.int8)
        shape = numpy.array(pattern, numpy.int64)
        return reshape_reference_implementation(data, shape, int(literal)).shape
    except (ValueError, IndexError):
        return None


class OnnxRuntime:
    """One session per zero mode. The data and the pattern are inputs of the model."""

    OPSET = 21
    IR = 10

    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4  # a refusal is an answer, not news
        self.sessions = [self._session(allowzero, options) for allowzero in (0, 1)]

    def _session(self, allowzero, options):
        node = helper.make_node("Reshape", ["data", "shape"], ["result"], allowzero=allowzero)
        data = helper.make_tensor_value_info("data", TensorProto.FLOAT, None)
        shape = helper.make_tensor_value_info("shape", TensorProto.INT64, ["length"])
        result = helper.make_tensor_value_info("result", TensorProto.FLOAT, None)
        graph = helper.make_graph([node], "reshape", [data, shape], [result])
        opset = helper.make_opsetid("", self.OPSET)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=self.IR)
        return onnxruntime.InferenceSession(model.SerializeToString(), options)

    def answer(self, dims, pattern, literal):
        feeds = {
            "data": numpy.zeros(dims, numpy.float32),
            "shape": numpy.array(pattern, numpy.int64),
        }
        try:
            return self.sessions[int(literal)].run(None, feeds)[0].shape
        except (pybind.Fail, pybind.RuntimeException, pybind.InvalidArgument):
            return None


def openvino_answer(dims, pattern, literal):
    """Node validation of opset1 Reshape, from which every OpenVINO device gets the shapes."""
    data = opset1.parameter(list(dims), openvino.Type.f32)
    shape = openvino.op.Constant(openvino.Tensor(numpy.array(pattern, numpy.int64)))
    try:
        result = opset1.reshape(data, shape, not literal).get_output_partial_shape(0)
    except RuntimeError:
        return None
    return tuple(d.get_length() for d in result)
