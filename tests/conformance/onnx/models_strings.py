"""Models that move strings, short ones and long ones.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np

from models import model, node, ok, tensor, unary, with_lists

SHORT = ["", "a", "Zürich", "twelve chars", "\t\n", "日本"]
LONG = ["thirteen char", "a string that does not fit into its view", "x" * 60, "日本語の文字列です"]


def strings(*shape):
    count = int(np.prod(shape))
    texts = [f"{(SHORT + LONG)[i % 10]}{i // 10 or ''}" for i in range(count)]
    return np.array(texts, object).reshape(shape)


def views():
    data = strings(3, 4)
    ok("strings_transpose", *unary("Transpose", 13, data, [data.T]), launches=1)
    ok("strings_reshape", *with_lists("Reshape", 13, data, [("shape", [2, 6])],
                                      [data.reshape(2, 6)]), launches=0)
    lists = [("starts", [-1]), ("ends", [-9]), ("axes", [1]), ("steps", [-2])]
    ok("strings_slice", *with_lists("Slice", 13, data, lists, [data[:, ::-2]]), launches=1)
    ok("strings_split", *unary("Split", 13, data, [data[:, :2], data[:, 2:]], ["a", "b"], axis=1))
    ok("strings_tile", *with_lists("Tile", 13, data, [("repeats", [1, 2])],
                                   [np.concatenate([data, data], 1)]))
    ok("strings_scalar", *unary("Identity", 13, np.array("lonely", object).reshape(()),
                                [np.array("lonely", object).reshape(())]))
    ok("strings_empty", *unary("Transpose", 13, strings(0, 3), [strings(0, 3).T]))
    many = strings(7, 30)
    ok("strings_two_hundred", *unary("Transpose", 13, many, [many.T]), launches=1)
    image = strings(1, 8, 2, 2)
    want = image.reshape(1, 2, 2, 2, 2, 2).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 4)
    ok("strings_depth_to_space", *unary("DepthToSpace", 13, image, [want], blocksize=2))


def together():
    """Concatenates strings from inputs, initializers and constants."""
    a, b, c = strings(2, 3), strings(2, 2)[::-1].copy(), strings(1, 12)[:, 4:].reshape(2, 4)
    nodes = [node("Constant", [], ["c"], value=tensor("", c)),
             node("Transpose", ["a"], ["t"]), node("Transpose", ["t"], ["u"]),
             node("Concat", ["u", "b", "c"], ["y"], axis=1), node("Transpose", ["y"], ["z"])]
    proto = model(nodes, [("a", a)], ["y", "z"], 13, [tensor("b", b)])
    want = np.concatenate([a, b, c], 1)
    ok("strings_concat_from_everywhere", proto, [a], [want, want.T], launches=4)
    texts = [t.encode() for t in SHORT + LONG]
    proto = model([node("Constant", [], ["k"], value_strings=texts),
                   node("Constant", [], ["s"], value_string=texts[-1]),
                   node("Slice", ["k", "f", "l"], ["y"])], [], ["y", "s", "k"], 13,
                  [tensor("f", np.array([4])), tensor("l", np.array([9]))])
    every = np.array(SHORT + LONG, object)
    ok("strings_known", proto, [], [every[4:9], np.array(LONG[-1], object).reshape(()), every],
       launches=0)
    data = strings(2, 2)
    case = with_lists("Pad", 13, data, [("pads", [1, 0, 0, 1]), ("value", np.array("-", object))],
                      [np.array([["-", "-", "-"], ["", "a", "-"], ["Zürich", "twelve chars", "-"]],
                                object)])
    ok("strings_pad", *case)


def make():
    views()
    together()
