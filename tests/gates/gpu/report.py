"""Writes tests/bench/GPU.md: report.py LIST_VARIANTS LAUNCHES FOLDER OUTPUT [CASES.tsv]. Needs
ptxas.

CASES.tsv is a list of `clreshape bench`. published.py summarizes the cases.

SPDX-License-Identifier: Apache-2.0
"""

import datetime
import os
import re
import subprocess
import sys

import compiled
import published
from model import machine_per_ptx, mean, predict
from traffic import run_cases

HERE = os.path.dirname(os.path.abspath(__file__))

HEAD = """# GPU kernels without a GPU: a prediction

No figure on this page was measured, because no kernel of this project has run on a GPU. Compilers made code of the
kernels: clang and ptxas for NVIDIA ({arch}), clang for AMD. An interpreter ran the launches of
`tests/gates/gpu/cases.txt` in PTX, NVIDIA's intermediate code, and counted instructions and accesses. A model predicts
the speed from the counts. [src/README.md](../../src/README.md#words) explains the words class and unit.
`cmake --build build --target gpu_report` wrote the page on {date}, with {tools}.
`sh tests/bench/on_gpu.sh FOLDER` measures on a machine that has a GPU.

| column | meaning |
| --- | --- |
| unit | bits of the unit that the kernel moves |
| registers | registers of a work-item: on NVIDIA by ptxas, on three AMD targets by clang |
| PTX, machine | instructions of warps for each KiB written, in PTX and estimated as machine code. A warp is 32 work-items that run in step |
| fraction | predicted speed, as a fraction of the speed of a copy of the same bytes. Over 1 if caches serve the source again |
| bound | the resource that limits the launch most |

The model is of an H200 with 132 compute units at 1.98 GHz. A copy moves 4.3 TB/s. The tensor is so large that neither
caches nor the launch matter.

| bound | cost in the model |
| --- | --- |
| `dram` | device memory, at the rate of the copy: 64 bytes for each piece read, 32 for each piece written. A piece written in part is read first |
| `l2` | pieces of 32 bytes that each group reads and each warp writes, at 6 TB/s |
| `issue` | machine instructions: a compute unit issues 4 in a cycle, and 0.72 of that in practice |
| `shared` | turns of local memory and lines of global memory, 0.9 a cycle |
| `latency` | groups one after the other, if registers and local memory leave few places: 800 cycles for each wait for loads, 30 for each barrier, 4 for each instruction of a warp |

The predicted time is the root of the sum of two squares: of the larger of `dram` and `l2`, and of the largest of the
other three. The 0.72 and the root were fitted to two published runs on a GH200 (170 and 156 us, predicted 167 and 146).
Other plausible constants moved the mean of 239 published moves by 0.1 either way. The fit used code of NVIDIA's own
compiler, which ran 0.85 to 1.5 times as many instructions as clang's code.

"""

# The section on maps.txt, and the goals for the means of the suites.
LARGE_HEAD = """## Maps and gathers of large tensors

The cases are in `tests/gates/gpu/maps.txt`. The prediction includes the time of a launch. The copy reads and writes as
many bytes as the case, with parameters and indices, and of a picture all of the source. Indices are random places, and
other elements ordinary numbers.

"""
GOALS = {"maps": "0.75, none under 0.45", "rows": "0.95", "odd-rows": "0.50", "pictures": "0.60"}
LARGE_COLUMNS = ("case", "class", "unit", "fraction", "bound")
# on_gpu.py reads the section.
BUILTIN_HEAD = """## The cases of `clreshape bench`

The prediction includes the time of a launch. `python3 tests/bench/on_gpu.py report FILE` prints the predictions beside
the figures of a file that `clreshape bench --report FILE` wrote on a GPU.

"""
COLUMNS = ("case", "class", "unit", "registers nv", *compiled.AMD, "PTX", "machine", "fraction", "bound")


def row_of(run):
    facts = {target: [compiled.compile_program(variant.base, target) for variant in run.variants]
             for target in compiled.TARGETS}
    factors = [machine_per_ptx(variant, machine.kernel)
               for variant, machine in zip(run.variants, run.machines)]
    fraction, bound = predict(run, facts["nvptx"], factors)

    def most(target, what):
        return max(fact[what] for fact in facts[target])
    kernel, unit = run.label.split()
    machine = run.figures["instructions"] * sum(factors) / len(factors)
    private = [target for target in ("nvptx", *compiled.AMD, "spirv") if most(target, "private")]
    return [run.name, kernel, unit, *(most(target, "registers") for target in ("nvptx", *compiled.AMD)),
            f"{run.figures['instructions']:.0f}", f"{machine:.0f}", f"{fraction:.2f}", bound], private


def with_private(rows, private):
    """Names the launches with private memory: device memory with a copy for each work-item."""
    found = [f"{row[0]} ({', '.join(targets)})" for row, targets in zip(rows, private) if targets]
    return f"Launches with private memory: {', '.join(found) if found else 'none'}.\n"


def summary(rows):
    """Geometric means, by class."""
    by_class = {}
    for row in rows:
        by_class.setdefault(row[1], []).append(float(row[-2]))
    words = [f"{name} {mean(values):.2f} ({len(values)})" for name, values in by_class.items()]
    everything = mean([float(row[-2]) for row in rows])
    return (f"The geometric mean of these {len(rows)} fractions is {everything:.2f}. The cases reach every "
            "kernel, and say nothing about the frequency\nof moves. Means of the classes, with the number "
            f"of cases: {', '.join(words)}.\n")


def table(columns, rows):
    lines = (columns, ["---"] * len(columns), *rows)
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def in_two(columns, rows):
    """A table of half as many lines, with two rows to a line."""
    half = (len(rows) + 1) // 2
    ends = [*rows[half:], [""] * len(columns)][:half]
    return table((*columns, "", *columns), [(*row, "", *end) for row, end in zip(rows, ends)])


def cells_of(row):
    return row["case"], row["class"], row["unit"], f"{row['fraction']:.2f}", row["bound"]


def large(list_program, launches_program, folder):
    """Predictions for maps.txt, beside the goals."""
    rows = list(published.predictions(list_program, launches_program,
                                      os.path.join(folder, "large"),
                                      os.path.join(HERE, "maps.txt")))
    suites = {suite: [row["fraction"] for row in rows if row["suite"] == suite]
              for suite in dict.fromkeys(row["suite"] for row in rows)}
    means = [(name, len(values), GOALS.get(name, ""), f"{mean(values):.2f}", f"{min(values):.2f}")
             for name, values in suites.items()]
    return (LARGE_HEAD + table(("suite", "cases", "goal", "mean", "least"), means) + "\n" +
            in_two(LARGE_COLUMNS, list(map(cells_of, rows))))


def builtin(list_program, launches_program, folder):
    """Predictions for the cases of `clreshape bench` that move bytes."""
    rows = published.predictions(list_program, launches_program, os.path.join(folder, "builtin"),
                                 "builtin")
    return BUILTIN_HEAD + table(LARGE_COLUMNS, map(cells_of, rows))


def listed(list_program, launches_program, folder, path):
    """The predictions for a list of cases, and the origin of the cases."""
    with open(path, encoding="utf-8") as file:
        suites = [line.split("\t")[1] for line in file if line.strip() and line[0] != "#"
                  and not line.startswith("id\t")]
    said = published.summary(list(published.predictions(
        list_program, launches_program, os.path.join(folder, "listed"), path)))
    words = [f"{name} {suites.count(name)}" for name in dict.fromkeys(suites)]
    return ("A list of published moves, which is not in the tree, has the cases of [SPEED.md](SPEED.md):\n"
            f"{', '.join(words)}. Views take no launch. The prediction includes the\nlaunch, and groups "
            f"that do not fill the device. {said}\n")


def main(list_program, launches_program, folder, output, path=""):
    if compiled.PTXAS is None:
        sys.exit("the prediction needs ptxas, of the CUDA toolkit")
    rows, private = zip(*(row_of(run) for run in run_cases(list_program, launches_program, folder)))
    of_list = listed(list_program, launches_program, folder, path) if path else ""
    of_maps = large(list_program, launches_program, folder)
    of_builtin = builtin(list_program, launches_program, folder)
    versions = [subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
                for tool in (compiled.CLANG, *compiled.NEWER_CLANG.values(), compiled.PTXAS)]
    clangs = [re.search(r"version ([\d.]+)", version).group(1) for version in versions[:-1]]
    tools = "clang {}, ptxas {}".format(" and ".join(clangs),
                                        re.search(r"V([\d.]+)", versions[-1]).group(1))
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD.format(tools=tools, date=datetime.date.today(),
                               arch=compiled.PTXAS_ARCH))
        file.write(summary(rows) + "\n" + of_list)
        file.write(table(COLUMNS, rows) + "\n" + with_private(rows, private) + "\n" + of_maps + "\n" + of_builtin)
        with open(os.path.join(HERE, "targets.md"), encoding="utf-8") as targets:
            file.write("\n" + targets.read())


if __name__ == "__main__":
    main(*sys.argv[1:])
