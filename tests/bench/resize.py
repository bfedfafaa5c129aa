# Resized pictures beside OpenCV and Pillow, two threads each, in turn. Every byte of a result is
# compared with the package's.
#
#   PYTHONPATH=build/python python3 tests/bench/resize.py [--rounds N]
#
# Prints a table in Markdown: milliseconds of processor time over all threads, the least and the
# median of all rounds. Other processes change these times less than the times of a clock. Python
# adds some 0.05 ms to each run.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import pathlib
import statistics
import sys
import time

import cv2
import numpy as np
import PIL.Image

import clreshape as cl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
from own import QUEUE, on_device

PILLOW = {"pillow_bilinear": PIL.Image.Resampling.BILINEAR,
          "pillow_bicubic": PIL.Image.Resampling.BICUBIC}
OPENCV = {"opencv_nearest": cv2.INTER_NEAREST, "opencv_linear": cv2.INTER_LINEAR,
          "opencv_linear_exact": cv2.INTER_LINEAR_EXACT}
SIZES = [((1080, 1920, 3), (360, 640)), ((1080, 1920, 3), (640, 640)), ((1080, 1920, 3), (224, 224)),
         ((360, 640, 3), (1080, 1920)), ((1080, 1920), (360, 640))]


def peer_of(name, x, rows, columns):
    if name in OPENCV:
        return lambda: cv2.resize(x, (columns, rows), interpolation=OPENCV[name])
    picture = PIL.Image.fromarray(x)
    return lambda: picture.resize((columns, rows), PILLOW[name])


def run(name, dims, size, rounds):
    x = np.random.default_rng(1).integers(0, 256, dims, "u1")
    into = cl.empty((*size, *dims[2:]), "uint8", QUEUE)
    seen = cl.chain(on_device(x), f"resize={size[0]},{size[1]},{name},axis=0")
    ways = [lambda: cl.copyto(into, seen).wait(), peer_of(name, x, *size)]
    taken = [[], []]
    for i in range(-1, rounds):
        for k in (i % 2, 1 - i % 2):
            begin = time.process_time()
            ways[k]()
            taken[k].append(1000 * (time.process_time() - begin))
    assert np.array_equal(into.get(), np.asarray(ways[1]())), name
    ours, peer = (f"{min(ms[1:]):.2f} / {statistics.median(ms[1:]):.2f}" for ms in taken)
    print(f"| {name} | {dims} to {size} | {ours} | {peer} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    cv2.setNumThreads(2)
    print("| reference | sizes | clreshape | package |\n|---|---|---|---|")
    for name in (*OPENCV, *PILLOW):
        for dims, size in SIZES:
            run(name, dims, size, rounds // (10 if name in PILLOW else 1))


main()
