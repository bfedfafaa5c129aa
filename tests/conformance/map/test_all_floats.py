"""All 2^32 floats to each narrow type, against NumPy and ml_dtypes (oracle.py):

    test_all_floats.py TARGET...

With a first argument 1/N, where N is odd, the test takes only each N-th run of 65,536 neighbours.
The test then also takes the words that end in 12 zeros, and the neighbours of these words, which
include all ties of narrow types. A part of the words also checks a second dialect, with other
rules.

SPDX-License-Identifier: Apache-2.0
"""

import sys
import warnings

import numpy as np

import binding
import oracle

warnings.simplefilter("ignore")
RUN = 1 << 16


def dialects(to):
    if to in ("F16", "BF16", "F4E2M1", "F6E2M3", "F6E3M2", "BOOL"):
        return ("NUMPY",)
    if to in ("I2", "U2", "I16", "U16", "U32", "U64"):  # oneDNN has none
        return ("ONNX",)
    if oracle.is_float(to):
        return ("NUMPY", "ONNX")
    return ("ONNX", "ONEDNN") if to != "U8" else ("ONEDNN", "ONNX")


def words(every):
    """Runs of words: all words, or a part."""
    for start in range(0, 1 << 32, RUN * every):
        yield np.arange(start, start + RUN, dtype=np.uint64).astype(np.uint32)
    for start in range(0, 1 << 32 if every > 1 else 0, RUN << 12):
        ends = np.arange(start, start + (RUN << 12), 1 << 12, dtype=np.uint64).astype(np.uint32)
        yield from (ends - np.uint32(1), ends, ends + np.uint32(1))


def check(to, dialect, run):
    made = binding.cast(dialect, "F32", to)
    got = binding.apply(made, "F32", run, to)
    wrong = np.flatnonzero(got != oracle.cast(dialect, "F32", to, run))
    for i in wrong[:3]:
        print(f"FAIL {dialect} {run[i]:#010x} to {to} gave {got[i]:#x}")
    return wrong.size


def main(arguments):
    every = 1
    if arguments and arguments[0].startswith("1/"):
        every, arguments = int(arguments[0][2:]), arguments[1:]
    wrong = count = 0
    for to in arguments:
        for dialect in dialects(to)[:1 if every == 1 else 2]:
            for run in words(every):
                wrong += check(to, dialect, run)
                count += run.size
    print(f"{count} floats cast, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
