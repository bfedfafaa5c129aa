# Times a reshape that moves nothing, in clreshape and in NumPy. Both are timed in turn on the same
# cores.
#
#   python3 tests/bench/alias.py [--build build] [--rounds 5]
#
# clreshape's time is the median of `host_costs`: a pattern resolved, a tensor made and released,
# through clrs_enqueue_reshape. NumPy's time is the least of seven, in NumPy's favour:
# array.reshape(16, -1) of a 64 x 64 array, made and released.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import statistics
import subprocess
import timeit

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CALLS, REPEATS = 100000, 7


def numpy_nanoseconds():
    """Of one call. ImportError where there is no NumPy."""
    import numpy
    names = {"array": numpy.zeros((64, 64), numpy.float32)}
    least = min(timeit.repeat("array.reshape(16, -1)", globals=names, number=CALLS,
                              repeat=REPEATS))
    return least / CALLS * 1e9


def our_nanoseconds(program):
    lines = subprocess.run([program], text=True, check=True, stdout=subprocess.PIPE).stdout
    medians = dict(line.split("\t")[:2] for line in lines.splitlines())
    return float(medians["alias"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    program = os.path.join(os.path.abspath(given.build), "tests", "bench", "host_costs")
    rounds = [(our_nanoseconds(program), numpy_nanoseconds()) for _ in range(given.rounds)]
    ratios = [ours / theirs for ours, theirs in rounds]
    ours, theirs = map(statistics.median, zip(*rounds))
    print(f"clrs_enqueue_reshape {ours:.0f} ns, numpy.reshape {theirs:.0f} ns: "
          f"{statistics.median(ratios):.2f} times, at most {max(ratios):.2f}")


if __name__ == "__main__":
    main()
