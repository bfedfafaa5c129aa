"""Compiles programs by AMD's own OpenCL compiler, without a GPU:

    rocm.py LIST_VARIANTS DRIVER_PROGRAMS UNPACKED [--all]

UNPACKED is the folder of Debian's rocm-opencl-icd and of all packages that it needs. The compiler
runs there in a chroot, because it reads its headers from a path of its own. By default a few
programs of each kernel are compiled. With --all, every program is compiled for gfx1030.

A program falls short if it does not build, if it needs private memory, or if it needs more than 128
registers. Both numbers are read from the binary's notes. A CPU program need only build, because a
GPU runs it only at the caller's request. Known shortfalls are in rocm.txt, as PATTERN DEVICE: WHAT.

SPDX-License-Identifier: Apache-2.0
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import compiled
import shortfalls
from reasons import read_reasons
from variants import list_all

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICES = ("gfx1030", "gfx900", "gfx90a", "gfx1201")
CHUNK = 40  # programs that one process compiles
# Absent devices report no abilities, so the compiler refuses what needs one.
NEEDS_ABILITY = "-cl-fp32-correctly-rounded-divide-sqrt"
NOT_BUILT = "does not build"
# In C99, an `inline` function that is not static has no definition of its own.
UNDEFINED = ("inline __attribute__((noinline)) uint far(uint i) { return i * 7; }"
             " kernel void bad(global uint *to) { to[0] = far(to[1]); }")
PLANTED = {name: shortfalls.BAD[name][:2] for name in ("good", "indexed_array", "many_registers")}
PLANTED["undefined"] = UNDEFINED, {NOT_BUILT}


class Planted:
    """The stand-in for a variant in the proof."""

    def __init__(self, folder, name, source):
        self.name, self.base = name, os.path.join(folder, name)
        for ending, text in (("cl", source), ("options", "-cl-std=CL1.2\n")):
            with open(f"{self.base}.{ending}", "w", encoding="utf-8") as file:
                file.write(text)

    def is_for_gpus(self):
        return True


class Compiler:
    """AMD's compiler in the folder. Programs lie in the folder's own /programs."""

    def __init__(self, driver_programs, root):
        self.programs = os.path.join(root, "programs")
        shutil.copy(driver_programs, root)
        as_root = [] if os.geteuid() == 0 else ["unshare", "-r"]
        self.command = [*as_root, "chroot", root, "/driver_programs", "/programs"]
        with open(os.path.join(root, ".complete"), encoding="utf-8") as file:
            self.version = next(line.strip() for line in file if line.startswith("rocm-opencl-icd"))

    def compile(self, device, variants):
        """Returns {(name, device, what)}: the shortfalls."""
        names = [os.path.basename(variant.base) for variant in variants]
        done = subprocess.run([*self.command, device], input="\n".join(names), text=True,
                              capture_output=True, check=False)
        failed = re.findall(rf"^(\S+) {NOT_BUILT} ", done.stderr, re.M)
        if done.returncode != (1 if failed else 0):
            sys.exit(f"driver_programs for {device}: {done.stderr[-2000:]}")
        found = set()
        for name, variant in zip(names, variants):
            wrong = {NOT_BUILT} if name in failed else set()
            if not wrong and variant.is_for_gpus():
                wrong = shortfalls.judge(facts(f"{variant.base}.{device}"), 0, 0)
            found |= {(variant.name, device, what) for what in wrong}
        return found


def facts(path):
    with open(path, "rb") as file:
        notes = file.read()
    return {"private": number(notes, b".private_segment_fixed_size"), "calls": False,
            "registers": number(notes, b".vgpr_count"), "load": None, "store": None}


def number(notes, key):
    """A number of the notes, which are in MessagePack: the key, a byte for the type, the number."""
    _, value = notes.split(key)  # a program has one kernel
    size = {0xcc: 1, 0xcd: 2, 0xce: 4}.get(value[0])
    return int.from_bytes(value[1:1 + size], "big") if size else value[0]


def compile_all(compiler, chosen):
    """{(name, device, what)} of {device: variants}."""
    jobs = [(device, those[at:at + CHUNK]) for device, those in chosen.items()
            for at in range(0, len(those), CHUNK)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return set().union(*pool.map(lambda job: compiler.compile(*job), jobs))


def prove(compiler):
    """Each planted program must be reported as planted."""
    planted = [Planted(compiler.programs, name, source) for name, (source, _) in PLANTED.items()]
    found = compiler.compile(DEVICES[0], planted)
    for name, (_, wrong) in PLANTED.items():
        seen = {what for program, _, what in found if program == name}
        if seen != wrong:
            sys.exit(f"{name}: {wrong} is wrong with it, but {seen} was seen")


def choose(variants):
    """{device: variants}: another program of each kernel for each device. CPU programs are for the
    first device."""
    kernels = {}
    for variant in variants:
        kernels.setdefault((variant.kernel, variant.is_for_gpus()), []).append(variant)
    chosen = {device: [] for device in DEVICES}
    for (_, is_for_gpus), those in kernels.items():
        for at, device in enumerate(DEVICES if is_for_gpus else DEVICES[:1]):
            chosen[device].append(those[(at + 1) * len(those) // (len(DEVICES) + 1)])
    return chosen


def drop_option(variant):
    with open(variant.base + ".options", encoding="utf-8") as file:
        options = file.read()
    with open(variant.base + ".options", "w", encoding="utf-8") as file:
        file.write(options.replace(NEEDS_ABILITY, ""))


def complain(surprises, variants):
    bases = {variant.name: variant.base for variant in variants}
    for name, device, what in sorted(surprises):
        print(f"FAIL {name}: for {device}: {what}")
        if what == NOT_BUILT:
            with open(bases[name] + ".log", encoding="utf-8") as file:
                print(file.read()[:1000])
    for line in shortfalls.summarise(surprises, variants):
        print(f"falls short, and no reason is given: {line}")


def judge(found, chosen, variants, is_all):
    """Only shortfalls of the list are allowed. For the device that compiled all programs, each shortfall of the
    list must be found."""
    names = [variant.name for variant in variants]
    listed = set().union(*(shortfalls.expand(line, names)
                           for line in read_reasons(os.path.join(HERE, "rocm.txt"))))
    complain(found - listed, variants)
    gone = {each for each in listed - found if is_all and each[1] == DEVICES[0]}
    for line in shortfalls.summarise(gone, variants):
        print(f"a reason is given, but it does not fall short: {line}")
    print(f"{sum(map(len, chosen.values()))} variants compiled for {' '.join(DEVICES)}")
    return not found - listed and not gone


def main(list_program, driver_programs, root, which=None):
    compiled.TARGETS = DEVICES  # as in rocm.txt
    compiler = Compiler(driver_programs, os.path.abspath(root))
    print(f"compiler: {compiler.version}")
    variants = [each for each in list_all(list_program, compiler.programs) if not each.is_mirrored()]
    prove(compiler)
    for variant in variants:
        drop_option(variant)
    chosen = choose(variants) | ({DEVICES[0]: variants} if which == "--all" else {})
    sys.exit(not judge(compile_all(compiler, chosen), chosen, variants, which == "--all"))


if __name__ == "__main__":
    main(*sys.argv[1:])
