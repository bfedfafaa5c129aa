# `explain`: the facts as JSON and as text, without an OpenCL device and without the data.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os

import numpy as np

from program import FAILED, USAGE, Case, main

NOWHERE = {"OCL_ICD_VENDORS": "/nonexistent", "CLRS_EXECUTION": "cpu"}
KEYS = ["input", "steps", "output", "outcome", "launches", "class", "nest", "bytes_read",
        "bytes_written", "reasons"]

DTYPES = {"?": "bool", "i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64", "u1": "u8", "u2": "u16",
          "u4": "u32", "u8": "u64", "f2": "f16", "f4": "f32", "f8": "f64", "c8": "c64",
          "c16": "c128"}


class Explain(Case):
    def explain(self, *arguments):
        text = self.succeeds("explain", "--json", *arguments, environment=NOWHERE)
        facts = json.loads(text)
        self.assertEqual(text.count("\n"), 1, "one line, one object")
        self.assertEqual(sorted({*facts} - {"assembly"}), sorted(KEYS))
        self.assertEqual(sorted(facts["input"]), ["dims", "dtype", "strides"])
        self.assertEqual(sorted(facts["output"]), ["dims", "dtype"])
        for step in facts["steps"]:
            self.assertEqual(sorted(step), ["dims", "op", "view"])
            self.assertIsInstance(step["view"], bool)
        self.assertIn(facts["outcome"], ("alias", "affine", "composed", "empty"))
        self.assertTrue(all(isinstance(reason, str) and reason for reason in facts["reasons"]))
        return facts

    def test_alias(self):
        np.save("in.npy", np.zeros((2, 3, 4), "f4"))
        facts = self.explain("in.npy", "reshape=0,-1", "permute=1,0")
        self.assertEqual(facts["input"], {"dtype": "f32", "dims": [2, 3, 4], "strides": [12, 4, 1]})
        self.assertEqual(facts["steps"], [{"op": "reshape=0,-1", "dims": [2, 12], "view": True},
                                          {"op": "permute=1,0", "dims": [12, 2], "view": True}])
        self.assertEqual(facts["output"], {"dtype": "f32", "dims": [12, 2]})
        self.assertEqual((facts["outcome"], facts["launches"], facts["class"]), ("alias", 0, None))
        self.assertEqual((facts["bytes_read"], facts["bytes_written"]), (0, 0))

    def test_affine(self):
        np.save("in.npy", np.zeros((2, 3, 4), "f8"))
        facts = self.explain("in.npy", "permute=1,0,2", "reshape=-1")
        self.assertEqual([step["view"] for step in facts["steps"]], [True, False])
        self.assertEqual((facts["outcome"], facts["launches"]), ("affine", 1))
        self.assertEqual(facts["class"], "cpu_rows")
        # extent, source stride, destination stride, in elements: [3,2,4] taken from [2,3,4]
        self.assertEqual(facts["nest"], [[3, 4, 8], [2, 12, 4], [4, 1, 1]])
        self.assertEqual((facts["bytes_read"], facts["bytes_written"]), (192, 192))
        self.assertEqual(len(facts["reasons"]), 1)

    def test_assemblies_tell_all_launches_and_bytes(self):
        """Every element of the result is written once, and the shown elements of the sources are
        read."""
        a, b = np.zeros((4, 6), "f4"), np.zeros((4, 3), "f4")
        np.save("in.npy", a)
        np.save("b.npy", b)
        np.save("names.npy", np.zeros((4, 6), "S12"))
        rows = (("in.npy", ["concat=1,b.npy"], (4, 9), 2, 2, a.nbytes + b.nbytes),
                ("in.npy", ["permute=1,0", "stack=0,turned.npy"], (2, 6, 4), 2, 2, 2 * a.nbytes),
                ("in.npy", ["pad=1:2,0:3"], (7, 9), 4, 1, a.nbytes),
                ("in.npy", ["pad=1:1,0", "permute=1,0"], (6, 6), 3, 1, a.nbytes),
                ("in.npy", ["pad=0:1,0,mode=edge"], (5, 6), 2, 2, None),
                ("names.npy", ["pad=1:0,0"], (5, 6), 2, 1, 24 * 12))
        np.save("turned.npy", np.zeros((6, 4), "f4"))
        for name, said, shape, parts, launches, read in rows:
            with self.subTest(said):
                facts = self.explain(name, *said)
                size = 12 if name == "names.npy" else 4
                self.assertEqual(facts["output"]["dims"], list(shape))
                total = facts["assembly"]
                self.assertEqual((total["parts"], total["launches"]), (parts, launches))
                self.assertEqual(total["bytes_written"], int(np.prod(shape)) * size)
                self.assertEqual(total["bytes_read"], read or total["bytes_read"])
                self.assertNotEqual(facts["outcome"], "alias")
                words = (f"parts: {parts} in {launches} launches, which read "
                         f"{total['bytes_read']} and write {total['bytes_written']} bytes")
                self.assertIn(words, self.succeeds("explain", name, *said, environment=NOWHERE))

    def test_a_border_that_is_mapped_is_launched(self):
        np.save("in.npy", np.zeros((4, 6), "f4"))
        facts = json.loads(self.succeeds("explain", "--json", "in.npy", "pad=1:1,0:1", "cast=f16",
                                         environment=NOWHERE))
        self.assertEqual((facts["assembly"]["parts"], facts["assembly"]["launches"]), (4, 4))
        self.assertEqual(facts["assembly"]["bytes_written"], 6 * 7 * 2)

    def test_maps(self):
        np.save("in.npy", np.zeros((4, 5, 3), "u1"))
        chain = ["cast=f32", "mean=1,2,3", "permute=2,0,1", "std=2", "cast=f16"]
        facts = json.loads(self.succeeds("explain", "--json", "in.npy", *chain, environment=NOWHERE))
        self.assertEqual((facts["outcome"], facts["launches"]), ("mapped", 1))
        self.assertEqual((facts["class"], facts["nest"]),
                         ("map_rows", [[3, 1, 20], [20, 3, 1]]))
        self.assertEqual((facts["bytes_read"], facts["bytes_written"]), (60, 120))
        self.assertEqual(facts["reasons"], ["its elements are computed when it is moved"])
        self.assertEqual(facts["output"], {"dtype": "f16", "dims": [3, 4, 5]})
        self.assertEqual([step["view"] for step in facts["steps"]], [False] * 5)
        words = "u8 -> f16: - (1 2 3) / 2 in f32, half to even, infinity beyond"
        self.assertEqual(facts["map"], words)
        text = self.succeeds("explain", "in.npy", *chain, environment=NOWHERE)
        self.assertIn("1: cast=f32 -> f32 [4,5,3] no view\n", text)
        self.assertIn("3: permute=2,0,1 -> [3,4,5] no view\n", text)
        self.assertIn(f"output: f16 [3,4,5]\nmap: {words}\nplan: clreshape,v1,mapped: 1 launch of "
                      "map_rows, ", text)
        self.refused(1, "never, but the tensor is mapped", "explain", "in.npy", *chain,
                   "--policy", "never", environment=NOWHERE)

    def test_dialects_of_casts(self):
        np.save("in.npy", np.zeros((4,), "f4"))
        for dialect, rounding in (("onnx", "truncated, wrapped"),
                                  ("onednn", "half to even, saturated")):
            text = self.succeeds("explain", "in.npy", "cast=u8", "--dialect", dialect)
            self.assertIn(f"map: f32 -> u8: {rounding}\n", text)

    def test_bitcast_is_a_view(self):
        np.save("in.npy", np.zeros((4, 5), "u2"))
        facts = self.explain("in.npy", "bitcast=bf16", "flip=0")
        self.assertEqual(facts["output"], {"dtype": "bf16", "dims": [4, 5]})
        self.assertEqual(facts["outcome"], "alias")

    def test_copy_is_said_to_be_asked_for(self):
        np.save("in.npy", np.zeros((2, 3), "f4"))
        facts = self.explain("in.npy", "--policy", "always", "reshape=6")
        self.assertEqual((facts["outcome"], facts["bytes_written"]), ("affine", 24))
        self.assertEqual(facts["steps"], [{"op": "reshape=6", "dims": [6], "view": True}])

    def test_expand_reads_what_the_result_has(self):
        np.save("in.npy", np.zeros((1, 4), "f4"))
        facts = self.explain("in.npy", "expand=3,4", "reshape=12")
        self.assertEqual(facts["outcome"], "affine")
        self.assertEqual(facts["bytes_written"], 48)

    def test_fortran_order_is_a_free_layout(self):
        np.save("in.npy", np.asfortranarray(np.zeros((2, 3, 4), "i2")))
        facts = self.explain("in.npy")
        self.assertEqual(facts["input"]["strides"], [1, 2, 6])
        self.assertEqual((facts["outcome"], facts["steps"]), ("alias", []))
        self.assertEqual(self.explain("in.npy", "permute=2,1,0", "reshape=-1")["outcome"], "alias")
        self.assertEqual(self.explain("in.npy", "reshape=-1")["outcome"], "affine")

    def test_empty(self):
        np.save("in.npy", np.zeros((0, 3), "f4"))
        facts = self.explain("in.npy", "--literal-zero", "reshape=3,0", "permute=1,0")
        self.assertEqual((facts["outcome"], facts["launches"]), ("empty", 0))
        self.assertEqual(facts["output"]["dims"], [0, 3])

    def test_scalar(self):
        np.save("in.npy", np.zeros((1, 1), "f4"))
        facts = self.explain("in.npy", "reshape=")
        self.assertEqual((facts["output"]["dims"], facts["outcome"]), ([], "alias"))

    def test_every_dtype_has_its_name(self):
        for numpy_name, name in DTYPES.items():
            np.save("in.npy", np.zeros((2,), numpy_name))
            facts = self.explain("in.npy")
            self.assertEqual((facts["input"]["dtype"], facts["output"]["dtype"]), (name, name))

    def test_takes_a_run_line_as_it_is(self):
        np.save("in.npy", np.zeros((2, 3), "f4"))
        plain = self.explain("in.npy", "reshape=6")
        for output in ("out.npy", "nowhere/out", "./reshape=6"):
            line = ("in.npy", output, "--device", "7:7", "--explain", "reshape=6")
            self.assertEqual(self.explain(*line), plain)
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_reads_the_header_only(self):
        elements = 2**38  # a terabyte, and a hole
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({elements},), }}"
        header = header.ljust(117) + "\n"
        with open("in.npy", "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
            file.write(header.encode())
            file.truncate(10 + len(header) + 4 * elements)
        facts = self.explain("in.npy", "reshape=2,-1", "permute=1,0", "reshape=-1")
        self.assertEqual(facts["output"]["dims"], [elements])
        self.assertEqual(facts["bytes_written"], 4 * elements)

    def test_text_says_the_same(self):
        np.save("in.npy", np.zeros((2, 3, 4), "f4"))
        text = self.succeeds("explain", "in.npy", "permute=1,0,2", "reshape=-1", environment=NOWHERE)
        for words in ("f32 [2,3,4]", "strides [12,4,1]", "permute=1,0,2 -> [3,2,4] a view",
                      "reshape=-1 -> [24] no view", "output: f32 [24]", "affine", "cpu_any", "96"):
            self.assertIn(words, text)

    def test_as_on_a_gpu(self):
        np.save("in.npy", np.zeros((200, 300), "f4"))
        facts = json.loads(self.succeeds("explain", "--json", "in.npy", "--policy", "always",
                                         "permute=1,0",
                                         environment={**NOWHERE, "CLRS_EXECUTION": "gpu"}))
        self.assertEqual(facts["class"], "gpu_tile")

    def test_a_required_class(self):
        np.save("in.npy", np.zeros((40, 48), "f4"))
        turned = ("explain", "in.npy", "--policy", "always", "permute=1,0", "--class")
        for name in ("gpu_any", "cpu_tile", "cpu_any", "composed"):
            facts = json.loads(self.succeeds(*turned, name, "--json", environment=NOWHERE))
            self.assertEqual(facts["class"], name)
        self.refused(FAILED, "class cpu_rows is required", *turned, "cpu_rows")
        self.refused(USAGE, "unknown class 'tiles'", *turned, "tiles")

    def test_failures(self):
        np.save("in.npy", np.zeros((2, 3, 4), "f4"))
        never = ("explain", "in.npy", "--policy", "never", "permute=1,0,2", "reshape=-1")
        self.refused(FAILED, "never", *never)
        self.refused(FAILED, "operation 2 (reshape=5,5)", "explain", "in.npy", "flip=0",
                     "reshape=5,5")
        self.refused(FAILED, "missing.npy", "explain", "missing.npy")


if __name__ == "__main__":
    main()
