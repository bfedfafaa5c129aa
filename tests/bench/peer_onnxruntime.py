# ONNX Runtime as a peer. The model is a single Transpose node, or Transpose and Reshape nodes for a
# chain. The model runs on the CPU, with inputs and outputs bound to the buffers.
#
# SPDX-License-Identifier: Apache-2.0
import time

import numpy as np
import onnx
import onnxruntime

import peer

TYPES = {"f32": onnx.TensorProto.FLOAT, "f16": onnx.TensorProto.FLOAT16,
         "f64": onnx.TensorProto.DOUBLE, "u8": onnx.TensorProto.UINT8,
         "i8": onnx.TensorProto.INT8, "i16": onnx.TensorProto.INT16,
         "u16": onnx.TensorProto.UINT16, "i32": onnx.TensorProto.INT32,
         "u32": onnx.TensorProto.UINT32, "i64": onnx.TensorProto.INT64,
         "u64": onnx.TensorProto.UINT64}


def make_model(case):
    nodes, constants, name = [], [], "x"
    for place, part in enumerate(case.chain):
        made = "y" if place == len(case.chain) - 1 else f"t{place}"
        if place % 2 == 1:
            dims = np.array([dim for dim, _ in part], np.int64)
            constants.append(onnx.numpy_helper.from_array(dims, f"s{place}"))
            nodes.append(onnx.helper.make_node("Reshape", [name, f"s{place}"], [made]))
        else:
            nodes.append(onnx.helper.make_node("Transpose", [name], [made], perm=part))
        name = made
    dtype = TYPES[case.dtype]
    graph = onnx.helper.make_graph(
        nodes, "peer", [onnx.helper.make_tensor_value_info("x", dtype, case.shape)],
        [onnx.helper.make_tensor_value_info("y", dtype, case.result_dims)], constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model.SerializeToString()


def prepare(case, buffers):
    if case.dtype not in TYPES:
        raise peer.Unsupported(f"no Transpose of {case.dtype}")
    if not case.is_dense:
        raise peer.Unsupported("ONNX Runtime has no strides")
    if case.is_batch or not case.keeps_all:
        raise peer.Unsupported("a model of transposes has one result, and cuts nothing off")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = peer.THREADS
    begin = time.perf_counter()
    session = onnxruntime.InferenceSession(make_model(case), options,
                                           providers=["CPUExecutionProvider"])
    plan = time.perf_counter() - begin
    numpy_type = onnx.helper.tensor_dtype_to_np_dtype(TYPES[case.dtype])

    def function(i):
        binding = session.io_binding()
        for bind, name, array, dims in (
                (binding.bind_input, "x", buffers.sources[i], case.shape),
                (binding.bind_output, "y", buffers.destinations[i], case.result_dims)):
            bind(name=name, device_type="cpu", device_id=0, element_type=numpy_type, shape=dims,
                 buffer_ptr=array.ctypes.data)
        return lambda: session.run_with_iobinding(binding)
    return [function(i) for i in range(len(buffers.sources))], plan


if __name__ == "__main__":
    peer.main("onnxruntime", prepare)
