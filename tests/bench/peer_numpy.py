# NumPy as a peer: numpy.copyto of the transposed array. A single thread, because NumPy has no
# parallel copy.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np

import peer


def prepare(case, buffers):
    def function(i):
        source, destination = buffers.source(i), buffers.destination(i)

        def move():
            for view, to in peer.moves_of(case, source, destination, np.transpose):
                np.copyto(to, view)
        return move
    return [function(i) for i in range(len(buffers.sources))], 0


if __name__ == "__main__":
    peer.main("numpy", prepare)
