"""Boxes of images in one batch, against a rule in NumPy that has every bit of cv2.resize.

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import unittest

import numpy as np

import clreshape as cl
from own import QUEUE, ArrayCase, on_device, takes_steps

SIZE, LINEAR = (40, 56), "opencv_linear"
GENERATOR = np.random.default_rng(43)
IMAGES = [GENERATOR.integers(0, 256, shape, np.uint8) for shape in ((120, 160, 3), (90, 200, 3), (33, 20, 3))]


def taps(wanted, extent):
    """Places and weights of cv2.resize with INTER_LINEAR, of u8, before places are held inside."""
    middle = np.float32((np.arange(wanted) + .5) * (1 / (wanted / extent)) - .5)
    place = np.floor(middle).astype(int)
    return place, middle - place.astype(np.float32)


def weights(part):
    return [np.rint(one * np.float32(2048)).astype(np.int32)[:, None] for one in (1 - part, part)]


def resized(image, rows, columns):
    """cv2.resize(image, (columns, rows)) of u8."""
    place, part = taps(columns, image.shape[1])
    part[(place < 0) | (place >= image.shape[1] - 1)] = 0
    left = place.clip(0, image.shape[1] - 1)
    near, far = weights(part)
    wide = image[:, left].astype(np.int32) * near + image[:, (left + 1).clip(0, image.shape[1] - 1)] * far
    place, part = taps(rows, image.shape[0])
    near, far = (one[..., None] for one in weights(part))
    above, below = (wide[(place + i).clip(0, image.shape[0] - 1)] >> 4 for i in (0, 1))
    return ((((near * above) >> 16) + ((far * below) >> 16) + 2) >> 2).astype(np.uint8)


def crop(image, box):
    left, top, right, bottom = np.rint(box).astype(int)
    return image[max(top, 0):max(bottom, 0), max(left, 0):max(right, 0)]


def letterboxed(image, size, border):
    scale = min(size[0] / image.shape[0], size[1] / image.shape[1])
    rows, columns = (max(1, round(extent * scale)) for extent in image.shape[:2])
    whole = np.full((*size, image.shape[2]), border, np.uint8)
    top, left = (size[0] - rows) // 2, (size[1] - columns) // 2
    whole[top:top + rows, left:left + columns] = resized(image, rows, columns)
    return whole


def drawn(count):
    """[count,5] of whole numbers: most boxes inside the image, some partly outside."""
    boxes = np.empty((count, 5), np.int32)
    for box in boxes:
        box[0] = GENERATOR.integers(len(IMAGES))
        rows, columns, _ = IMAGES[box[0]].shape
        box[1:3] = GENERATOR.integers(-9, [columns - 1, rows - 1])
        box[3:] = np.maximum(box[1:3], 0) + GENERATOR.integers(1, [columns, rows])
    return boxes


def expected(boxes, make=lambda part: resized(part, *SIZE)):
    return np.stack([make(crop(IMAGES[int(box[0])], box[1:])) for box in boxes])


class Regions(ArrayCase):
    @classmethod
    def setUpClass(cls):
        cls.images = [on_device(image) for image in IMAGES]

    def test_boxes_of_the_host_and_of_the_device(self):
        boxes = drawn(40)
        want = expected(boxes)
        for given in (boxes, boxes.tolist(), boxes.astype(np.float64), on_device(boxes),
                      on_device(boxes.astype(np.int64)), on_device(boxes.astype(np.float32)),
                      on_device(np.ascontiguousarray(boxes.T)).T, on_device(boxes).cast("float32")):
            self.same(cl.regions(self.images, given, SIZE, LINEAR), want)

    def test_floats_are_rounded_half_to_even(self):
        boxes = np.float32([[1, 2.5, 3.5, 60.5, 70.49], [0, -.5, -3e9, 1e20, np.inf]])
        want = expected([[1, 2, 4, 60, 70], [0, 0, 0, 160, 120]])
        self.same(cl.regions(self.images, on_device(boxes), SIZE, LINEAR), want)

    @takes_steps
    def test_letterboxes(self):
        boxes = drawn(20)
        want = expected(boxes, lambda part: letterboxed(part, SIZE, 114))
        options = {"letterbox": True, "border": 114}
        self.same(cl.regions(self.images, on_device(boxes), SIZE, LINEAR, **options), want)
        planes = (want.astype(np.float32) / np.float32(255)).transpose(0, 3, 1, 2)
        behind = "cast=float32 std=255 permute=2,0,1"
        self.same(cl.regions(self.images, boxes, SIZE, LINEAR, behind=behind, **options), planes)
        out = on_device(np.zeros((20, *SIZE, 3), np.float32))
        cl.regions(self.images, boxes, SIZE, LINEAR, behind=behind, out=out.transpose(0, 3, 1, 2), **options)
        self.same(out, planes.transpose(0, 2, 3, 1))

    def test_thin_boxes_keep_a_pixel(self):
        boxes = [[0, 7, 0, 8, 120], [0, 0, 7, 160, 8]]
        want = expected(boxes, lambda part: letterboxed(part, (8, 8), 0))
        self.same(cl.regions(self.images, boxes, (8, 8), LINEAR, letterbox=True), want)

    def test_one_image_a_batch_of_images_and_images_without_channels(self):
        box, want = [[10, 20, 70, 100]], resized(IMAGES[0][20:100, 10:70], *SIZE)
        self.same(cl.regions(self.images[0], box, SIZE, LINEAR), want[None])
        same_sizes = on_device(np.stack([IMAGES[0] ^ 255, IMAGES[0]]))
        self.same(cl.regions(same_sizes, [[1, *box[0]]], SIZE, LINEAR), want[None])
        self.same(cl.regions(self.images[0][..., 1], box, SIZE, LINEAR), want[None, ..., 1])

    def test_nearest_of_other_types(self):
        host = GENERATOR.standard_normal((30, 40, 2)).astype(np.float32)
        got = cl.regions(on_device(host), [[4, 6, 24, 26]], (5, 10), "torch_nearest")
        self.same(got, host[None, 6:26:4, 4:24:2])

    def test_no_boxes(self):
        for boxes in ([], np.empty((0, 4), np.int32), on_device(np.empty((0, 5), np.float32))):
            got = cl.regions(self.images, boxes, SIZE, LINEAR, behind="cast=float16 permute=2,0,1")
            self.assertEqual((got.shape, got.dtype), ((0, 3, *SIZE), "float16"))

    def test_the_example_of_the_recipes(self):
        page = pathlib.Path(__file__).parents[2] / "src" / "chain" / "RECIPES.md"
        names = {"pictures": self.images}
        exec(page.read_text("utf-8").split("```python\n")[1].split("```")[0], names)  # pylint: disable=exec-used
        self.same(names["batch"], expected(names["boxes"], lambda part: letterboxed(part, (64, 64), 114)))

    def test_wrong_boxes_are_refused(self):
        for boxes, words in (([[0, 1, 2]], r"boxes have shape \(1, 3\)"), ([1, 2, 3, 4], r"shape \(4,\)"),
                             ([["a"] * 4], "boxes are <U1"), (on_device(np.zeros((2, 4), np.bool_)), "boxes are bool"),
                             ([[3, 0, 0, 2, 2]], "box 0 is of image 3; there are 3"),
                             ([[0, 0, 0, 2, 2], [-1, 0, 0, 2, 2]], "box 1 is of image -1"),
                             ([[.5, 0, 0, 2, 2]], "of image 0.5"), ([[np.nan, 0, 0, 2, 2]], "of image nan"),
                             ([[0, np.nan, 3, 9, 9]], "box 0 is .* no place"),
                             ([[0, 9, 9, 9, 20]], "no pixel of image 0 of 120 rows and 160 columns"),
                             ([[1, 200, 0, 300, 9]], "no pixel of image 1"), ([[0, 9, 9, 3, 20]], "no pixel")):
            with self.assertRaisesRegex((ValueError, TypeError, IndexError), words):
                cl.regions(self.images, boxes, SIZE, LINEAR)

    def test_wrong_arguments_are_refused(self):
        box, first = [[0, 0, 9, 9]], self.images[0]
        for images, words in (([], "no array"), ([first, first[..., :2]], "image 1 is uint8 of shape"),
                              ([first, first.cast("int16")], "image 1 is int16"), (first[0, 0], r"image 0 .* \(3,\)"),
                              ([IMAGES[0]], "is no tensor"), (cl.empty((0, 4, 5, 3), "uint8", QUEUE), "no image")):
            with self.assertRaisesRegex((ValueError, TypeError), words):
                cl.regions(images, box, SIZE, LINEAR)
        out = on_device(np.full((1, *SIZE, 3), 7, np.uint8))
        for options, words in (({"size": (0, 3)}, "at least 1"), ({"size": (4,)}, "rows and columns"),
                               ({"reference": "linear"}, "known are opencv_linear"),
                               ({"reference": "opencv_linear;flip=0"}, "reference is a name"),
                               ({"behind": "resize=3,3,opencv_linear pad=1"}, "pad=1"),
                               ({"behind": "reshape=3"}, r"\[40,56,3\]"), ({"border": 256}, "256 is out of range"),
                               ({"out": out[0]}, "out is"), ({"out": first[:40, :56][None]}, "byte")):
            with self.assertRaisesRegex((ValueError, NotImplementedError, OverflowError), words):
                cl.regions(first, box, **{"size": SIZE, "reference": LINEAR, "out": out, **options})
        self.same(out, np.full(out.shape, 7, np.uint8))


if __name__ == "__main__":
    unittest.main()
