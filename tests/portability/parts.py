"""The parts of the matrix. Each part runs on a driver and returns the entries of the result file.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import json
import math
import os
import re
import statistics

from on_driver import HERE, QUIETLY

DEFECTS = ("failed_status", "failed_chain", "failed_marker", "failed_finish", "failed_beside",
           "failed_before", "failed_queue", "flush_waits", "forgotten_program", "parent_of_shared",
           "sub_buffer_release", "sub_device_context", "blocking_write", "queues_kept", "two_queues",
           "usm_references", "always_inlined", "failed_later", "local_apart", "excess_bits")
# Tests with moves chosen by the device. These tests run in GPU execution, too. All other tests that
# move anything try both executions by themselves.
IN_GPU = ("test_move_random", "test_assemble", "test_strings", "test_work_moves", "chains_real")
# Time limits in seconds, for tests that take over 200 seconds on some driver of an idle machine.
LIMITS = {"test_faults": 600, "test_classes": 900, "test_cli_faults": 400, "windows_program": 1800}
# Cases of tests that show nothing with fewer cases.
FEWEST = {"test_soak": 20000}
# A simulator that checks every access takes a thousand times as long.
INTERPRETS = ("oclgrind",)
# Tests that a driver cannot run, and the reason.
THREADS = "it is not made for several threads"
CACHE = "it looks into PoCL's cache"
GROUPS = "it warms up kernels that need larger work-groups"
LAYER = "it needs the fault layer, which Windows' loader does not load"
WINDOWS = "it calls what Windows does not have"
CORE = {"test_text": "it needs the program", "test_no_allocation": "it needs a linker's --wrap"}
ON_WINDOWS = {"test_pool_faults": LAYER, "test_kernel_store": LAYER, "test_kernel_store_full": LAYER,
              "test_short_of_memory": WINDOWS, "test_usm": WINDOWS}
LEFT_OUT = {"arm64": CORE, "s390x": CORE, "windows-intel": ON_WINDOWS,
            "windows-pocl": ON_WINDOWS | {
                "test_pool": "Wine's OpenCL.dll calls no destructor callback",
                "test_shared_memory": "Wine's OpenCL.dll has no clSVMAlloc"},
            "pocl-small": {"warm_up": GROUPS}, "pocl-embedded": {"warm_up": GROUPS},
            "intel": {"warm_up": CACHE}, "rusticl-debian13": {"warm_up": CACHE},
            "rusticl-sid": {"warm_up": CACHE}, "rusticl-sid-gpu": {"warm_up": CACHE},
            "oclgrind": {"warm_up": CACHE,
                         "test_short_of_memory": "it ends the process itself, by bad_alloc",
                         "test_threads": THREADS, "test_threads_elements": THREADS,
                         "test_cli_faults": THREADS,  # run moves parts of files by two threads
                         "test_pattern_buffer": THREADS, "test_work_uses": THREADS,
                         "test_work_moves": "it takes more than five minutes",
                         "test_soak": "it would take a day"}}


def version(driver):
    if driver.packages:
        return {"platform": driver.platform, "driver": driver.packages.strip()}
    done = driver.run("version", [driver.build / "clreshape", "devices", "--json"], 120)
    if done.verdict or done.skipped:
        return {"failed": done.verdict or "no device"}
    line = next(line for line in done.output.splitlines() if line.startswith("{"))
    device = json.loads(line)["devices"][0]
    return {key: device[key] for key in ("platform", "name", "type", "version", "driver")}


def defects(driver):
    """The available devices, with the program's sentence."""
    found = {}
    for name in DEFECTS:
        done = driver.run(name, [driver.build / "tests/portability" / f"defect_{name}"], 120)
        said = [line for line in done.output.splitlines() if line.strip()]
        if done.verdict and not done.skipped:
            found[name] = said[-1] if done.verdict == "exit code 1" and said else done.verdict
    return found


def known_lines(output):
    return sorted(set(re.findall(r"^known defect of .*$", output, re.M)))


def begin_tests(driver, part):
    """Empty, or the kept results of other tests, if only some tests are to run again."""
    again = os.environ.get("CLRS_MATRIX_TESTS", "").split()
    kept = driver.kept.get(part) if again else None
    result = {"passed": [], "failed": {}, "skipped": [], "tolerated": [], "left_out": {}}
    for key in result if kept else ():
        if isinstance(kept[key], dict):
            result[key] = {n: why for n, why in kept[key].items() if n not in again}
        else:
            result[key] = [line for line in kept[key] if line.split(":")[0] not in again]
    return result | {"cases": driver.cases}, again


def goes_on(driver, part, again):
    """The results of the same run, which was ended after one of its tests, and the run's name."""
    run, so_far = [driver.revision, driver.cases, again], driver.kept.get(f"{part} so far") or {}
    is_same = so_far.get("run") == run and not driver.revision.endswith("dirty")
    return (so_far if is_same else {}), run


def run_tests(driver, part, only=None, **environment):
    result, again = begin_tests(driver, part)
    so_far, run = goes_on(driver, part, again)
    ran, result = so_far.get("ran", []), so_far.get("result", result)
    for name, why in driver.missing().items():
        known = LEFT_OUT.get(driver.name, {}).get(name)
        result["left_out" if known else "failed"][name] = known or why
    way = "gpu_" if environment else ""
    for name, command, env in driver.tests("device"):
        if (only and name not in only) or (again and name not in again) or name in ran:
            continue
        ran.append(name)
        why = LEFT_OUT.get(driver.name, {}).get(name)
        if "CLRS_LAYER_LIMITS" in env and "OPENCL_LAYERS" not in env:
            why = LAYER
        if why:
            result["left_out"][name] = why
            continue
        env = {**env, "CLRS_TEST_CASES": str(FEWEST.get(name, driver.cases)), **environment}
        done = driver.run(way + name, command, LIMITS.get(name, 300), **env)
        if done.verdict:
            result["failed"][name] = done.verdict
        else:
            result["skipped" if done.skipped else "passed"].append(name)
        result["tolerated"] += [f"{name}: {line}" for line in known_lines(done.output)]
        driver.keep(**{f"{part} so far": {"run": run, "ran": ran, "result": result}})
    return result


def tests(driver):
    return run_tests(driver, "tests")


def gpu(driver):
    return run_tests(driver, "gpu", IN_GPU, CLRS_EXECUTION="gpu")


def onnx(driver):
    """Cases of ONNX's own test data and of the project's models, in both executions."""
    result = {}
    for way in ("cpu", "gpu"):
        passed, failed = 0, []
        for name, command, env in driver.tests("conformance", with_long=True):
            if name not in ("test_onnx_data", "test_onnx_models_all", "test_onnx_torch"):
                continue
            done = driver.run(f"{way}_{name}", command, 1200, **env, CLRS_EXECUTION=way)
            passed += sum(map(int, re.findall(r"^(\d+)(?: of \d+ models ran| data sets passed)",
                                              done.output, re.M)))
            wrong = re.findall(r"^FAIL (\S+)", done.output, re.M)
            failed += wrong or ([f"{name}: {done.verdict}"] if done.verdict else [])
        result[way] = {"passed": passed, "failed": failed}
    return result


def chains(driver):
    """1,000 random chains, each materialized and moved, in both executions."""
    count = 20 if driver.name in INTERPRETS else 1000
    command = [driver.build / "tests/opencl/test_chain_random"]
    done = driver.run("chains", command, 1800, CLRS_TEST_CASES=str(count))
    said = re.findall(r"^\d+ chains: .*$", done.output, re.M)
    return {"count": count, "failed": done.verdict, "said": said[0] if said else ""}


def first_of_class(driver, name):
    """Rows of the class, each minus the empty kernel of the same call."""
    path = driver.scratch / "first_move.tsv"
    program = driver.build / "tests/portability/first_move"
    done = driver.run(f"first_{name}", [program, path, "60", name], 2400, quietly=True)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    (driver.logs / f"first_{name}.tsv").write_text(path.read_text())
    floor = [float(row["first"]) for row in rows
             if row["limit"] == "floor" and row["verdict"] == "ok"]
    rows = [row for row in rows if row["limit"] != "floor"]
    for row in rows:
        row["name"] = f"{row['class']} {row['unit']} {row['execution']}"
        row["left"] = float(row["first"]) - floor[0] if floor else None
    return rows, floor, done.verdict if not rows else None


def worst(rows, field):
    """The row with the maximum."""
    found = sorted((float(row[field]), row["name"]) for row in rows if row[field] is not None)
    return found[-1] if found else None


def first(driver):
    """The cost of the first move, in seconds with empty caches. Class by class, so that a shared
    machine need not be quiet for minutes."""
    load, rows, floors, missing = os.getloadavg()[0], [], [], {}
    program = driver.build / "tests/portability/first_move"
    for name in driver.run("classes", [program, "--classes"]).output.split():
        of_class, floor, verdict = first_of_class(driver, name)
        rows, floors = rows + of_class, floors + floor
        missing |= {name: verdict} if verdict else {}
    good = [row for row in rows if row["verdict"] == "ok"]
    ordered = sorted((float(row["first"]), row["name"]) for row in good)
    return {"rows": len(rows), "load": load, "quietly": QUIETLY in os.environ,
            "floor": statistics.median(floors) if floors else None,
            "cpu": worst(good, "cpu"), "left": worst(good, "left"),
            "failed": missing | {row["name"]: row["verdict"] for row in rows if row not in good},
            "worst": worst(good, "first"),
            "median": ordered[len(ordered) // 2] if ordered else None,
            "over": [at for seconds, at in ordered if seconds > 2.0],
            "left_over": [row["name"] for row in good if row["left"] and row["left"] > 2.0],
            "second": max((float(row["second"]) for row in good), default=0)}


def bench(driver):
    """The geometric mean of the fractions of a copy."""
    result = {}
    for way in () if driver.name in INTERPRETS else ("cpu", "gpu"):
        command = [driver.build / "clreshape", "bench", HERE / "bench.tsv", "--json"]
        done = driver.run(f"bench_{way}", command, 900, CLRS_EXECUTION=way)
        begin = done.output.find("{")
        if done.verdict or begin < 0:
            result[way] = {"failed": done.verdict or "no figures"}
            continue
        cases = json.loads(done.output[begin:done.output.rindex("}") + 1])["cases"]
        fractions = [case["gbps"] / case["copy_gbps"] for case in cases]
        mean = math.exp(sum(map(math.log, fractions)) / len(fractions))
        wrong = [case["id"] for case in cases if not case["verified"]]
        result[way] = {"mean": mean, "least": min(fractions), "cases": len(cases),
                       "failed": ", ".join(wrong)}
    return result


def compiles(driver):
    """Every variant of every kernel, offline."""
    gates = driver.build / "tests/gates"
    command = (["sh", HERE / "offline.sh", gates / "spirv/list_variants", driver.scratch / "variants"]
               if driver.name == "ocloc" else
               ["/usr/bin/python3", "-B", HERE.parent / "gates/gpu/rocm.py", gates / "spirv/list_variants",
                gates / "gpu/driver_programs", driver.folder / driver.name, "--all"])
    done = driver.run("variants", command, 3600)
    count = re.findall(r"^(\d+) variants compiled(?:, (\d+) of all)?", done.output, re.M)
    said = re.findall(r"^compiler: (.*)$", done.output, re.M)
    count, extended = (int(word or 0) for word in count[0]) if count else (0, 0)
    return {"count": count, "extended": extended, "version": said[0] if said else "",
            "failed": re.findall(r"^FAIL (.*)$", done.output, re.M) or done.verdict}


RUN = {"version": version, "defects": defects, "tests": tests, "gpu": gpu, "onnx": onnx,
       "chains": chains, "first": first, "bench": bench, "compiles": compiles}


def of(kind):
    if kind in ("other", "limits"):
        return ["version", "tests"]
    return [p for p in RUN if (p == "compiles") == (kind in ("compiler", "unpacked"))]
