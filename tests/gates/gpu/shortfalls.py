"""Compiles every GPU program and judges the result: shortfalls.py LIST_VARIANTS FOLDER [TARGET
PATTERN...]. With a target and patterns: a sample, the programs with matching names, for this target
only.

A program falls short if the program needs private memory (device memory, a copy for every
work-item), calls functions, or needs more than 128 registers. A program also falls short if no
access to global memory is as wide as promises.txt requires for the class. Known shortfalls are in
shortfalls.txt below a reason, as PATTERN TARGET: WHAT. Any other shortfall fails. A line also fails
if the line is not true of every matching program and target. A program's name is the name from
list_variants, plus _single if the program reads no table of moves. FOLDER/facts.json keeps the
facts.

SPDX-License-Identifier: Apache-2.0
"""

import concurrent.futures
import fnmatch
import json
import os
import sys

import compiled
from reasons import read_reasons
from variants import list_variants

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_REGISTERS = 128


def read_promises():
    """{class: (load, store)}, as words"""
    promises = {}
    with open(os.path.join(HERE, "promises.txt"), encoding="utf-8") as file:
        for words in (line.split("#")[0].split() for line in file):
            if words:
                promises[words[0], words[1]] = words[2:]
    return promises


def promised(promises, variant):
    """Bits of the widest load, and of the widest store."""
    is_indexed = "_gathers" in variant.name or "_scatters" in variant.name
    kernel, unit = variant.kernel + ("_by_index" if is_indexed else ""), variant.unit
    words = promises.get((kernel, str(unit))) or promises.get((kernel, "*"))
    if words is None:
        sys.exit(f"promises.txt says nothing of {kernel}")
    unit = max(unit, 8)
    return [{"unit": unit, "vector": 128 if is_wide else unit}.get(word) or int(word)
            for word, is_wide in zip(words, variant.is_wide)]


def judge(facts, load, store):
    """The shortfalls of a program. A table of moves is loaded too, so `load` is 0 with a table."""
    wrong = set()
    if facts["private"]:
        wrong.add("private memory")
    if facts["calls"]:
        wrong.add("calls")
    if (facts["registers"] or 0) > MOST_REGISTERS:
        wrong.add(f"more than {MOST_REGISTERS} registers")
    if facts["load"] is not None and facts["load"] < load:
        wrong.add("narrow loads")
    if facts["store"] is not None and facts["store"] < store:
        wrong.add("narrow stores")
    return wrong


# ---- what falls short, and what is listed ----

def expand(line, names):
    """{(name, target, what)} that a line covers."""
    pattern, target, what = line.replace(": ", " ", 1).split(" ", 2)
    return {(name, each, what) for name in fnmatch.filter(names, pattern)
            for each in fnmatch.filter(compiled.TARGETS, target)}


def patterns_of(variant):
    """The entries that are alike in some way."""
    kernel, unit = f"{variant.kernel}_", f"{variant.kernel}_{variant.unit}_"
    heads = ["", kernel, unit, f"{unit}index{variant.index}_"]
    tails = ["*", "*_batched" if variant.is_batched else "*_single"]
    tails += ["*_interleaved_*"] if "_interleaved" in variant.name else []
    return [variant.name, *(head + tail for head in heads for tail in tails)]


def summarise(entries, variants):
    """A few lines that cover exactly these entries, greedily: always the line that covers most."""
    names = [variant.name for variant in variants]
    lines = {f"{pattern} {target}: {what}"
             for pattern in {each for variant in variants for each in patterns_of(variant)}
             for target in ("*", "gfx*", *compiled.TARGETS) for what in {e[2] for e in entries}}
    means = {line: expand(line, names) for line in sorted(lines)}
    means = {line: meant for line, meant in means.items() if meant and meant <= entries}
    chosen, unsaid = [], set(entries)
    while unsaid:
        line = max(means, key=lambda line: (len(means[line] & unsaid), -len(line)))
        chosen.append(line)
        unsaid -= means[line]
    return sorted(chosen)


def compare(found, listed_lines, variants):
    """True if the found shortfalls equal the listed shortfalls."""
    names = [variant.name for variant in variants]
    meant = {line: expand(line, names) for line in listed_lines}
    listed = set().union(*meant.values())
    for line in summarise(found - listed, variants):
        print(f"falls short, and no reason is given: {line}")
    for line in summarise(listed - found, variants):
        print(f"a reason is given, but it does not fall short: {line}")
    for line in (line for line, entries in meant.items() if not entries):
        print(f"matches nothing: {line}")
    return found == listed and all(meant.values())


# ---- the proof that bad programs are seen ----

BAD = {
    "good": ("kernel void bad(global uint4 *to, global const uint4 *from) {"
             " to[get_global_id(0)] = from[get_global_id(0)]; }", set(), compiled.TARGETS),
    "indexed_array": ("kernel void bad(global uint4 *to, global const uint4 *from) { uint4 a[9];"
                      " for (int i = 0; i < 9; i++) a[i] = from[i * 7];"
                      " to[get_global_id(0)] = a[from->x]; }", {"private memory"},
                      (*compiled.AMD, "nvptx", "spirv")),  # Intel's registers have indices
    "indexed_argument": ("typedef struct { uint a[99]; } many; kernel void bad(global uint4 *to,"
                         " global const uint4 *from, const many m) {"
                         " to[get_global_id(0)] = from[m.a[from->x]]; }", {"private memory"},
                         (*compiled.AMD, "spirv")),
    # The loop ends after 31 steps or earlier. clang 18 and newer, and ocloc, unroll no such loop.
    "two_exits": ("typedef struct { uint n, a[31], b[31]; } many; kernel void bad(global uint4 *to,"
                  " global const uint4 *from, const many m) { uint at = 0;\n#pragma unroll\n"
                  " for (uint k = 0; k < 31 && k < m.n; k++) at = at / m.a[k] + m.b[k];"
                  " to[at] = from[at]; }", {"private memory"}, ("gfx942", *compiled.INTEL)),
    "many_registers": ("kernel __attribute__((reqd_work_group_size(64, 1, 1))) void bad("
                       "global uint4 *to, global const uint4 *from) { uint4 a[60];\n#pragma unroll\n for (int i = 0; i < 60; i++)"
                       " a[i] = from[i * 64 + get_global_id(0)];\n"
                       " barrier(CLK_GLOBAL_MEM_FENCE);\n#pragma unroll\n"
                       " for (int i = 0; i < 60; i++) to[i * 64 + get_global_id(0)] = a[i]; }",
                       {f"more than {MOST_REGISTERS} registers"},
                       (*compiled.AMD, *(["nvptx"] if compiled.PTXAS else []))),
    "narrow": ("kernel void bad(global uchar *to, global const uchar *from) {"
               " to[get_global_id(0) * 16] = from[get_global_id(0) * 16]; }",
               {"narrow loads", "narrow stores"}, (*compiled.AMD, "nvptx")),
    "called": ("__attribute__((noinline)) uint4 far(global const uint4 *from, uint i) {"
               " return i > 7 ? from[i] : from[0]; } kernel void bad(global uint4 *to,"
               " global const uint4 *from) { to[0] = far(from, get_global_id(0)); }",
               {"calls"}, (*compiled.AMD, "nvptx", "spirv")),
}


class Named:
    """The stand-in for a variant in the proof."""
    kernel, unit, index, is_batched = "bad", 128, 32, False

    def __init__(self, name):
        self.name = name


def prove_lists():
    variants = [Named("bad_128_a_single"), Named("bad_128_b_single")]
    entries = {("bad_128_a_single", "nvptx", "calls"), ("bad_128_b_single", "nvptx", "calls")}
    assert summarise(entries, variants) == ["* nvptx: calls"]
    assert compare(entries, ["bad_* nvptx: calls"], variants)
    print("three complaints must follow, to show that there are any:")
    assert not compare(entries, ["bad_128_a_single nvptx: calls"], variants)
    assert not compare(entries, ["* nvptx: calls", "none_* nvptx: calls"], variants)
    assert not compare(set(), ["* nvptx: calls"], variants)


def prove(folder):
    """Each planted program must be reported on each target of the program, and a good program on no
    target."""
    os.makedirs(folder, exist_ok=True)
    for name, (source, wrong, targets) in BAD.items():
        base = os.path.join(folder, name)
        with open(base + ".cl", "w", encoding="utf-8") as file:
            file.write(source + "\n")
        with open(base + ".options", "w", encoding="utf-8") as file:
            file.write("-cl-std=CL1.2\n")
        for target in targets:
            seen = judge(compiled.compile_program(base, target), 128, 128)
            if not wrong <= seen or (not wrong and seen):
                sys.exit(f"{name} for {target}: {wrong} is wrong with it, but {seen} was seen")
    prove_lists()


# ---- all of it ----

def measure(variants, targets=compiled.TARGETS):
    """{(variant, target): facts}"""
    jobs = [(variant, target) for variant in variants for target in targets]
    workers = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        facts = pool.map(lambda job: compiled.compile_program(job[0].base, job[1]), jobs)
        return dict(zip(jobs, facts))


def find_shortfalls(measured):
    promises, found = read_promises(), set()
    for (variant, target), facts in measured.items():
        load, store = promised(promises, variant)
        load = 0 if variant.is_batched or variant.fills else load
        found |= {(variant.name, target, what) for what in judge(facts, load, store)}
    return found


def read_shortfalls():
    """The lines that the compilers that are here can tell."""
    lines = list(read_reasons(os.path.join(HERE, "shortfalls.txt")))
    if compiled.PTXAS is None:
        print("no ptxas (CUDA toolkit): registers of NVIDIA GPUs are not judged")
        lines = [line for line in lines if " nvptx: more than " not in line]
    if not compiled.INTEL:
        print("no ocloc: programs of Intel's GPUs are not judged")
        lines = [line for line in lines if " dg2: " not in line]
    return lines


def sample(variants, target, patterns):
    """Judges a few programs for one target. All shortfalls of these programs must be in
    shortfalls.txt."""
    names = [variant.name for variant in variants]
    listed = set().union(*(expand(line, names) for line in read_shortfalls()))
    chosen = []
    for pattern in patterns:
        matching = [each for each in variants if fnmatch.fnmatch(each.name, pattern)]
        if not matching:
            sys.exit(f"no program is called {pattern}")
        chosen += matching
    surprises = find_shortfalls(measure(chosen, (target,))) - listed
    for name, _, what in sorted(surprises):
        print(f"falls short, and no reason is given: {name} {target}: {what}")
    print(f"{len(chosen)} programs for {target}: {len(surprises)} shortfalls without a reason")
    return not surprises


def main(program, folder, target=None, *patterns):
    listed = list_variants(program, os.path.join(folder, "variants"))
    variants = [variant for variant in listed if not variant.is_mirrored()]
    if target is not None:
        sys.exit(not sample(variants, target, patterns))
    prove(os.path.join(folder, "bad"))
    measured = measure(variants)
    with open(os.path.join(folder, "facts.json"), "w", encoding="utf-8") as file:
        rows = [{"name": variant.name, "kernel": variant.kernel, "unit": variant.unit,
                 "index": variant.index, "batched": variant.is_batched, "target": target, **facts}
                for (variant, target), facts in measured.items()]
        json.dump(rows, file, indent=0)
    if not compare(find_shortfalls(measured), read_shortfalls(), variants):
        sys.exit(1)
    print(f"{len(variants)} programs for {len(compiled.TARGETS)} targets: "
          f"nothing falls short but what shortfalls.txt says")


if __name__ == "__main__":
    main(*sys.argv[1:])
