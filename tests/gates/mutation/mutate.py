"""Mutation tests of the pure core: how many small faults do the unit tests notice?

    mutate.py ROOT BUILD --tests NAME=FILE,FILE... [--files NAME...] [--sample COUNT] [--seed NUMBER]
              [--part WHICH/PARTS] [--least PERCENT]

Makes mutants of the files (mutants.py), compiles each, and runs the unit tests that reach the file,
until a test fails. The tests that have killed most mutants of the file so far run first. A mutant
that no test notices has survived. Some mutants survive because no test could notice them. Mutants
that do not compile and mutants with the original object code are not counted. Prints the share of
killed mutants for each file, for each folder and for all. Fails if the share for all is below
PERCENT.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

from mutants import Mutant, mutants_of

# The resolver, the algebra of views and the planner, the smallest first.
FILES = """base/checked.h view/layout.c move/nest.c view/walk.c move/cut_axes.c view/shape.c
    view/compose.c move/overlap.c view/pattern.c view/view.c view/slice.c view/ops.c
    base/integers.c view/host_copy.c view/cursor.c chain/op.c chain/chain.c chain/einops.c
    chain/einops_apply.c map/elements.c map/steps.c map/check.c map/map.c map/spread.c map/bind.c
    map/apply.c map/held.c map/then.c map/mapped.c map/explain_map.c chain/decimal.c chain/map_ops.c
    view/cells.c view/repeats.c view/blocked.c view/blocked_names.c
    plan/plan.c plan/choose.c class/class.c class/words.c class/axes.c class/unit_width.c
    class/work_size.c""".split()  # the rest of class is tuning, which has no right answer
PURE = ("base", "view", "map", "chain", "move", "mapped", "indexed", "class", "plan")
MEMORY = 2 << 30  # bytes that a test may have
# An index beyond an array is noticed at once.
FLAGS = ["-std=c11", "-O1", "-fPIC", "-w", "-D_POSIX_C_SOURCE=200809L", "-fsanitize=bounds",
         "-fsanitize-undefined-trap-on-error"]
# Ends a test that enters a file compiled to tell.
ENTERED = "#include <unistd.h>\n" + "".join(
    f"void __cyg_profile_func_{way}(void *f, void *c) {{ (void)f, (void)c, _exit(7); }}\n"
    for way in ("enter", "exit"))


class Bench:
    """The core as objects, and the tests, linked to the core as a shared library."""

    def __init__(self, root, build, tests):
        self.root, self.build = root, build
        shutil.rmtree(build, ignore_errors=True)
        self.objects = build / "objects"
        self.objects.mkdir(parents=True)
        self.includes = [f"-I{root}/{folder}" for folder in
                         ("include", "kernels", "src", *(f"src/{name}" for name in PURE), "tests",
                          "tests/harness")]
        self.core = sorted(path for name in PURE for path in (root / "src" / name).glob("*.c"))
        listed = re.search(r"add_library\(clrs_test_support STATIC ([^)]*)\)",
                           (root / "tests/harness/CMakeLists.txt").read_text())
        support = [root / "tests/harness" / name for name in listed.group(1).split()]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.compile, self.core + support))
            self.link(self.objects, {})
            helpers = [self.object_of(path) for path in support]
            list(pool.map(lambda name: self.make_test(name, tests[name], helpers), tests))
        self.programs = {name: (build / name, 10.0) for name in tests}
        self.kills, self.reached, self.entering = {}, {}, threading.Lock()

    def object_of(self, path, folder=None):
        return (folder or self.objects) / f"{path.parent.name}-{path.stem}.o"

    def compile(self, path, target=None, more=()):
        subprocess.run(["gcc", *FLAGS, *more, *self.includes, "-c", path, "-o",
                        target or self.object_of(path)], check=True, stderr=subprocess.DEVNULL)

    def link(self, folder, replaced):
        objects = [replaced.get(path, self.object_of(path)) for path in self.core]
        subprocess.run(["gcc", "-shared", "-o", folder / "libcore.so", *objects], check=True)

    def make_test(self, name, files, helpers):
        subprocess.run(["gcc", *FLAGS, *self.includes, *files, *helpers, f"-L{self.objects}",
                        "-lcore", "-lcmocka", "-lpthread", "-lm", "-o", self.build / name], check=True)

    def fails(self, name, folder):
        """A test may take ten times the normal time. The limit is on processor time, because the
        machine may be busy. No test here waits for ever, but such a test would be noticed all the
        same."""
        program, seconds = self.programs[name]
        environment = {"LD_LIBRARY_PATH": str(folder), "CMOCKA_TEST_ABORT": "1"}
        with subprocess.Popen([program], env=environment, cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as test:
            limit = 1 + round(10 * seconds)
            resource.prlimit(test.pid, resource.RLIMIT_CPU, (limit, limit))
            resource.prlimit(test.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.prlimit(test.pid, resource.RLIMIT_CORE, (0, 0))
            try:
                return test.wait(timeout=600) != 0
            except subprocess.TimeoutExpired:
                test.kill()
                return True

    def library_that_tells(self, file):
        """A folder with the core, instrumented so that a test fails as soon as the test enters the
        file."""
        folder = self.build / f"entering-{pathlib.Path(file).name}"
        with self.entering:
            if not folder.exists():
                folder.mkdir()
                (folder / "entered.c").write_text(ENTERED)
                path = self.root / "src" / file
                self.compile(folder / "entered.c", folder / "entered.o")
                self.compile(path, folder / "file.o", ["-finstrument-functions"])
                subprocess.run(["gcc", "-r", "-nostdlib", "-o", self.object_of(path, folder),
                                folder / "file.o", folder / "entered.o"], check=True)
                self.link(folder, {path: self.object_of(path, folder)})
        return folder

    def reaches(self, name, file):
        """Does the test enter the file at all? A test that never enters the file cannot notice a
        fault there."""
        if file.endswith(".h"):
            return True
        if (name, file) not in self.reached:
            self.reached[name, file] = self.fails(name, self.library_that_tells(file))
        return self.reached[name, file]

    def measure(self):
        """All tests must pass on the original."""
        for name, (program, _) in self.programs.items():
            start = time.monotonic()
            if self.fails(name, self.objects):
                sys.exit(f"{name} fails without any mutant")
            self.programs[name] = (program, time.monotonic() - start)

    def order(self, file):
        """Orders tests by kills of the file's mutants per second. The test with the file's name
        gets some kills in advance."""
        def worth(name):
            own = name.removeprefix("test_") == pathlib.Path(file).stem
            kills = self.kills.get((file, name), 0)
            return (1 + kills + 5 * own) / (0.01 + self.programs[name][1])
        return sorted(self.programs, key=worth, reverse=True)


def mutated(source, mutant):
    return source[:mutant.begin] + mutant.text + source[mutant.end:]


def try_mutant(bench, file, source, mutant):
    """`broken`: does not compile. `same`: the same code. Otherwise the killer's name, or
    `survived`."""
    folder = bench.build / f"mutant-{os.getpid()}-{abs(hash((file, mutant)))}"
    folder.mkdir()
    try:
        (folder / pathlib.Path(file).name).write_text(mutated(source, mutant))
        replaced = {}
        changed = bench.core if file.endswith(".h") else [bench.root / "src" / file]
        for path in changed:
            # A header is found where the file is: so a copy of the file beside the mutated header.
            if file.endswith(".h"):
                shutil.copy(path, folder)
            replaced[path] = bench.object_of(path, folder)
            bench.compile(folder / path.name, replaced[path])
        if all(path.read_bytes() == (bench.objects / path.name).read_bytes()
               for path in replaced.values()):
            return "same"
        bench.link(folder, replaced)
        for name in bench.order(file):
            if bench.reaches(name, file) and bench.fails(name, folder):
                bench.kills[file, name] = bench.kills.get((file, name), 0) + 1
                return name
        return "survived"
    except subprocess.CalledProcessError:
        return "broken"
    finally:
        shutil.rmtree(folder)


FUNCTION = re.compile(r"^[a-z][^\n;={]*?(\w+)\(", re.MULTILINE)


def shown(file, source, mutant):
    """The function, and the whole lines, before and after, with single spaces."""
    function = FUNCTION.findall(source, 0, mutant.begin)[-1]
    begin = source.rfind("\n", 0, mutant.begin) + 1
    end = source.find("\n", mutant.end)
    before = " ".join(source[begin:end].split())
    after = " ".join((source[begin:mutant.begin] + mutant.text + source[mutant.end:end]).split())
    return f"{file}: {function}: {before} => {after}"


def prove(bench):
    """A known fault must be noticed, and a change without a fault must not."""
    source = (bench.root / "src/view/shape.c").read_text()
    at = source.index("int64_t count = 1;") + len("int64_t count = ")
    if try_mutant(bench, "view/shape.c", source, Mutant(at, at + 1, "2")) in ("survived", "same", "broken"):
        sys.exit("every shape has twice its elements, and no test notices")
    if try_mutant(bench, "view/shape.c", source, Mutant(at, at + 1, "(0 + 1)")) != "same":
        sys.exit("a sum for a number is taken for a fault")


def named_test(text):
    """NAME=FILE,FILE as the name and the files."""
    name, files = text.split("=")
    return name, [pathlib.Path(file).resolve() for file in files.split(",")]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--files", nargs="+", default=FILES)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=lambda text: [int(word) for word in text.split("/")],
                        default=[1, 1])
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--tests", nargs="+", type=named_test, default=[])
    return parser.parse_args()


def main():
    given = arguments()
    bench = Bench(given.root.resolve(), given.build.resolve(), dict(given.tests))
    bench.measure()
    prove(bench)
    sources = {file: (bench.root / "src" / file).read_text() for file in given.files}
    chosen = [(file, mutant) for file in given.files for mutant in mutants_of(sources[file])]
    total = len(chosen)
    if given.sample and given.sample < total:
        chosen = random.Random(given.seed).sample(chosen, given.sample)
    chosen = chosen[given.part[0] - 1::given.part[1]]
    counts, survivors = {}, []
    # Header mutants take long, so the tool spreads header mutants.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        fates = pool.map(lambda one: try_mutant(bench, one[0], sources[one[0]], one[1]), chosen)
        for (file, mutant), fate in zip(chosen, fates):
            fate = fate if fate in ("broken", "same", "survived") else "killed"
            if fate == "survived":
                line = sources[file].count("\n", 0, mutant.begin) + 1
                survivors.append(f"{file}:{line}\t{shown(file, sources[file], mutant)}")
            for part in (file, file.partition("/")[0], "all"):
                row = counts.setdefault(part, {})
                row[fate] = row.get(fate, 0) + 1
    return report(counts, survivors, total, given.least)


def report(counts, survivors, total, least):
    def line(name, row):
        killed, survived = row.get("killed", 0), row.get("survived", 0)
        percent = 100 * killed / max(1, killed + survived)
        print(f"{name:16} killed {killed:5} of {killed + survived:5}  {percent:6.2f} %"
              f"   same code {row.get('same', 0):4}, not compiled {row.get('broken', 0):3}")
        return percent
    whole = counts.pop("all", {})
    for part, row in sorted(counts.items()):
        line(part, row)
    percent = line("all", whole)
    print(f"{sum(whole.values())} of {total} mutants tried")
    for survivor in sorted(survivors):
        print("survived", survivor, sep="\t")
    if percent < least:
        print(f"at least {least} % are to be killed")
    return percent < least


if __name__ == "__main__":
    sys.exit(main())
