"""The chains of real_chains.py on the device: each chain is one launch or none, every value is
right, and each view shares the source's bytes.

SPDX-License-Identifier: Apache-2.0
"""

import sys

import numpy as np

import clreshape
import device
import one_pass
import operations
import placement
from real_chains import PASS, ROWS, VIEW


def check_aliasing(runner, source, chain):
    """Data written through one tensor is read through the other."""
    buffer, tensor, places = runner.apply(source, chain)
    result, event = runner.clrs.materialize(tensor, clreshape.COPY_NEVER)
    runner.device.finish(event)
    fresh = np.random.default_rng(11).integers(0, 256, source.content.size, np.uint8)
    runner.device.write(buffer.handle, fresh)
    seen = runner.device.read(result.storage.buffer, source.content.size)
    width = clreshape.dtype_bits(source.dtype) // 8
    layout = one_pass.layout_positions(clreshape.layout_of_view(result.view))
    one_pass.require(np.array_equal(seen.reshape(-1, width)[layout],
                                    fresh.reshape(-1, width)[places]), "the alias shows old bytes")
    mark = np.full(source.content.size, 0xA5, np.uint8)
    runner.device.write(result.storage.buffer, mark)
    one_pass.require(np.array_equal(buffer.read(), mark), "a write through the alias is lost")


def run_row(runner, name):
    cost, dtype, function = ROWS[name]
    array, chain, expected = function()
    if dtype == "I4":
        moved = operations.apply_numpy(chain, array)
        one_pass.require(np.array_equal(moved, expected), "the chain is not what it is meant to be")
        where = placement.Strided(array.shape, one_pass.dense_strides(array.shape))
        source = one_pass.make_source(np.random.default_rng(3).bytes, dtype, where)
        source = source._replace(content=np.frombuffer(source.content, np.uint8))
        outcome = runner.materialize(source, chain, clreshape.COPY_ALWAYS)
    else:
        source = one_pass.dense_source(dtype, array)
        outcome = runner.compare_values(source, chain, expected)
    one_pass.require(outcome[:2] == cost, f"{outcome.outcome}, {outcome.launches} launches")
    if cost == VIEW:
        check_aliasing(runner, source, chain)
    print(f"{outcome.outcome:6} {outcome.launches} launches  {name}")


def check_padded_space_to_batch(runner):
    """OpenVINO's SpaceToBatch with pads: the border is written first, the rest is a view."""
    array = np.arange(2 * 5 * 7, dtype=np.float32).reshape(2, 5, 7)
    padded = np.pad(array, ((0, 0), (1, 2), (2, 0)), constant_values=-1)
    chain = [("space_to_batch", ((1, 4, 3),))]
    source = one_pass.dense_source("F32", array)
    target = one_pass.dense_source("F32", np.full(padded.shape, 99, np.float32))
    _from, tensor, _places = runner.apply(source, [])
    into, border, _places = runner.apply(target, [])
    runner.device.finish(runner.clrs.pad(tensor, border, (0, 1, 2),
                                            np.float32(-1).tobytes()))
    one_pass.require(np.array_equal(into.read(), padded.view(np.uint8).reshape(-1)), "the border")
    outcome = runner.compare_values(one_pass.dense_source("F32", padded), chain, np.stack(
        [padded[n % 2, n // 6::4, n // 2 % 3::3] for n in range(24)]))
    one_pass.require(outcome[:2] == PASS, f"{outcome.outcome}, {outcome.launches} launches")


def main():
    runner = one_pass.Runner(device.Device())
    failures = 0
    for name in ROWS:
        try:
            run_row(runner, name)
        except (AssertionError, clreshape.Failure) as failure:
            failures += 1
            print(f"FAILED {name}: {failure}")
    check_padded_space_to_batch(runner)
    runner.close()
    print(f"{len(ROWS)} chains, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
