# `run` against NumPy: every operation, every element type, C and Fortran order, the policies, and
# chains. Inputs have no two equal elements where the type allows, and results are compared bit by
# bit.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os

import numpy as np

from program import DONE, FAILED, NO_DEVICE, Case, call, main, need_device

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "f16"]
ORDERS = {"C": np.ascontiguousarray, "F": np.asfortranarray}


def distinct(shape, dtype="i4"):
    """As many different elements as the type has, without elements of all zero bits."""
    count = int(np.prod(shape))
    return (np.arange(count) % 251 + 1).astype(dtype).reshape(shape)


def patterned(shape, dtype):
    """Random bits, including NaNs: a move must not interpret the bits."""
    bits = np.random.default_rng(2024).integers(0, 256, int(np.prod(shape)) * dtype.itemsize, "u1")
    if dtype.kind == "b":
        bits &= 1
    return np.frombuffer(bits.tobytes(), dtype).reshape(shape)


# name, shape, operations, NumPy's equivalent
OPERATIONS = [
    ("reshape", (2, 3, 4), ["reshape=4,6"], lambda a: a.reshape(4, 6)),
    ("reshape_copies_zero_and_infers", (2, 3, 4), ["reshape=0,-1"], lambda a: a.reshape(2, -1)),
    ("reshape_to_scalar", (1, 1), ["reshape="], lambda a: a.reshape(())),
    ("reshape_from_scalar", (), ["reshape=1,1"], lambda a: a.reshape(1, 1)),
    ("permute", (2, 3, 4, 5), ["permute=0,2,1,3"], lambda a: a.transpose(0, 2, 1, 3)),
    ("permute_everything", (3, 5, 7), ["permute=2,1,0"], lambda a: a.T),
    ("permute_of_a_scalar", (), ["permute="], lambda a: a),
    ("squeeze_all", (1, 3, 1, 4), ["squeeze"], lambda a: a.squeeze()),
    ("squeeze_some", (1, 3, 1, 4), ["squeeze=-2"], lambda a: a.squeeze(2)),
    ("unsqueeze", (3, 4), ["unsqueeze=0,-1"], lambda a: a[None, :, :, None]),
    ("flatten", (2, 3, 4), ["flatten=1"], lambda a: a.reshape(2, 12)),
    ("flatten_at_0", (2, 3, 4), ["flatten=0"], lambda a: a.reshape(1, 24)),
    ("expand_outer", (3, 4), ["expand=5,3,4"], lambda a: np.broadcast_to(a, (5, 3, 4))),
    ("expand_inner", (3, 1), ["expand=3,6"], lambda a: np.broadcast_to(a, (3, 6))),
    ("expand_both_ways", (3, 1), ["expand=2,1,7"], lambda a: np.broadcast_to(a, (2, 3, 7))),
    ("slice", (3, 4, 5), ["slice=1:,::-1,0:4:2"], lambda a: a[1:, ::-1, 0:4:2]),
    ("slice_clamps", (3, 4), ["slice=-99:99,99:-99:-3"], lambda a: a[-99:99, 99:-99:-3]),
    ("slice_leading_axes_only", (3, 4), ["slice=::2"], lambda a: a[::2]),
    ("slice_to_nothing", (3, 4), ["slice=2:1"], lambda a: a[2:1]),
    ("slice_with_indices", (3, 4, 5), ["slice=1,:,-2"], lambda a: a[1, :, -2]),
    ("slice_with_an_ellipsis", (2, 3, 4, 5), ["slice=-1,...,2,::2"], lambda a: a[-1, ..., 2, ::2]),
    ("slice_to_a_scalar", (3, 4), ["slice=2,3"], lambda a: a[2, 3]),
    ("slice_of_a_scalar", (), ["slice=..."], lambda a: a[...]),
    ("index_keeps_other_ones", (1, 3, 1), ["slice=:,1"], lambda a: a[:, 1]),
    ("index_beside_nothing", (0, 3), ["slice=:,1"], lambda a: a[:, 1]),
    ("roll", (3, 7), ["roll=1,2"], lambda a: np.roll(a, 2, 1)),
    ("roll_back_and_round", (3, 7), ["roll=-2,-8"], lambda a: np.roll(a, -8, 0)),
    ("roll_of_nothing", (3, 0), ["roll=1,2"], lambda a: np.roll(a, 2, 1)),
    ("flip", (3, 4), ["flip=0"], lambda a: np.flip(a, 0)),
    ("flip_all", (3, 4, 5), ["flip=0,1,-1"], np.flip),
    ("split_first", (7, 3), ["split=0,3,0"], lambda a: a[0:3]),
    ("split_uneven_last", (7, 3), ["split=0,3,2"], lambda a: a[6:7]),
    ("split_inner", (2, 6), ["split=1,3,1"], lambda a: a[:, 2:4]),
    ("nothing", (2, 3), [], lambda a: a),
    ("empty_input", (0, 3), ["permute=1,0"], lambda a: a.T),
    ("odd_sizes", (13, 17, 19), ["permute=2,0,1"], lambda a: a.transpose(2, 0, 1)),
]

CHAINS = [
    ("attention_split", (2, 8, 12), ["reshape=0,0,3,4", "permute=0,2,1,3"],
     lambda a: a.reshape(2, 8, 3, 4).transpose(0, 2, 1, 3)),
    ("attention_merge", (2, 3, 8, 4), ["permute=0,2,1,3", "reshape=0,0,-1"],
     lambda a: a.transpose(0, 2, 1, 3).reshape(2, 8, 12)),
    ("window_partition", (1, 8, 8, 3), ["reshape=1,2,4,2,4,3", "permute=0,1,3,2,4,5",
                                        "reshape=-1,4,4,3"],
     lambda a: a.reshape(1, 2, 4, 2, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 4, 4, 3)),
    ("channel_shuffle", (2, 6, 5), ["reshape=2,3,2,5", "permute=0,2,1,3", "reshape=2,6,5"],
     lambda a: a.reshape(2, 3, 2, 5).transpose(0, 2, 1, 3).reshape(2, 6, 5)),
    ("flip_colors_then_planar", (4, 5, 3), ["flip=2", "permute=2,0,1", "reshape=1,3,-1"],
     lambda a: a[:, :, ::-1].transpose(2, 0, 1).reshape(1, 3, 20)),
    ("broadcast_then_merge", (3, 1), ["expand=4,3,5", "reshape=4,15"],
     lambda a: np.broadcast_to(a, (4, 3, 5)).reshape(4, 15)),
    ("shift_windows_of_swin", (8, 8, 3), ["roll=0,-2", "roll=1,-2", "reshape=2,4,2,4,3",
                                         "permute=0,2,1,3,4"],
     lambda a: np.roll(a, (-2, -2), (0, 1)).reshape(2, 4, 2, 4, 3).transpose(0, 2, 1, 3, 4)),
    ("crop_then_flat", (9, 10), ["slice=2:7,3:9", "reshape=-1"],
     lambda a: a[2:7, 3:9].reshape(-1)),
]


class Run(Case):
    def run_on(self, array, operations, *options):
        """The result for an input that must come out unchanged."""
        np.save("in.npy", array)
        with open("in.npy", "rb") as file:
            before = file.read()
        self.succeeds("run", "in.npy", "out.npy", *options, *operations)
        self.assertEqual(sorted(os.listdir(".")), ["in.npy", "out.npy"])
        with open("in.npy", "rb") as file:
            self.assertEqual(file.read(), before)
        result = np.load("out.npy")
        os.remove("out.npy")
        return result

    def same(self, result, expected):
        self.assertEqual(result.dtype.str, expected.dtype.str)
        self.assertEqual(result.shape, expected.shape)
        self.assertTrue(result.flags.c_contiguous)
        self.assertEqual(result.tobytes(), np.ascontiguousarray(expected).tobytes())

    def test_every_operation_in_both_orders(self):
        for name, shape, operations, expected in OPERATIONS + CHAINS:
            for order, arrange in ORDERS.items():
                with self.subTest(name, order=order):
                    array = arrange(distinct(shape)).reshape(shape, order=order)
                    result = self.run_on(array, operations)
                    self.same(result, np.asarray(expected(array)))

    def test_every_dtype_as_it_is_bit_by_bit(self):
        for dtype in map(np.dtype, DTYPES):
            for order, arrange in ORDERS.items():
                with self.subTest(dtype=dtype, order=order):
                    array = arrange(patterned((3, 5, 7), dtype))
                    result = self.run_on(array, ["permute=1,2,0", "slice=:,::-1"])
                    self.same(result, array.transpose(1, 2, 0)[:, ::-1])

    def test_policies_give_the_same_bytes(self):
        array = distinct((4, 6), "f4")
        for policy in ("never", "if-needed", "always"):
            for operations, expected in ((["reshape=3,8"], array.reshape(3, 8)),
                                         (["permute=1,0"], array.T),
                                         (["slice=:,1:3"], array[:, 1:3])):
                with self.subTest(policy=policy, operations=operations):
                    self.same(self.run_on(array, operations, "--policy", policy), expected)

    def test_classes_give_the_same_bytes(self):
        whole = np.arange(40 * 48, dtype="f4").reshape(40, 48)
        np.save("in.npy", whole)
        turned = ("run", "in.npy", "out.npy", "permute=1,0", "--class")
        for name in ("any", "gpu_any", "cpu_tile", "cpu_any", "composed"):
            self.succeeds(*turned, name)
            np.testing.assert_array_equal(np.load("out.npy"), whole.T)
        os.remove("out.npy")
        self.refused(FAILED, "class cpu_rows is required", *turned, "cpu_rows")
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_never_refuses_a_copy_with_the_reason(self):
        np.save("in.npy", distinct((4, 6)))
        text = self.refused(FAILED, "never", "run", "in.npy", "out.npy", "--policy", "never",
                            "permute=1,0", "reshape=24")
        self.assertIn("24", text)
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_every_device_is_listed_and_one_is_the_default(self):
        two = {"POCL_DEVICES": "pthread basic"}  # one more, where the driver is PoCL
        listed = json.loads(self.succeeds("devices", "--json", environment=two))["devices"]
        names = [device["id"] for device in listed]
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(sum(device["default"] for device in listed), 1)
        text = self.succeeds("devices", environment=two)
        np.save("in.npy", distinct((2, 3)))
        for device in listed:
            self.assertIn(device["name"], text)
            self.succeeds("run", "in.npy", "out.npy", "--device", device["id"], "permute=1,0",
                          environment=two)

    def test_a_result_that_no_disk_holds_is_refused_with_its_size(self):
        np.save("in.npy", np.ones((1, 1), "u1"))
        self.refused(FAILED, "out.npy: needs 1125899906842752 bytes, and its file system has",
                     "run", "in.npy", "out.npy", "expand=33554432,33554432")
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_an_alias_is_put_in_order_for_the_file_and_says_so(self):
        array = distinct((4, 6))
        np.save("in.npy", array)
        for operation, want, says in (("permute=1,0", array.T, True),
                                      ("flip=1", array[:, ::-1], True),
                                      ("reshape=24", array.reshape(24), False)):
            result = call("run", "in.npy", "out.npy", "--policy", "never", "--explain", operation)
            self.check(result, DONE)
            self.assertEqual("the alias is not dense" in result.stderr, says)
            np.testing.assert_array_equal(np.load("out.npy"), want)

    def test_dialects_and_literal_zero(self):
        array = distinct((0, 4))
        for options, shape in ((["--dialect", "openvino"], (0, 4)),
                               (["--dialect", "openvino", "--literal-zero"], (0, 1))):
            with self.subTest(options):
                self.assertEqual(self.run_on(array, ["reshape=0,-1"], *options).shape, shape)
        self.refused(FAILED, "operation 1 (reshape=0,-1)", "run", "in.npy", "out.npy",
                     "--dialect", "onnx", "reshape=0,-1")
        literal = self.run_on(distinct((0, 3, 4)), ["reshape=3,4,0"], "--literal-zero")
        self.assertEqual(literal.shape, (3, 4, 0))

    def test_explain_tells_on_standard_error_only(self):
        np.save("in.npy", distinct((2, 3, 4), "f4"))
        result = self.check(self.call_run("--explain", "permute=1,0,2", "reshape=-1"), 0)
        self.assertEqual(result.stdout, "")
        for words in ("f32 [2,3,4]", "reshape=-1 -> [24] no view", "affine"):
            self.assertIn(words, result.stderr)
        quiet = self.check(self.call_run("permute=1,0,2", "reshape=-1"), 0)
        self.assertEqual((quiet.stdout, quiet.stderr), ("", ""))

    def call_run(self, *arguments):
        return call("run", "in.npy", "out.npy", *arguments)

    def test_rank_32(self):
        array = distinct((2, 1) * 5 + (1,) * 22)
        axes = list(range(31, -1, -1))
        result = self.run_on(array, ["permute=" + ",".join(map(str, axes))])
        self.same(result, array.transpose(axes))

    def test_device_can_be_named(self):
        array = distinct((2, 3))
        self.same(self.run_on(array, ["permute=1,0"], "--device", "0:0"), array.T)
        for device in ("9:0", "0:9"):
            self.refused(FAILED, device, "run", "in.npy", "out.npy", "--device", device)

    def test_no_device_is_77_and_writes_nothing(self):
        np.save("in.npy", distinct((2, 3)))
        self.refused(NO_DEVICE, "no OpenCL device", "run", "in.npy", "out.npy",
                     environment={"OCL_ICD_VENDORS": "/nonexistent"})
        self.assertEqual(os.listdir("."), ["in.npy"])


if __name__ == "__main__":
    need_device()
    main()
