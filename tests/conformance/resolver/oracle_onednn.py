# SPDX-License-Identifier: Apache-2.0
"""oneDNN's answer, from the real library. oneDNN and OpenVINO need different versions of shared
libraries, and cannot share a process. The file is therefore separate from oracles.py. See
generate.py."""

import ctypes
import os
import sys


LIBRARIES = os.path.join(sys.prefix, "lib")


def environment():
    """The environment of a new process, so that the wheel finds the libraries and the CPU
    device."""
    runtime = os.path.join(LIBRARIES, "libintelocl.so")
    return os.environ | {
        "LD_LIBRARY_PATH": LIBRARIES,
        "OCL_ICD_FILENAMES": runtime,
        "OCL_ICD_VENDORS": runtime,
        "ONEDNN_VERBOSE": "none",
    }


class LogicalTensor(ctypes.Structure):
    """dnnl_graph_logical_tensor_t."""

    _fields_ = [
        ("id", ctypes.c_size_t),
        ("ndims", ctypes.c_int),
        ("dims", ctypes.c_int64 * 12),
        ("data_type", ctypes.c_int),
        ("property", ctypes.c_int),
        ("layout_type", ctypes.c_int),
        ("strides", ctypes.c_int64 * 12),
    ]


class OneDnn:
    """StaticReshape through the C graph API: a graph of one op, compiled, then asked for its
    output. The numbers are the enumerators of dnnl_graph_types.h and dnnl_common_types.h."""

    F32, STRIDED, CPU, FUSION, INVALID_SHAPE = 3, 2, 1, 1, 9
    UNKNOWN_RANK = -1

    def __init__(self):
        self.dnnl = ctypes.CDLL(os.path.join(LIBRARIES, "libdnnl.so.3"))
        self._find_enumerators()
        self.engine = ctypes.c_void_p()
        self._must(self.dnnl.dnnl_engine_create(ctypes.byref(self.engine), self.CPU, 0))

    def _find_enumerators(self):
        header = os.path.join(sys.prefix, "include", "oneapi", "dnnl", "dnnl_graph_types.h")
        number, self.enumerators = 0, {}
        with open(header, encoding="utf-8") as text:
            for line in text:
                name, _, value = line.strip().rstrip(",").partition(" = ")
                if not name.startswith(("dnnl_graph_op_", "dnnl_graph_op_attr_")):
                    continue
                if not name.replace("_", "").isalnum() or not line.startswith("    "):
                    continue
                number = int(value.rstrip("U"), 0) if value else number
                self.enumerators[name] = number
                number += 1

    @staticmethod
    def _must(status):
        if status != 0:
            raise RuntimeError(f"oneDNN refused the set-up with status {status}")

    def answer(self, dims, pattern, literal):
        dnnl, ref = self.dnnl, ctypes.byref
        source = LogicalTensor()
        result = LogicalTensor()
        self._must(
            dnnl.dnnl_graph_logical_tensor_init_with_dims(
                ref(source), ctypes.c_size_t(0), self.F32, len(dims),
                (ctypes.c_int64 * 12)(*dims), self.STRIDED, 0,
            )
        )
        self._must(
            dnnl.dnnl_graph_logical_tensor_init(
                ref(result), ctypes.c_size_t(1), self.F32, self.UNKNOWN_RANK, self.STRIDED, 0
            )
        )
        graph, op = ctypes.c_void_p(), ctypes.c_void_p()
        self._must(dnnl.dnnl_graph_graph_create(ref(graph), self.CPU))
        kind = self.enumerators["dnnl_graph_op_static_reshape"]
        self._must(dnnl.dnnl_graph_op_create(ref(op), ctypes.c_size_t(0), kind, b"reshape"))
        try:
            self._describe(op, source, result, pattern, literal)
            self._must(dnnl.dnnl_graph_add_op(graph, op))
            self._must(dnnl.dnnl_graph_graph_finalize(graph))
            self._must(dnnl.dnnl_graph_graph_filter(graph, self.FUSION))
            return self._compile(graph, source, result)
        finally:
            dnnl.dnnl_graph_op_destroy(op)
            dnnl.dnnl_graph_graph_destroy(graph)

    def _describe(self, op, source, result, pattern, literal):
        dnnl, ref = self.dnnl, ctypes.byref
        self._must(dnnl.dnnl_graph_op_add_input(op, ref(source)))
        self._must(dnnl.dnnl_graph_op_add_output(op, ref(result)))
        values = (ctypes.c_int64 * max(len(pattern), 1))(*pattern)
        shape = self.enumerators["dnnl_graph_op_attr_shape"]
        count = ctypes.c_size_t(len(pattern))
        self._must(dnnl.dnnl_graph_op_set_attr_s64(op, shape, values, count))
        special_zero = self.enumerators["dnnl_graph_op_attr_special_zero"]
        flag = ref(ctypes.c_uint8(not literal))
        self._must(dnnl.dnnl_graph_op_set_attr_bool(op, special_zero, flag, ctypes.c_size_t(1)))

    def _compile(self, graph, source, result):
        dnnl, ref = self.dnnl, ctypes.byref
        partition, compiled = ctypes.c_void_p(), ctypes.c_void_p()
        self._must(dnnl.dnnl_graph_graph_get_partitions(graph, ctypes.c_size_t(1), ref(partition)))
        self._must(dnnl.dnnl_graph_compiled_partition_create(ref(compiled), partition))
        one = ctypes.c_size_t(1)
        sources = (ctypes.POINTER(LogicalTensor) * 1)(ctypes.pointer(source))
        results = (ctypes.POINTER(LogicalTensor) * 1)(ctypes.pointer(result))
        try:
            status = dnnl.dnnl_graph_partition_compile(
                partition, compiled, one, sources, one, results, self.engine
            )
            if status == self.INVALID_SHAPE:
                return None
            self._must(status)
            found = LogicalTensor()
            self._must(
                dnnl.dnnl_graph_compiled_partition_query_logical_tensor(compiled, one, ref(found))
            )
            return tuple(found.dims[: found.ndims])
        finally:
            dnnl.dnnl_graph_compiled_partition_destroy(compiled)
            dnnl.dnnl_graph_partition_destroy(partition)
