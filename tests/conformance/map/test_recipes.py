"""Every row of src/chain/RECIPES.md: the chain in `clreshape run`, against the package that the row
names, bit for bit. A row without a reference here fails, and so does a reference without a row.

    test_recipes.py PROGRAM

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import PIL.Image
import torch
from torchvision import transforms
from torchvision.transforms import v2

PAGE = pathlib.Path(__file__).parents[3] / "src" / "chain" / "RECIPES.md"
ROW = re.compile(r"^\| (.+) \| `(\w+),([\d,]+)` \| `(.+)` \|$", re.M)
TYPES = {"u8": np.uint8, "i16": np.int16, "f32": np.float32}
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
CLIP = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
BICUBIC = transforms.InterpolationMode.BICUBIC


def of_image(*steps):
    return lambda picture: transforms.Compose(steps)(PIL.Image.fromarray(picture)).numpy()


def letterbox(frame):
    """As Ultralytics does: LetterBox, BGR to RGB, planes, a quotient by 255."""
    small = cv2.resize(frame, (640, 360), interpolation=cv2.INTER_LINEAR)
    boxed = cv2.copyMakeBorder(small, 140, 140, 0, 0, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    planes = torch.from_numpy(np.ascontiguousarray(boxed[..., ::-1].transpose(2, 0, 1)))
    return (planes.float() / 255).half().numpy()


def camera_letterbox(frame):
    return letterbox(cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_NV12))


def frames(sound):
    padded = torch.nn.functional.pad(torch.from_numpy(sound)[None], (200, 200), mode="reflect")[0]
    return padded.unfold(0, 400, 160).numpy()


def ct_window(volume):
    scaled = (volume.astype(np.float32) - np.float32(-160)) / np.float32(240 - -160)
    return np.clip(scaled, 0, 1)


REFERENCES = {
    "torchvision v1: `Resize` of an image, `ToTensor`, `Normalize`":
        of_image(transforms.Resize((224, 224)), transforms.ToTensor(), transforms.Normalize(MEAN, STD)),
    "torchvision v2: `Resize` of an image, `ToImage`, `ToDtype(scale=True)`, `Normalize`":
        of_image(v2.Resize((224, 224)), v2.ToImage(), v2.ToDtype(torch.float32, scale=True),
                 v2.Normalize(MEAN, STD)),
    "timm, evaluation, bicubic, 0.875":
        of_image(transforms.Resize(256, BICUBIC), transforms.CenterCrop(224), transforms.ToTensor(),
                 transforms.Normalize(MEAN, STD)),
    "CLIP (OpenAI's `_transform`)":
        of_image(transforms.Resize(224, BICUBIC), transforms.CenterCrop(224), transforms.ToTensor(),
                 transforms.Normalize(*CLIP)),
    "YOLO letterbox of a BGR frame, in half": letterbox,
    "YOLO letterbox of an NV12 frame of a camera, in half": camera_letterbox,
    "Whisper: frames of a sound, not yet multiplied by the Hann window": frames,
    "CT window from -160 to 240 (MONAI `ScaleIntensityRange`, clip)": ct_window,
    "PyTorch `fake_quantize_per_tensor_affine`, scale 0.0625, zero point 113":
        lambda x: torch.fake_quantize_per_tensor_affine(torch.from_numpy(x), 0.0625, 113, 0, 255).numpy(),
    "3 by 3 convolution as a matrix (`torch.nn.functional.unfold`, padding 1)":
        lambda x: torch.nn.functional.unfold(torch.from_numpy(x), 3, padding=1).numpy(),
}


def source_of(kind, dims):
    rng = np.random.default_rng(11)
    if kind == "u8":
        return rng.integers(0, 256, dims, np.uint8)
    if kind == "i16":
        return rng.integers(-1024, 3072, dims, np.int16)
    return rng.normal(0, 4, dims).astype(np.float32)


def operations(chain):
    """The arguments of the program. A pattern is one argument."""
    return re.findall(r"rearrange=[^=]+->[^=]+$|\S+", chain)


def compare(program, name, kind, dims, chain):
    source = source_of(kind, tuple(map(int, dims.split(","))))
    expected = REFERENCES[name](source)
    with tempfile.TemporaryDirectory() as folder:
        given, made = f"{folder}/in.npy", f"{folder}/out.npy"
        np.save(given, source)
        subprocess.run([program, "run", given, made, *operations(chain)], check=True)
        got = np.load(made)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape), (name, got.dtype, got.shape, expected.shape)
    different = np.count_nonzero(got.view(np.uint8) != np.ascontiguousarray(expected).view(np.uint8))
    assert different == 0, f"{name}: {different} bytes of {got.nbytes} differ"
    print(f"  {name}")


def main(program):
    cv2.ipp.setUseIPP(False)
    rows = ROW.findall(PAGE.read_text())
    names = [row[0] for row in rows]
    assert sorted(names) == sorted(REFERENCES), set(names) ^ set(REFERENCES)
    for row in rows:
        compare(program, *row)


main(sys.argv[1])
