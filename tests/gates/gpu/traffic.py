"""Runs the launches of cases.txt in PTX and compares the figures with traffic.txt:

    traffic.py LIST_VARIANTS LAUNCHES FOLDER [--write]

For each case, in the classes that the planner chooses, three figures are counted. First, sectors of
32 bytes that a warp's access to global memory touches, over the bytes that the work-items want. The
minimum is 1.00, or less if work-items want the same bytes, and reading and writing are counted
apart. Second, turns of shared memory over the turns without bank conflicts. Third, PTX instructions
of warps for each KiB written. Every written byte is compared with the result of NumPy, or of
clrs_map_apply for a map. A figure over the limit fails. A figure a fifth under the limit also
fails, because the limit is then useless. --write saves today's figures.

SPDX-License-Identifier: Apache-2.0
"""

import collections
import json
import os
import shutil
import subprocess
import sys

import numpy as np

import compiled
from ptx import DESTINATION, SOURCE, Kernel
from variants import Variant, list_variants
from warps import Launch

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "traffic.txt")
# The 16 steps of a map and the zero point may be tensors.
ADDRESSES = {"source": SOURCE, "destination": DESTINATION, "indices": 1 << 47, "flag": 9 << 44,
             "words": 10 << 44,
             **{f"tensor{i}": (16 + i) << 44 for i in range(17)}}
COLUMNS = ("read", "write", "banks", "instructions")
MARGIN, SLACK = 1.05, 0.8


# ---- what a case means ----

def numbers(text):
    return [int(word) for word in text.split(",")]


def read_cases():
    cases = {}
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as file:
        for words in (line.split("#")[0].split() for line in file):
            if words:
                cases[words[0]] = dict(word.split("=", 1) for word in words[2:])
    return cases


def positions(dims, strides, offset):
    """Position of every element, in row-major order."""
    if strides is None:
        return np.arange(np.prod(dims)) + offset
    grid = np.indices(dims).reshape(len(dims), -1)
    return np.tensordot(np.array(strides), grid, 1) + offset


def elements(data, bits):
    """Rows of bytes, or of parts of a byte, the low part first."""
    if bits >= 8:
        return data.reshape(-1, bits // 8)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return (data[:, None] >> shifts & ((1 << bits) - 1)).astype(np.uint8).reshape(-1, 1)


def together(parts, bits):
    """The way back."""
    if bits >= 8:
        return parts.reshape(-1)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return np.bitwise_or.reduce(parts.reshape(-1, len(shifts)) << shifts, axis=1).astype(np.uint8)


class Sides:
    """Random buffers for a case, and the expected destination."""

    def __init__(self, case, bits):
        rng = np.random.default_rng(1)
        dims = numbers(case["dims"])
        strides = {key: numbers(case[key]) if key in case else None for key in ("from", "to")}
        first = positions(dims, strides["from"], int(case.get("at", 0)))
        shape = numbers(case["shape"]) if "shape" in case else dims
        self.value = np.resize(rng.integers(0, 256, max(bits, 8) // 8, np.uint8), 16)
        self.source = rng.integers(0, 256, self.size(first, bits), np.uint8)
        self.buffers = {}
        if "fill" in case:
            source, to = np.zeros_like(first), first
            self.source = self.value
        elif "indices" in case:
            source = self.gathered(first.reshape(dims), case, rng)
            to = np.arange(source.size)
        else:
            source, to = first, positions(shape, strides["to"], 0)
        self.destination = rng.integers(0, 256, self.size(to, bits), np.uint8)
        parts = elements(self.destination, bits).copy()
        parts[to] = elements(self.source, bits)[source]
        self.expected = together(parts, bits)
        self.buffers.update(source=self.source, destination=self.destination)

    def gathered(self, places, case, rng):
        """The places that random indices name. Negative indices count from the end."""
        axis = int(case.get("axis", 0))
        most = places.shape[axis]
        indices = rng.integers(-most, most, numbers(case["indices"]), np.int32)
        self.buffers["indices"] = indices.reshape(-1).view(np.uint8)
        return places.take(indices, axis).reshape(-1)

    @staticmethod
    def size(at, bits):
        return -(-(int(at.max()) + 1) * bits // 8)


class MappedSides:
    """The buffers of a map from launches.c, and the destination from clrs_map_apply."""

    def __init__(self, data):
        self.buffers = {name: np.frombuffer(bytes.fromhex(digits), np.uint8).copy()
                        for name, digits in data.items()}
        self.destination, self.expected = self.buffers["destination"], self.buffers.pop("expected")
        self.value = b""


# ---- what a launch does ----

def bytes_of(argument, value):
    """An argument is the name of a buffer or of the value, a number, or the digits of other bytes."""
    if argument == "value":
        return bytes(value)
    argument = ADDRESSES.get(argument, argument)
    return argument.to_bytes(8, "little") if isinstance(argument, int) else bytes.fromhex(argument)


def pack_arguments(kernel, launch, value):
    """The kernel's parameters in order."""
    packed = bytearray(kernel.parameter_bytes)
    for (at, size), argument in zip(kernel.parameters.values(), launch["arguments"], strict=True):
        word = bytes_of(argument, value)
        assert len(word) == size, "a parameter is not as long as what is put there"
        packed[at:at + size] = word
    return bytes(packed)


def words_of(launch):
    """The words of a launch that reads the words from a buffer."""
    return np.frombuffer(bytes.fromhex(launch.get("words", "")), np.uint8)


def run_launch(kernel, launch, sides):
    groups = [items // size for items, size in zip(launch["items"], launch["group"])]
    buffers = {ADDRESSES[name]: data for name, data in sides.buffers.items()}
    buffers[ADDRESSES["words"]] = words_of(launch)
    return Launch(kernel, launch["group"][0], groups, pack_arguments(kernel, launch, sides.value),
                  buffers).run()


def ratio(a, b):
    return a / b if b else 0.0


def figures(totals, written):
    return {"read": ratio(32 * totals["ld sectors"], totals["ld bytes"]),
            "write": ratio(32 * totals["st sectors"], totals["st bytes"]),
            "banks": ratio(totals["bank turns"], totals["bank ideal"]),
            "instructions": totals["executed"] / (written / 1024)}


class Programs:
    """Inputs of launches, compiled once."""

    def __init__(self, program, folder):
        self.folder = folder
        self.variants = [v for v in list_variants(program, folder) if not v.is_batched]
        self.kernels = {}

    def variant(self, launch):
        for variant in self.variants:
            with open(variant.base + ".options", encoding="utf-8") as file:
                if variant.kernel == launch["kernel"] and file.read().strip() == launch["options"]:
                    return variant
        if launch["kernel"].startswith("map_"):  # maps are too many to list
            return self.mapped_variant(launch)
        raise LookupError(f"no program of {launch['kernel']} with {launch['options']}")

    def mapped_variant(self, launch):
        """The source of a listed map of that kernel, with other options."""
        name = f"{launch['kernel']}_{launch['unit']}_unlisted{len(self.variants)}"
        like = next(v for v in self.variants if v.kernel == launch["kernel"]
                    and ("_gathers" in v.name) == ("-DINDEXED" in launch["options"])
                    and "_scatters" not in v.name)
        shutil.copy(like.base + ".cl", os.path.join(self.folder, name + ".cl"))
        with open(os.path.join(self.folder, name + ".options"), "w", encoding="utf-8") as file:
            file.write(launch["options"] + "\n")
        self.variants.append(Variant(self.folder, name))
        return self.variants[-1]

    def kernel(self, variant):
        if variant.name not in self.kernels:
            compiled.compile_program(variant.base, "nvptx")
            with open(variant.base + ".nvptx", encoding="utf-8") as file:
                self.kernels[variant.name] = Kernel(file.read(), variant.kernel)
        return self.kernels[variant.name]


class Run:
    """A case after the run: the launches with programs and machines, and the figures."""

    def __init__(self, name, launches, case, programs):
        self.name = name
        self.launches = launches
        self.variants = [programs.variant(launch) for launch in launches]
        self.label = f"{launches[0]['kernel']} {launches[0]['unit']}"
        data = launches[0].get("data")
        sides = MappedSides(data) if data else Sides(case, launches[0]["bits"])
        self.machines = [run_launch(programs.kernel(variant), launch, sides)
                         for variant, launch in zip(self.variants, launches)]
        self.is_right = bool((sides.destination == sides.expected).all())
        totals = collections.Counter()
        for machine in self.machines:
            totals += machine.totals
            totals["executed"] += int(machine.executed.sum())
        self.figures = figures(totals, launches[0]["written"])


def run_cases(list_program, launches_program, folder):
    programs = Programs(list_program, os.path.join(folder, "variants"))
    said = subprocess.run([launches_program, os.path.join(HERE, "cases.txt")], check=True,
                          capture_output=True, text=True).stdout
    launches = collections.defaultdict(list)
    for line in said.splitlines():
        launch = json.loads(line)
        launches[launch["name"]].append(launch)
    for name, case in read_cases().items():
        yield Run(name, launches[name], case, programs)


# ---- limits ----

def line_of(name, label, limits):
    return (f"{name:16} {label:18} {limits['read']:6.2f} {limits['write']:6.2f} "
            f"{limits['banks']:6.2f} {limits['instructions']:7.0f}")


def read_limits():
    limits = {}
    with open(TABLE, encoding="utf-8") as file:
        for words in (line.split("#")[0].split() for line in file):
            if words:
                limits[words[0]] = (" ".join(words[1:3]), dict(zip(COLUMNS, map(float, words[3:]))))
    return limits


def complaints(run, limits):
    """The violations of a run."""
    if not run.is_right:
        yield "writes other bytes than it should"
    if run.name not in limits:
        yield "has no limits"
        return
    label, most = limits[run.name]
    if label != run.label:
        yield f"is of {run.label}, but its limits are those of {label}"
    for column, value in run.figures.items():
        if value > most[column] + 0.005:
            yield f"{column}: {value:.2f}, of which at most {most[column]:.2f} is allowed"
        elif value < SLACK * most[column] - 0.01:
            yield f"{column}: {value:.2f} is much less than its limit, {most[column]:.2f}: lower it"


def with_margin(values):
    exact = {"instructions": values["instructions"] * MARGIN}
    return {**{key: value * (1.02 if value else 1) for key, value in values.items()}, **exact}


def write_table(runs):
    with open(TABLE, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.writelines(head)
        for run in runs:
            file.write(line_of(run.name, run.label, with_margin(run.figures)) + "\n")


def main(list_program, launches_program, folder, *flags):
    import planted  # pylint: disable=import-outside-toplevel  # which needs what is above
    planted.prove(os.path.join(folder, "planted"))
    limits, failed, runs = read_limits(), False, []
    for run in run_cases(list_program, launches_program, folder):
        runs.append(run)
        print(line_of(run.name, run.label, run.figures), flush=True)
        for complaint in complaints(run, limits):
            print(f"{run.name} {complaint}")
            failed = True
    if flags:
        write_table(runs)
        failed = not all(run.is_right for run in runs)
    elif unknown := limits.keys() - {run.name for run in runs}:
        print("limits of no case:", *sorted(unknown))
        failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
