#!/usr/bin/env python3
"""Runs ONNX's node tests of movement and of maps of elements through the program, from the newest
onnx package on PyPI, bit for bit. Prints the tests that run, and the skipped tests with the
reasons.

    newest.py PROGRAM FOLDER

Makes a virtual environment in FOLDER, installs the package there, and continues with the
environment's Python. A later run uses the existing environment. If no registry can be reached, the
test is skipped with 77.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import re
import subprocess
import sys

# Every case of these names is run, or listed in LEFT_OUT.
FAMILY = ["reshape", "flatten", "squeeze", "unsqueeze", "transpose", "expand", "slice", "split",
          "concat", "tile", "identity", "depthtospace", "depth_to_space", "spacetodepth",
          "space_to_depth"]
# Families of maps of elements, treated in the same way.
MAPS = ["cast", "castlike", "bitcast", "quantizelinear", "dequantizelinear", "clip", "add", "sub",
        "mul", "div"]
# Resize and Upsample.
PICTURES = ["resize", "upsample"]
# More cases of movement and of arithmetic on integers.
MORE = ["constant", "constant_pad", "constant_pad_axes", "constant_pad_negative_axes",
        "edge_pad", "reflect_pad", "wrap_pad", "constantofshape_int_zeros", "constantofshape_int_shape_zero",
        "constantofshape_float_ones", "shape", "size", "gather_0", "gather_1", "gather_2d_indices",
        "gather_negative_indices", "range_int32_type_negative_delta", "where_long_example",
        "mod_mixed_sign_int64", "mod_int64_fmod", "div_int32", "div_uint8", "equal"]
NAN_OF_FLOAT4 = "its data casts NaN to -0; ONNX's page on float4 says the largest number, as we do"
SUMS = "its data are sums of doubles, and ours sums of floats as ONNX Runtime's"
LESS = "Less and Where of floating-point data"
LEFT_OUT = {
    "identity_opt": "an optional, not a tensor",
    "identity_sequence": "a sequence, not a tensor",
    "split_to_sequence": "SplitToSequence makes a sequence",
    "cast_FLOAT_to_FLOAT4E2M1": NAN_OF_FLOAT4,
    "cast_FLOAT16_to_FLOAT4E2M1": NAN_OF_FLOAT4,
    "castlike_FLOAT_to_FLOAT4E2M1": NAN_OF_FLOAT4,
    "castlike_FLOAT16_to_FLOAT4E2M1": NAN_OF_FLOAT4,
    **{f"resize_{way}_{by}_cubic": "cubic" for way in ("downsample", "upsample") for by in ("scales", "sizes")},
    "resize_tf_crop_and_resize": "its roi",
    "resize_downsample_scales_linear_antialias": "antialias",
    "resize_downsample_sizes_linear_antialias": "antialias",
    "resize_downsample_scales_linear_align_corners": SUMS,
    "resize_downsample_sizes_linear_pytorch_half_pixel": SUMS,
    "resize_upsample_scales_linear_align_corners": SUMS,
    "resize_upsample_scales_linear_half_pixel_symmetric": SUMS,
    "clip_expanded": LESS,
    "clip_default_max_expanded": LESS,
    "clip_default_min_expanded": LESS,
    "clip_example_expanded": LESS,
    "clip_inbounds_expanded": LESS,
    "clip_min_greater_than_max_expanded": LESS,
    "clip_outbounds_expanded": LESS,
    "clip_splitbounds_expanded": LESS,
}
FEWEST = 369  # in onnx 1.23


def python_with_onnx(folder):
    """The Python of a virtual environment with the package, or None if the environment cannot be
    made."""
    environment = folder / "venv"
    python = environment / "bin" / "python"
    if python.exists() and subprocess.run([python, "-c", "import onnx, ml_dtypes"],
                                          stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return python
    for command in ([sys.executable, "-m", "venv", "--clear", environment],
                    [python, "-m", "pip", "install", "--quiet", "onnx", "ml_dtypes"]):
        if subprocess.run(command, check=False).returncode != 0:
            return None
    return python


def belongs(name):
    """The cases of an operator: the name alone, or the name and a case."""
    return any(re.fullmatch(rf"{op}(_.*)?", name) for op in FAMILY + MAPS + PICTURES) or name in MORE


def reason(name):
    for prefix, why in LEFT_OUT.items():
        if name.startswith(prefix):
            return why
    return None


def write(folder, stem, values, infos):
    import numpy as np
    from onnx import TensorProto, numpy_helper
    paths = []
    for i, (value, info) in enumerate(zip(values, infos)):
        path = folder / f"{stem}_{i}.pb"
        array = numpy_helper.to_array(value) if isinstance(value, TensorProto) else value
        proto = numpy_helper.from_array(np.asarray(array), info.name)
        path.write_bytes(proto.SerializeToString())
        paths.append(path)
    return paths


def check(folder, paths):
    """None, or the difference."""
    import onnx
    for i, path in enumerate(paths):
        want = onnx.load_tensor(path)
        got = onnx.load_tensor(folder / f"output_{i}.pb")
        for field in ("name", "data_type", "dims", "raw_data", "string_data"):
            if getattr(got, field) != getattr(want, field):
                return f"output {i}: {field} differs"
    return None


def run(program, folder, case):
    graph = case.model.graph
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for inputs, outputs in case.data_sets:
        inputs = write(folder, "input", inputs, graph.input)
        outputs = write(folder, "expected", outputs, graph.output)
        for i in range(len(outputs)):
            (folder / f"output_{i}.pb").write_bytes(b"older contents")
        done = subprocess.run([program, "onnx", folder / "model.onnx", *inputs, "-o", folder],
                              capture_output=True, text=True, check=False)
        wrong = done.stderr.strip() if done.returncode else check(folder, outputs)
        if wrong:
            return wrong
    return None


def main(program, folder):
    import onnx
    from onnx.backend.test.case.node import collect_testcases
    cases = {case.name[len("test_"):]: case for case in collect_testcases(None)}
    passed = failed = 0
    for name in sorted(filter(belongs, cases)):
        if reason(name):
            print(f"left out {name}: {reason(name)}")
            continue
        wrong = run(program, folder, cases[name])
        print(f"FAIL {name}: {wrong}" if wrong else f"ok   {name}")
        failed, passed = failed + bool(wrong), passed + (not wrong)
    print(f"onnx {onnx.__version__}: {passed} cases passed, {failed} failed; at least {FEWEST}")
    return 0 if failed == 0 and passed >= FEWEST else 1


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[2])
    place.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 3:
        sys.exit(main(sys.argv[1], place))
    interpreter = python_with_onnx(place)
    if interpreter is None:
        print("the onnx package cannot be installed here")
        sys.exit(77)
    os.execv(interpreter, [interpreter, __file__, *sys.argv[1:3], "go"])
