# `run` on elements of any width: NumPy's non-numeric types are moved bit by bit, and keep the
# type's description.
#
# SPDX-License-Identifier: Apache-2.0
import ast
import json
import os

import numpy as np

from program import DONE, FAILED, Case, call, main, need_device

WIDE = [("a", "<f4"), ("b", "<i8")]
TYPES = {
    "big_endian": ">i4", "big_endian_double": ">f8", "big_endian_half": ">f2",
    "long_double": "f16", "complex_long_double": "c32",
    "bytes": "S1", "bytes_5": "S5", "bytes_12": "S12", "bytes_100": "S100",
    "text": "<U3", "text_1": ">U1", "raw_2": "V2", "raw_7": "V7", "raw_48": "V48",
    "date": "M8[ns]", "date_of_days": ">M8[D]", "span": "m8[25s]",
    "structure": [("a", "<f4"), ("b", "|u1")],
    "structure_of_a_power_of_two": [("a", "<f4"), ("b", "<i4")],
    "structure_with_shapes": [("a", ">f4", (2, 3)), ("s", "S3"), ("u", "U2", (2,))],
    "structure_in_structures": [("x", [("y", "<i2"), ("z", WIDE, (2,))], (3,)), ("v", "?")],
    "structure_with_titles": [(("a title", "a"), "<f4"), ("b", "<u2")],
    "structure_that_is_aligned": np.dtype([("a", "u1"), ("b", "<f8"), ("c", "u1")], align=True),
    "structure_of_odd_names": [("it's", "<f4"), ('"quoted"', "<f4"), ("back\\slash", "<f4"),
                               ("][)('", "u1")],
    "structure_of_latin_names": [("größe", "<f4"), ("b", "u1")],
    "structure_of_all_names": [("高さ", "<f4"), ("b", "u1")],
}

# shape, operations, NumPy's equivalent
CHAINS = [
    ((3, 4, 5), [], lambda a: a),
    ((3, 4, 5), ["permute=2,0,1"], lambda a: a.transpose(2, 0, 1)),
    ((3, 4, 5), ["reshape=5,-1", "permute=1,0"], lambda a: a.reshape(5, -1).T),
    ((4, 6), ["permute=1,0", "reshape=8,3", "permute=1,0", "reshape=2,12"],
     lambda a: a.T.reshape(8, 3).T.reshape(2, 12)),
    ((4, 6), ["permute=1,0", "reshape=8,3", "flip=1", "reshape=3,8", "slice=:,1:7:2"],
     lambda a: a.T.reshape(8, 3)[:, ::-1].reshape(3, 8)[:, 1:7:2]),
    ((7, 3), ["slice=::-2,1:", "expand=5,4,2"], lambda a: np.broadcast_to(a[::-2, 1:], (5, 4, 2))),
    ((2, 6), ["rearrange=b (h d) -> (d b) h, h=3"],
     lambda a: a.reshape(2, 3, 2).transpose(2, 0, 1).reshape(4, 3)),
    ((9,), ["window=0,3,2"],
     lambda a: np.lib.stride_tricks.sliding_window_view(a, 3, axis=0)[::2]),
    ((4, 4), ["diagonal=1,0,1"], lambda a: a.diagonal(1)),
    ((1, 3, 1), ["squeeze", "unsqueeze=1"], lambda a: a.reshape(3, 1)),
    ((), ["reshape=1,1"], lambda a: a.reshape(1, 1)),
    ((1, 1), ["reshape="], lambda a: a.reshape(())),
    ((3, 0, 2), ["permute=2,1,0"], lambda a: a.T),
]


def header_of(path):
    """The header as read by NumPy, and the header's text."""
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        size = int.from_bytes(file.read(2 if version == (1, 0) else 4), "little")
        return ast.literal_eval(file.read(size).decode("utf-8" if version[0] == 3 else "latin-1"))


def patterned(shape, dtype):
    """Random bits as raw bytes: NumPy copies raw bytes whole, but not the padding between fields.
    """
    count = int(np.prod(shape)) * dtype.itemsize
    bits = np.random.default_rng(2026).integers(0, 256, count, "u1")
    return np.frombuffer(bits.tobytes(), f"V{dtype.itemsize}").reshape(shape)


class Types(Case):
    def save(self, raw, dtype, order):
        array = np.asarray(raw, order=order)
        np.save("in.npy", array.view(dtype) if order == "C" else array.T.view(dtype).T)

    def same_file(self, dtype, expected):
        got = np.load("out.npy")
        self.assertEqual(got.dtype, dtype)
        self.assertEqual(got.dtype.descr, dtype.descr)
        self.assertEqual(got.shape, expected.shape)
        self.assertEqual(header_of("out.npy")["descr"], header_of("in.npy")["descr"])
        with open("out.npy", "rb") as file:
            file.seek(os.path.getsize("out.npy") - expected.nbytes)
            self.assertEqual(file.read(), expected.tobytes())

    def moves(self, name, chain, order):
        dtype = np.dtype(TYPES[name])
        shape, operations, expected = chain
        with self.subTest(name, operations=operations, order=order):
            raw = patterned(shape, dtype)
            self.save(raw, dtype, order)
            self.succeeds("run", "in.npy", "out.npy", *operations)
            self.same_file(dtype, expected(raw))
            os.remove("out.npy")

    def test_every_type_moves_by_its_width(self):
        """Each with some of the chains, so that each chain meets many types."""
        for at, name in enumerate(TYPES):
            for chain in CHAINS[at % 7::7]:
                self.moves(name, chain, "C")
            self.moves(name, CHAINS[at % len(CHAINS)], "F")

    def test_every_spelling_of_numpy_means_what_it_means_there(self):
        """np.load of a file with the spelling is the oracle, also for a refusal."""
        letters = [*"?bBhHiIlLqQpPefdgFDGcOSUVMm", "S3", "U2", "V5", "M8[s]", "m8", "M8[25us]"]
        numbers = [f"{kind}{bytes}" for kind in "biufcO" for bytes in (1, 2, 4, 8, 16, 32)]
        words = ["bool", "half", "single", "double", "longdouble", "float", "complex", "int", "uint",
                 "csingle", "cdouble", "clongdouble", "byte", "ubyte", "short", "ushort", "intc",
                 "uintc", "intp", "uintp", "long", "longlong", "ulonglong", "object", "str", "int3",
                 *(f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)),
                 *(f"float{bits}" for bits in (16, 32, 64, 128)), "complex64", "complex128"]
        spellings = [order + name for order in ("", ">") for name in letters]
        spellings += [order + name for order in "<=|" for name in letters[::5]]
        spellings += [*numbers, *(order + name for order in ">|" for name in numbers[::5])]
        for spelling in [*spellings, *words, "<float32", "<<f4", "f4 ", "i+4x"]:
            with self.subTest(spelling):
                self.is_read_as_numpy_reads_it(spelling)

    def is_read_as_numpy_reads_it(self, spelling):
        head = f"{{'descr': '{spelling}', 'fortran_order': False, 'shape': (2L,), }}\n".encode()
        with open("in.npy", "wb") as file:
            file.write(b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head + bytes(64))
        try:
            want = np.load("in.npy")
        except (TypeError, ValueError):
            want = None
        result = call("explain", "--json", "--policy", "always", "in.npy", "flip=0")
        if want is None or want.dtype.itemsize == 0:
            self.check(result, FAILED)
            return
        self.check(result, DONE)
        facts = json.loads(result.stdout)
        self.assertEqual(facts["bytes_read"], want.nbytes)
        made = {"b1": "bool", "f2": "f16", "f4": "f32", "f8": "f64", "c8": "c64", "c16": "c128",
                **{f"{kind}{n}": f"{kind}{8 * n}" for kind in "iu" for n in (1, 2, 4, 8)}}
        known = want.dtype.str[0] != ">" and made.get(want.dtype.str[1:])
        self.assertEqual(facts["input"]["dtype"], known or f"bits{8 * want.dtype.itemsize}")

    def test_the_spelling_that_is_written_is_numpys(self):
        for spelling in ("?", "float32", "=f4", ">l", "|i4", "<V2", ">u1", "c"):
            head = f"{{'descr': '{spelling}', 'fortran_order': False, 'shape': (2,), }}\n".encode()
            with open("in.npy", "wb") as file:
                file.write(b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head)
                file.write(bytes(range(2 * np.dtype(spelling).itemsize)))
            self.succeeds("run", "in.npy", "out.npy", "flip=0", "concat=0,in.npy")
            want = np.load("in.npy")
            self.assertEqual(header_of("out.npy")["descr"], np.dtype(spelling).str)
            self.assertEqual(np.load("out.npy").tobytes(), want[::-1].tobytes() + want.tobytes())

    def test_every_chain_moves_odd_widths(self):
        for chain in CHAINS:
            self.moves("bytes_5", chain, "C")
            self.moves("structure_with_shapes", chain, "F")

    def test_in_parts(self):
        for described in ("S100", "V7", [("a", "<f4"), ("b", "<i8")]):
            dtype = np.dtype(described)
            raw = patterned((30, 20), dtype)
            self.save(raw, dtype, "C")
            for memory in ("1K", "2K"):
                result = call("run", "in.npy", "out.npy", "--explain", "--memory", memory,
                              "permute=1,0")
                self.check(result, DONE)
                self.assertIn(" parts, which read ", result.stderr)
                self.same_file(dtype, raw.T)

    def test_bfloat16_is_two_raw_bytes_that_a_bitcast_names(self):
        bits = np.arange(-9, 9).astype("f4").view("u4") >> 16
        np.save("in.npy", bits.astype("u2").view("V2"))
        self.succeeds("run", "in.npy", "out.npy", "bitcast=bf16", "cast=f32", "flip=0")
        np.testing.assert_array_equal(np.load("out.npy"), np.arange(-9, 9).astype("f4")[::-1])

    def test_names_in_utf8_keep_their_version(self):
        for name, version in (("b", 1), ("größe", 1), ("高さ", 3)):
            np.save("in.npy", np.zeros(2, [(name, "<f4"), ("c", "u1")]))
            self.succeeds("run", "in.npy", "out.npy")
            for path in ("in.npy", "out.npy"):
                with open(path, "rb") as file:
                    self.assertEqual(np.lib.format.read_magic(file), (version, 0))

    def test_nothing_is_computed_of_them(self):
        for described, op, says in (("V7", "bitcast=u8", "type |V7 are moved, by their 7 bytes"),
                                    ("S12", "cast=f32", "no element type |S12"),
                                    (">f4", "cast=f64", "no element type >f4, and so no cast of "
                                     "it; elements of type >f4 are big-endian numbers"),
                                    (">i2", "scale=2", "own type, which is >i2"),
                                    ("V1", "cast=f32", "no element type |V1, and so no cast of "
                                     "it; elements of type |V1 are raw bytes"),
                                    ("V1", "bitcast=u32", "3 elements of |V1 is no multiple of the 32"),
                                    ("M8[s]", "dequantize=f32,1,0", "elements of <M8[s] have no value"),
                                    ("f16", "quantize=u8,1,0", "elements of <f16 have no value"),
                                    ("V12", "bitcast=f32", "by their 12 bytes")):
            with self.subTest(described, op=op):
                np.save("in.npy", np.zeros((2, 3), described))
                text = self.refused(FAILED, says, "run", "in.npy", "out.npy", "flip=0", op)
                self.assertIn(f"operation 2 ({op})", text)
                for line in (("pad=1:1,1:1,value=2",), ("pad=1:1,1:1", op)):
                    self.names_the_type(np.dtype(described), *line)
                self.assertEqual(os.listdir("."), ["in.npy"])

    def names_the_type(self, dtype, *operations):
        text = self.refused(FAILED, operations[-1], "run", "in.npy", "out.npy", *operations)
        self.assertIn(dtype.str, text)
        self.assertNotRegex(text, "bits(8|16|32|64|128)")

    def test_explain_has_numpys_words_for_bits(self):
        for described, says in ((">f4", "bits32 (>f4) [2,3]"), ("M8[s]", "bits64 (<M8[s]) [2,3]"),
                                ("S3", "bits24 (|S3) [2,3]"), ("f4", "f32 [2,3]")):
            np.save("in.npy", np.zeros((2, 3), described))
            text = self.succeeds("explain", "in.npy", "flip=0")
            self.assertIn(f"input: {says} strides", text)
            self.assertIn(f"output: {says}\n", text)

    def test_explain_says_how_wide_they_are(self):
        np.save("in.npy", np.zeros((2, 3), "V12"))
        facts = json.loads(self.succeeds("explain", "--json", "in.npy", "permute=1,0", "reshape=6"))
        self.assertEqual(facts["input"], {"dtype": "bits96", "dims": [2, 3], "strides": [3, 1]})
        self.assertEqual(facts["output"], {"dtype": "bits96", "dims": [6]})
        self.assertEqual((facts["bytes_read"], facts["bytes_written"]), (72, 72))
        text = self.succeeds("explain", "in.npy", "permute=1,0")
        self.assertIn("input: bits96 (|V12) [2,3] strides [3,1]\n", text)

    def test_more_dims_than_there_are_for_units(self):
        np.save("in.npy", np.zeros((1,) * 32, "V3"))
        self.refused(FAILED, "32", "run", "in.npy", "out.npy")
        self.assertEqual(os.listdir("."), ["in.npy"])
        np.save("in.npy", np.zeros((1,) * 31, "V3"))
        self.succeeds("run", "in.npy", "out.npy")


if __name__ == "__main__":
    need_device()
    main()
