# `run` on files of safetensors, against a writer and a reader of the format's page, and, where
# installed, the package safetensors.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import struct

import numpy as np

from program import FAILED, USAGE, Case, call, main, need_device

try:
    import safetensors.numpy as package
except ImportError:
    package = None

DTYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "u2", "I16": "i2", "F16": "f2", "U32": "u4", "I32": "i4",
          "F32": "f4", "U64": "u8", "I64": "i8", "F64": "f8", "C64": "c8"}
NAMES = {np.dtype(numpy): name for name, numpy in DTYPES.items()}
FILE = {"w": np.arange(24, dtype="f4").reshape(4, 6), "b": np.arange(5, dtype="u1"),
        "größe.0": np.arange(6, dtype="i8").reshape(3, 2)}
META = {"format": "pt", "note": "ä \u20ac"}


def packed(header, data=b"", pad=0):
    text = (header if isinstance(header, str) else json.dumps(header)).encode() + b" " * pad
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def saved(arrays, metadata=None):
    header, data = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, array in arrays.items():
        header[name] = entry(NAMES[array.dtype], array.shape, len(data), len(data) + array.nbytes)
        data += array.tobytes()
    return packed(header, data)


def loaded(path):
    """The arrays and the metadata. Places follow one another, and are multiples of the width."""
    with open(path, "rb") as file:
        content = file.read()
    size, = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    metadata = header.pop("__metadata__", None)
    arrays, at = {}, 0
    assert size % 8 == 0
    for name, item in header.items():
        begin, end = item["data_offsets"]
        dtype = np.dtype(DTYPES.get(item["dtype"], "u1"))
        assert begin == at and begin % dtype.itemsize == 0, (name, item)
        at = end
        arrays[name] = np.frombuffer(data[begin:end], dtype).reshape(
            item["shape"] if item["dtype"] in DTYPES else -1)
    assert at == len(data)
    if package is not None:
        for name, array in package.load_file(path).items() if "raw" not in header else ():
            np.testing.assert_array_equal(array, arrays[name])
    return arrays, metadata


# name, bytes, words in the sentence
ONE = entry("F32", [2, 3], 0, 24)
BAD = [
    ("empty", b"", "ends within its header"),
    ("length_only", struct.pack("<Q", 10), "its header claims 10 bytes"),
    ("huge", struct.pack("<Q", 2**63) + b"{}", "its header claims 9223372036854775808 bytes"),
    ("above_the_limit", struct.pack("<Q", 100000001), "its header claims 100000001 bytes"),
    ("no_json", packed("{'x': 1}"), "malformed JSON header"),
    ("cut_json", packed('{"x": {"dtype": "F32"'), "malformed JSON header"),
    ("two_values", packed("{} {}"), "malformed JSON header"),
    ("twice", packed('{"x": {}, "x": {}}'), "malformed JSON header"),
    ("list", packed("[1]"), "is no object"),
    ("deep", packed("[" * 100000), "malformed JSON header"),
    ("no_tensor", packed({"__metadata__": {}}), "it has 0 tensors"),
    ("number", packed({"x": 5}), "has no dtype"),
    ("type", packed({"x": entry("F4", [2, 3], 0, 3)}, bytes(24)), "elements of type F4 are not read"),
    ("no_shape", packed({"x": {"dtype": "F32", "data_offsets": [0, 4]}}, bytes(4)), "a shape is no list"),
    ("rank", packed({"x": entry("U8", [1] * 33, 0, 1)}, bytes(1)), "at most 32 numbers"),
    ("dim", packed({"x": entry("F32", [2, -3], 0, 24)}, bytes(24)), "no number >= 0"),
    ("real_dim", packed({"x": entry("F32", [2, 3.0], 0, 24)}, bytes(24)), "no number >= 0"),
    ("big_dim", packed('{"x":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}}', bytes(4)),
     "malformed JSON header"),
    ("overflow", packed({"x": entry("F32", [2**32, 2**32], 0, 4)}, bytes(4)), "64 bits"),
    ("wide", packed({"x": entry("F64", [2**61], 0, 0)}), "has another size than its shape"),
    ("one_offset", packed({"x": {**ONE, "data_offsets": [0]}}, bytes(24)), "lies outside"),
    ("behind", packed({"x": ONE}, bytes(23)), "lies outside"),
    ("backward", packed({"x": entry("F32", [2, 3], 24, 0)}, bytes(24)), "lies outside"),
    ("negative", packed({"x": entry("F32", [2, 3], -8, 16)}, bytes(24)), "lies outside"),
    ("size", packed({"x": entry("F32", [2, 3], 0, 20)}, bytes(24)), "another size than its shape"),
]


class Safetensors(Case):
    def setUp(self):
        super().setUp()
        self.write("in.safetensors", saved(FILE, META))

    def write(self, path, content):
        with open(path, "wb") as file:
            file.write(content)

    # ---- right results ----

    def test_tensors_by_name(self):
        for name, array in FILE.items():
            self.succeeds("run", f"in.safetensors:{name}", "out.npy", "flip=0")
            got = np.load("out.npy")
            self.assertEqual(got.dtype, array.dtype)
            np.testing.assert_array_equal(got, array[::-1])
        said = json.loads(self.succeeds("explain", "--json", "in.safetensors:w", "x.safetensors:y", "permute=1,0"))
        self.assertEqual(said["output"], {"dtype": "f32", "dims": [6, 4]})

    def test_every_type_there_and_back(self):
        for name, dtype in DTYPES.items():
            array = np.arange(6).astype(dtype).reshape(2, 3)
            self.write("one.safetensors", saved({"x": array}))
            self.succeeds("run", "one.safetensors", "out.safetensors:y", "permute=1,0")
            got, _ = loaded("out.safetensors")
            with self.subTest(name):
                np.testing.assert_array_equal(got["y"], array.T)
                self.assertEqual(got["y"].dtype, array.dtype)
                self.assertNotIn("x", got)
            os.remove("out.safetensors")
        for dtype in ("BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0"):
            width = 2 if dtype == "BF16" else 1
            self.write("one.safetensors", packed({"raw": entry(dtype, [2, 3], 0, 6 * width)},
                                                 bytes(range(6 * width))))
            self.succeeds("run", "one.safetensors", "--to", "raw", "out.raw", "flip=0", "flip=0")
            with open("out.raw", "rb") as file:
                self.assertEqual(file.read(), bytes(range(6 * width)))
            self.succeeds("run", "one.safetensors", "out.safetensors", "reshape=-1")
            with open("out.safetensors", "rb") as file:
                self.assertIn(f'"dtype":"{dtype}"'.encode(), file.read())

    def test_tensors_beside_others(self):
        np.save("new.npy", np.arange(8, dtype="f8").reshape(2, 4))
        for name in ("new", "b", "größe.0"):
            self.write("out.safetensors", saved(FILE, META))
            self.succeeds("run", "new.npy", f"out.safetensors:{name}", "permute=1,0")
            got, metadata = loaded("out.safetensors")
            self.assertEqual(set(got), {*FILE, name})
            self.assertEqual(metadata, META)
            for other, array in FILE.items():
                if other != name:
                    np.testing.assert_array_equal(got[other], array)
            np.testing.assert_array_equal(got[name], np.load("new.npy").T)
        self.succeeds("run", "new.npy", "out.safetensors")
        self.assertEqual([*loaded("out.safetensors")[0]], ["tensor"])

    def test_types_that_are_not_read_are_kept(self):
        self.write("out.safetensors", packed({"raw": entry("F4", [3, 2], 0, 3)}, b"abc"))
        self.succeeds("run", "in.safetensors:w", "out.safetensors:w")
        got, _ = loaded("out.safetensors")
        self.assertEqual(got["raw"].tobytes(), b"abc")

    def test_each(self):
        self.succeeds("run", "--each", "new.safetensors", "in.safetensors", "flip=0")
        got, _ = loaded("new.safetensors")
        for name, array in FILE.items():
            np.testing.assert_array_equal(got[name], array[::-1])

    def test_parts_and_a_part_of_a_file(self):
        self.write("a.safetensors", saved({"x": FILE["w"]}))
        self.succeeds("run", "a.safetensors", "out.safetensors:z", "slice=1:3", "concat=0,in.safetensors:w")
        np.testing.assert_array_equal(loaded("out.safetensors")[0]["z"],
                                      np.concatenate((FILE["w"][1:3], FILE["w"])))

    def test_no_elements(self):
        self.write("a.safetensors", saved({"x": np.zeros((0, 3), "f4"), "s": np.array(7, "u2")}))
        self.succeeds("run", "a.safetensors:x", "out.safetensors:x", "permute=1,0")
        self.succeeds("run", "a.safetensors:s", "out.safetensors:s")
        got, _ = loaded("out.safetensors")
        self.assertEqual((got["x"].shape, got["s"].shape, int(got["s"])), ((3, 0), (), 7))

    # ---- refusals ----

    def test_bad_files(self):
        for name, content, says in BAD:
            with self.subTest(name):
                self.write("bad.safetensors", content)
                self.assertIn("bad.safetensors", self.refused(FAILED, says, "run", "bad.safetensors", "out.npy"))
        self.assertEqual(sorted(os.listdir(".")), ["bad.safetensors", "in.safetensors"])

    def test_every_shorter_file_is_refused(self):
        whole = saved({"x": FILE["w"]})
        for size in range(0, len(whole), 5):
            self.write("bad.safetensors", whole[:size])
            self.refused(FAILED, "bad.safetensors", "explain", "bad.safetensors")

    def test_words(self):
        self.refused(FAILED, "name one tensor, as in A.safetensors:name; it has 3 tensors: w, b, größe.0", "run",
                     "in.safetensors", "out.npy")
        for name in ("none", "__metadata__", ""):
            self.refused(FAILED, "there is no tensor of that name; it has 3 tensors: w, b", "run",
                         f"in.safetensors:{name}", "out.npy")
        self.refused(FAILED, "no array can have the name '__metadata__': the file's metadata has that name", "run",
                     "in.safetensors:w", "out.safetensors:__metadata__")
        for ending in ("safetensors", "npz"):
            self.refused(FAILED, "no array can have the name 'b\\xff': it is not in UTF-8", "run", "in.safetensors:w",
                         os.fsdecode(b"out.%s:b\xff" % ending.encode()))
        self.refused(FAILED, "the output is the input file", "run", "in.safetensors:w", "in.safetensors:w")
        np.save("wide.npy", np.zeros(2, "c16"))
        self.refused(FAILED, "safetensors has no type for <c16", "run", "wide.npy", "out.safetensors")
        os.remove("wide.npy")
        self.refused(FAILED, "No such file", "run", "none.safetensors", "out.npy")
        self.refused(USAGE, "is an archive", "run", "--to", "npy", "in.safetensors:w", "out.safetensors")
        self.write("bad.safetensors", b"no tensors")
        self.refused(FAILED, "bad.safetensors: not a file of safetensors", "run", "in.safetensors:w",
                     "bad.safetensors:x")
        os.mkdir("folder.safetensors")
        self.refused(FAILED, "folder.safetensors:x: not a regular file", "run", "folder.safetensors:x", "out.npy")
        self.assertEqual(sorted(os.listdir(".")), ["bad.safetensors", "folder.safetensors", "in.safetensors"])


if __name__ == "__main__":
    need_device()
    if "without jansson" in call("explain", "none.safetensors").stderr:
        print("skipped: the program has no jansson")
        raise SystemExit(77)
    main()
