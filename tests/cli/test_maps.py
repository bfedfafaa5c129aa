# `run` with maps of elements against NumPy, bit by bit: camera frames, casts, quantising, chains
# that alternate movement and maps, the names of types in files, and refusals.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np

from program import DONE, FAILED, USAGE, Case, call, in_long, main, need_device

MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
NORMALIZE = ["cast=f32", "mean=123.675,116.28,103.53", "std=58.395,57.12,57.375"]


def frames(shape=(2, 37, 53, 3)):
    return np.random.default_rng(7).integers(0, 256, shape, "u1")


def normalized(pixels):
    return (pixels.astype("f4") - np.array(MEAN, "f4")) / np.array(STD, "f4")


class Maps(Case):
    def run_on(self, array, *operations):
        np.save("in.npy", array)
        self.succeeds("run", "in.npy", "out.npy", *operations)
        return np.load("out.npy")

    def expect(self, array, operations, expected):
        got = self.run_on(array, *operations)
        self.assertEqual(got.dtype, expected.dtype, operations)
        self.assertEqual(got.shape, expected.shape, operations)
        self.assertEqual(got.tobytes(), np.ascontiguousarray(expected).tobytes(), operations)

    def test_frames_become_planes(self):
        pixels = frames()
        planes = normalized(pixels).transpose(0, 3, 1, 2)
        self.expect(pixels, [*NORMALIZE, "permute=0,3,1,2"], planes)
        self.expect(pixels, [*NORMALIZE, "permute=0,3,1,2", "cast=f16"], planes.astype("f2"))

    @in_long
    def test_the_order_of_movement_does_not_matter(self):
        pixels = frames()
        expected = normalized(pixels[:, 3:30, ::-1, ::-1]).transpose(0, 3, 1, 2)
        crop, flip = "slice=:,3:30", "flip=2"
        swapped = ["mean=103.53,116.28,123.675", "std=57.375,57.12,58.395"]
        self.expect(pixels, [crop, flip, "flip=3", *NORMALIZE, "permute=0,3,1,2"], expected)
        self.expect(pixels, ["cast=f32", *swapped, "permute=0,3,1,2", "flip=1,3",
                             "slice=:,:,3:30"], expected)

    @in_long
    def test_another_axis(self):
        planes = frames((5, 3, 40))
        expected = planes.astype("f8") - np.array([1, 2, 4], "f8")[:, None]
        self.expect(planes, ["cast=f64", "mean=1,2,4,axis=1"], expected)

    @in_long
    def test_casts_by_numpys_rules(self):
        """All pairs are in tests/opencl/test_mapped_codes.c, names in tests/chain. NumPy does not
        define negative floats cast to unsigned types, so no negative floats are drawn."""
        names = {"?": "bool", "i1": "i8", "u2": "u16"}
        for source, lowest, kinds in (("i2", -600, ("?", "i1")), ("f4", 0, ("u2",))):
            array = (np.arange(lowest, 601).reshape(1, -1) / (1, 2)[source == "f4"]).astype(source)
            for kind in kinds:
                with self.subTest(source=source, to=kind):
                    self.expect(array, ["--dialect", "numpy", f"cast={names[kind]}"], array.astype(kind))

    @in_long
    def test_floats_beyond_an_integer(self):
        """Undefined in all three dialects. ONNX's test data wraps, and so do Cast nodes."""
        numbers = np.array([[300.7, -129, 127.5, 1e10, np.inf, np.nan]], "f4")
        ends = np.array([[127, -128, 127, 127, 127, 0]], "i1")
        low = np.array([[44, 127, 127, 0, 0, 0]], "i1")
        for operations, want in ((["cast=i8"], low), (["--dialect", "onnx", "cast=i8"], low),
                                 (["cast=i8,saturate"], ends), (["--dialect", "numpy", "cast=i8"], ends),
                                 (["--dialect", "openvino", "cast=i8"], ends),
                                 (["--dialect", "numpy", "cast=i8,wrap"], low)):
            with self.subTest(operations):
                self.expect(numbers, operations, want)

    def test_quantizing(self):
        numbers = np.random.default_rng(3).normal(0, 2, (64, 129)).astype("f4")
        scaled = np.rint(numbers / np.float32(0.02)) + np.float32(128)
        self.expect(numbers, ["quantize=u8,0.02,128"], np.clip(scaled, 0, 255).astype("u1"))
        codes = frames((4, 300))
        back = (codes.astype("i4") - 128).astype("f4") * np.float32(0.02)
        self.expect(codes, ["dequantize=f32,0.02,128"], back)

    def test_a_bitcast_is_another_name(self):
        numbers = np.random.default_rng(3).normal(0, 2, (7, 9)).astype("f4")
        self.expect(numbers, ["bitcast=u32", "permute=1,0"], numbers.T.view("u4"))
        self.expect(frames(), ["bitcast=i8"], frames().view("i1"))

    def test_a_bitcast_to_another_width(self):
        """In parts too, of which some begin within a byte."""
        array = frames((6, 40, 24))
        floats, codes = array.view("f4"), np.stack([array & 15, array >> 4], -1).reshape(6, 40, 48)
        for memory in ((), ("--memory", "300")):
            for operations, expected in (
                    ("bitcast=f32 permute=1,0,2", floats.transpose(1, 0, 2)),
                    ("slice=::2,::-1,4:12 bitcast=u16 flip=2", array[::2, ::-1, 4:12].view("u2")[..., ::-1]),
                    ("permute=2,1,0 unsqueeze=-1 bitcast=bits8 bitcast=i8",
                     array.transpose(2, 1, 0)[..., None].view("i1")),
                    ("bitcast=i4 permute=2,1,0 cast=f16",
                     ((codes ^ 8).astype("i1") - 8).transpose(2, 1, 0).astype("f2")),
                    ("bitcast=u4 slice=:,1:,3:31:3 cast=u8", codes[:, 1:, 3:31:3]),
                    ("bitcast=u1 reshape=-1 slice=5:-9 cast=u8", np.unpackbits(array)[5:-9]),
                    ("bitcast=u4 roll=2,7 bitcast=i4 cast=i8",
                     np.roll((codes ^ 8).astype("i1") - 8, 7, 2))):
                with self.subTest(memory=memory, operations=operations):
                    self.expect(array, [*memory, "--dialect", "numpy", *operations.split()], expected)
            self.expect(floats, [*memory, "flip=0", "bitcast=u8"], floats[::-1].view("u1"))
        np.save("in.npy", array)
        self.check(call("run", "-", "out.npy", "bitcast=u4", "cast=u8", stdin=open("in.npy", "rb")), DONE)
        np.testing.assert_array_equal(np.load("out.npy"), codes)

    def test_colours(self):
        """OpenCV's NV12 to RGB, of a file, by parts, of a pipe, and on to normalised planes."""
        many = np.random.default_rng(5).integers(0, 256, (3, 54, 64), "u1")
        luma, chroma = many[:, :36].astype("i4"), many[:, 36:].reshape(3, 18, 32, 2).astype("i4") - 128
        u, v = np.repeat(np.repeat(chroma, 2, 1), 2, 2).transpose(3, 0, 1, 2)
        y = np.maximum(luma - 16, 0) * 1220542 + (1 << 19)
        sums = np.stack([y + 1673527 * v, y - 852492 * v - 409993 * u, y + 2116026 * u], -1)
        expected = np.clip(sums >> 20, 0, 255).astype("u1")
        for memory in ((), ("--memory", "16K")):
            self.expect(many, [*memory, "color=nv12,rgb,opencv"], expected)
            self.expect(many, [*memory, "color=nv12,rgb,opencv", "permute=0,3,1,2", "cast=f32", "mean=123.7", "std=58.4"],
                        ((expected.astype("f4") - np.float32(123.7)) / np.float32(58.4)).transpose(0, 3, 1, 2))
        np.save("in.npy", many)
        self.check(call("run", "-", "out.npy", "color=nv12,bgr,opencv", "slice=1", stdin=open("in.npy", "rb")), DONE)
        np.testing.assert_array_equal(np.load("out.npy"), expected[1, ..., ::-1])
        for operations, says in (("reshape=-1 color=nv12,rgb,opencv", "is no frame of nv12"),
                                 ("cast=f32 color=nv12,rgb,opencv", "colours stand before other maps"),
                                 ("concat=0,in.npy color=nv12,rgb,opencv", "only what moves all elements"),
                                 ("color=nv12,rgb,opencv --memory 2K", "a part that cannot be cut reads")):
            self.refused(FAILED, says, "run", "in.npy", "out.npy", *operations.split())

    def test_resizing(self):
        """Nearest elements of a file, by parts, of a pipe, and of a picture that is cut out."""
        many = np.random.default_rng(6).integers(0, 256, (2, 40, 60, 3), "u1")
        rows, columns = np.arange(30) * 40 // 30, np.arange(77) * 60 // 77
        expected = many[:, rows][:, :, columns]
        for memory in ((), ("--memory", "32K")):
            self.expect(many, [*memory, "resize=30,77,opencv_nearest"], expected)
            self.expect(many, [*memory, "slice=1,::-1", "resize=30,77,opencv_nearest", "permute=2,0,1", "cast=f32",
                               "std=58"], many[1, ::-1][rows][:, columns].transpose(2, 0, 1) / np.float32(58))
        np.save("in.npy", many)
        self.check(call("run", "-", "out.npy", "resize=30,77,opencv_nearest", "slice=1",
                        stdin=open("in.npy", "rb")), DONE)
        np.testing.assert_array_equal(np.load("out.npy"), expected[1])
        self.expect(many, ["cast=f32", "resize=30,77,torch_nearest"], expected.astype(np.float32))
        for operations, says in (("cast=f32 mean=1 resize=4,5,torch_bilinear", "resizing stands before other maps"),
                                 ("color=rgb,grey,opencv cast=f16 resize=4,5,torch_nearest", "other maps than color"),
                                 ("resize=30,77,opencv_nearest --memory 2K", "a part that cannot be cut reads")):
            self.refused(FAILED, says, "run", "in.npy", "out.npy", *operations.split())

    def test_resized_colours(self):
        """A frame of a file, by parts, with a letterbox: in one call, and in two."""
        frame = np.random.default_rng(7).integers(0, 256, (54, 64), "u1")
        np.save("in.npy", frame)
        self.check(call("run", "in.npy", "rgb.npy", "color=nv12,rgb,opencv"), DONE)
        behind = ("resize=18,32,opencv_linear", "pad=7,0,0,value=114", "permute=2,0,1", "cast=f32", "std=255", "cast=f16")
        self.check(call("run", "rgb.npy", "two.npy", *behind), DONE)
        self.expect(frame, ["color=nv12,rgb,opencv", *behind], np.load("two.npy"))
        self.assertIn("map: of colours of a frame, u8 -> u8: resampled\n",
                      self.succeeds("explain", "in.npy", "color=nv12,rgb,opencv", behind[0]))
        self.check(call("run", "rgb.npy", "two.npy", "slice=3:,:-5", "resize=90,77,opencv_linear"), DONE)
        for memory in ((), ("--memory", "16K")):
            self.expect(frame, [*memory, "color=nv12,rgb,opencv", "slice=3:,:-5", "resize=90,77,opencv_linear"],
                        np.load("two.npy"))

    def test_bitcasts_that_do_not_fit(self):
        np.save("in.npy", frames((6, 40, 23)))
        for operations, says in (("bitcast=f32", "last axis of 23 elements of u8 is no multiple of the 32 bits"),
                                 ("permute=2,0,1 bitcast=f32", "the last axis is not dense"),
                                 ("cast=f32 scale=2 bitcast=u8", "are computed, to f32, and have no bytes"),
                                 ("concat=0,in.npy bitcast=u4", "only what moves all elements")):
            self.refused(FAILED, says, "run", "in.npy", "out.npy", *operations.split())

    def test_nothing_is_mapped_of_an_empty_file(self):
        self.expect(np.zeros((0, 3), "u1"), [*NORMALIZE], np.zeros((0, 3), "f4"))

    def test_what_a_file_has_no_name_for(self):
        np.save("in.npy", frames())
        self.refused(FAILED, "a .npy file has no type for f8e4m3fn; of whole bytes, bitcast=u8",
                     "run", "in.npy", "out.npy", "cast=f8e4m3fn")
        self.assertEqual(self.run_on(frames(), "cast=bf16", "bitcast=u16").dtype, np.uint16)

    def test_what_is_refused(self):
        np.save("in.npy", frames())
        run = ["run", "in.npy", "out.npy"]
        self.refused(FAILED, "the copy policy is never, but the tensor is mapped", *run,
                     "--policy", "never", "cast=f32")
        self.refused(FAILED, "--class gpu_any, and the operations map elements", *run,
                     "--class", "gpu_any", "cast=f32")
        self.refused(FAILED, "the parameter has 2 numbers there", *run, "cast=f32", "mean=1,2")
        self.refused(FAILED, "a cast to f16, bf16, f32, f64 or i32 has to stand before it", *run,
                     "mean=1")
        self.refused(USAGE, "the zero point 300 is no number of u8", *run, "quantize=u8,0.5,300")
        self.refused(USAGE, "0", *run, "cast=f32", "std=0")
        self.assertEqual(call("explain", "in.npy", "cast=f32").returncode, DONE)


if __name__ == "__main__":
    need_device()
    main()
