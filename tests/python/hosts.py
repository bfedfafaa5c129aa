"""Arrays on the host for the tests.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np


def counted(*shape, dtype=np.float32):
    """0, 1, 2, ... in a shape, modulo the number of values of the type."""
    return np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape).astype(dtype)
