# Every row of src/view/LAYOUTS.md: the chain in `run`, on the bytes of a source of that type and
# shape, against NumPy. A row without a reference here fails, and so does a reference without a row.
#
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re

import numpy as np

from program import Case, main, need_device

PAGE = pathlib.Path(__file__).parents[2] / "src" / "view" / "LAYOUTS.md"
ROW = re.compile(r"^\| (.+) \| `(\w+),([\d,]+)` \| `(.+)` \|$", re.M)
BITS = {"f32": "u4", "f16": "u2", "bf16": "u2", "u8": "u1"}  # of the elements, which only move
E2M1 = np.array([0, .5, 1, 1.5, 2, 3, 4, 6, -0., -.5, -1, -1.5, -2, -3, -4, -6], "f4")


def channels(block, *order):
    """[n,c,h,w] to n, c / block, h, w, block in that order."""
    return lambda a: a.reshape(a.shape[0], -1, block, *a.shape[2:]).transpose(order)


def texture(a):
    n, h, w, c = a.shape
    return a.reshape(n, h, w, c // 4, 4).transpose(1, 3, 2, 0, 4).reshape(h * c // 4, w * n * 4)


def image(a):
    n, c, h, w = a.shape
    return a.reshape(n, c // 4, 4, h, w).transpose(0, 3, 1, 4, 2).reshape(n * h, c * w)


def blocks_of(a, outer, inner):
    """Weights [o,i,h,w], both channels in blocks: o, outer, i, inner, h, w."""
    o, i, h, w = a.shape
    return a.reshape(o // outer, outer, i // inner, inner, h, w)


def halves(codes):
    """Low halves of the bytes, then high halves."""
    return np.concatenate((codes & 15, codes >> 4), 1)


def pairs(codes):
    return np.stack((codes & 15, codes >> 4), 2).reshape(len(codes), -1)


def scales(blocks):
    return np.ascontiguousarray(blocks[:, :2]).view("f2").astype("f4")


NCHW4C = channels(4, 0, 1, 3, 4, 2)
REFERENCES = {
    "MNN `NC4HW4`, one image at a time": NCHW4C,
    "MNN `NC4HW4` of the CPU and Metal backends (C4NHW4)": channels(4, 1, 0, 3, 4, 2),
    "TVM `NCHW4c`": NCHW4C,
    "TVM `OIHW4i16o` weights": lambda a: blocks_of(a, 16, 4).transpose(0, 2, 4, 5, 3, 1),
    "oneDNN `nChw16c`, OpenVINO `b_fs_yx_fsv16`": channels(16, 0, 1, 3, 4, 2),
    "TFLite GPU `BUFFER` (`PHWC4` for one image)":
        lambda a: a.reshape(*a.shape[:3], -1, 4).transpose(3, 1, 2, 0, 4),
    "ACL `OHWIo8` weights": lambda a: blocks_of(a, 8, 1).transpose(0, 4, 5, 2, 1, 3)[..., 0],
    "ACL `OHWIo8i4` weights": lambda a: blocks_of(a, 8, 4).transpose(0, 4, 5, 2, 1, 3),
    "ACL `NHWC` from NCHW": lambda a: a.transpose(0, 2, 3, 1),
    "MNN, Paddle-Lite `ImageDefault`, TNN `NHC4W4`": image,
    "TFLite GPU `TEXTURE_2D`": texture,
    "vLLM K cache (16 bytes of a head together)":
        lambda a: a.reshape(-1, 16, 4, 4, 8).transpose(0, 2, 3, 1, 4),
    "vLLM V cache": lambda a: a.reshape(-1, 16, 4, 32).transpose(0, 2, 3, 1),
    "GGUF Q4_0, elements": lambda a: halves(a[:, 2:]).astype("f4") - 8,
    "GGUF Q4_0, scales": scales,
    "GGUF Q8_0, elements": lambda a: a[:, 2:].astype("i1").astype("f4"),
    "GGUF Q8_0, scales": scales,
    "GGUF MXFP4, elements": lambda a: E2M1[halves(a[:, 1:])],
    "GGUF MXFP4, scales": lambda a: np.ldexp(np.float32(1), a[:, :1].astype("i4") - 127),
    "MXFP4 of OCP, elements as safetensors hold them": lambda a: E2M1[pairs(a)],
}


def turned(chain, shape):
    """The way back: the sides exchanged, and lengths of the axes that become parts of a dim."""
    left, right, lengths = re.fullmatch(r"rearrange=(.*) -> ([^,]*)(.*)", chain).groups()
    joined = re.findall(r"\w+", " ".join(re.findall(r"\(.*?\)", right)))
    known = zip(re.findall(r"\(.*?\)|\w+", left), shape)
    lengths += "".join(f", {name}={length}" for name, length in known if name in joined)
    return f"rearrange={right} -> {left}{lengths}"


class Layouts(Case):
    def run_on(self, dtype, array, chain, *options):
        array.tofile("in.raw")
        dims = ",".join(map(str, array.shape))
        self.succeeds("run", *options, "--raw", f"{dtype},{dims}", "--to", "raw", "in.raw", "out.raw", chain)
        with open("out.raw", "rb") as file:
            return file.read()

    def test_the_page_has_these_rows(self):
        rows = [row[0] for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
        self.assertEqual(sorted(rows), sorted(REFERENCES))

    def test_every_row(self):
        rng = np.random.default_rng(1)
        for name, dtype, dims, chain in ROW.findall(PAGE.read_text(encoding="utf-8")):
            shape = tuple(map(int, dims.split(",")))
            array = rng.integers(0, 250, shape).astype(BITS[dtype])
            if name.endswith("scales"):
                array[:, 1] &= 0x7b  # finite, and not negative
            want = REFERENCES[name](array)
            with self.subTest(name):
                self.assertEqual(self.run_on(dtype, array, chain), want.tobytes())
            if "reshape=" in chain:
                with self.subTest(name, dialect="of Python's chain"):
                    self.assertEqual(self.run_on(dtype, array, chain, "--dialect", "numpy"), want.tobytes())
            if chain.startswith("rearrange="):
                with self.subTest(name, way="back"):
                    self.assertEqual(self.run_on(dtype, np.ascontiguousarray(want),
                                                 turned(chain, shape)), array.tobytes())


if __name__ == "__main__":
    need_device()
    main()
