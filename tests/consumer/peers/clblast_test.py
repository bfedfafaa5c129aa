# Attention's scores of CLBlast on clreshape's views against NumPy: clblast_test.py PROGRAM.
#
# Whole numbers as floats, and channels with a power of two as the root: every sum is exact in any
# order of a GEMM, so the two must be equal.
#
# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys

import numpy as np

CASES = [(2, 5, 3, 16), (1, 1, 1, 4), (3, 33, 4, 64), (2, 128, 12, 64)]  # batch, tokens, heads, channels

random = np.random.default_rng(16)
for batch, tokens, heads, channels in CASES:
    qkv = random.integers(-8, 9, (batch, tokens, 3, heads, channels)).astype(np.float32)
    q, k = qkv[:, :, 0], qkv[:, :, 1]
    wanted = np.einsum("bthd,bshd->bhts", q.astype(np.float64), k) / channels ** 0.5
    run = subprocess.run([sys.argv[1], *map(str, (batch, tokens, heads, channels))],
                         input=qkv.tobytes(), stdout=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.returncode)
    got = np.frombuffer(run.stdout, np.float32).reshape(wanted.shape)
    if not np.array_equal(got, wanted):
        sys.exit(f"{(batch, tokens, heads, channels)}: {np.count_nonzero(got != wanted)} of "
                 f"{got.size} scores differ, by up to {np.abs(got - wanted).max()}")
print("as NumPy has them")
