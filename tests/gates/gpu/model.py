"""How long launches would take on an H200, by a model that report.py's HEAD describes.

SPDX-License-Identifier: Apache-2.0
"""

import math
import re
import struct

import compiled
from warps import ATOM, SECTOR, WARP

# An H200. The first three numbers were measured (copy: read and written bytes together, of tensors
# larger than any cache). L2 is a published number. For issue slots and latency see HEAD.
UNITS, CLOCK, COPY, L2 = 132, 1.98e9, 4.3e12, 6.0e12
ISSUE, LATENCY, PER_INSTRUCTION, PER_BARRIER = 4 * 0.72, 800, 4, 30
REGISTERS, SHARED, ITEMS, GROUPS = 65536, 227 * 1024, 2048, 32


def count_machine_instructions(cubin, kernel):
    """Instructions have 16 bytes each in the kernel's section of the ELF file. No-ops are left out.
    """
    with open(cubin, "rb") as file:
        data = file.read()
    at, size, count, names = struct.unpack_from("<Q10xHHH", data, 40)
    sections = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, start, length in sections:
        name = data[strings + name:data.index(b"\0", strings + name)]
        if name.decode() == f".text.{kernel}":
            words = (struct.unpack_from("<H", data, start + i)[0] for i in range(0, length, 16))
            return sum(word & 0xfff != 0x918 for word in words)
    raise LookupError(f"{cubin} has no kernel {kernel}")


def machine_per_ptx(variant, kernel):
    """Loops as written, because unrolling would count loops twice."""
    with open(variant.base + ".nvptx", encoding="utf-8") as file:
        text = re.sub(r"(?m)^(\$\w+:).*$", r'\1 .pragma "nounroll";', file.read())
    rolled = variant.base + ".rolled"
    with open(rolled, "w", encoding="utf-8") as file:
        file.write(text)
    compiled.run([compiled.PTXAS, "-arch=" + compiled.PTXAS_ARCH, "-O3", "-o", rolled + ".cubin",
                  rolled])
    return count_machine_instructions(rolled + ".cubin", variant.kernel) / len(kernel.code)


def places(facts, items):
    """Groups that a unit holds at once."""
    per_warp = -(-facts["registers"] * WARP // 256) * 256
    by_registers = REGISTERS // (per_warp * (items // WARP))
    by_shared = SHARED // (facts["local"] + 1024) if facts["local"] else GROUPS
    return min(by_registers, by_shared, ITEMS // items, GROUPS)


def times_of(machine, facts, factor, items):
    """Seconds, by the bound of the groups that ran alone."""
    groups, totals = machine.groups, machine.totals
    instructions = int(machine.executed.sum()) * factor
    written = machine.pieces("st", SECTOR, False) + machine.written_again()
    sectors = machine.pieces("ld", SECTOR, True) + totals["st sectors"]
    lines = (totals["ld sectors"] + totals["st sectors"]) * SECTOR / 128
    barriers = sum(machine.kernel.code[i].base in ("bar", "barrier") for i in machine.trace)
    cycles = (instructions / (machine.count / WARP) * PER_INSTRUCTION +
              machine.waits() * LATENCY + barriers * PER_BARRIER)
    return {"dram": (machine.pieces("ld", ATOM, False) * ATOM + written * SECTOR) / COPY,
            "l2": sectors * SECTOR / L2,
            "issue": instructions / (UNITS * CLOCK * ISSUE),
            "shared": (totals["bank turns"] + lines) / (UNITS * CLOCK * 0.9),
            "latency": groups / (UNITS * places(facts, items)) * cycles / CLOCK}


def time_of(times):
    """Seconds for each possible bound alone."""
    memory = max(times["dram"], times["l2"])
    others = max(times["issue"], times["shared"], times["latency"])
    return math.hypot(memory, others)


def predict(run, facts, factors):
    """The fraction of the copy, and the main bound of the longest launch."""
    total, longest = 0.0, (0.0, "")
    for machine, launch, fact, factor in zip(run.machines, run.launches, facts, factors):
        times = times_of(machine, fact, factor, launch["group"][0])
        time = time_of(times)
        longest = max(longest, (time, max(times, key=times.get)))
        total += time
    moved = run.launches[0]["read"] + run.launches[0]["written"]
    return moved / COPY / total, longest[1]


def mean(fractions):
    """Geometric."""
    return math.exp(sum(map(math.log, fractions)) / len(fractions))
