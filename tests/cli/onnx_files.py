# Small ONNX files by hand: protobuf needs no more than this, and any bytes can be a name.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np

FLOAT = 1


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def declared(name, shape, element=FLOAT):
    dims = b"".join(field(1, field(1, extent)) for extent in shape)
    return field(1, name) + field(2, field(1, field(1, element) + field(2, dims)))


def node(op_type, inputs, outputs, name=""):
    return (b"".join(field(1, text) for text in inputs) +
            b"".join(field(2, text) for text in outputs) + field(3, name) + field(4, op_type))


def model(nodes, inputs, outputs, shape, element=FLOAT, made=None, value_info=b""):
    """Outputs are of the shape of the inputs, or of that in `made`."""
    graph = (b"".join(field(1, one) for one in nodes) + field(2, "graph") +
             b"".join(field(11, declared(name, shape, element)) for name in inputs) +
             b"".join(field(12, declared(name, shape if made is None else made, element))
                      for name in outputs) + value_info)
    return field(1, 7) + field(7, graph) + field(8, field(2, 13))


def tensor(array):
    dims = b"".join(field(1, extent) for extent in array.shape)
    return dims + field(2, FLOAT) + field(9, array.astype("<f4").tobytes())


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def read_elements(path, count):
    """The elements at the end of a TensorProto that this program wrote."""
    with open(path, "rb") as file:
        return np.frombuffer(file.read()[-4 * count:], "<f4")


def external(name, array, **entries):
    """An initializer with data in another file."""
    said = b"".join(field(13, field(1, key) + field(2, str(value)))
                    for key, value in entries.items())
    dims = b"".join(field(1, extent) for extent in array.shape)
    return dims + field(2, FLOAT) + field(8, name) + said + field(14, 1)


def weighted(initializers, nodes, outputs, shape):
    """A model without inputs, with unchanged initializers."""
    graph = (b"".join(field(1, one) for one in nodes) + field(2, "graph") +
             b"".join(field(5, one) for one in initializers) +
             b"".join(field(12, declared(name, shape)) for name in outputs))
    return field(1, 7) + field(7, graph) + field(8, field(2, 13))
