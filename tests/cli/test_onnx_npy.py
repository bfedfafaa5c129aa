# `onnx` on .npy files, in and out, against NumPy.
#
# SPDX-License-Identifier: Apache-2.0
import os

import numpy as np

from onnx_files import declared, field, model, node, tensor, write
from program import DONE, FAILED, USAGE, Case, call, main, need_device

# TensorProto.DataType of NumPy's types
ELEMENTS = {"f4": 1, "u1": 2, "i1": 3, "u2": 4, "i2": 5, "i4": 6, "i8": 7, "?": 9, "f2": 10,
            "f8": 11, "u4": 12, "u8": 13, "c8": 14, "c16": 15}
BFLOAT16, STRING = 16, 8


class OnnxNpy(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("out")

    def transpose(self, element, shape=(2, 3, 5)):
        """All dims, and the same once more."""
        nodes = [node("Transpose", ["x"], ["y"]), node("Transpose", ["y"], ["z"])]
        write("model.onnx", model(nodes, ["x"], ["y"], shape, element, shape[::-1]))

    def test_every_type_and_order(self):
        for dtype, element in ELEMENTS.items():
            self.transpose(element)
            array = (np.arange(30) % 7).astype(dtype).reshape(2, 3, 5)
            for arrange in (np.ascontiguousarray, np.asfortranarray):
                with self.subTest(dtype, order=arrange.__name__):
                    np.save("x.npy", arrange(array))
                    self.succeeds("onnx", "model.onnx", "x.npy", "-o", "out", "--npy")
                    self.assertEqual(os.listdir("out"), ["output_0.npy"])
                    got = np.load("out/output_0.npy")
                    self.assertEqual(got.dtype, array.dtype)
                    np.testing.assert_array_equal(got, array.T)

    def test_empty_arrays_and_scalars(self):
        for shape in ((), (0, 3), (1,)):
            write("model.onnx", model([node("Identity", ["x"], ["y"])], ["x"], ["y"], shape))
            array = np.ones(shape, "f4")
            np.save("x.npy", array)
            self.succeeds("onnx", "model.onnx", "x.npy", "-o", "out", "--npy")
            got = np.load("out/output_0.npy")
            self.assertEqual(got.shape, shape)
            np.testing.assert_array_equal(got, array)

    def test_both_kinds_of_files_together(self):
        shape = (2, 3)
        nodes = [node("Transpose", ["a"], ["y"]), node("Transpose", ["b"], ["z"])]
        write("model.onnx", model(nodes, ["a", "b"], ["y", "z"], shape, made=shape[::-1]))
        first, second = np.arange(6, dtype="f4").reshape(shape), np.ones(shape, "f4")
        write("a.pb", tensor(first))
        np.save("b.npy", second)
        self.succeeds("onnx", "model.onnx", "a.pb", "b.npy", "-o", "out", "--npy")
        np.testing.assert_array_equal(np.load("out/output_0.npy"), first.T)
        np.testing.assert_array_equal(np.load("out/output_1.npy"), second.T)
        self.succeeds("onnx", "model.onnx", "a.pb", "b.npy", "-o", "out")
        self.assertIn("output_1.pb", os.listdir("out"))

    def test_a_stale_declaration_is_warned_of(self):
        """The declared shape of an output, or of a value within, changes no result."""
        array = np.arange(30, dtype="f4").reshape(2, 3, 5)
        np.save("x.npy", array)
        for shape, says in (((5, 3, 2), None), ((5, 3, 800), "dimension 2 is 2; the model declares 800"),
                            ((5, 6), "it has 3 dims; the model declares 2"),
                            ((), "it has 3 dims; the model declares 0")):
            with self.subTest(shape):
                nodes = [node("Transpose", ["x"], ["m"]), node("Identity", ["m"], ["y"])]
                write("model.onnx", model(nodes, ["x"], ["y"], (2, 3, 5), made=shape,
                                          value_info=field(13, declared("m", (800,)))))
                result = call("onnx", "model.onnx", "x.npy", "-o", "out", "--npy")
                self.assertEqual((result.returncode, result.stdout), (DONE, ""), result.stderr)
                self.assertEqual(result.stderr, "" if says is None else
                                 f'clreshape: warning: output 0 "y": {says}\n')
                np.testing.assert_array_equal(np.load("out/output_0.npy"), array.T)

    def test_what_does_not_fit_the_model(self):
        self.transpose(ELEMENTS["f4"])
        good = np.zeros((2, 3, 5), "f4")
        for name, array, says in (("type", good.astype("f8"), "data_type is 11"),
                                  ("shape", good.reshape(2, 5, 3), "5"),
                                  ("big", good.astype(">f4"), "no type for elements of type >f4"),
                                  ("text", good.astype("S3"), "no type for elements of type |S3"),
                                  ("struct", np.zeros((2, 3, 5), [("a", "f4")]), "no type for")):
            with self.subTest(name):
                np.save("x.npy", array)
                text = self.refused(FAILED, says, "onnx", "model.onnx", "x.npy", "-o", "out")
                self.assertIn("x.npy", text)
        write("x.npy", b"nonsense")
        self.refused(FAILED, "x.npy: not a .npy file", "onnx", "model.onnx", "x.npy", "-o", "out")
        self.refused(FAILED, "y.npy: No such file", "onnx", "model.onnx", "y.npy", "-o", "out")
        self.assertEqual(os.listdir("out"), [])

    def test_outputs_that_numpy_has_no_type_for(self):
        self.transpose(BFLOAT16)
        write("x.pb", b"".join((b"\x08\x02\x08\x03\x08\x05", b"\x10\x10", b"\x4a\x3c", bytes(60))))
        self.refused(FAILED, "output 0 \"y\": a .npy file has no type for bfloat16", "onnx",
                     "model.onnx", "x.pb", "-o", "out", "--npy")
        self.assertEqual(os.listdir("out"), [])
        self.succeeds("onnx", "model.onnx", "x.pb", "-o", "out")

    def test_no_input_is_overwritten(self):
        self.transpose(ELEMENTS["f4"])
        np.save("out/output_0.npy", np.zeros((2, 3, 5), "f4"))
        self.refused(FAILED, "the output is the input file", "onnx", "model.onnx",
                     "out/output_0.npy", "-o", "out", "--npy")
        self.assertEqual(np.load("out/output_0.npy").shape, (2, 3, 5))

    def test_what_is_no_movement_is_named_with_what_runs_it(self):
        write("model.onnx", model([node("Identity", ["x"], ["a"]),
                                   node("Conv", ["a"], ["y"], "first")], ["x"], ["y"], (2, 3)))
        np.save("x.npy", np.zeros((2, 3), "f4"))
        text = self.refused(FAILED, "such as ONNX Runtime or OpenVINO, could", "onnx",
                            "model.onnx", "x.npy", "-o", "out")
        self.assertIn('node 1 "first" (Conv)', text)
        self.refused(USAGE, "--npz", "onnx", "model.onnx", "--npz")
        self.assertEqual(call("onnx", "model.onnx", "x.npy", "-o", "out").stdout, "")


if __name__ == "__main__":
    need_device()
    main()
