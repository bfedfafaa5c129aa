"""Casts and normalising on the way, against NumPy and ml_dtypes.

SPDX-License-Identifier: Apache-2.0
"""

import os
import unittest

import hypothesis
import hypothesis.strategies as st
import ml_dtypes
import numpy as np

import clreshape as cl
from hosts import counted
from peers import on_device, same

hypothesis.settings.register_profile(
    "clreshape", max_examples=int(os.environ.get("CLRS_PYTHON_EXAMPLES", "200")), deadline=None,
    derandomize=True, suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("clreshape")

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]
FLOATS = [np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
          ml_dtypes.float8_e5m2]


def drawn_tensor(data, dtypes, low=0, high=100):
    dims = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    seed = data.draw(st.integers(0, 1000))
    values = np.random.default_rng(seed).uniform(low, high, dims)
    return values.astype(data.draw(st.sampled_from(dtypes)))


class Casts(unittest.TestCase):
    @hypothesis.given(st.data())
    def test_in_range_every_cast_is_numpys(self, data):
        host = drawn_tensor(data, INTEGERS + FLOATS)
        target = data.draw(st.sampled_from(INTEGERS + FLOATS))
        axes = data.draw(st.permutations(range(host.ndim)))
        device = cl.transpose(on_device(host), axes)
        same(cl.cast(device, target), host.transpose(axes).astype(target))

    @hypothesis.given(st.data())
    def test_integers_wrap(self, data):
        bits = data.draw(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20))
        host = np.array(bits, np.uint64).astype(data.draw(st.sampled_from(INTEGERS)))
        target = data.draw(st.sampled_from(INTEGERS))
        same(cl.cast(on_device(host), target), host.astype(target))

    def test_rules(self):
        host = np.array([-1.5, -0.5, 0.5, 1.5, 2.5, 300, -300], np.float32)
        for rounding, expected in (("even", np.rint), ("zero", np.trunc), ("down", np.floor),
                                   ("up", np.ceil)):
            same(cl.cast(on_device(host), "int16", rounding=rounding),
                 expected(host).astype(np.int16))
        same(cl.cast(on_device(host), "int8", overflow="saturate"),
             np.clip(np.trunc(host), -128, 127).astype(np.int8))
        same(cl.cast(on_device(np.int32([300, -1])), "uint8", overflow="saturate"),
             np.uint8([255, 0]))

    def test_a_cast_to_its_own_type_is_a_view(self):
        device = on_device(counted(3, 4))
        self.assertIs(cl.cast(device, np.float32).base_data, device.base_data)
        self.assertIs(cl.chain(device, "bitcast=i32").base_data, device.base_data)


class Normalizing(unittest.TestCase):
    @hypothesis.given(st.data())
    def test_channels(self, data):
        host = drawn_tensor(data, [np.uint8, np.float32, np.float16])
        axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
        count = host.shape[axis]
        mean, std = (counted(count) * 1.5).tolist(), (counted(count) + 2).tolist()
        along = [1] * host.ndim
        along[axis] = count
        expected = (host.astype(np.float32) - np.float32(mean).reshape(along)) / np.float32(
            std).reshape(along)
        axes = data.draw(st.permutations(range(host.ndim)))
        place = axes.index(axis % host.ndim)
        device = cl.transpose(on_device(host), axes)
        parameter = data.draw(st.sampled_from([list, np.float32,
                                               lambda v: on_device(np.float32(v))]))
        for target in (np.float32, np.float16):
            same(cl.normalize(device, parameter(mean), parameter(std), axis=place, dtype=target),
                 expected.astype(target).transpose(axes))

    def test_a_frame_to_planes(self):
        host = np.random.default_rng(1).integers(0, 256, (2, 48, 64, 3), np.uint8)
        mean, std = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
        expected = (host.astype(np.float32) - np.float32(mean)) / np.float32(std)
        expected = expected.astype(np.float16)
        planes = cl.normalize(on_device(host), mean, std, axis=-1, dtype="float16")
        same(cl.transpose(planes, (0, 3, 1, 2)), expected.transpose(0, 3, 1, 2))
        lazy = cl.asarray(on_device(host)).normalize(mean, std, dtype="float16")
        lazy = lazy.transpose(0, 3, 1, 2)
        same(lazy.to("pyopencl"), expected.transpose(0, 3, 1, 2))
        same(cl.concatenate([lazy, lazy]).to("pyopencl"),
             np.concatenate([expected.transpose(0, 3, 1, 2)] * 2))

    def test_many_channels(self):
        host, mean, std = counted(5, 300), counted(300) / 7, counted(300) / 3 + 1
        same(cl.normalize(on_device(host), mean, std), (host - mean) / std)
        wide = host.astype(np.float64)
        same(cl.normalize(on_device(wide), mean.astype(float), std.astype(float)),
             (wide - mean.astype(float)) / std.astype(float))

    def test_a_parameter_that_is_broadcast(self):
        host, mean = counted(2, 3, 4), counted(3, 1) + 1
        same(cl.normalize(on_device(host), on_device(mean), 2), (host - mean) / 2)

    def test_the_parameters_are_waited_for(self):
        mean = cl.cast(on_device(counted(4)), "float32", copy=True)
        lazy = cl.normalize(cl.asarray(on_device(counted(3, 4))), mean, 1)
        waited = {event.int_ptr for event in lazy.events}
        self.assertLessEqual({event.int_ptr for event in mean.events}, waited)


class Quantizing(unittest.TestCase):
    def test_blocks_as_onnx_has_them(self):
        host = counted(2, 6) - 5
        scale = np.float32([[0.5, 1], [2, 4]])
        wide = np.repeat(scale, 3, 1)
        coded = np.clip(np.rint(host / wide), -128, 127).astype(np.int8)
        device = cl.quantize(on_device(host), on_device(scale), dtype="int8", axis=1, block=3)
        same(device, coded)
        same(cl.dequantize(device, on_device(scale), axis=1, block=3), coded * wide)

    def test_a_zero_point_for_each_channel(self):
        host, zero = counted(3, 4) - 5, np.int8([1, -2, 0, 3])
        coded = np.clip(np.rint(host / np.float32(0.5)) + zero, -128, 127).astype(np.int8)
        for given in (zero.tolist(), on_device(zero)):
            same(cl.quantize(on_device(host), 0.5, given, dtype="int8", axis=-1), coded)
            same(cl.dequantize(on_device(coded), 0.5, given, axis=-1), host)

    def test_four_bits(self):
        host = counted(4, 6, dtype=np.int8) % 16 - 8
        packed = cl.cast(cl.asarray(on_device(host)), "int4").contiguous()
        self.assertEqual((packed.nbytes, packed.dtype), (12, "int4"))
        same(cl.dequantize(packed, 0.5, 1).to("pyopencl"), (host - np.float32(1)) * np.float32(0.5))
        same(cl.cast(packed.transpose(), "int8").to("pyopencl"), host.T)
        with self.assertRaises(TypeError):
            packed.to("pyopencl")


if __name__ == "__main__":
    unittest.main()
