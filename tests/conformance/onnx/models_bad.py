"""Models and tensors that must fail, each with words of the error.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
from onnx import AttributeProto, TensorProto, helper

from models import NEWEST, ROW, X, bad, counting, model, node, ok, tensor, unary, with_lists

# -------------------------------------------------------------------------------------- bad input

def bad_nodes():
    x = [tensor("", X)]

    def fails(name, opset, message, *nodes, data=X, constants=()):
        bad(name, model(nodes, [("x", data)], ["y"], opset, constants), [tensor("", data)], message)

    def list_fails(name, op, opset, lists, message, outputs=("y",), data=X, **attributes):
        proto, arrays, _ = with_lists(op, opset, data, lists, [], outputs, **attributes)
        bad(name, proto, [tensor("", a) for a in arrays], message)

    def unary_fails(name, op, opset, message, outputs=("y",), data=X, **attributes):
        fails_proto, _, _ = unary(op, opset, data, [], outputs, **attributes)
        bad(name, fails_proto, [tensor("", data)], message)

    fails("unknown_operator", 13, 'node 0 "n1" (Relu): the operator is not',
          node("Relu", ["x"], ["y"], name="n1"))
    fails("unknown_domain", 13, 'domain "com.example"',
          node("Reshape", ["x", "x"], ["y"], domain="com.example"))
    fails("operator_too_new", 7, "since opset 8; the model has opset 7",
          node("Expand", ["x", "x"], ["y"]))
    unary_fails("unknown_attribute", "Identity", 13, 'attribute "blah"', blah=1)
    unary_fails("allowzero_before_14", "Reshape", 13, "inputs", allowzero=1)
    list_fails("allowzero_in_13", "Reshape", 13, [("shape", [-1])], 'attribute "allowzero"',
               allowzero=1)
    list_fails("allowzero_2", "Reshape", 14, [("shape", [-1])], "allowzero is 2", allowzero=2)
    unary_fails("reshape_attribute_in_5", "Reshape", 5, "it has 1 inputs", shape=[24])
    list_fails("reshape_input_in_1", "Reshape", 1, [("shape", [24])], "it has 2 inputs")
    unary_fails("reshape_1_without_shape", "Reshape", 1, "attribute shape is missing")
    unary_fails("attribute_of_other_type", "Flatten", 13, "attribute axis has AttributeType 7",
                axis=[1])
    unary_fails("squeeze_axes_attribute_in_13", "Squeeze", 13, 'attribute "axes"', axes=[0])
    unary_fails("squeeze_1_negative_axis", "Squeeze", 1, "axis -1 is negative", axes=[-1],
                data=ROW)
    unary_fails("unsqueeze_1_negative_axis", "Unsqueeze", 1, "axis -1 is negative", axes=[-1])
    unary_fails("unsqueeze_11_without_axes", "Unsqueeze", 11, "attribute axes is missing")
    unary_fails("flatten_9_negative_axis", "Flatten", 9, "axis -1 is negative", axis=-1)
    unary_fails("flatten_axis_past_the_rank", "Flatten", 13, "4", axis=4)
    unary_fails("transpose_repeated_axis", "Transpose", 13, "Transpose", perm=[0, 0, 1])
    unary_fails("transpose_short_perm", "Transpose", 13, "Transpose", perm=[1, 0])
    unary_fails("transpose_negative_axis", "Transpose", 13, "axis -1 is negative",
                perm=[0, 1, -1])
    list_fails("squeeze_axis_not_1", "Squeeze", 13, [("axes", [1])], "Squeeze")
    list_fails("expand_does_not_broadcast", "Expand", 13, [("shape", [2, 2, 4])], "Expand")
    list_fails("expand_negative", "Expand", 13, [("shape", [-1])], "-1")
    list_fails("expand_too_large", "Expand", 13, [("shape", [2**40])], "2 GiB",
               data=np.zeros(1, np.int16))
    list_fails("expand_overflows", "Expand", 13, [("shape", [2**40, 2**40])], "64 bits",
               data=np.zeros(1, np.int16))
    reshape_values(list_fails)
    slices_and_splits(list_fails, unary_fails)
    bad_graphs(fails, x)


def reshape_values(list_fails):
    for name, values, message in (
            ("two_minus_ones", [-1, -1], "-1"), ("below_minus_one", [-2, 12], "-2"),
            ("does_not_divide", [-1, 7], "7"), ("count_mismatch", [5, 5], "25"),
            ("zero_past_the_rank", [2, 3, 4, 0], "0"), ("overflow", [2**40, 2**40], "64")):
        list_fails(f"reshape_{name}", "Reshape", 13, [("shape", values)], message)
    list_fails("reshape_pattern_of_int32", "Reshape", 13, [("shape", np.array([24], np.int32))],
               'input "shape": its type is int32; only int64')
    list_fails("reshape_pattern_of_rank_2", "Reshape", 13, [("shape", np.array([[24]]))],
               'input "shape": it has 2 dims')
    list_fails("reshape_pattern_of_33", "Reshape", 13, [("shape", [1] * 33)], "33 values")


def slices_and_splits(list_fails, unary_fails):
    list_fails("slice_step_0", "Slice", 13,
               [("starts", [0]), ("ends", [1]), ("axes", [0]), ("steps", [0])], "step")
    list_fails("slice_lengths_differ", "Slice", 13, [("starts", [0]), ("ends", [1, 2])],
               "ends has 2 values and starts has 1")
    list_fails("slice_axis_out_of_range", "Slice", 13,
               [("starts", [0]), ("ends", [1]), ("axes", [3])], "3")
    list_fails("slice_of_floats", "Slice", 13,
               [("starts", np.zeros(1, np.float32)), ("ends", [1])], "only int32 or int64")
    list_fails("slice_too_many_axes", "Slice", 13, [("starts", [0] * 4), ("ends", [1] * 4)], "3")
    unary_fails("slice_1_without_ends", "Slice", 1, "attribute ends is missing", starts=[0])
    unary_fails("slice_1_many_starts", "Slice", 1, "33 values", starts=[0] * 33, ends=[1] * 33)
    two = ("y", "z")
    unary_fails("split_2_unequal", "Split", 2, "does not split into 2 equal parts", two, axis=1)
    unary_fails("split_13_unequal", "Split", 13, "does not split into 2 equal parts", two, axis=1)
    unary_fails("split_11_wrong_sum", "Split", 11, "do not add up to 2", two, split=[1, 2])
    unary_fails("split_11_short_sum", "Split", 11, "do not add up to 2", two, split=[1, 0])
    unary_fails("split_11_negative", "Split", 11, "value 0 of split is -1", two, split=[-1, 3])
    unary_fails("split_11_other_count", "Split", 11, "3 values for 2 outputs", two,
                split=[1, 1, 0])
    unary_fails("split_axis_out_of_range", "Split", 13, "axis 3", two, axis=3)
    unary_fails("split_scalar", "Split", 13, "rank 0", two, data=np.float32(1))
    unary_fails("split_18_neither", "Split", 18, "there is neither", two)
    list_fails("split_18_both", "Split", 18, [("split", [1, 1])], "there are both", two,
               num_outputs=2)
    unary_fails("split_18_other_number", "Split", 18, "num_outputs is 3", two, num_outputs=3)
    unary_fails("split_18_negative_last_part", "Split", 18, "5", ("a", "b", "c", "d", "y"), axis=2,
                num_outputs=5, data=counting(1, 1, 6))
    list_fails("split_1_fraction", "Split", 1, [("split", np.array([0.5, 1.5], np.float32))],
               "0.5 is not a whole number", two, data=counting(2, dtype=np.float32))


def bad_graphs(fails, x):
    identity = node("Identity", ["x"], ["y"])
    fails("dangling_input", 13, 'its input "nowhere"', node("Identity", ["nowhere"], ["y"]))
    fails("input_of_a_later_node", 13, 'computed by node 1 "" (Identity), which comes later', node("Identity", ["z"], ["y"]),
          node("Identity", ["x"], ["z"]))
    fails("cycle", 13, 'its input "y" is computed by node 0 "" (Identity), which needs this node',
          node("Identity", ["y"], ["y"]))
    fails("value_defined_twice", 13, '"y" is defined twice', identity, identity)
    fails("value_redefines_input", 13, '"x" is defined twice', node("Identity", ["x"], ["x"]))
    fails("output_of_no_node", 13, 'output 0 of the graph, "y"', node("Identity", ["x"], ["z"]))
    fails("output_without_name", 13, "without a name", node("Identity", ["x"], [""]))
    fails("two_outputs", 13, "it has 2 outputs", node("Identity", ["x"], ["y", "z"]))
    fails("input_left_out", 13, "input 0 is left out", node("Reshape", ["", "x"], ["y"]))
    known = node("Constant", [], ["k"], value_int=1)
    for op in ("Min", "Max"):
        fails("variadic_%s_left_out" % op.lower(), 13, "input 1 is left out", known,
              node(op, ["k", "", "k"], ["y"]))
        fails("variadic_%s_ends_left_out" % op.lower(), 13, "input 1 is left out", known,
              node(op, ["k", ""], ["y"]))
    fails("mod_of_no_kind", 13, "fmod is 2; it must be 0 or 1", known,
          node("Mod", ["k", "k"], ["y"], fmod=2))
    fails("cast_without_a_type", 13, "attribute to is missing", known, node("Cast", ["k"], ["y"]))
    list_of_two = node("Constant", [], ["l"], value_ints=[0, 1])
    fails("gather_axis_out_of_range", 13, "axis 3 is out of range for rank 3",
          list_of_two, node("Gather", ["x", "l"], ["y"], axis=3))
    fails("broadcast_axis_out_of_range", 6, "axis is 1; it must be 0 to 0",
          node("Shape", ["x"], ["s"]), node("Add", ["s", "s"], ["y"], axis=1, broadcast=1))
    fails("range_of_no_step", 11, "delta", node("Size", ["x"], ["n"]),
          node("Sub", ["n", "n"], ["d"]), node("Range", ["n", "n", "d"], ["y"]))
    fails("sparse_constant", 13, "sparse_value", sparse_constant())
    fails("constant_without_value", 13, "it has 0 values", node("Constant", [], ["y"]))
    fails("constant_with_two", 13, "it has 2 values",
          node("Constant", [], ["y"], value_int=1, value_float=1.0))
    fails("constant_form_too_new", 11, 'attribute "value_int"',
          node("Constant", [], ["y"], value_int=1))
    double = node("Flatten", ["x"], ["y"], axis=1)
    double.attribute.append(double.attribute[0])
    fails("attribute_twice", 13, "attribute axis is given twice", double)
    reference = node("Flatten", ["x"], ["y"], axis=1)
    reference.attribute[0].ref_attr_name = "outer"
    fails("attribute_of_a_function", 13, "in no function", reference)
    bad_models(identity, x)


def sparse_constant():
    attribute = AttributeProto(name="sparse_value", type=AttributeProto.SPARSE_TENSOR)
    attribute.sparse_tensor.dims.append(3)
    result = node("Constant", [], ["y"])
    result.attribute.append(attribute)
    return result


def bad_models(identity, x):
    def simple(**options):
        return model([identity], [("x", X)], ["y"], options.pop("opset", 13), **options)

    bad("too_few_inputs", simple(), [], "1 inputs that are no initializers, but 0")
    bad("too_many_inputs", simple(), x * 2, "1 inputs that are no initializers, but 2")
    bad("opset_too_new", simple(opset=NEWEST + 1), x, f"opset {NEWEST + 1} is not one of 1 to")
    bad("opset_negative", simple(opset=-1), x, "opset -1")
    bad("opset_missing", simple(opset=0), x, "does not name the default domain")
    twice = simple()
    twice.opset_import.add(domain="ai.onnx", version=13)
    bad("opset_twice", twice, x, "twice")
    bad("no_ir_version", simple(ir_version=0), x, "ir_version is 0")
    unsaid = simple()
    unsaid.ClearField("ir_version")
    bad("ir_version_missing", unsaid, x, "ir_version is 0")
    bad("number_of_11_bytes", b"\x08" + b"\x80" * 10 + b"\x01", x, "does not fit in 64 bits")
    bad("empty_model", b"", x, "no graph")
    bad("model_is_a_tensor", x[0], x, "model.onnx")
    bad("model_without_output", model([identity], [("x", X)], [], 13), x, "no output")
    sparse = simple()
    sparse.graph.sparse_initializer.add()
    bad("sparse_initializer", sparse, x, "sparse_initializer")
    whole = simple().SerializeToString()
    bad("model_cut_off", whole[:-3], x, "broken protobuf at byte")
    bad("model_with_garbage_after", whole + b"\x07", x, "broken protobuf at byte")
    two_graphs = whole + whole[whole.index(b"\x3a"):]
    bad("two_graphs", two_graphs, x, "occurs twice")
    deep = b""
    for _ in range(200):  # a type in a type: sequence_type (4), elem_type (1)
        deep = nested(4, nested(1, deep))
    bad("nested_too_deep", nested(7, nested(11, nested(2, deep))), x, "nested more than 64 deep")
    sequence = simple()
    sequence.graph.input[0].type.sequence_type.elem_type.tensor_type.elem_type = 5
    bad("sequence_input", sequence, x, 'input "x" is declared as a sequence')
    twice = simple(initializers=[tensor("w", X), tensor("w", X)])
    bad("initializer_twice", twice, x, '"w" is defined twice')


def nested(field, data):
    size = len(data)
    length = b""
    while size >= 128:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([field << 3 | 2]) + length + bytes([size]) + data


def bad_tensors():
    def fails(name, proto, message, data=X):
        kind = helper.np_dtype_to_tensor_dtype(np.asarray(data).dtype)
        simple = model([node("Identity", ["x"], ["y"])], [("x", data)], ["y"], 25)
        simple.graph.input[0].type.tensor_type.elem_type = kind
        simple.graph.input[0].type.tensor_type.ClearField("shape")
        bad("tensor_" + name, simple, [proto], message)

    raw = tensor("t", X)
    fails("raw_too_short", tensor("t", X, raw_data=raw.raw_data[:-1]), "raw_data has 47 bytes")
    fails("raw_too_long", tensor("t", X, raw_data=raw.raw_data + b"\0"), "raw_data has 49 bytes")
    fails("cut_off", raw.SerializeToString()[:-1], "broken protobuf at byte")
    fails("not_protobuf", b"\x93NUMPY\x01\x00", "not a TensorProto")
    fails("empty_file", b"", "it has no data_type")
    fails("without_data", TensorProto(dims=[2], data_type=TensorProto.INT16),
          "int32_data has 0 values; its dims and data_type int16 need 2")
    fails("wrong_wire_type", b"\x4d\x00\x00\x00\x00", "wrong wire type")
    fails("type_unknown", tensor("t", X, data_type=99), "99")
    fails("type_undefined", tensor("t", X, data_type=0), "it has no data_type")
    text = TensorProto(dims=[2], data_type=TensorProto.STRING, string_data=[b"a"])
    fails("string_short", text, "string_data has 1 values; its dims need 2")
    text = TensorProto(dims=[1], data_type=TensorProto.STRING, raw_data=b"0123456789abcdef")
    fails("string_raw", text, "it has raw_data, but elements of type string are in string_data")
    external = TensorProto(dims=[2], data_type=TensorProto.INT16,
                           data_location=TensorProto.EXTERNAL)
    external.external_data.add(key="location", value="weights.bin")
    fails("external", external, "external_data")
    segment = tensor("t", X)
    segment.segment.begin = 0
    segment.segment.end = 24
    fails("segment", segment, "segment")
    wrong = TensorProto(dims=[1], data_type=TensorProto.INT16, float_data=[1.0])
    fails("other_field", wrong, "it has float_data, but elements of type int16 are in int32_data")
    both = tensor("t", X)
    both.int32_data.extend(range(24))
    fails("two_fields", both, "both int32_data and raw_data")
    for name, kind, field, value in (("int16", "INT16", "int32_data", 32768),
                                     ("bool", "BOOL", "int32_data", 2),
                                     ("uint8", "UINT8", "int32_data", -1),
                                     ("int4", "INT4", "int32_data", 256),
                                     ("uint32", "UINT32", "uint64_data", 2**32)):
        proto = TensorProto(dims=[1], data_type=getattr(TensorProto, kind))
        getattr(proto, field).append(value)
        fails(f"value_of_{name}", proto, f"value 0 of its data is {value}, which is not a {name}")
    fails("negative_dim", TensorProto(dims=[-2, 3], data_type=5, raw_data=b"\0"), "-2")
    fails("dims_overflow", TensorProto(dims=[2**32, 2**32], data_type=5, raw_data=b"\0"), "64")
    fails("bits_overflow", TensorProto(dims=[2**62], data_type=15, raw_data=b"\0"), "2^64 bits")
    fails("rank_33", TensorProto(dims=[1] * 33, data_type=5, raw_data=b"\0\0"), "33")
    fails("other_type", tensor("t", X.astype(np.int8)),
          "its data_type is 3; the model declares elem_type 5")
    proto = model([node("Identity", ["x"], ["y"])], [("x", X)], ["y"], 13)
    bad("tensor_other_rank", proto, [tensor("t", counting(24))],
        "it has 1 dims; the model declares 3")
    shape = proto.graph.input[0].type.tensor_type.shape
    shape.dim[1].dim_value = 5
    bad("tensor_other_dim", proto, [tensor("t", X)], "dimension 1 is 3; the model declares 5")


def declared(name, kind, dims):
    """X transposed, int16 [4,3,2], by a model that declares its output like this."""
    proto = model([node("Transpose", ["x"], ["y"])], [("x", X)], [], 13)
    proto.graph.output.append(helper.make_tensor_value_info(name, kind, dims))
    return proto


def bad_outputs():
    x = [tensor("", X)]
    bad("output_of_other_type", declared("y", TensorProto.INT64, None), x,
        'output 0 "y": its data_type is 5; the model declares elem_type 7')
    proto = declared("y", TensorProto.INT16, None)
    proto.graph.output[0].type.sequence_type.elem_type.tensor_type.elem_type = TensorProto.INT16
    bad("output_of_sequence", proto, x, "it is a tensor; the model declares a sequence")
    known = model([node("Shape", ["x"], ["y"])], [("x", X)], [], 13)
    known.graph.output.append(helper.make_tensor_value_info("y", TensorProto.INT64, [4]))
    ok("output_declared_stale_on_the_host", known, [X], [np.array(X.shape)], launches=0)
    for name, kind, dims in (("exact", TensorProto.INT16, [4, 3, 2]),
                             ("named", TensorProto.INT16, ["n", 3, "n"]),
                             ("unknown", TensorProto.INT16, [None, 3, None]),
                             ("negative", TensorProto.INT16, [-1, 3, -1]),
                             ("stale_dim", TensorProto.INT16, ["n", 3, 3]),
                             ("stale_rank", TensorProto.INT16, [24]),
                             ("stale_no_rank", TensorProto.INT16, []),
                             ("untyped", TensorProto.UNDEFINED, [4, 3, 2]),
                             ("without_shape", TensorProto.INT16, None)):
        ok(f"output_declared_{name}", declared("y", kind, dims), [X], [X.T])


def make():
    bad_nodes()
    bad_tensors()
    bad_outputs()
