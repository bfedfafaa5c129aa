"""Asks NumPy whether a reshape is a view, and for the place of every element after a chain.

    generate.py reshapes FILE COUNT   one line per case: layout, target, "view" and strides or "copy"
    generate.py chains FILE COUNT     one line per case: layout, operations, resulting dims and a hash

A layout is `offset rank dims... strides...` in elements. Seeds and files are the same in each run.
SPDX-License-Identifier: Apache-2.0
"""

import random
import sys

import numpy as np
from numpy.lib.stride_tricks import as_strided

STORAGE = np.arange(1 << 17, dtype=np.int64)  # the value of an element is its position


def random_dims(rng, max_rank, max_dim, max_count):
    dims, left = [], max_count
    for _ in range(rng.randint(0, max_rank)):
        dims.append(0 if rng.random() < 0.01 else rng.randint(1, min(max_dim, left)))
        left //= max(dims[-1], 1)
    return dims


def nested_strides(rng, dims):
    """Dims nested in some order, perhaps with gaps, perhaps backwards, perhaps broadcast."""
    order = list(range(len(dims)))
    if rng.random() < 0.6:
        rng.shuffle(order)
    else:
        order.reverse()
    strides, stride = [0] * len(dims), rng.choice([1, 1, 1, 2, 3])
    padded = rng.random() < 0.4
    for d in order:
        strides[d] = stride if dims[d] != 1 or rng.random() < 0.5 else rng.randint(-777, 777)
        stride *= max(dims[d], 1) + (rng.randint(0, 2) if padded else 0)
    for d in range(len(dims)):
        if rng.random() < 0.12:
            strides[d] = -strides[d]
        elif rng.random() < 0.08:
            strides[d] = 0
    return strides


def random_layout(rng, max_rank, max_dim, max_count):
    while True:
        dims = random_dims(rng, max_rank, max_dim, max_count)
        strides = nested_strides(rng, dims)
        if rng.random() < 0.05:
            strides = [rng.randint(-6, 6) for _ in dims]
        reach = [(n - 1) * s for n, s in zip(dims, strides) if n > 0]
        low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
        offset = -low + rng.randint(0, 9)
        if offset + high < len(STORAGE):
            return offset, dims, strides


def array_of(offset, dims, strides):
    return as_strided(STORAGE[offset:], dims, [s * 8 for s in strides])


def random_factors(rng, count):
    """Dims with the given product, with dims of 1 in between."""
    rank, dims = rng.randint(1, 5), []
    left = count if count else rng.randint(1, 24)
    for _ in range(rank - 1):
        dims.append(rng.choice([d for d in range(1, 13) if left % d == 0]))
        left //= dims[-1]
    dims.append(left if count else 0)
    rng.shuffle(dims)
    return [] if count == 1 and rng.random() < 0.3 else dims


def numbers(values):
    return " ".join(str(int(v)) for v in values)


def listed(values):
    return f"{len(values)} {numbers(values)}".strip()


def reshape_case(rng):
    offset, dims, strides = random_layout(rng, 6, 12, 400)
    array = array_of(offset, dims, strides)
    target = random_factors(rng, array.size)
    view = array.view()
    try:
        view.shape = tuple(target)  # NumPy's way to say: without a copy, or not at all
        answer = "view " + numbers(s // 8 for s in view.strides)
    except AttributeError:
        answer = "copy"
    return f"{offset} {listed(dims)} {numbers(strides)} {listed(target)} {answer}"


def op_reshape(rng, a):
    target = random_factors(rng, a.size)
    return f"reshape {listed(target)}", a.reshape(target)


def op_permute(rng, a):
    axes = rng.sample(range(a.ndim), a.ndim)
    return f"permute {listed(axes)}", a.transpose(axes)


def op_squeeze(rng, a):
    axes = [d for d in range(a.ndim) if a.shape[d] == 1 and rng.random() < 0.6]
    if not axes:
        return "squeeze 0", np.squeeze(a)
    return f"squeeze {listed(axes)}", np.squeeze(a, tuple(axes))


def op_unsqueeze(rng, a):
    count = rng.randint(1, 2)
    axes = rng.sample(range(a.ndim + count), count)
    return f"unsqueeze {listed(axes)}", np.expand_dims(a, tuple(axes))


def op_flatten(rng, a):
    axis = rng.randint(0, a.ndim)
    rows = int(np.prod(a.shape[:axis], dtype=np.int64))
    columns = int(np.prod(a.shape[axis:], dtype=np.int64))
    return f"flatten 1 {axis}", a.reshape(rows, columns)


def op_expand(rng, a):
    target = [rng.randint(1, 3) for _ in range(rng.randint(0, 1))]
    target += [rng.randint(1, 4) if n == 1 else rng.choice([n, n, 1]) for n in a.shape]
    result = np.broadcast_to(a, np.broadcast_shapes(a.shape, tuple(target)))
    return f"expand {listed(target)}", result


def op_slice(rng, a):
    index, text = [slice(None)] * a.ndim, []
    for d in rng.sample(range(a.ndim), rng.randint(0, a.ndim)):
        n, step = a.shape[d], rng.choice([-3, -2, -1, 1, 1, 2, 3])
        start, end = sorted(rng.randint(-1, n + 1) for _ in range(2))
        if step < 0:
            start, end = end, start
        python_end = None if step < 0 and end < 0 else max(end, 0)
        start = max(start, 0)
        index[d] = slice(start, python_end, step)
        onnx_end = -(1 << 63) if python_end is None else python_end
        text.append(f"{d} {start} {onnx_end} {step}")
    return " ".join([f"slice {len(text)}"] + text), a[tuple(index)]


def op_flip(rng, a):
    axes = [d for d in range(a.ndim) if rng.random() < 0.4]
    return f"flip {listed(axes)}", np.flip(a, tuple(axes))


def op_split(rng, a):
    if a.ndim == 0:
        return op_permute(rng, a)
    axis = rng.randrange(a.ndim)
    parts = rng.randint(1, 3)
    size = -(-a.shape[axis] // parts)
    while size * (parts - 1) > a.shape[axis]:
        parts -= 1
        size = -(-a.shape[axis] // parts)
    which = rng.randrange(parts)
    pieces = np.split(a, [size * i for i in range(1, parts)], axis)
    return f"split 3 {axis} {parts} {which}", pieces[which]


OPERATIONS = [op_reshape, op_reshape, op_permute, op_permute, op_squeeze, op_unsqueeze, op_flatten,
              op_expand, op_slice, op_slice, op_flip, op_split]


def fnv(array):
    """FNV-1a over 64-bit words, the positions in row-major order."""
    value = 0xCBF29CE484222325
    for position in array.ravel().tolist():
        value = ((value ^ position) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def chain_case(rng):
    offset, dims, strides = random_layout(rng, 5, 12, 200)
    array, texts = array_of(offset, dims, strides), []
    while len(texts) < rng.randint(1, 8):
        text, result = rng.choice(OPERATIONS)(rng, array)
        dies = result.size == 0 and array.size > 0
        if result.size > 600 or result.ndim > 12 or (dies and rng.random() < 0.95):
            continue
        texts.append(text)
        array = result
    steps = f"{len(texts)} {' '.join(texts)}"
    return f"{offset} {listed(dims)} {numbers(strides)} {steps} {listed(array.shape)} {fnv(array)}"


def main():
    kind, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(f"clreshape {kind}")
    case = {"reshapes": reshape_case, "chains": chain_case}[kind]
    with open(path, "w", encoding="ascii") as file:
        for _ in range(count):
            print(case(rng), file=file)


if __name__ == "__main__":
    main()
