# Maps of elements during a move, such as camera frames to normalised planes. The basis is the
# faster of clEnqueueCopyBuffer and the library's copy of as many bytes, in turn with the map. Every
# byte of a result is compared with NumPy's.
#
#   PYTHONPATH=build/python python3 tests/bench/preprocess.py [--filter TEXT] [--part N] [--peers]
#
# Prints a table in Markdown: milliseconds, medians. --part N takes one Nth of the outermost dim.
# --peers also times installed peers (preprocess_peers.py). Python adds some 50 us to each run, also
# to the copies, so a fraction of less than a millisecond says little.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import ctypes as C
import pathlib
import statistics
import sys
import time

import numpy as np

import clreshape as cl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
from own import QUEUE, on_device

REPETITIONS, RANDOM, OPENCL = 15, np.random.default_rng(1), C.CDLL("libOpenCL.so.1")
MEAN, STD = np.float32([123.675, 116.28, 103.53]), np.float32([58.395, 57.12, 57.375])
NORMALIZE = "cast=f32 mean=123.675,116.28,103.53 std=58.395,57.12,57.375 "
CROP, CROPPED = "slice=:,28:1052,448:1472 ", np.s_[:, 28:1052, 448:1472]
SCALE, POISON = np.float32(0.02), 0xa5
FRAMES, PLANES, PLANE = (8, 1080, 1920, 3), (8, 3, 1080, 1920), (8, 1080, 1920)
CAMERA = (8, 1620, 1920)  # frames of NV12
CHANNELS, WIDE, MATRIX, Q4_0 = (8, 64, 128, 256), (6144, 4096), (12288, 4096), (12288 * 128, 36)


# ---- what NumPy makes of elements ----

def normalized(x):
    return (x.astype("f4") - MEAN) / STD


def planes(x):
    return normalized(x).transpose(0, 3, 1, 2)


def clamped(x):
    return np.rint(np.clip(x, 0, 255)).astype("u1")


def pixels(x):
    return clamped(x).transpose(0, 2, 3, 1)


def quantized(x, scale=SCALE, zero_point=128):
    return np.clip(np.rint(x / scale) + zero_point, 0, 255).astype("u1")


def rgb(x):
    """RGB of NV12 as OpenCV has it: BT.601 with limited range, in 32-bit integers."""
    rows = x.shape[1] * 2 // 3
    pairs = x[:, rows:].reshape(len(x), rows // 2, -1, 2).astype("i4") - 128
    u, v = np.repeat(np.repeat(pairs, 2, 1), 2, 2).transpose(3, 0, 1, 2)
    y = np.maximum(x[:, :rows].astype("i4") - 16, 0) * 1220542 + (1 << 19)
    sums = np.stack([y + 1673527 * v, y - 852492 * v - 409993 * u, y + 2116026 * u], -1)
    return np.clip(sums >> 20, 0, 255).astype("u1")


def taps(of, to, is_row):
    """Where OpenCV's INTER_LINEAR reads `to` elements of `of`, and the weights, in 2048ths."""
    at = ((np.arange(to) + 0.5) * (1 / (to / of)) - 0.5).astype("f4")
    first = np.floor(at)
    part = at - first
    if not is_row:
        part[(first < 0) | (first >= of - 1)] = 0
    places = [np.clip(first + k, 0, of - 1).astype("i4") for k in range(2)]
    return places, [np.rint(weight * 2048).astype("i4") for weight in (1 - part, part)]


def resized(x, rows=640, columns=640):
    """RGB of NV12, and then OpenCV's INTER_LINEAR."""
    x = rgb(x).astype("i4")
    places, weights = taps(x.shape[2], columns, False)
    lines = sum(x[:, :, at] * weight[:, None] for at, weight in zip(places, weights)) >> 4
    places, weights = taps(x.shape[1], rows, True)
    sums = sum(lines[:, at] * weight[:, None, None] >> 16 for at, weight in zip(places, weights))
    return (sums + 2 >> 2).astype("u1")


def as_bf16(x):
    """The codes, rounded once to nearest, ties to even. None is NaN."""
    bits = x.astype("f8").view("u8")
    bits = (bits + ((1 << 44) - 1) + (bits >> 45 & 1)) >> 45 << 45
    return (bits.view("f8").astype("f4").view("u4") >> 16).astype("u2")


def as_f8e4m3fn(x):
    """The same for numbers of at most 8."""
    bits, size = x.view("u4"), np.abs(x)
    normal = (size.view("u4") + 0x7ffff + (bits >> 20 & 1) >> 20) - (120 << 3)
    return (np.where(size < 2**-6, np.rint(size * 512), normal) + (bits >> 31 << 7)).astype("u1")


# ---- scales that are tensors: what the device sees, NumPy's result, and the bytes that are read ----

def packed(x):
    array = cl.empty(x.shape, "uint4", QUEUE)
    cl.copyto(array, cl.cast(on_device(x), "uint4"))
    return array


def of_blocks(x):
    x, scales = x % 16, RANDOM.random((len(x), x.shape[1] // 32), "f4")
    seen = cl.dequantize(packed(x), on_device(scales), dtype="f16", block=32)
    return seen, (x * np.repeat(scales, 32, 1)).astype("f2"), x.size // 2 + scales.nbytes


def of_q4_0(x, dtype="f2"):
    """Blocks of 18 bytes: a scale, and elements 0, 16, 1, 17 and so on. The scales are read from
    another buffer of such blocks."""
    x, scales = x % 16, RANDOM.random((len(x), 9), "f4").astype("f2")
    seen, host = (one[:, 4:].reshape(len(x), 16, 2).transpose(0, 2, 1) for one in (packed(x), x))
    seen = cl.dequantize(seen, on_device(scales)[:, 0], 8, dtype=np.dtype(dtype), axis=0)
    return seen, ((host - np.float32(8)) * scales[:, :1, None]).astype(dtype), len(x) * 18


def of_columns(x):
    scales = RANDOM.random(x.shape[-1], "f4") + np.float32(0.001)
    seen = cl.quantize(on_device(x), on_device(scales), axis=-1)
    return seen, quantized(x, scales, 0), x.nbytes + scales.nbytes


NV12 = "color=nv12,rgb,opencv "
CASES = {  # type and shape; a chain and NumPy's result of it, or what gives both
    "frames_f32": ("u1", FRAMES, NORMALIZE + "permute=0,3,1,2", planes),
    "frames_f16": ("u1", FRAMES, NORMALIZE + "permute=0,3,1,2 cast=f16",
                   lambda x: planes(x).astype("f2")),
    "frames_swapped": ("u1", FRAMES, CROP + "flip=3 " + NORMALIZE + "permute=0,3,1,2",
                       lambda x: planes(x[CROPPED][..., ::-1])),
    "nv12_rgb": ("u1", CAMERA, NV12, rgb),
    "nv12_f16": ("u1", CAMERA, NV12 + NORMALIZE + "permute=0,3,1,2 cast=f16",
                 lambda x: planes(rgb(x)).astype("f2")),
    "nv12_resized": ("u1", CAMERA, NV12 + "resize=640,640,opencv_linear " + NORMALIZE +
                     "permute=0,3,1,2 cast=f16", lambda x: planes(resized(x)).astype("f2")),
    "frames_in_place": ("u1", FRAMES, NORMALIZE, normalized),
    "frames_cropped": ("u1", FRAMES, CROP + NORMALIZE, lambda x: normalized(x[CROPPED])),
    "planes_to_frames": ("f4", PLANES, "clamp=0,255 cast=uint8,even permute=0,2,3,1", pixels),
    "channels_last": ("f4", CHANNELS, "permute=0,2,3,1 cast=f16",
                      lambda x: x.transpose(0, 2, 3, 1).astype("f2")),
    "f32_to_f16": ("f4", MATRIX, "cast=f16", lambda x: x.astype("f2")),
    "f16_to_f32": ("f2", MATRIX, "cast=f32", lambda x: x.astype("f4")),
    "f32_to_bf16": ("f4", MATRIX, "cast=bf16", as_bf16),
    "f32_to_f8e4m3fn": ("f4", MATRIX, "cast=f8e4m3fn", as_f8e4m3fn),
    "f64_to_f32": ("f8", WIDE, "cast=f32", lambda x: x.astype("f4")),
    "i64_to_f32": ("i8", WIDE, "cast=f32", lambda x: x.astype("f4")),
    "i32_to_bf16": ("i4", MATRIX, "cast=bf16", as_bf16),
    "i16_to_f64": ("i2", WIDE, "cast=f64", lambda x: x.astype("f8")),
    "mean_std_f64": ("f8", WIDE, "mean=0.5 std=3", lambda x: (x - 0.5) / 3),
    "clamp_f32": ("f4", MATRIX, "clamp=-1,1", lambda x: np.clip(x, -1, 1)),
    "mean_scale_f32": ("f4", MATRIX, "mean=0.5 scale=2", lambda x: (x - np.float32(0.5)) * 2),
    "quantize_u8": ("f4", MATRIX, "quantize=uint8,0.02,128", quantized),
    "dequantize_u8": ("u1", MATRIX, "dequantize=f32,0.02,128",
                      lambda x: (x.astype("f4") - 128) * SCALE),
    "transposed_f16": ("f4", MATRIX, "permute=1,0 cast=f16", lambda x: x.T.astype("f2")),
    "transposed_u8": ("f4", MATRIX, "permute=1,0 quantize=uint8,0.02,128", lambda x: quantized(x).T),
    "dequantize_u4": ("u1", MATRIX, of_blocks),
    "q4_0_f16": ("u1", Q4_0, of_q4_0),
    "q4_0_f32": ("u1", Q4_0, lambda x: of_q4_0(x, "f4")),
    "into_plane": ("f4", PLANE, "clamp=0,255 cast=uint8,even", clamped),
    "into_plane_scaled": ("f4", PLANE, of_columns),
    "into_plane_f32": ("u1", PLANE, "cast=f32", lambda x: x.astype("f4")),
    "out_of_plane": ("u1", FRAMES, "slice=:,:,:,1:2 cast=f16", lambda x: x[..., 1:2].astype("f2")),
    "into_room": ("f4", PLANES, "clamp=0,255 cast=uint8,even permute=0,2,3,1", pixels)}


# ---- running ----

def source_of(kind, dims, part):
    dims = (max(1, dims[0] // part),) + dims[1:]
    if kind[0] == "f":
        return (RANDOM.random(dims, "f4") * 16 - 8).astype(kind)
    return RANDOM.integers(0, 256, dims[:-1] + (dims[-1] * int(kind[1]),), "u1").view(kind)


def destination_of(name, expected, dtype):
    """The whole buffer, the elements of the result in the buffer, and the expected buffer
    afterwards."""
    shape, chosen = expected.shape, np.s_[...]
    if name.startswith("into_plane"):
        shape, chosen = shape + (3,), np.s_[..., 0]
    elif name == "into_room":
        shape, chosen = shape[:-1] + (4,), np.s_[..., :3]
    after = np.empty(shape, expected.dtype)
    after.view("u1").fill(POISON)
    whole = cl.to_device(after, QUEUE, dtype=dtype)
    after[chosen] = expected
    return whole, chosen, after


def copy_buffer(given, into):
    event = C.c_void_p()
    code = OPENCL.clEnqueueCopyBuffer(
        *map(C.c_void_p, (QUEUE.int_ptr, given.buffer, into.buffer)), C.c_size_t(0), C.c_size_t(0),
        C.c_size_t(given.shape[0]), 0, None, C.byref(event))
    assert code == 0, f"clEnqueueCopyBuffer failed with {code}"
    return cl.Event(event.value, retain=False)


def medians(ways):
    """Seconds of each way, in an order that changes, after a first run that builds kernels."""
    taken = [[] for _ in ways]
    for i in range(-1, REPETITIONS):
        for k in range(len(ways)):
            way = (i + k) % len(ways)
            begin = time.perf_counter()
            ways[way]().wait()
            taken[way].append(time.perf_counter() - begin)
    return [statistics.median(seconds[1:]) for seconds in taken]


def run(name, part):
    """The line of the table, and the elements that went in."""
    kind, dims, *given = CASES[name]
    x = source_of(kind, dims, part)
    if len(given) == 1:
        seen, expected, read = given[0](x)
    else:
        seen, expected = cl.chain(on_device(x), given[0]), given[1](x)
        read = x.nbytes if name.startswith("nv12") else expected.size * x.itemsize
    whole, chosen, after = destination_of(name, expected, seen.dtype)
    size = (read + expected.nbytes) // 2
    a, b = (on_device(np.full(-(-size // 64) * 64, POISON, "u1")) for _ in range(2))
    move, *copies = medians([lambda: cl.copyto(whole[chosen], seen), lambda: cl.copyto(b, a),
                             lambda: copy_buffer(a, b)])
    if whole.tobytes() != after.tobytes():
        sys.exit(f"{name}: the result is not NumPy's")
    return f"| {name} | {2 * size / 2**20:.1f} | {move * 1e3:.2f} | {min(copies) / move:.2f} |", x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--filter", default="")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--peers", action="store_true")
    given = parser.parse_args()
    print("| case | MiB | ms | of the copy |" + " peers |" * given.peers)
    print("|---|---|---|---|" + "---|" * given.peers)
    for name in filter(lambda name: given.filter in name, CASES):
        line, x = run(name, given.part)
        if given.peers:
            import preprocess_peers
            line += f" {preprocess_peers.times(name, x, CASES[name][-1])} |"
        print(line, flush=True)


if __name__ == "__main__":
    main()
