# PyTorch as a peer: copy_ from the permuted tensor, on the CPU.
#
# SPDX-License-Identifier: Apache-2.0
import torch

import peer

TYPES = {8: "uint8", 16: "float16", 32: "float32", 64: "float64"}


def tensor_of(array):
    return torch.from_numpy(array.view(TYPES[array.itemsize * 8]))


def prepare(case, buffers):
    if min(case.strides + case.result_strides) < 0:
        raise peer.Unsupported("PyTorch has no negative strides")

    def function(i):
        source = torch.as_strided(tensor_of(buffers.sources[i]), case.shape, case.strides,
                                  case.offset)
        destination = torch.as_strided(tensor_of(buffers.destinations[i]), case.result_dims,
                                       case.result_strides, case.result_offset)

        def move():
            for view, to in peer.moves_of(case, source, destination, torch.permute):
                to.copy_(view)
        return move
    return [function(i) for i in range(len(buffers.sources))], 0


if __name__ == "__main__":
    torch.set_num_threads(peer.THREADS)
    peer.main("torch", prepare)
