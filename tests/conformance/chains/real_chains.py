"""The chains of models and of preprocessing. Each has a source, the chain, and the expected values.
A formula over the indices gives the values.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

VIEW, PASS = ("alias", 0), ("affine", 1)  # outcome and launches
COMPOSED = ("composed", 1)  # cut through blocks in more pieces than are worth a launch each
ROWS = {}


def real_chain(cost, dtype="F32"):
    """The function gets a source array and returns (chain, values)."""
    def add(function):
        ROWS[function.__name__] = (cost, dtype, function)
        return function
    return add


ARRAY_TYPES = {"F32": np.uint32, "F16": np.uint16, "BF16": np.uint16, "U8": np.uint8,
               "I64": np.uint64, "BITS128": np.dtype("V16")}


def fill(shape, dtype):
    """Elements whose values tell the places, with random high bits if the type has room. The values
    of a packed type are the places only."""
    if dtype == "I4":
        return np.arange(int(np.prod(shape))).reshape(shape)
    kind = ARRAY_TYPES[dtype]
    count = int(np.prod(shape))
    if kind == np.dtype("V16"):
        words = np.random.default_rng(5).integers(0, 1 << 63, (count, 2), np.int64)
        return words.view(kind).reshape(shape)
    return (np.arange(count, dtype=np.uint64) * 2654435761 % (1 << 32)).astype(kind).reshape(shape)


def by_index(shape, source, index):
    """The array with the element source[index(i, j, ...)] at (i, j, ...)."""
    places = index(*np.indices(shape))
    return source[tuple(np.broadcast_to(place, shape) for place in places)]


# ---- attention ----

@real_chain(VIEW, "F16")
def heads_split_bshd_to_bhsd():
    x = fill((2, 9, 96), "F16")
    y = by_index((2, 12, 9, 8), x, lambda b, h, s, d: (b, s, h * 8 + d))
    return x, [("reshape", (2, 9, 12, 8)), ("permute", (0, 2, 1, 3))], y


@real_chain(PASS, "F16")
def heads_split_and_merged_with_batch():
    x = fill((2, 9, 96), "F16")
    y = by_index((24, 9, 8), x, lambda n, s, d: (n // 12, s, n % 12 * 8 + d))
    return x, [("reshape", (2, 9, 12, 8)), ("permute", (0, 2, 1, 3)), ("reshape", (24, 9, 8))], y


@real_chain(PASS, "BF16")
def heads_merge_bhsd_to_bs_hidden():
    x = fill((2, 12, 9, 8), "BF16")
    y = by_index((2, 9, 96), x, lambda b, s, c: (b, c // 8, s, c % 8))
    return x, [("permute", (0, 2, 1, 3)), ("reshape", (2, 9, 96))], y


@real_chain(VIEW)
def keys_of_packed_qkv():
    x = fill((2, 7, 3 * 4 * 8), "F32")
    y = by_index((2, 4, 8, 7), x, lambda b, h, d, s: (b, s, (4 + h) * 8 + d))
    return x, [("reshape", (2, 7, 3, 4, 8)), ("split", (2, 3, 1)), ("squeeze", (2,)),
               ("permute", (0, 2, 3, 1))], y


@real_chain(PASS)
def values_of_packed_qkv_merged():
    x = fill((2, 7, 3 * 4 * 8), "F32")
    y = by_index((8, 7, 8), x, lambda n, s, d: (n // 4, s, (8 + n % 4) * 8 + d))
    return x, [("reshape", (2, 7, 3, 4, 8)), ("slice", ((2, 2, 3, 1),)), ("squeeze", (2,)),
               ("permute", (0, 2, 1, 3)), ("reshape", (8, 7, 8))], y


@real_chain(VIEW, "F16")
def grouped_query_heads_expanded():
    x = fill((2, 4, 9, 8), "F16")
    y = by_index((2, 4, 3, 9, 8), x, lambda b, k, r, s, d: (b, k, s, d))
    return x, [("unsqueeze", (2,)), ("expand", (2, 4, 3, 9, 8))], y


@real_chain(PASS, "F16")
def grouped_query_heads_repeated():
    x = fill((2, 4, 9, 8), "F16")
    y = by_index((2, 12, 9, 8), x, lambda b, h, s, d: (b, h // 3, s, d))
    return x, [("unsqueeze", (2,)), ("expand", (2, 4, 3, 9, 8)), ("reshape", (2, 12, 9, 8))], y


@real_chain(PASS, "F16")
def grouped_query_heads_by_repeat():
    x = fill((2, 4, 9, 8), "F16")
    y = by_index((2, 12, 9, 8), x, lambda b, h, s, d: (b, h // 3, s, d))
    return x, [("repeat", (1, 3))], y


@real_chain(PASS, "F16")
def kv_cache_blocks_gathered():
    """[blocks, kv heads, head size / 8, block, 8] to [heads, positions, head size]."""
    x = fill((6, 4, 2, 16, 8), "F16")
    y = by_index((4, 96, 16), x, lambda h, s, d: (s // 16, h, d // 8, s % 16, d % 8))
    return x, [("permute", (1, 0, 3, 2, 4)), ("reshape", (4, 96, 16))], y


@real_chain(VIEW, "F16")
def kv_cache_blocks_filled():
    x = fill((96, 4, 16), "F16")
    y = by_index((6, 4, 2, 16, 8), x, lambda n, h, o, s, i: (n * 16 + s, h, o * 8 + i))
    return x, [("reshape", (6, 16, 4, 2, 8)), ("permute", (0, 2, 3, 1, 4))], y


# ---- images ----

@real_chain(PASS)
def pixel_shuffle():
    x = fill((2, 12, 5, 7), "F32")
    y = by_index((2, 3, 10, 14), x,
                 lambda n, c, h, w: (n, c * 4 + h % 2 * 2 + w % 2, h // 2, w // 2))
    return x, [("depth_to_space", (2, 1))], y


@real_chain(PASS)
def pixel_shuffle_by_hand():
    x = fill((2, 12, 5, 7), "F32")
    y = by_index((2, 3, 10, 14), x,
                 lambda n, c, h, w: (n, c * 4 + h % 2 * 2 + w % 2, h // 2, w // 2))
    return x, [("reshape", (2, 3, 2, 2, 5, 7)), ("permute", (0, 1, 4, 2, 5, 3)),
               ("reshape", (2, 3, 10, 14))], y


@real_chain(PASS)
def depth_to_space_dcr():
    x = fill((2, 12, 5, 7), "F32")
    y = by_index((2, 3, 10, 14), x,
                 lambda n, c, h, w: (n, (h % 2 * 2 + w % 2) * 3 + c, h // 2, w // 2))
    return x, [("depth_to_space", (2, 0))], y


@real_chain(PASS)
def pixel_unshuffle():
    x = fill((2, 3, 10, 14), "F32")
    y = by_index((2, 12, 5, 7), x,
                 lambda n, c, h, w: (n, c // 4, h * 2 + c // 2 % 2, w * 2 + c % 2))
    return x, [("space_to_depth", (2, 1))], y


@real_chain(PASS)
def space_to_depth_of_onnx():
    x = fill((2, 3, 10, 14), "F32")
    y = by_index((2, 12, 5, 7), x,
                 lambda n, c, h, w: (n, c % 3, h * 2 + c // 3 // 2, w * 2 + c // 3 % 2))
    return x, [("space_to_depth", (2, 0))], y


@real_chain(PASS, "F16")
def swin_windows():
    x = fill((2, 14, 21, 6), "F16")
    y = by_index((2 * 2 * 3, 49, 6), x, lambda n, p, c: (
        n // 6, n // 3 % 2 * 7 + p // 7, n % 3 * 7 + p % 7, c))
    return x, [("reshape", (2, 2, 7, 3, 7, 6)), ("permute", (0, 1, 3, 2, 4, 5)),
               ("reshape", (12, 49, 6))], y


@real_chain(PASS, "F16")
def swin_windows_reversed():
    x = fill((12, 49, 6), "F16")
    y = by_index((2, 14, 21, 6), x, lambda b, h, w, c: (
        (b * 2 + h // 7) * 3 + w // 7, h % 7 * 7 + w % 7, c))
    return x, [("reshape", (2, 2, 3, 7, 7, 6)), ("permute", (0, 1, 3, 2, 4, 5)),
               ("reshape", (2, 14, 21, 6))], y


@real_chain(PASS)
def vit_patches():
    x = fill((2, 3, 12, 8), "F32")
    y = by_index((2, 6, 48), x, lambda n, p, e: (
        n, e % 3, p // 2 * 4 + e // 12, p % 2 * 4 + e // 3 % 4))
    return x, [("reshape", (2, 3, 3, 4, 2, 4)), ("permute", (0, 2, 4, 3, 5, 1)),
               ("reshape", (2, 6, 48))], y


@real_chain(PASS)
def dit_unpatchify():
    x = fill((2, 6, 2 * 2 * 4), "F32")
    y = by_index((2, 4, 6, 4), x, lambda n, c, h, w: (
        n, h // 2 * 2 + w // 2, (h % 2 * 2 + w % 2) * 4 + c))
    return x, [("reshape", (2, 3, 2, 2, 2, 4)), ("permute", (0, 5, 1, 3, 2, 4)),
               ("reshape", (2, 4, 6, 4))], y


@real_chain(PASS)
def shuffled_channels():
    x = fill((2, 12, 5, 3), "F32")
    y = by_index((2, 12, 5, 3), x, lambda n, c, h, w: (n, c % 3 * 4 + c // 3, h, w))
    return x, [("channel_shuffle", (1, 3))], y


@real_chain(VIEW)
def channels_last_around_a_reshape():
    """NHWC seen as NCHW, the pixels merged, and back: no byte moves."""
    x = fill((2, 4, 5, 6), "F32")
    y = by_index((2, 20, 6), x, lambda n, p, c: (n, p // 5, p % 5, c))
    return x, [("permute", (0, 3, 1, 2)), ("reshape", (2, 6, 20)), ("permute", (0, 2, 1))], y


@real_chain(PASS)
def channels_last_to_first_and_split():
    x = fill((2, 4, 5, 6), "F32")
    y = by_index((2, 2, 3 * 20), x,
                 lambda n, g, e: (n, e % 20 // 5, e % 5, g * 3 + e // 20))
    return x, [("permute", (0, 3, 1, 2)), ("reshape", (2, 2, 60))], y


@real_chain(PASS, "U8")
def rgb_flip_and_planes_in_a_row():
    x = fill((9, 7, 3), "U8")
    y = by_index((1, 189), x, lambda n, e: (e % 63 // 7, e % 7, 2 - e // 63))
    return x, [("flip", (2,)), ("permute", (2, 0, 1)), ("flatten", (0,))], y


@real_chain(VIEW, "U8")
def rgb_flip_and_planes_as_a_view():
    x = fill((9, 7, 3), "U8")
    y = by_index((3, 9, 7), x, lambda c, h, w: (h, w, 2 - c))
    return x, [("flip", (2,)), ("permute", (2, 0, 1))], y


@real_chain(COMPOSED)
def batch_to_space_cropped():
    x = fill((12, 3, 4, 2), "F32")
    y = by_index((2, 5, 10, 2), x, lambda n, h, w, c: (
        (((h + 1) % 2) * 3 + (w + 1) % 3) * 2 + n, (h + 1) // 2, (w + 1) // 3, c))
    return x, [("batch_to_space", ((1, 2, 3, 1), (0, 1, 1, 0), (0, 0, 1, 0)))], y


@real_chain(PASS)
def space_to_batch_of_blocks():
    x = fill((2, 6, 12, 2), "F32")
    y = by_index((12, 3, 4, 2), x, lambda n, h, w, c: (
        n % 2, h * 2 + n // 6, w * 3 + n // 2 % 3, c))
    return x, [("space_to_batch", ((1, 2, 3, 1),))], y


# ---- signals ----

@real_chain(VIEW)
def im2col_as_a_view():
    x = fill((2, 3, 7, 9), "F32")
    y = by_index((2, 3, 3, 3, 5, 7), x, lambda n, c, i, j, h, w: (n, c, h + i, w + j))
    return x, [("window", (2, 3, 1)), ("window", (3, 3, 1)), ("permute", (0, 1, 4, 5, 2, 3))], y


@real_chain(PASS)
def im2col_as_a_matrix():
    x = fill((2, 3, 7, 9), "F32")
    y = by_index((2, 27, 12), x, lambda n, k, p: (
        n, k // 9, p // 4 * 2 + k // 3 % 3, p % 4 * 2 + k % 3))
    return x, [("window", (2, 3, 2)), ("window", (3, 3, 2)), ("permute", (0, 1, 4, 5, 2, 3)),
               ("reshape", (2, 27, 12))], y


@real_chain(VIEW)
def frames_with_overlap():
    x = fill((2, 400), "F32")
    y = by_index((2, 39, 20), x, lambda n, f, t: (n, f * 10 + t))
    return x, [("window", (1, 20, 10))], y


@real_chain(PASS)
def frames_in_one_batch():
    x = fill((2, 400), "F32")
    y = by_index((78, 20), x, lambda f, t: (f // 39, f % 39 * 10 + t))
    return x, [("window", (1, 20, 10)), ("reshape", (78, 20))], y


@real_chain(VIEW, "I64")
def diagonals_of_a_batch():
    x = fill((3, 5, 7), "I64")
    y = by_index((3, 5), x, lambda n, i: (n, i, i + 1))
    return x, [("diagonal", (1, 1, 2))], y


@real_chain(PASS, "BITS128")
def wide_elements_tiled():
    x = fill((3, 4), "BITS128")
    y = by_index((6, 12), x, lambda i, j: (i % 3, j % 4))
    return x, [("tile", (2, 3))], y


# ---- blocked layouts, and packed weights: blocks spelled as dims ----

@real_chain(PASS)
def blocked_channels_to_flat():
    """The bytes of nChw16c [2, 32, 3, 5] to [2, 32 * 15]."""
    x = fill((2, 2, 3, 5, 16), "F32")
    y = by_index((2, 480), x, lambda n, e: (n, e // 240, e % 15 // 5, e % 5, e // 15 % 16))
    return x, [("permute", (0, 1, 4, 2, 3)), ("reshape", (2, 480))], y


@real_chain(VIEW)
def blocked_channels_keep_their_blocks():
    """nChw16c with merged pixels: the blocked dim stays whole, so no byte moves. Seen as the dims
    of the axes, which a strided layout can express."""
    x = fill((2, 2, 3, 5, 16), "F32")
    y = by_index((2, 2, 16, 15), x, lambda n, o, i, p: (n, o, p // 5, p % 5, i))
    return x, [("permute", (0, 1, 4, 2, 3)), ("reshape", (2, 2, 16, 15))], y


@real_chain(PASS)
def weights_into_blocks():
    """oihw [32, 32, 3, 3] to the bytes of OIhw16i16o."""
    x = fill((32, 32, 3, 3), "F32")
    y = by_index((2, 2, 3, 3, 256), x, lambda o, i, h, w, b: (
        o * 16 + b % 16, i * 16 + b // 16, h, w))
    return x, [("reshape", (2, 16, 2, 16, 3, 3)), ("permute", (0, 2, 4, 5, 3, 1)),
               ("reshape", (2, 2, 3, 3, 256))], y


@real_chain(PASS, "I4")
def packed_weights_transposed_after_a_reshape():
    x = fill((64, 48), "I4")
    y = by_index((24, 128), x, lambda i, j: ((j * 24 + i) // 48, (j * 24 + i) % 48))
    return x, [("reshape", (128, 24)), ("permute", (1, 0)), ("flatten", (1,))], y


@real_chain(PASS, "I4")
def packed_weights_of_odd_rows_transposed():
    x = fill((15, 33), "I4")
    y = by_index((11, 5, 9), x, lambda i, j, k: ((j * 99 + k * 11 + i) // 33,
                                                 (j * 99 + k * 11 + i) % 33))
    return x, [("reshape", (5, 9, 11)), ("permute", (2, 0, 1)), ("reshape", (55, 9)),
               ("reshape", (11, 5, 9))], y
