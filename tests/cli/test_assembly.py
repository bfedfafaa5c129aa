# `run` with concat, stack and pad behind the operations, against NumPy, for parts of any type,
# shape and order, moved in any boxes.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import random

import numpy as np

from program import DONE, FAILED, USAGE, Case, call, main, need_device
from test_parts import MEMORY, draw
from test_streams import loaded, pipe, saved

FIRST = int(os.environ.get("CLRS_TEST_SEED", "1"))
CASES = int(os.environ.get("CLRS_TEST_CASES", "4"))


def other_part(rng, first, axis):
    """A part of the first part's type, and of the same shape except along the axis."""
    shape = list(first.shape)
    if axis is not None:
        shape[axis] = rng.randint(0, 5)
    bits = np.random.default_rng(rng.randint(0, 1 << 30)).integers(1, 100, shape)
    return np.asarray(bits.astype(first.dtype), order=rng.choice("CF"))


def draw_files(rng, first):
    count = rng.randint(1, 4)
    if rng.random() < 0.5 or first.ndim == 0:
        axis = rng.randrange(-first.ndim - 1, first.ndim + 1)
        parts = [other_part(rng, first, None) for _ in range(count)]
        return "stack", axis, parts, np.stack([first, *parts], axis)
    axis = rng.randrange(-first.ndim, first.ndim)
    parts = [other_part(rng, first, axis) for _ in range(count)]
    return "concat", axis, parts, np.concatenate([first, *parts], axis)


def draw_pad(rng, first):
    widths = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(first.ndim)]
    value = rng.choice((0, 0, 1, 7))
    said = [f"{before}:{behind}" for before, behind in widths] or ["0:0"]
    widths = widths * first.ndim if len(widths) == 1 else widths
    if value:
        said.append(f"value={value}")
    return "pad=" + ",".join(said if first.ndim else said[1:] or ["0"]), \
        np.pad(first, widths, constant_values=value) if first.ndim else first


def draw_after(rng, whole):
    """Operations that keep every element in place, and NumPy's equivalents."""
    said = []
    for _ in range(rng.randint(1, 3)):
        order = rng.sample(range(whole.ndim), whole.ndim)
        axis, inner = rng.randrange(whole.ndim), rng.choice((1, 2, 3))
        dims = whole.shape
        split = dims[:axis] + (dims[axis] // inner, inner) + dims[axis + 1:]
        said_whole = rng.choice((
            (f"permute={','.join(map(str, order))}", whole.transpose(order)),
            (f"flip={axis}", np.flip(whole, axis)),
            (f"roll={axis},{inner - 2}", np.roll(whole, inner - 2, axis)),
            (f"roll={axis},{inner}", np.roll(whole, inner, axis)),
            (f"move_axis={axis},0 unsqueeze=0", np.moveaxis(whole, axis, 0)[None]),
            ("flatten=1", whole.reshape(dims[0], -1) if whole.size else None),
            (f"reshape={','.join(map(str, split))}",
             whole.reshape(split) if dims[axis] % inner == 0 else None)))
        if said_whole[1] is not None:
            said.append(said_whole[0])
            whole = said_whole[1]
    return said, whole


class Assembly(Case):
    def same(self, path, want):
        got = np.load(path)
        self.assertEqual(got.dtype, want.dtype)
        self.assertEqual(got.shape, want.shape)
        self.assertEqual(got.tobytes(), np.ascontiguousarray(want).tobytes())

    def run_with(self, memory, *operations):
        """Input that cannot be cut may be refused, as the message says."""
        result = call("run", "in.npy", "out.npy", "--memory", memory, *operations)
        if result.returncode == FAILED:
            self.assertIn("a part that cannot be cut", result.stderr)
            self.assertNotIn("out.npy", os.listdir("."))
            result = call("run", "in.npy", "out.npy", *operations)
        self.check(result, DONE)

    def test_random_parts(self):
        for seed in range(FIRST, FIRST + CASES):
            rng = random.Random(seed)
            shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
            array = np.arange(np.prod(shape)).astype(rng.choice(("f4", "u1", "f8", "i2")))
            array = array.reshape(shape, order=rng.choice("CF"))
            np.save("in.npy", array)
            said, first = draw(rng, array)
            name, axis, parts, want = draw_files(rng, first)
            names = [f"part_{i}.npy" for i in range(len(parts))]
            for path, part in zip(names, parts):
                np.save(path, part)
            assembly = f"{name}={axis}," + ",".join(names)
            with self.subTest(seed=seed, shape=shape, said=said, assembly=assembly):
                self.run_with(rng.choice(MEMORY), *said, assembly)
                self.same("out.npy", want)
                os.remove("out.npy")
            assembly, want = draw_pad(rng, first)
            with self.subTest(seed=seed, shape=shape, said=said, assembly=assembly):
                self.run_with(rng.choice(MEMORY), *said, assembly)
                self.same("out.npy", want)
                os.remove("out.npy")

    def test_elements_of_any_width(self):
        for dtype in (">i4", "S5", "U3", "V2", [("a", "<f4"), ("b", "u1")], "?", "c16"):
            bits = np.random.default_rng(7).integers(0, 2, (2, 12, np.dtype(dtype).itemsize), "u1")
            first, second = (np.frombuffer(part.tobytes(), f"V{part.shape[1]}").reshape(3, 4)
                             for part in bits)
            np.save("in.npy", first.view(dtype))
            np.save("b.npy", second.view(dtype))
            for assembly, want in (
                    ("concat=1,b.npy", np.concatenate([first, second], 1)),
                    ("concat=0,b.npy", np.concatenate([first, second])),
                    ("stack=1,b.npy,b.npy", np.stack([first, second, second], 1)),
                    ("pad=1,2:0", np.pad(first, ((1, 1), (2, 0))))):
                with self.subTest(dtype=dtype, assembly=assembly):
                    self.succeeds("run", "in.npy", "out.npy", assembly)
                    self.assertEqual(np.load("out.npy").dtype, np.dtype(dtype))
                    self.assertEqual(np.load("out.npy").tobytes(), want.tobytes())

    def test_a_run_explains_all_parts(self):
        np.save("in.npy", np.zeros((4, 6), "f4"))
        np.save("b.npy", np.zeros((4, 3), "f4"))
        for said, words in (("concat=1,b.npy", "2 in 2 launches, which read 144 and write 144 bytes"),
                            ("pad=1,0", "3 in 1 launches, which read 96 and write 144 bytes")):
            result = self.check(call("run", "in.npy", "out.npy", "--explain", said), DONE)
            self.assertIn(f"parts: {words}; the plan is the first part's", result.stderr)

    def test_values_of_a_border(self):
        rows = [("f4", "0.1", np.float32(0.1)), ("f2", "-inf", -np.inf), ("f8", "nan", np.nan),
                ("i1", "-128", -128), ("u2", "65535", 65535), ("i8", "-7", -7), ("?", "1", True),
                ("f4", "1e-3", 1e-3), ("f8", "-0", -0.0)]
        for dtype, said, value in rows:
            array = np.ones((2, 3), dtype)
            np.save("in.npy", array)
            self.succeeds("run", "in.npy", "out.npy", f"pad=1:0,0:2,value={said}")
            self.same("out.npy", np.pad(array, ((1, 0), (0, 2)), constant_values=value))
        for dtype, said in (("u1", "256"), ("u1", "-1"), ("i4", "0.5"), ("i4", "nan"), ("?", "2"),
                            ("i8", "1e30")):
            np.save("in.npy", np.ones((2, 3), dtype))
            self.refused(FAILED, "do not hold it", "run", "in.npy", "new.npy",
                         f"pad=1,value={said}")
        np.save("in.npy", np.ones(3, "S3"))
        self.refused(FAILED, "have no numbers", "run", "in.npy", "new.npy", "pad=1,value=3")
        self.assertNotIn("new.npy", os.listdir("."))

    def test_maps_and_chains_stand_before(self):
        frame = np.arange(4 * 5 * 3, dtype="u1").reshape(4, 5, 3)
        np.save("in.npy", frame)
        want = frame.astype("f4").transpose(2, 0, 1) / np.float32(2)
        self.succeeds("run", "in.npy", "out.npy", "cast=f32", "scale=0.5", "permute=2,0,1",
                      "pad=0,2:1,0:3,value=114")
        self.same("out.npy", np.pad(want, ((0, 0), (2, 1), (0, 3)), constant_values=114))
        np.save("b.npy", want[:1])
        self.succeeds("run", "in.npy", "out.npy", "cast=f32", "scale=0.5", "permute=2,0,1",
                      "concat=0,b.npy")
        self.same("out.npy", np.concatenate([want, want[:1]]))

    def test_between_pipes(self):
        first, second = np.arange(12).reshape(3, 4), np.arange(20).reshape(5, 4)
        np.save("b.npy", second)
        result = pipe(saved(first), "run", "-", "-", "concat=0,b.npy")
        self.assertEqual(result.returncode, DONE, result.stderr)
        np.testing.assert_array_equal(loaded(result.stdout), np.concatenate([first, second]))
        result = pipe(saved(first), "run", "-", "-", "pad=1,value=5")
        np.testing.assert_array_equal(loaded(result.stdout),
                                      np.pad(first, 1, constant_values=5))

    def test_parts_that_do_not_go_together(self):
        np.save("in.npy", np.zeros((3, 4), "f4"))
        for name, array in (("double", np.zeros((3, 4), "f8")), ("big", np.zeros((3, 4), ">f4")),
                            ("flat", np.zeros(12, "f4")), ("wide", np.zeros((3, 5), "f4"))):
            np.save(f"{name}.npy", array)
        with open("bad.npy", "wb") as file:
            file.write(b"nonsense")
        rows = [("concat=0,double.npy", "double.npy: its elements are of type <f8"),
                ("concat=0,big.npy", "big.npy: its elements are of type >f4"),
                ("concat=0,flat.npy", "flat.npy: it has 1 dims, and the first part 2"),
                ("concat=0,wide.npy", "wide.npy: its dim 1 is 5, and that of the first part 4"),
                ("stack=0,wide.npy", "parts of a stack have one shape"),
                ("concat=2,wide.npy", "2"), ("concat=-3,wide.npy", "-3"),
                ("stack=3,in.npy", "3"), ("concat=1,missing.npy", "missing.npy: No such file"),
                ("concat=1,bad.npy", "bad.npy: not a .npy file"),
                ("pad=1,1,1", "has 3 widths, and there are 2 dims"),
                ("pad=9223372036854775807,0", "64 bits"),
                ("pad=4611686018427387904:0,4611686018427387904:0", "64 bits")]
        before = sorted(os.listdir("."))
        for assembly, says in rows:
            with self.subTest(assembly):
                self.refused(FAILED, says, "run", "in.npy", "out.npy", assembly)
                self.refused(FAILED, says, "explain", "in.npy", assembly)
                self.assertEqual(sorted(os.listdir(".")), before)

    def test_texts_that_are_none(self):
        np.save("in.npy", np.zeros((3, 4), "f4"))
        rows = [("concat=", "is not a decimal integer"), ("concat=0", "files behind it"),
                ("concat=in.npy", "is not a decimal integer"), ("concat=0,", "files have names"),
                ("stack=0,in.npy,,in.npy", "files have names"),
                ("stack=0,-", "only the input may be '-'"), ("pad=1:2:3", "'2:3'"),
                ("pad=", "is not a decimal integer"), ("pad=-1", "slice takes elements away"),
                ("pad=1:-1", "slice takes elements away"), ("pad=1,value=", "is not a decimal number"),
                ("pad=1,value=x", "is not a decimal number"), ("pad=1,value= 1", "is not a decimal number"),
                ("pad=value=1", "operation 1 (pad=value=1)"),
                ("pad=" + "1," * 32 + "1", "pad does not take 68 values")]
        for assembly, says in rows:
            with self.subTest(assembly):
                self.refused(USAGE, says, "run", "in.npy", "out.npy", assembly)
        self.refused(USAGE, "'pad=1' is put together already", "run", "in.npy", "out.npy",
                     "pad=1", "flip=0", "stack=0,in.npy")
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_operations_after_it(self):
        rng, moved = random.Random(FIRST + 77), 0
        for case in range(2 * CASES):
            shape = [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
            dtype = rng.choice(("f4", "u1", "c16", "S3", "M8[s]"))
            first = np.arange(np.prod(shape)).reshape(shape).astype("i8").astype(dtype)
            np.save("in.npy", first)
            if rng.random() < 0.4 and dtype != "S3":
                text, whole = draw_pad(rng, first) if dtype in ("f4", "u1") else \
                    ("pad=1:2", np.pad(first, (1, 2)))
            else:
                kind, axis, parts, whole = draw_files(rng, first)
                for i, part in enumerate(parts):
                    np.save(f"{i}.npy", part)
                text = ",".join([f"{kind}={axis}"] + [f"{i}.npy" for i in range(len(parts))])
            after, want = draw_after(rng, whole)
            memory = rng.choice(([], ["--memory", "2K"]))
            with self.subTest(case=case, shape=shape, dtype=dtype, text=text, after=after):
                result = call("run", "in.npy", "out.npy", "--literal-zero", *memory, text, *after)
                if result.returncode == DONE:
                    self.same("out.npy", want)
                    moved += 1
                else:
                    self.assertRegex(result.stderr, "are no neighbours|cannot be cut|--memory")
        self.assertGreater(moved, CASES)

    def test_parts_that_are_several_rectangles(self):
        """Rolls behind an assembly, and blocks of channels that a border fills up."""
        array = np.arange(20 * 30 * 16, dtype="f4").reshape(20, 30, 16)
        both, padded = np.concatenate([array, array]), np.pad(array, ((0, 0), (0, 2), (0, 0)))
        np.save("in.npy", array)
        np.save("b.npy", array)
        mean = np.arange(16, dtype="f4")
        for said, want in (
                (["concat=0,b.npy", "roll=0,7"], np.roll(both, 7, 0)),
                (["concat=0,b.npy", "roll=2,7", "roll=1,-3", "permute=2,0,1"],
                 np.roll(both, (7, -3), (2, 1)).transpose(2, 0, 1)),
                (["concat=0,b.npy", f"mean={','.join(map(str, mean))},axis=2", "roll=2,3"],
                 np.roll(both - mean, 3, 2)),
                (["stack=1,b.npy", "roll=2,11", "reshape=40,-1"],
                 np.roll(np.stack([array, array], 1), 11, 2).reshape(40, -1)),
                (["pad=0,0:2,0", "reshape=20,2,16,16", "permute=0,1,3,2"],
                 padded.reshape(20, 2, 16, 16).transpose(0, 1, 3, 2)),
                (["pad=0,0:2,0,value=3", "cast=f16", "roll=1,1"],
                 np.roll(np.where(padded[..., :1] * 0 + np.arange(32)[:, None] < 30, padded, 3)
                         .astype("f2"), 1, 1)),
                (["pad=0,1:2,0,mode=reflect", "roll=1,-4"],
                 np.roll(np.pad(array, ((0, 0), (1, 2), (0, 0)), "reflect"), -4, 1))):
            for memory in ("1G", "20K"):
                with self.subTest(said=said, memory=memory):
                    self.succeeds("run", "in.npy", "out.npy", "--memory", memory, *said)
                    self.same("out.npy", want)

    def test_a_chain_in_one_argument(self):
        array = np.arange(12, dtype="f4").reshape(3, 4)
        np.save("in.npy", array)
        np.save("a b.npy", array)
        os.mkdir("results")
        both = np.concatenate([array.T, array.T], 1)
        for said, want in (
                (["pad=1 permute=1,0"], np.pad(array, 1).T),
                ([" permute=1,0 ; pad=1:0,2;;cast=f16 "], np.pad(array.T, ((1, 0), (2, 2))).astype("f2")),
                (["permute=1,0", "pad=0,1\tflip=0", "mul=2"], 2 * np.pad(array.T, ((0, 0), (1, 1)))[::-1]),
                (["rearrange=h (w pad) -> pad w h, pad=2"], array.reshape(3, 2, 2).transpose(2, 1, 0)),
                (["flip=1 concat=0,a b.npy"], np.concatenate([array[:, ::-1], array])),
                (["concat=0,a b.npy", "permute=1,0"], both)):
            with self.subTest(said):
                self.succeeds("run", "in.npy", "out.npy", *said)
                self.same("out.npy", want)
                self.succeeds("run", "--each", "results", "in.npy", *said)
                self.same("results/in.npy", want)
                self.assertIn(f"[{','.join(map(str, want.shape))}]",
                              self.succeeds("explain", "in.npy", *said).split("output:")[1])
        self.refused(USAGE, "'pad=1' is put together already", "run", "in.npy", "out.npy",
                     "pad=1 flip=0;pad=2")
        self.refused(USAGE, "operation 2 (turn=1) at column 8", "run", "in.npy", "out.npy",
                     "pad=1 flip=0 turn=1")

    def test_what_may_not_follow_it(self):
        np.save("in.npy", np.arange(12, dtype="f4").reshape(3, 4))
        for after, says in (("slice=1:", "'slice=1:' after 'concat=0,in.npy'"), ("tile=2,1", "may follow"),
                            ("expand=2,6,4", "may follow"), ("reshape=4,4", "reshape=4,4")):
            with self.subTest(after):
                self.refused(FAILED, says, "run", "in.npy", "out.npy", "concat=0,in.npy", "flip=0", after)
        np.save("in.npy", np.ones((40, 60), "f4"))  # each row lies in other columns
        self.refused(FAILED, "are no neighbours; pipe the parts together into", "run", "in.npy",
                     "out.npy", "pad=0,0:1", "permute=1,0", "reshape=40,61", "permute=1,0")
        self.refused(USAGE, "unknown operation 'turn=1'", "run", "in.npy", "out.npy", "pad=1",
                     "turn=1")
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_never_a_copy(self):
        np.save("in.npy", np.zeros((3, 4), "f4"))
        self.refused(FAILED, "--policy never, and 'pad=1' makes something", "run", "in.npy",
                     "out.npy", "--policy", "never", "pad=1")
        self.assertEqual(os.listdir("."), ["in.npy"])

    def test_no_part_is_overwritten(self):
        array = np.ones((3, 4), "f4")
        for name in ("in", "b", "c"):
            np.save(f"{name}.npy", array)
        os.link("c.npy", "link.npy")
        for output in ("b.npy", "c.npy", "link.npy"):
            self.refused(FAILED, "the output is the input file", "run", "in.npy", output,
                         "concat=0,b.npy,c.npy")
        self.same("c.npy", array)

    def test_explain(self):
        np.save("in.npy", np.zeros((3, 4), "f4"))
        np.save("b.npy", np.zeros((5, 3), "f4"))
        text = self.succeeds("explain", "in.npy", "permute=1,0", "concat=0,b.npy")
        self.assertIn("    2: concat=0,b.npy -> [9,3]\noutput: f32 [9,3]\n", text)
        for assembly, dims in (("concat=0,b.npy", [9, 3]), ("pad=1,0:2", [6, 5])):
            facts = json.loads(self.succeeds("explain", "in.npy", "--json", "permute=1,0",
                                             assembly))
            self.assertEqual(facts["steps"][-1], {"op": assembly, "dims": dims, "view": False})
            self.assertEqual(facts["output"], {"dtype": "f32", "dims": dims})
        text = self.succeeds("explain", "in.npy", "pad=1,0", "permute=1,0", "flatten=0")
        self.assertIn("    1: pad=1,0 -> [5,4]\n    2: permute=1,0 -> [4,5]\n"
                      "    3: flatten=0 -> [1,20]\noutput: f32 [1,20]\n", text)
        facts = json.loads(self.succeeds("explain", "in.npy", "--json", "pad=1,0", "permute=1,0"))
        self.assertEqual(facts["steps"][-1], {"op": "permute=1,0", "dims": [4, 5], "view": False})
        self.assertEqual(facts["output"], {"dtype": "f32", "dims": [4, 5]})
        result = call("run", "in.npy", "out.npy", "--explain", "pad=1,0")
        self.assertIn("1: pad=1,0 -> [5,4]", result.stderr)


if __name__ == "__main__":
    need_device()
    main()
