# `run` on GGUF files, against a writer of the format's page and NumPy, and, where installed, the
# writer and the dequantisation of the package gguf.
#
# SPDX-License-Identifier: Apache-2.0
import os
import struct

import numpy as np

from program import FAILED, Case, main, need_device

try:
    import gguf as package
except ImportError:
    package = None

PLAIN = {0: "f4", 1: "f2", 24: "i1", 25: "i2", 26: "i4", 27: "i8", 28: "f8"}
TEXT, ARRAY, U32, U64, F64 = 8, 9, 4, 10, 12


def string(text):
    return struct.pack("<Q", len(text.encode())) + text.encode()


def value(key, kind, content):
    return string(key) + struct.pack("<I", kind) + content


META = [value("general.name", TEXT, string("ä" * 40)), value("x", F64, bytes(8)),
        value("tokens", ARRAY, struct.pack("<IQ", TEXT, 3000) + string("token") * 3000),
        value("scores", ARRAY, struct.pack("<IQ", U32, 5000) + bytes(20000))]


def saved(tensors, metadata=META, alignment=32, version=3, magic=b"GGUF", offset=0, rank=None):
    """{name: (type, dims from the outermost, bytes)}"""
    head = magic + struct.pack("<IQQ", version, len(tensors), len(metadata)) + b"".join(metadata)
    data = b""
    for name, (kind, dims, content) in tensors.items():
        data += bytes(-len(data) % alignment)
        head += string(name) + struct.pack("<I", len(dims) if rank is None else rank)
        head += struct.pack(f"<{len(dims)}Q", *dims[::-1]) + struct.pack("<IQ", kind, len(data) + offset)
        data += content
    return head + bytes(-len(head) % alignment) + data


def blocks(seed, count, block_bytes):
    """Random blocks, with scales of every kind: zero, denormal, negative, large."""
    rng = np.random.default_rng(seed)
    made = rng.integers(0, 256, (count, block_bytes), np.uint8)
    made[:, 1] = np.where(made[:, 1] & 0x7c == 0x7c, 0x7b, made[:, 1])  # finite
    made[:4, :2] = [[0, 0], [0, 0x80], [1, 0], [0xff, 0x83]]
    return made


def numbers_of(made):
    """The numbers of blocks of Q4_0 or Q8_0, as the format's page has them."""
    scales, codes = np.ascontiguousarray(made[:, :2]).view("<f2").astype("f4"), made[:, 2:]
    if codes.shape[1] == 32:
        return scales * codes.view("i1").astype("f4")
    return scales * (np.concatenate((codes & 15, codes >> 4), 1).astype("i1") - 8).astype("f4")


GOOD = {"w": (0, (3, 4), np.arange(12, dtype="f4").tobytes())}
BAD = [
    ("empty", b"", "not a GGUF file"),
    ("magic", saved(GOOD, magic=b"GGML"), "not a GGUF file of version 2 or 3"),
    ("version", saved(GOOD, version=1), "not a GGUF file of version 2 or 3"),
    ("type", saved({"w": (12, (1, 256), bytes(144))}), "a tensor of GGUF's type 12; F32, F16"),
    ("rank", saved(GOOD, rank=33), "more than 32 dims"),
    ("dim", saved({"w": (0, (2**63, 1), b"")}), "bad.gguf"),
    ("overflow", saved({"w": (0, (2**40, 2**40), b"")}), "64 bits"),
    ("wide", saved({"w": (28, (2**61,), b"")}), "lies outside"),
    ("short", saved(GOOD)[:-1], "lies outside"),
    ("offset", saved(GOOD, offset=2**40), "lies outside"),
    ("row", saved({"w": (8, (2, 48), bytes(102))}), "no multiple of 32"),
    ("scalar_blocks", saved({"w": (8, (), bytes(34))}), "no multiple of 32"),
    ("alignment", saved(GOOD, [value("general.alignment", U32, bytes(4))]), "its alignment is 0"),
    ("wide_alignment", saved(GOOD, [value("general.alignment", U64, bytes([64] + [0] * 7))], 64),
     "its alignment is 0, or no number of type u32"),
    ("long_name", saved({"n" * 256: GOOD["w"]}), "a byte 0 or over 255 bytes"),
    ("zero_in_a_name", saved({"w\0": GOOD["w"]}), "a byte 0 or over 255 bytes"),
    ("value", saved(GOOD, [value("x", 13, b"")]), "has no known type"),
    ("nested", saved(GOOD, [value("x", ARRAY, struct.pack("<IQ", ARRAY, 1))]), "has no known type"),
    ("long_array", saved(GOOD, [value("x", ARRAY, struct.pack("<IQ", F64, 2**62))]), "truncated"),
    ("long_string", saved(GOOD, [value("x", TEXT, struct.pack("<Q", 2**64 - 1))]), "truncated"),
    ("none", saved({}), "it has 0 tensors"),
]


class Gguf(Case):
    def write(self, content, path="in.gguf"):
        with open(path, "wb") as file:
            file.write(content)

    def read(self, name="in.gguf", *operations):
        self.succeeds("run", name, "out.npy", *operations)
        return np.load("out.npy")

    def test_tensors_of_numbers(self):
        tensors, arrays = {}, {}
        for kind, dtype in PLAIN.items():
            arrays[f"blk.{kind}"] = array = np.arange(30).astype(dtype).reshape(2, 3, 5)
            tensors[f"blk.{kind}"] = kind, array.shape, array.tobytes()
        for alignment, version in ((32, 3), (64, 2), (1, 3)):
            metadata = META if alignment == 32 else [
                *META, value("general.alignment", U32, struct.pack("<I", alignment))]
            self.write(saved(tensors, metadata, alignment, version))
            for name, array in arrays.items():
                got = self.read(f"in.gguf:{name}", "flip=1")
                self.assertEqual(got.dtype, array.dtype)
                np.testing.assert_array_equal(got, array[:, ::-1])
        self.write(saved({"b": (30, (2, 3), np.arange(1, 7).astype("f4").view("u4").__rshift__(16)
                                .astype("u2").tobytes())}))
        np.testing.assert_array_equal(self.read("in.gguf", "cast=f32"), np.arange(1, 7).reshape(2, 3))

    def test_blocks_become_numbers(self):
        for kind, block_bytes in ((2, 18), (8, 34)):
            for rows, columns in ((5, 32), (64, 96), (1, 32 * 65)):
                made = blocks(kind, rows * columns // 32, block_bytes)
                self.write(saved({"other": (24, (7,), bytes(7)), "q": (kind, (rows, columns), made.tobytes())}))
                got = self.read("in.gguf:q", "permute=1,0")
                want = numbers_of(made).reshape(rows, columns).T
                with self.subTest(kind=kind, rows=rows, columns=columns):
                    self.assertEqual((got.shape, got.dtype), (want.shape, want.dtype))
                    np.testing.assert_array_equal(got.view("u4"), np.ascontiguousarray(want).view("u4"))
                if package is not None:
                    quantised = package.GGMLQuantizationType(kind)
                    np.testing.assert_array_equal(
                        got.T, package.quants.dequantize(made.reshape(rows, -1), quantised))

    def test_files_of_the_package(self):
        if package is None:
            self.skipTest("needs the package gguf")
        writer = package.GGUFWriter("in.gguf", "llama")
        writer.add_array("tokens", ["a", "bc"])
        array = np.random.default_rng(1).normal(size=(8, 64)).astype("f4")
        writer.add_tensor("plain", array)
        writer.add_tensor("half", array.astype("f2"))
        packed = {}
        for kind in (package.GGMLQuantizationType.Q4_0, package.GGMLQuantizationType.Q8_0):
            packed[kind.name] = package.quants.quantize(array, kind)
            writer.add_tensor(kind.name, packed[kind.name], raw_dtype=kind)
        for step in (writer.write_header_to_file, writer.write_kv_data_to_file,
                     writer.write_tensors_to_file, writer.close):
            step()
        np.testing.assert_array_equal(self.read("in.gguf:plain"), array)
        np.testing.assert_array_equal(self.read("in.gguf:half"), array.astype("f2"))
        for name, content in packed.items():
            np.testing.assert_array_equal(self.read(f"in.gguf:{name}"), package.quants.dequantize(
                content, package.GGMLQuantizationType[name]))

    def test_all_tensors(self):
        self.write(saved({f"t.{i}": (24, (2,), bytes([i, 1])) for i in range(10)}))
        self.succeeds("run", "--each", "out.npz", "in.gguf", "flip=0")
        with np.load("out.npz") as archive:
            self.assertEqual({name: array.tolist() for name, array in archive.items()},
                             {f"t.{i}": [1, i] for i in range(10)})

    def test_no_elements(self):
        self.write(saved({"w": (2, (0, 32), b"")}))
        self.assertEqual(self.read().shape, (0, 32))

    # ---- refusals ----

    def test_bad_files(self):
        for name, content, says in BAD:
            with self.subTest(name):
                self.write(content, "bad.gguf")
                self.assertIn("bad.gguf: ", self.refused(FAILED, says, "run", "bad.gguf", "out.npy"))
        self.assertEqual(os.listdir("."), ["bad.gguf"])

    def test_every_shorter_file_is_refused(self):
        whole = saved({"w": (2, (1, 32), bytes(18))}, META[:2])
        for size in range(0, len(whole), 7):
            self.write(whole[:size], "bad.gguf")
            self.refused(FAILED, "bad.gguf: ", "explain", "bad.gguf")

    def test_words(self):
        self.write(saved({f"t{i}": (24, (1,), b"x") for i in range(9)}))
        listed = "it has 9 tensors: t0, t1, t2, t3, t4, t5, t6, t7, ..."
        self.refused(FAILED, f"name one tensor, as in A.gguf:name; {listed}", "run", "in.gguf", "out.npy")
        self.refused(FAILED, f"there is no tensor of that name; {listed}", "run", "in.gguf:x", "out.npy")
        self.write(saved({"a": (24, (1,), b"x"), "b": (24, (1,), b"y")}).replace(string("b"), string("a")), "two.gguf")
        self.refused(FAILED, "two.gguf:a: damaged: two tensors have that name", "run", "two.gguf:a", "out.npy")
        os.remove("two.gguf")
        self.refused(FAILED, "GGUF files are read, and not written", "run", "in.gguf:t0", "out.gguf")
        self.refused(FAILED, "No such file", "run", "none.gguf", "out.npy")
        os.mkdir("folder.gguf")
        self.refused(FAILED, "not a regular file", "run", "folder.gguf:x", "out.npy")
        self.assertEqual(sorted(os.listdir(".")), ["folder.gguf", "in.gguf"])


if __name__ == "__main__":
    need_device()
    main()
