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

No figure on this page was measured: no kernel of this project has run on a GPU yet. Each line is a
launch of `tests/gates/gpu/cases.txt`, as the planner makes the launch. The columns show what compilers made of
the kernel, what the kernel's PTX does in an interpreter, and what a model predicts. The page is written by
`cmake --build build --target gpu_report` on {date}, with {tools}.
`sh tests/bench/on_gpu.sh FOLDER CASES.tsv PREDICTIONS.json` measures on a machine that has a GPU.

- `registers`: registers of a work-item, as allotted by ptxas (`nv`, {arch}) and clang (`gfx90a`, `gfx1030`,
  `gfx942`).
- `private`: bytes of private memory, which is device memory with a copy for each work-item. For SPIR-V
  the column says only whether the program has private memory.
- `PTX`, `machine`: instructions of warps for each KiB written. Each PTX instruction counts as
  the ratio of machine to PTX instructions in the assembled kernel. The slow path of a division counts with the same
  ratio, though ordinary numbers do not take the path.
- `fraction`: the predicted part of the speed of a copy of the same bytes. The fraction is over 1 if the source is read
  again from caches.
- `bound`: the resource that bounds the launch most.

The model is of an H200 with 132 units at 1.98 GHz, and of a tensor so large that neither caches nor the
launch matter. A copy moves bytes at 4.3 TB/s.

| bound | cost |
| --- | --- |
| `dram` | atoms of 64 bytes read and sectors of 32 bytes written, at the rate of the copy; a sector written in part is read first |
| `l2` | sectors that each group reads and that each warp writes, at 6 TB/s |
| `issue` | machine instructions: a unit issues 4 in a cycle, and 0.72 of that in practice |
| `shared` | turns of shared memory and lines of global memory, 0.9 a cycle |
| `latency` | groups in sequence on the places that registers and shared memory leave: 800 cycles for each wait for loads, 30 for each barrier, 4 for each instruction of a warp |

The predicted time is the root of the sum of two squares: of the larger of `dram` and `l2`, and of the largest of the
other three. The 0.72 and the root are from an earlier study with these formulas, of 239 published moves. The study
fitted both to two published runs on a GH200 (170 and 156 us, predicted 167 and 146). Other plausible
constants moved the mean by 0.1 either way, and the classes kept their order. The study used code of NVIDIA's
own compiler, which ran 0.85 to 1.5 times as many instructions as the code of clang used here.

"""

# The section on maps.txt, and the goals for the means of the suites.
LARGE_HEAD = """## Maps and gathers of large tensors

The cases are those of `tests/gates/gpu/maps.txt`, with the time of a launch (`published.py`). `fraction` is the
time of a copy over the predicted time. The copy would read and write as many bytes, including parameters and
indices. The interpreter makes no data: indices are random places, made from their own addresses. All other elements
are ordinary numbers of either sign, also made from their addresses.

"""
GOALS = {"maps": "0.75, none under 0.45", "rows": "0.95", "odd-rows": "0.50"}
LARGE_COLUMNS = ("case", "class", "unit", "fraction", "bound")

COLUMNS = ("case", "class", "unit", "registers nv", *compiled.AMD, "private nv", *compiled.AMD,
           "SPIR-V", "PTX", "machine", "fraction", "bound")


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
    amd = compiled.AMD
    return [run.name, kernel, unit, most("nvptx", "registers"),
            *(most(target, "registers") for target in amd), most("nvptx", "private"),
            *(most(target, "private") for target in amd),
            "yes" if most("spirv", "private") else "no",
            f"{run.figures['instructions']:.0f}", f"{machine:.0f}", f"{fraction:.2f}", bound]


def summary(rows):
    """Geometric means, by class."""
    by_class = {}
    for row in rows:
        by_class.setdefault(row[1], []).append(float(row[-2]))
    words = [f"{name} {mean(values):.2f} ({len(values)})" for name, values in by_class.items()]
    everything = mean([float(row[-2]) for row in rows])
    return (f"Geometric mean of the predicted fractions of these {len(rows)} launches: "
            f"{everything:.2f}.\nBy class: {', '.join(words)}.\nThe cases were chosen to reach "
            "every kernel, not by frequency, so the mean says nothing about a user's moves.\n")


def table(columns, rows):
    lines = (columns, ["---"] * len(columns), *rows)
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def large(list_program, launches_program, folder):
    """Predictions for maps.txt, beside the goals."""
    rows = list(published.predictions(list_program, launches_program,
                                      os.path.join(folder, "large"),
                                      os.path.join(HERE, "maps.txt")))
    suites = {suite: [row["fraction"] for row in rows if row["suite"] == suite]
              for suite in dict.fromkeys(row["suite"] for row in rows)}
    means = [(name, len(values), GOALS.get(name, ""), f"{mean(values):.2f}", f"{min(values):.2f}")
             for name, values in suites.items()]
    cells = [(row["case"], row["class"], row["unit"], f"{row['fraction']:.2f}", row["bound"])
             for row in rows]
    return (LARGE_HEAD + table(("suite", "cases", "goal", "mean", "least"), means) + "\n" +
            table(LARGE_COLUMNS, cells))


def listed(list_program, launches_program, folder, path):
    """The predictions for a list of cases, and the origin of the cases."""
    with open(path, encoding="utf-8") as file:
        suites = [line.split("\t")[1] for line in file if line.strip() and line[0] != "#"
                  and not line.startswith("id\t")]
    said = published.summary(list(published.predictions(
        list_program, launches_program, os.path.join(folder, "listed"), path)))
    words = [f"{name} {suites.count(name)}" for name in dict.fromkeys(suites)]
    return (f"A list of `clreshape bench` has {len(suites)} moves ({', '.join(words)}). The times "
            "include the launch\nand groups that do not fill the device (`published.py`). Views take "
            f"no launch.\n{said}\n")


def main(list_program, launches_program, folder, output, path=""):
    if compiled.PTXAS is None:
        sys.exit("the prediction needs ptxas, of the CUDA toolkit")
    rows = [row_of(run) for run in run_cases(list_program, launches_program, folder)]
    of_list = listed(list_program, launches_program, folder, path) if path else ""
    of_maps = large(list_program, launches_program, folder)
    versions = [subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
                for tool in (compiled.CLANG, *compiled.NEWER_CLANG.values(), compiled.PTXAS)]
    clangs = [re.search(r"version ([\d.]+)", version).group(1) for version in versions[:-1]]
    tools = "clang {}, ptxas {}".format(" and ".join(clangs),
                                        re.search(r"V([\d.]+)", versions[-1]).group(1))
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEAD.format(tools=tools, date=datetime.date.today(),
                               arch=compiled.PTXAS_ARCH))
        file.write(summary(rows) + "\n" + of_list)
        file.write(table(COLUMNS, rows) + "\n" + of_maps)
        with open(os.path.join(HERE, "targets.md"), encoding="utf-8") as targets:
            file.write("\n" + targets.read())


if __name__ == "__main__":
    main(*sys.argv[1:])
