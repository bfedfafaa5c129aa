# `run` with the operations on blocks, repeats and windows, against NumPy. `explain` of a chain of
# such operations must show one launch.
#
# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np

from program import FAILED, USAGE, Case, main, need_device

SLIDE = np.lib.stride_tricks.sliding_window_view


def depth_to_space(array, block, order):
    """By index, from the text of ONNX DepthToSpace."""
    n, c, h, w = np.indices((array.shape[0], array.shape[1] // block ** 2, array.shape[2] * block,
                             array.shape[3] * block))
    place, depths = h % block * block + w % block, array.shape[1] // block ** 2
    channel = place * depths + c if order == "DCR" else c * block ** 2 + place
    return array[n, channel, h // block, w // block]


def space_to_depth(array, block):
    """By index, from the text of ONNX SpaceToDepth."""
    n, c, h, w = np.indices((array.shape[0], array.shape[1] * block ** 2, array.shape[2] // block,
                             array.shape[3] // block))
    place = c // array.shape[1]
    return array[n, c % array.shape[1], h * block + place // block, w * block + place % block]


def shuffled(array, groups):
    members = array.shape[1] // groups
    return array[:, [c % groups * members + c // groups for c in range(array.shape[1])]]


OPERATIONS = [
    ((2, 12, 3, 5), ["depth_to_space=2"], lambda a: depth_to_space(a, 2, "DCR")),
    ((2, 12, 3, 5), ["depth_to_space=2,DCR"], lambda a: depth_to_space(a, 2, "DCR")),
    ((2, 12, 3, 5), ["depth_to_space=2,CRD"], lambda a: depth_to_space(a, 2, "CRD")),
    ((2, 3, 4, 6), ["space_to_depth=2"], lambda a: space_to_depth(a, 2)),
    ((2, 12, 3, 5), ["channel_shuffle=3"], lambda a: shuffled(a, 3)),
    ((5, 2, 12), ["channel_shuffle=4,-1"],
     lambda a: shuffled(a.transpose(0, 2, 1), 4).transpose(0, 2, 1)),
    ((2, 4, 6), ["space_to_batch=1,2,3", "batch_to_space=1,2,3"], lambda a: a),
    ((2, 4, 6), ["space_to_batch=1,2,1"],
     lambda a: np.concatenate([a[:, 0::2], a[:, 1::2]])),
    ((6, 2, 3), ["batch_to_space=1,1,2"],
     lambda a: np.stack([a[:3], a[3:]], -1).reshape(3, 2, 6)),
    ((2, 3), ["tile=2,3"], lambda a: np.tile(a, (2, 3))),
    ((2, 3, 4), ["repeat=1,3"], lambda a: np.repeat(a, 3, 1)),
    ((2, 50), ["window=1,20,10"], lambda a: SLIDE(a, 20, 1)[:, ::10]),
    ((3, 5, 6), ["diagonal=1,1,2"], lambda a: np.diagonal(a, 1, 1, 2)),
    ((3, 5, 6), ["diagonal=-2,-1,0"], lambda a: np.diagonal(a, -2, -1, 0)),
    ((3, 5, 6), ["move_axis=0,-1"], lambda a: np.moveaxis(a, 0, -1)),
    ((3, 5, 6), ["swap_axes=-1,0"], lambda a: np.swapaxes(a, -1, 0)),
]


class Blocks(Case):
    def test_operations(self):
        for shape, steps, expected in OPERATIONS:
            with self.subTest(steps=steps):
                array = np.arange(int(np.prod(shape)), dtype="i4").reshape(shape)
                np.save("in.npy", array)
                self.succeeds("run", "in.npy", "out.npy", *steps)
                np.testing.assert_array_equal(np.load("out.npy"), expected(array))

    def test_chain_is_one_launch(self):
        np.save("in.npy", np.zeros((2, 12, 6, 10), "f2"))
        facts = json.loads(self.succeeds("explain", "--json", "in.npy", "depth_to_space=2,CRD",
                                         "space_to_depth=4", "channel_shuffle=4", "reshape=2,-1"))
        self.assertEqual((facts["outcome"], facts["launches"]), ("affine", 1))

    def test_refused(self):
        np.save("in.npy", np.zeros((2, 12, 6, 10), "f2"))
        for step, says in (("depth_to_space=5", "25"), ("space_to_depth=4", "6"),
                           ("channel_shuffle=5", "12"), ("tile=1,2", "rank is 4"),
                           ("window=3,11,1", "11"), ("batch_to_space=1,3,1,1", "3")):
            with self.subTest(step=step):
                text = self.refused(FAILED, says, "run", "in.npy", "out.npy", step)
                self.assertIn(f"operation 1 ({step}) at column 1", text)
        self.refused(USAGE, "DCR or CRD", "run", "in.npy", "out.npy", "depth_to_space=2,XYZ")


if __name__ == "__main__":
    need_device()
    main()
