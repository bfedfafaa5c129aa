"""Random chains of 1 to 12 movement operations, of every element type and between random layouts,
on the device and in NumPy. Every byte must agree, each move must be at most one pass, and only the
result may be allocated.

Usage: test_random.py [CASES]. CLRS_TEST_SEED and CLRS_TEST_CASES repeat a case.

SPDX-License-Identifier: Apache-2.0
"""

import os
import random
import sys
import time
from collections import Counter

import numpy as np

import clreshape
import device
import draw
import one_pass
import placement

FIRST, FEW_PROGRAMS = 7000000, 7010000  # seeds below draw two types where words have 64 bits


def random_bytes_of(rng):
    def make(size):
        return np.frombuffer(rng.randbytes(size), np.uint8)
    return make


def draw_base(rng, dtype):
    """Bytes before element 0: mostly whole elements, sometimes a number that is no multiple of an
    element."""
    width = max(clreshape.dtype_bits(dtype) // 8, 1)
    return rng.choice((0, 0, 0, width * rng.randint(1, 9), rng.randint(1, 33)))


def target_of(rng, dtype):
    """A buffer with a few bytes around the written bytes. The other bytes must stay unchanged."""
    def make(shape):
        return (draw.placement_of(rng, list(shape), False), draw_base(rng, dtype),
                lambda size: np.frombuffer(rng.randbytes(size + rng.randint(0, 19)), np.uint8))
    return make


def documented_limit(failure):
    """The documented limit that explains a refusal, or None if the refusal is a fault."""
    if failure.status == "UNSUPPORTED" and "in 64-bit arithmetic" in failure.message:
        return "64-bit stack"  # the arguments of a kernel have room for only so many axes
    return None


def run_case(runners, seed, tally):
    rng, variation = random.Random(seed), seed % len(runners)
    runner, dtype = runners[variation], rng.choice(draw.MOVABLE)
    if variation == 3 and seed < FEW_PROGRAMS:  # as dtype_of_two in tests/harness
        dtype = "U2" if clreshape.dtype_bits(dtype) < 8 else "F32"
    dims = draw.dims_of_source(rng)
    source = one_pass.make_source(random_bytes_of(rng), dtype,
                                  draw.placement_of(rng, dims, True), draw_base(rng, dtype))
    chain, _ = draw.chain(rng, np.zeros(dims, np.int8), rng.randint(1, 12))
    mode = rng.choice(("result", "result", "copy", "move", "move"))
    try:
        if mode == "move":
            outcome = runner.move(source, chain, target_of(rng, dtype))
        else:
            outcome = runner.materialize(source, chain, clreshape.COPY_ALWAYS if mode == "copy"
                                         else clreshape.COPY_IF_NEEDED)
    except clreshape.Failure as failure:
        reason = documented_limit(failure)
        if reason is None:
            raise AssertionError(describe(source, chain, mode) + str(failure)) from failure
        tally["unsupported " + reason] += 1
        return
    except (AssertionError, RuntimeError) as failure:
        raise AssertionError(describe(source, chain, mode) + str(failure)) from failure
    tally[f"{outcome.outcome} in {outcome.launches}"] += 1
    tally[f"depth {outcome.depth}"] += 1
    tally["blocked source"] += isinstance(source.placement, placement.Blocked)
    tally["missed alias"] += mode == "result" and outcome.could_alias and outcome.launches > 0
    for name, _ in chain:
        tally["operation " + name] += 1


def describe(source, chain, mode):
    steps = "\n  ".join(f"{name} {arguments}" for name, arguments in chain)
    return f"{mode} of {source.dtype} {source.placement} base {source.base}\n  {steps}\n"


def check_tally(tally, cases):
    """The run tried everything that the test claims to try."""
    for name in draw.RULES:
        one_pass.require(tally["operation " + name] > cases // 100, f"{name} is hardly tried")
    for outcome in ("alias in 0", "affine in 1", "affine in 2", "composed in 1", "empty in 0"):
        one_pass.require(tally[outcome] > 0, f"no plan was {outcome}")
    for key in tally:
        if key.startswith("unsupported"):
            one_pass.require(tally[key] * 50 < cases, f"too often {key}")
    one_pass.require(tally["missed alias"] * 1000 < cases, "too many aliases missed")


def main():
    first = int(os.environ.get("CLRS_TEST_SEED", FIRST))
    cases = int(os.environ.get("CLRS_TEST_CASES", sys.argv[1] if len(sys.argv) > 1 else 5000))
    opencl = device.Device()
    runners = [one_pass.Runner(opencl, variation) for variation in range(4)]
    tally, failures, start = Counter(), 0, time.monotonic()
    for seed in range(first, first + cases):
        try:
            run_case(runners, seed, tally)
        except AssertionError as failure:
            failures += 1
            print(f"CLRS_TEST_SEED={seed} CLRS_TEST_CASES=1: {failure}", flush=True)
            if failures == 20:
                break
    for runner in runners:
        runner.close()
    for key in sorted(tally):
        print(f"{tally[key]:8} {key}")
    print(f"{cases} chains, {failures} wrong, {time.monotonic() - start:.0f} s")
    if failures == 0 and cases >= 1000:
        check_tally(tally, cases)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
