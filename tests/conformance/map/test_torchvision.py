"""Maps on the device against torchvision: a picture of bytes to a normalised tensor, in float and in
half, PyTorch's casts of floats, fake quantisation and resizing, bit for bit.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
import torch
import torchvision
from torchvision.transforms.v2 import functional

from bench import Bench, generator, numbers, require_equal, sizes_of_all_pairs

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def pictures(bench):
    """to_dtype multiplies by 1 / 255, normalize subtracts and divides."""
    for height, width in ((37, 53), (1, 300), (64, 64)):
        image = generator.integers(0, 256, (height, width, 3), np.uint8)
        planes = torch.from_numpy(image).permute(2, 0, 1)
        scaled = functional.to_dtype(planes, torch.float32, scale=True)
        expected = functional.normalize(scaled, MEAN, STD)
        chain = f"cast=f32 scale={1 / 255!r} mean={numbers(MEAN)} std={numbers(STD)} permute=2,0,1"
        got = bench.mapped(image, chain, np.float32, expected.shape)
        require_equal(got, expected.numpy(), "to_dtype and normalize")
        got = bench.mapped(image, chain + " cast=f16", np.float16, expected.shape)
        require_equal(got, expected.half().numpy(), "to_dtype, normalize and half")


def casts(bench):
    """All halves to floats, and floats of any size to halves and bfloat16."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    require_equal(bench.mapped(halves, "cast=f32", np.float32, halves.shape),
                  torch.from_numpy(halves).float().numpy(), "half to float")
    floats = generator.integers(0, 1 << 32, 1 << 16, np.uint32).view(np.float32)
    floats = floats[np.isfinite(floats)]
    require_equal(bench.mapped(floats, "cast=f16", np.float16, floats.shape),
                  torch.from_numpy(floats).half().numpy(), "float to half")
    got = bench.mapped(floats, "cast=bf16 bitcast=u16", np.uint16, floats.shape)
    expected = torch.from_numpy(floats).bfloat16().view(torch.int16).numpy().view(np.uint16)
    require_equal(got, expected, "float to bfloat16")


def fake_quantisation(bench):
    """PyTorch multiplies by the inverse of the scale, and rounds before it adds the zero point."""
    floats = generator.normal(0, 4, (6, 10, 7)).astype(np.float32)
    floats[0] = (generator.integers(-99, 99, (10, 7)) + 0.5) / 16
    given = torch.from_numpy(floats)
    for low, high, zero in ((0, 255, 113), (-128, 127, -5), (-7, 7, 0)):
        scale = generator.uniform(0.01, 0.1, 10).astype(np.float32)
        scale[0] = 0.0625
        zeros = np.full(10, zero, np.int32)
        wholes = torch.fake_quantize_per_tensor_affine(given, float(scale[0]), zero, low, high)
        axes = torch.fake_quantize_per_channel_affine(
            given, torch.from_numpy(scale), torch.from_numpy(zeros), 1, low, high)
        for expected, scales, axis in ((wholes, scale[:1], ""), (axes, scale, ",axis=1")):
            chain = (f"mul={numbers(np.float32(1) / scales)}{axis} round=i32 add={zero} "
                     f"max={low} min={high} sub={zero} mul={numbers(scales)}{axis}")
            got = bench.mapped(floats, chain, np.float32, floats.shape)
            require_equal(got, expected.numpy(), f"fake_quantize, {low} to {high}{axis}")


def resized(bench):
    """interpolate of floats, in planes and in pixels, by all pairs of sizes along each axis."""
    for height, width, rows, columns in sizes_of_all_pairs():
        floats = generator.normal(0, 100, (2, 3, height, width)).astype(np.float32)
        for name, mode, options in (("torch_bilinear", "bilinear", {"align_corners": False}),
                                    ("torch_nearest", "nearest", {}),
                                    ("torch_nearest_exact", "nearest-exact", {})):
            expected = torch.nn.functional.interpolate(torch.from_numpy(floats), (rows, columns), mode=mode,
                                                       **options).numpy()
            chain = f"resize={rows},{columns},{name}"
            got = bench.mapped(floats, chain + ",axis=-2", np.float32, expected.shape)
            require_equal(got, expected, f"{chain} of {floats.shape}")
            pixels = np.ascontiguousarray(floats.transpose(0, 2, 3, 1))
            got = bench.mapped(pixels, chain + " permute=0,3,1,2 cast=f16", np.float16, expected.shape)
            require_equal(got, expected.astype(np.float16), f"{chain} of pixels {pixels.shape}, as halves")


def main():
    bench = Bench()
    print(f"PyTorch {torch.__version__}, torchvision {torchvision.__version__}")
    pictures(bench)
    casts(bench)
    fake_quantisation(bench)
    resized(bench)
    print("  all as their peers")
    bench.library.close()


main()
