# What a reshape that moves nothing costs the caller, here and in NumPy, in turn on the same cores:
#
#   python3 tests/bench/alias.py [--build build] [--rounds 5]
#
# Ours are medians of `clreshape bench --latency`: a pattern resolved, a tensor made and released,
# through clrs_enqueue_reshape, and the same of a known shape through a view. NumPy's is the least
# of seven, in its favour: array.reshape(16, -1) of a 64 x 64 array, made and released. The first
# line of compare.py's own summary of small things is one round of this.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import statistics
import subprocess
import timeit

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WAYS = {"alias": "clrs_enqueue_reshape", "alias_of_view": "clrs_tensor_with_view"}
CALLS, REPEATS = 100000, 7


def numpy_nanoseconds():
    """Of one call. ImportError where there is no NumPy."""
    import numpy
    names = {"array": numpy.zeros((64, 64), numpy.float32)}
    least = min(timeit.repeat("array.reshape(16, -1)", globals=names, number=CALLS,
                              repeat=REPEATS))
    return least / CALLS * 1e9


def our_nanoseconds(program):
    """{name of a row of bench --latency: its median}"""
    text = subprocess.run([program, "bench", "--latency", "--tsv"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    return {line.split("\t")[0]: float(line.split("\t")[1]) for line in text.splitlines()[1:-1]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    program = os.path.join(os.path.abspath(given.build), "clreshape")
    rounds = [(our_nanoseconds(program), numpy_nanoseconds()) for _ in range(given.rounds)]
    print(f"{'':22} {'ns':>6} {'of NumPy':>9} {'most':>6}")
    for name, what in WAYS.items():
        ratios = [ours[name] / theirs for ours, theirs in rounds]
        print(f"{what:22} {statistics.median(ours[name] for ours, _ in rounds):6.0f} "
              f"{statistics.median(ratios):9.2f} {max(ratios):6.2f}")
    print(f"{'numpy.reshape':22} {statistics.median(theirs for _, theirs in rounds):6.0f}")


if __name__ == "__main__":
    main()
