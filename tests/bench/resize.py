# Resized pictures, colours, and a camera's pipeline beside OpenCV, Pillow, PyTorch and OpenVINO, two
# threads each, in turn. Every byte of a result is compared with the package's.
#
#   python3 -m venv build/peers
#   build/peers/bin/pip install numpy opencv-python-headless pillow openvino torch
#   PYTHONPATH=build/python build/peers/bin/python tests/bench/resize.py [--rounds N] [--filter TEXT]
#
# Prints a table in Markdown: milliseconds, the least / the median of all rounds, by the clock and of
# processor time over all threads. Other processes change the processor time less. A call of
# clreshape is kept and enqueued with a wait, of which Python takes some 0.05 ms. The peers of the
# camera's pipeline need PyTorch and OpenVINO.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import ctypes as C
import pathlib
import statistics
import sys
import time

import cv2
import numpy as np
import PIL.Image

import clreshape as cl
import preprocess_peers as peers
from clreshape import _library, _moves, _padded

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
from own import QUEUE, on_device

PILLOW = {"pillow_bilinear": PIL.Image.Resampling.BILINEAR,
          "pillow_bicubic": PIL.Image.Resampling.BICUBIC}
OPENCV = {"opencv_nearest": cv2.INTER_NEAREST, "opencv_linear": cv2.INTER_LINEAR,
          "opencv_linear_exact": cv2.INTER_LINEAR_EXACT}
SIZES = [((1080, 1920, 3), (360, 640)), ((1080, 1920, 3), (640, 640)), ((1080, 1920, 3), (224, 224)),
         ((360, 640, 3), (1080, 1920)), ((1080, 1920), (360, 640))]
NV12, BOXED = (1620, 1920), "pad=140,0,0,value=114 permute=2,0,1 "
CAMERA = "color=nv12,rgb,opencv resize=360,640,opencv_linear " + BOXED + "cast=f32 std=255 cast=f16"


def kept(x, chain):
    """The array of the result, and a call that enqueues the chain, kept in a work, and waits."""
    operations, at = _padded.place(chain)
    made = cl.chain(x, chain)
    if at is None:
        into = cl.empty(made.shape, made.dtype, QUEUE)
        batch = cl.Batch([(into, made)], queue=QUEUE)
        return into, lambda: batch.enqueue().wait()
    front = cl.chain(x, " ".join(operations[:at]))
    border = _padded.border(operations[at], front)[1]
    padding = border.padding(" ".join(operations[at + 1:]))
    work = _moves.prepared_work(made._tensor.context, lambda handle: _library.call(
        "work_pad", handle, front._tensor.handle, C.byref(padding), made._tensor.handle))
    return made, lambda: _moves.work([front], [made], work, QUEUE, ()).wait()


def resized_by(name, x, rows, columns):
    """A call of the package that returns the result."""
    if name in OPENCV:
        into = np.empty((rows, columns, *x.shape[2:]), x.dtype)
        return lambda: cv2.resize(x, (columns, rows), into, interpolation=OPENCV[name])
    picture = PIL.Image.fromarray(x)
    return lambda: picture.resize((columns, rows), PILLOW[name])


def by_openvino(x):
    """The camera's frame by clreshape's references of OpenVINO, in two passes."""
    frames = cl.chain(x, "color=nv12,rgb,openvino cast=f32").copy()
    return cl.chain(frames, f"resize=360,640,openvino_linear {BOXED}std=255 cast=f16").get()[None]


def cases():
    """The name, the picture, the chain, and for each package a call with the right result if other
    than clreshape's."""
    draw = np.random.default_rng(1).integers
    frame = draw(0, 256, NV12, "u1")
    camera = {}
    if peers.torch:
        camera["OpenCV, PyTorch"] = peers.opencv_camera(frame), None
    if peers.ov:
        camera["OpenVINO"] = peers.openvino_camera(frame), by_openvino
    yield "camera", frame, CAMERA, camera
    pixels = np.empty((1080, 1920, 3), np.uint8)
    yield "nv12 to rgb", frame, "color=nv12,rgb,opencv", {
        "OpenCV": (lambda: cv2.cvtColor(frame, cv2.COLOR_YUV2RGB_NV12, pixels), None)}
    for name in (*OPENCV, *PILLOW):
        for dims, (rows, columns) in SIZES:
            x = draw(0, 256, dims, "u1")
            yield (f"{name}, {' x '.join(map(str, dims))} to {rows} x {columns}", x,
                   f"resize={rows},{columns},{name},axis=0",
                   {"OpenCV" if name in OPENCV else "Pillow": (resized_by(name, x, rows, columns), None)})


def times(ways, rounds):
    """Milliseconds of each way in each round, by the clock and of the processor."""
    taken = [[] for _ in ways]
    for i in range(-1, rounds):
        for k in range(len(ways)):
            way = (i + k) % len(ways)
            begin = time.perf_counter(), time.process_time()
            ways[way]()
            taken[way].append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
    return [1000 * np.array(each[1:]) for each in taken]


def run(name, x, chain, packages, rounds):
    x = on_device(x)
    into, ours = kept(x, chain)
    taken = times([ours, *(call for call, _ in packages.values())], rounds)
    for package, (call, right) in packages.items():
        assert np.array_equal(right(x) if right else into.get(), np.asarray(call())), (name, package)
    for way, ms in zip(["clreshape", *packages], taken):
        cells = (f"{min(each):.2f} / {statistics.median(each):.2f}" for each in ms.T)
        print(f"| {name} | {way} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--filter", default="")
    given = parser.parse_args()
    cv2.setNumThreads(peers.THREADS)
    print("| case | by | clock, ms | processor, ms |\n|---|---|---|---|")
    for name, *case in cases():
        if given.filter in name:
            run(name, *case, given.rounds // (10 if name.startswith("pillow") else 1))


main()
