"""OpenCV's UMats, and pyopencl beside them.

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
import unittest

os.environ.setdefault("OPENCV_OPENCL_DEVICE", ":CPU:")

import cv2
import ml_dtypes
import numpy as np
import pyopencl

import clreshape as cl

if not cv2.ocl.haveOpenCL():
    required = os.environ.get("CLRS_REQUIRE_DEVICE") == "1"
    print("OpenCV has no OpenCL device" + (", but one is required" if required else ": skipped"))
    sys.exit(1 if required else 77)
cv2.ocl.setUseOpenCL(True)

FRAME = np.random.default_rng(0).integers(0, 256, (36, 48, 3), np.uint8)


def same(umat, expected):
    assert isinstance(umat, cv2.UMat), type(umat)
    got = umat.get()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype), (got.shape, got.dtype)
    np.testing.assert_array_equal(got, expected)


class UMats(unittest.TestCase):
    def test_shapes_and_types_are_what_opencv_shows(self):
        for dims in ((5,), (4, 5), (4, 5, 3), (4, 5, 9), (2, 3, 4, 5), (1, 7), (7, 1)):
            for dtype in (np.uint8, np.int16, np.float16, np.float32, np.float64, np.bool_,
                          np.uint32):
                host = (np.arange(np.prod(dims)) % 2).reshape(dims).astype(dtype)
                array = cl.asarray(cv2.UMat(host))
                self.assertEqual((array.shape, array.dtype), (dims, dtype))
                np.testing.assert_array_equal(array.get(), host)

    def test_frames_become_planes(self):
        mean, std = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
        expected = (FRAME.astype(np.float32) - np.float32(mean)) / np.float32(std)
        same(cl.normalize(cv2.UMat(FRAME), mean, std), expected)
        lazy = cl.asarray(cv2.UMat(FRAME)).normalize(mean, std, dtype="float16")
        same(lazy.transpose(2, 0, 1).to("umat"), expected.astype(np.float16).transpose(2, 0, 1))

    def test_boxes_are_the_crops_that_opencv_resizes(self):
        boxes = np.array([[5, 3, 20, 30], [0, 0, 48, 36], [-4, 30, 9, 99], [47, 10, 48, 12]])
        crops = [FRAME[max(top, 0):bottom, max(left, 0):right] for left, top, right, bottom in boxes]
        for name, number in (("opencv_linear", cv2.INTER_LINEAR), ("opencv_nearest", cv2.INTER_NEAREST),
                             ("opencv_linear_exact", cv2.INTER_LINEAR_EXACT)):
            want = np.stack([cv2.resize(one, (24, 16), interpolation=number) for one in crops])
            for given in (boxes.astype(np.int32), boxes.astype(np.float32)):
                same(cl.regions(cv2.UMat(FRAME), cv2.UMat(given), (16, 24), name), want)

    def test_every_function_gives_a_umat(self):
        frame, other = cv2.UMat(FRAME), cv2.UMat(FRAME[::-1].copy())
        same(cl.transpose(frame, (1, 0, 2)), FRAME.transpose(1, 0, 2))
        same(cl.reshape(frame, (12, 144, 3)), FRAME.reshape(12, 144, 3))
        same(cl.rearrange(frame, "(h a) (w b) c -> h w (a b c)", a=4, b=4),
             FRAME.reshape(9, 4, 12, 4, 3).transpose(0, 2, 1, 3, 4).reshape(9, 12, 48))
        same(cl.stack([frame, other]), np.stack([FRAME, FRAME[::-1]]))
        same(cl.concatenate([frame, other], 1), np.concatenate([FRAME, FRAME[::-1]], 1))
        same(cl.cast(frame, "float32"), FRAME.astype(np.float32))
        same(cl.contiguous(frame, copy=True), FRAME)
        same(cl.take(frame, [2, 1, 0], 2), FRAME[..., ::-1])
        rows = np.array([[35, -1, 0, 7]], np.int32)
        picked = cl.take(frame, cv2.UMat(rows))
        same(picked, FRAME[rows])
        cl.index_copy(other, cv2.UMat(rows), picked)
        expected = FRAME[::-1].copy()
        expected[rows] = FRAME[rows]
        same(other, expected)
        cl.copyto(other, cv2.UMat(FRAME[::-1].copy()))
        cl.copyto(frame, other)
        same(frame, FRAME[::-1])
        cl.copyto(frame, 7)
        same(frame, np.full_like(FRAME, 7))
        self.assertIs(cl.flip(other, 0, out=frame), frame)
        same(frame, FRAME)

    def test_a_umat_that_is_the_view_already_is_given_back(self):
        frame = cv2.UMat(FRAME)
        self.assertIs(cl.contiguous(frame), frame)
        self.assertIs(cl.reshape(frame, FRAME.shape, copy=False), frame)
        with self.assertRaisesRegex(TypeError, "cannot be the view"):
            cl.reshape(frame, -1, copy=False)

    def test_parts_of_umats(self):
        part = cv2.UMat(cv2.UMat(FRAME), (5, 4, 20, 10))
        same(cl.transpose(part, (1, 0, 2)), FRAME[4:14, 5:25].transpose(1, 0, 2))
        with self.assertRaisesRegex(ValueError, "part of another UMat"):
            cl.copyto(part, 1)
        same(cl.contiguous(part), FRAME[4:14, 5:25])
        with self.assertRaisesRegex(TypeError, "cannot be the view"):
            cl.contiguous(part, copy=False)

    def test_opencvs_own_commands_are_waited_for(self):
        for _ in range(20):
            frame = cv2.UMat(FRAME)
            for _ in range(10):
                frame = cv2.flip(frame, -1)
            moved = cl.transpose(frame, (1, 0, 2))
            same(cv2.flip(moved, -1), FRAME.transpose(1, 0, 2)[::-1, ::-1])

    def test_another_queue(self):
        context = pyopencl.Context.from_int_ptr(cv2.UMat_context())
        queue = pyopencl.CommandQueue(context)
        for _ in range(20):
            moved = cl.transpose(cv2.flip(cv2.UMat(FRAME), 0), (1, 0, 2), queue=queue)
            same(cv2.flip(moved, 1), FRAME.transpose(1, 0, 2))

    def test_what_a_umat_cannot_hold_is_refused(self):
        frame = cv2.UMat(FRAME)
        for call in (lambda: cl.cast(frame, "int4"), lambda: cl.cast(frame, "float8_e5m2"),
                     lambda: cl.cast(cv2.UMat(FRAME[None]), "bfloat16"),
                     lambda: cl.take(frame, []), lambda: cl.transpose(cv2.UMat())):
            with self.assertRaises(TypeError):
                call()

    def test_umats_without_a_device_are_refused(self):
        code = ("import cv2, numpy, clreshape as cl\n"
                "try:\n    cl.asarray(cv2.UMat(numpy.zeros((3, 4), numpy.uint8)))\n"
                "except cl.KindError as error:\n    print(error)")
        for name in ("OPENCV_OPENCL_DEVICE", "OPENCV_OPENCL_RUNTIME"):
            said = subprocess.run([sys.executable, "-c", code], env={**os.environ, name: "disabled"},
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertIn("OpenCV used no OpenCL device", said)
        cv2.ocl.setUseOpenCL(False)
        try:
            with self.assertRaisesRegex(TypeError, "OpenCV used no OpenCL device"):
                cl.asarray(cv2.UMat(FRAME))
        finally:
            cv2.ocl.setUseOpenCL(True)

    def test_bfloat16(self):
        half = cl.cast(cv2.UMat(FRAME), "bfloat16")
        array = cl.asarray(half)
        self.assertEqual(array.dtype, "bfloat16")
        np.testing.assert_array_equal(array.get(), FRAME.astype(ml_dtypes.bfloat16))

    def test_a_umat_as_a_pyopencl_array(self):
        """Moved, because OpenCV reuses the buffer after the UMat is gone. A view on request."""
        frame = cv2.UMat(FRAME)
        planes = cl.asarray(frame).transpose(2, 0, 1)
        moved = planes.to("pyopencl")
        np.testing.assert_array_equal(moved.get(), FRAME.transpose(2, 0, 1))
        view = planes.to("pyopencl", copy=False)
        self.assertEqual((view.strides, view.base_data.int_ptr), ((1, 144, 3), planes.buffer))
        np.testing.assert_array_equal(cl.contiguous(view).get(), FRAME.transpose(2, 0, 1))

    def test_images_of_any_size_in_a_letterbox(self):
        images = [FRAME, FRAME[:20, :30], FRAME[5:, :17]]
        begins = [(0, 0, 0), (4, 9, 0), (1, 31, 0)]
        expected = np.full((3, *FRAME.shape), 114, np.uint8)
        for index, (image, begin) in enumerate(zip(images, begins)):
            expected[index][tuple(slice(b, b + n) for b, n in zip(begin, image.shape))] = image
        umats = [cv2.UMat(np.ascontiguousarray(image)) for image in images]
        same(cl.stack(umats, shape=FRAME.shape, begins=begins, border=114), expected)


if __name__ == "__main__":
    unittest.main()
