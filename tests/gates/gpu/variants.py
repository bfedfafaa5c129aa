"""The programs for GPUs: the programs of list_variants without the CPU programs.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess


class Variant:
    """A program of the folder that list_variants wrote."""

    def __init__(self, folder, file_name):
        self.base = os.path.join(folder, file_name)
        self.kernel, unit = re.match(r"([a-z_]+?)_(\d+)_", file_name).groups()
        self.unit = int(unit)
        with open(self.base + ".options", encoding="utf-8") as file:
            self.options = dict(re.findall(r"-D(\w+)=(\w+)", file.read()))
        self.is_batched = self.has("BATCHED")
        self.fills = self.has("FILLS")
        self.is_wide = [self.has(f"WIDE_{side}") for side in ("SOURCE", "DESTINATION")]
        self.index = int(self.options["INDEX_BITS"])
        self.name = file_name + ("" if self.is_batched else "_single")

    def has(self, option):
        """Programs of maps and of indices have some of the options only."""
        return self.options.get(option) == "1"

    def is_for_gpus(self):
        """A program in which a single work-item, not a group, moves whole blocks is for CPUs. A
        composed program with units under a byte is for CPUs too."""
        with open(self.base + ".cl", encoding="utf-8") as file:
            grouped = "reqd_work_group_size" in file.read()
        moves_blocks = self.has("BLOCKED") or self.has("CHUNKED")
        packed = self.kernel == "composed" and self.unit < 8
        return (grouped or not moves_blocks) and not packed

    def is_mirrored(self):
        """Returns True if the first unit is in a byte's high bits. A program with the first unit in
        the low bits is the same otherwise."""
        return self.has("MSB_FIRST")


def list_all(program, folder):
    """All programs, also those for CPUs."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    subprocess.run([program, folder], check=True, stdout=subprocess.DEVNULL)
    names = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".cl"))
    return [Variant(folder, name) for name in names]


def list_variants(program, folder):
    return [variant for variant in list_all(program, folder) if variant.is_for_gpus()]
