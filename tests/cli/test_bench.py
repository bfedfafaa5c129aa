# clreshape bench on a device, with cases so small that the figures mean nothing: the output in
# every form, the comparison of every element, the detection of wrong results, and that a bad case
# does not stop the other cases. No test looks at a time.
#
# SPDX-License-Identifier: Apache-2.0
import json
import math
import os
import pty
import re
import subprocess

from program import DONE, FAILED, PROGRAM, USAGE, Case, call, main, need_device, shim

COLUMNS = ["id", "class", "outcome", "launches", "bytes", "median_ms", "min_ms", "gbps",
           "copy_gbps", "fraction", "plan_ns", "verified"]

# id, suite, dtype, shape, src_strides, perm, dst_strides, then the outcome and the bytes.
CASES = [
    ("copy", "plain", "f32", "16x8", "C", "0,1", "8,1", "affine", 2 * 512),
    ("view", "plain", "f16", "4x1x8", "C", "1,0,2", "C", "alias", 0),
    ("transpose", "plain", "f32", "33x65", "C", "1,0", "C", "affine", 2 * 33 * 65 * 4),
    ("heads", "plain", "f16", "2x5x3x8", "C", "0,2,1,3", "C", "affine", 2 * 240 * 2),
    ("bytes", "odd", "u8", "7x11x3", "C", "2,0,1", "C", "affine", 2 * 231),
    ("wide", "odd", "bits128", "5x3", "C", "1,0", "C", "affine", 2 * 15 * 16),
    ("doubles", "odd", "f64", "5x3", "3,1@2", "1,0", "7,1@3", "affine", 2 * 15 * 8),
    ("nibbles", "odd", "u4", "9x7", "C", "1,0", "C", "affine", 2 * 32),
    ("odd_nibbles", "odd", "u4", "6x7", "8,1@1", "0,1", "C", "affine", 2 * 21),
    ("bits_lsb", "odd", "bits1", "9x5", "C", "1,0", "C", "affine", 2 * 6),
    ("bits_msb", "odd", "u1", "9x5", "C", "1,0", "10,1@2", "affine", 2 * 6),
    ("mirrored", "odd", "f32", "6x5", "5,-1", "0,1", "C", "affine", 2 * 120),
    ("spread", "odd", "f32", "4x6", "0,1", "0,1", "C", "affine", 2 * 96),
    ("windows", "odd", "f32", "5x4", "2,1", "0,1", "C", "affine", 2 * 80),
    ("backwards", "odd", "i16", "6x4", "C", "1,0", "-7,1@21", "affine", 2 * 48),
    ("gather", "odd", "f32", "4x6", "C", "1,0/8x3/1,0", "C", "composed", 2 * 96),
    ("moves", "odd", "f32", "40*6x5", "C", "0,2,1", "C", "affine", 2 * 40 * 120),
    ("moves_apart", "odd", "u8", "9*6x5", "64,8,1@3", "0,2,1", "50,7,1", "affine", 2 * 9 * 30),
    ("moves_in_order", "odd", "f16", "7*12", "C", "0,1", "C", "affine", 2 * 7 * 24),
    ("line", "odd", "i8", "9", "-1", "0", "C", "affine", 2 * 9),
]

# Lets the first launches pass (the warm-up) and drops all later launches.
DROPS_LAUNCHES = """
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
typedef cl_int (*launch_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                            const size_t *, cl_uint, const cl_event *, cl_event *);
static int launches;
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *events, cl_event *event) {
  if (launches++ >= 2) return clEnqueueMarkerWithWaitList(queue, count, events, event);
  launch_fn next = (launch_fn)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  return next(queue, kernel, dims, offset, global, local, count, events, event);
}
"""

# Gives another answer to one question about the device.
ANSWERS = """
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
typedef cl_int (*info_fn)(cl_device_id, cl_device_info, size_t, void *, size_t *);
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *needed) {
  const cl_int code =
      ((info_fn)dlsym(RTLD_NEXT, "clGetDeviceInfo"))(device, what, size, value, needed);
  if (code == CL_SUCCESS && what == QUESTION && value)
    *(cl_ulong *)value = ANSWER;
  return code;
}
"""


# Allows kernels smaller groups than the device.
SMALL_GROUPS = """
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
typedef cl_int (*info_fn)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *,
                          size_t *);
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t size, void *value,
                                size_t *needed) {
  const cl_int code = ((info_fn)dlsym(RTLD_NEXT, "clGetKernelWorkGroupInfo"))(kernel, device, what,
                                                                              size, value, needed);
  if (code == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && value) *(size_t *)value = ALLOWED;
  return code;
}
"""


def answers(question, answer):
    return shim(f"#define QUESTION {question}\n#define ANSWER {answer}\n{ANSWERS}")


def write(*cases):
    with open("cases.tsv", "w") as file:
        file.write("id\tsuite\tdtype\tshape\tsrc_strides\tperm\tdst_strides\tMiB\tnote\n")
        for case in cases:
            file.write("\t".join(case[:7]) + "\t0\ta \"note\"\n")


def named(*ids):
    return [case for case in CASES if case[0] in ids]


def rows_of(text):
    """The rows of --tsv as dictionaries, and its last line."""
    lines = text.splitlines()
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:-1]], lines[-1]


class Bench(Case):
    def run_tsv(self, *arguments, code=DONE, **options):
        write(*CASES)
        result = self.check(call("bench", "cases.tsv", "--tsv", "--repetitions", "3", *arguments,
                                 **options), code)
        return rows_of(result.stdout)

    def test_a_batch_is_one_launch(self):
        write(*named("moves"))
        for arguments, code in (((), DONE), (("--class", "cpu_any"), FAILED)):
            result = self.check(call("bench", "cases.tsv", "--json", *arguments), code)
            report = json.loads(result.stdout)
            if code == DONE:
                self.assertEqual(report["cases"][0]["launches"], 1)
            else:
                self.assertIn("batch", report["failed"][0]["message"])

    def test_a_kernel_has_smaller_groups_or_is_replaced(self):
        write(("tile", "plain", "f32", "128x192", "C", "1,0", "C"))
        gpu = {"CLRS_EXECUTION": "gpu"}
        for allowed, name in ((1024, "gpu_tile"), (128, "gpu_tile"), (32, "gpu_any")):
            small = shim(f"#define ALLOWED {allowed}\n{SMALL_GROUPS}")
            result = self.check(call("bench", "cases.tsv", "--tsv", environment=gpu | small), DONE)
            row = rows_of(result.stdout)[0][0]
            self.assertEqual((row["class"], row["verified"]), (name, "yes"))

    def test_every_case_is_verified(self):
        rows, last = self.run_tsv()
        self.assertEqual(list(rows[0]), COLUMNS)
        self.assertEqual([row["id"] for row in rows], [case[0] for case in CASES])
        for row, case in zip(rows, CASES):
            with self.subTest(case[0]):
                self.assertEqual(row["verified"], "yes")
                self.assertEqual((row["outcome"], int(row["bytes"])), case[7:])
                self.assertEqual(int(row["launches"]) == 0, row["outcome"] == "alias")
                self.assertEqual(row["class"] == "none", row["outcome"] == "alias")
                self.assertLessEqual(float(row["min_ms"]), float(row["median_ms"]))
                self.assertGreater(float(row["plan_ns"]), 0)
        self.check_summary(rows, last)

    def check_summary(self, rows, last):
        fractions = []
        for row in rows:
            fraction = float(row["fraction"])
            if row["outcome"] == "alias":
                self.assertTrue(math.isnan(fraction))
                continue
            gbps = int(row["bytes"]) / float(row["median_ms"]) * 1e-6
            self.assertTrue(math.isclose(float(row["gbps"]), gbps, rel_tol=0.01))
            self.assertTrue(math.isclose(fraction, gbps / float(row["copy_gbps"]), rel_tol=0.01))
            fractions.append(fraction)
        found = re.fullmatch(r"# geomean_fraction (\S+) min_fraction (\S+) cases (\d+)", last)
        self.assertIsNotNone(found, last)
        mean = math.exp(sum(map(math.log, fractions)) / len(fractions))
        self.assertTrue(math.isclose(float(found[1]), mean, rel_tol=1e-3))
        self.assertEqual(float(found[2]), min(fractions))
        self.assertEqual(int(found[3]), len(fractions))

    def test_a_class_is_taken_or_refused(self):
        rows, _ = self.run_tsv("--class", "cpu_tile", "--filter", "transpose")
        self.assertEqual([row["class"] for row in rows], ["cpu_tile"])
        write(*named("transpose"))
        result = self.check(call("bench", "cases.tsv", "--class", "cpu_rows"), FAILED)
        self.assertIn("failed: class cpu_rows is required", result.stdout)
        self.assertIn("transpose: class cpu_rows is required", result.stderr)

    def test_what_no_device_holds_does_not_stop_the_others(self):
        far = ("far", "plain", "u8", "33554432x33554432", "C", "1,0", "C")
        write(far, *named("transpose"))
        result = self.check(call("bench", "cases.tsv", "--tsv", "--repetitions", "1"), FAILED)
        self.assertEqual([row["id"] for row in rows_of(result.stdout)[0]], ["transpose"])
        self.assertIn("far: needs a buffer of 1125899906842624 bytes", result.stderr)

    def test_filter_by_id_suite_and_class(self):
        rows, _ = self.run_tsv()
        for part in ("transpose", "ibbl", "plain", rows[-1]["class"], rows[0]["class"]):
            with self.subTest(part):
                wanted = [row["id"] for row, case in zip(rows, CASES)
                          if part in row["id"] or part in row["class"] or part in case[1]]
                self.assertEqual([row["id"] for row in self.run_tsv("--filter", part)[0]], wanted)
        self.refused(FAILED, "'nothing'", "bench", "cases.tsv", "--filter", "nothing")

    def test_json(self):
        write(*CASES)
        report = json.loads(self.succeeds("bench", "cases.tsv", "--json", "--repetitions", "2"))
        self.assertEqual([case["id"] for case in report["cases"]], [case[0] for case in CASES])
        self.assertEqual(report["failed"], [])
        for case in report["cases"]:
            self.assertIs(case["verified"], True)
            self.assertEqual((case["note"], case["repetitions"]), ('a "note"', 2))
            self.assertEqual(case["bytes"], case["bytes_read"] + case["bytes_written"])
            self.assertEqual(case["fraction"] is None, case["outcome"] == "alias")
            self.assertEqual(case["device"] is None, case["launches"] != 1)
        counted = sum(case["outcome"] != "alias" for case in report["cases"])
        self.assertEqual(report["counted"], counted)
        self.assertEqual([suite["name"] for suite in report["suites"]], ["plain", "odd"])
        self.assertEqual(sum(group["counted"] for group in report["classes"]), counted)
        self.assertTrue(report["device"]["name"])

    def test_whose_times_are_compared(self):
        """The host's time. On a GPU the device's time, also for the copies."""
        write(*named("transpose", "view"))
        is_gpu = answers("CL_DEVICE_TYPE", "CL_DEVICE_TYPE_GPU")
        for who, kind, environment in (("host", "total", {}), ("device", "device", is_gpu)):
            report = json.loads(self.succeeds("bench", "cases.tsv", "--json",
                                              environment=environment))
            alias, moved = sorted(report["cases"], key=lambda case: case["launches"])
            self.assertEqual((moved["times"], alias["times"]), (who, "host"))
            own = moved[kind]
            self.assertEqual((moved["median_ms"], moved["min_ms"]),
                             (own["median_ms"], own["min_ms"]))
            copy = min(moved[f"copy_{by}_{kind}"]["median_ms"] for by in ("buffer", "kernel"))
            self.assertAlmostEqual(moved["fraction"] * moved["copy_bytes"] * own["median_ms"]
                                   / (moved["bytes"] * copy), 1, places=5)

    def test_random_cases_are_lines_of_a_file(self):
        report = json.loads(self.succeeds("bench", "--random", "3", "--family", "slices", "--seed",
                                          "19", "--json", "--repetitions", "1"))
        self.assertEqual([suite["name"] for suite in report["suites"]], ["slices"])
        self.assertTrue(all(case["verified"] for case in report["cases"]))
        with open("cases.tsv", "w") as file:
            file.write("".join(case["line"] + "\n" for case in report["cases"]))
        again = json.loads(self.succeeds("bench", "cases.tsv", "--json", "--repetitions", "1"))
        for case, same in zip(report["cases"], again["cases"], strict=True):
            for key in ("id", "line", "dims", "result_dims", "bytes", "class", "outcome"):
                self.assertEqual(case[key], same[key])
        worst = report["cases"][0]["line"]
        text = self.succeeds("bench", "cases.tsv", "--repetitions", "1", "--filter", "slices-0")
        self.assertEqual(text.rstrip("\n").splitlines()[-1], worst)

    def test_what_is_not_kept_is_not_moved(self):
        write(("cut", "plain", "f32", "2x3x5x4", "C", "0,1,3,2/2x12:10x5/0,2,1", "C", "0.0"))
        report = json.loads(self.succeeds("bench", "cases.tsv", "--json", "--repetitions", "1"))
        self.assertEqual(report["cases"][0]["result_dims"], [2, 5, 10])
        self.assertEqual(report["cases"][0]["bytes_written"], 2 * 5 * 10 * 4)
        self.assertIs(report["cases"][0]["verified"], True)

    def test_table(self):
        write(*CASES)
        text = self.succeeds("bench", "cases.tsv", "--repetitions", "1")
        for case in CASES:
            self.assertRegex(text, rf"(?m)^{case[0]} .* {case[7]} ")
        self.assertIn("geometric mean", text)

    def test_a_case_is_no_larger_than_the_device(self):
        write(("large", "plain", "f32", "512x512", "C", "1,0", "C"), *named("transpose"))
        result = self.check(call("bench", "cases.tsv", "--tsv", "--repetitions", "100",
                                 environment=answers("CL_DEVICE_GLOBAL_MEM_SIZE", 1 << 21)), FAILED)
        rows, _ = rows_of(result.stdout)
        self.assertEqual([row["id"] for row in rows], ["transpose"])
        self.assertRegex(result.stderr, r"large: needs \d+ bytes on the device, which has 2097152")

    def test_a_case_that_cannot_run_does_not_stop_the_others(self):
        huge = ("huge<&>", "plain", "f32", "1048576x1048576", "C", "1,0", "C")
        twice = ("twice", "plain", "f32", "4x4", "C", "1,0", "0,1")
        write(huge, *named("transpose"), twice, *named("view"))
        result = self.check(call("bench", "cases.tsv", "--tsv"), FAILED)
        rows, last = rows_of(result.stdout)
        self.assertEqual([row["id"] for row in rows], ["transpose", "view"])
        self.assertTrue(last.endswith(" cases 1"), last)
        self.assertRegex(result.stderr, r"(?m)^clreshape: huge<&>: .*4398046511104")
        self.assertRegex(result.stderr, r"(?m)^clreshape: twice: ")
        self.assertIn("2 of 4", result.stderr)
        report = json.loads(self.check(call("bench", "cases.tsv", "--json"), FAILED).stdout)
        self.assertEqual([case["id"] for case in report["failed"]], ["huge<&>", "twice"])

    def test_a_wrong_result_is_found(self):
        write(*named("transpose", "view"))
        result = self.check(call("bench", "cases.tsv", "--tsv", environment=shim(DROPS_LAUNCHES)),
                            FAILED)
        rows, last = rows_of(result.stdout)
        self.assertEqual([row["verified"] for row in rows], ["no" if row["id"] == "transpose"
                                                             else "yes" for row in rows])
        self.assertIn("transpose: the result is wrong: byte 0 is 0xa5", result.stderr)
        self.assertTrue(last.endswith(" cases 0"), last)
        text = self.check(call("bench", "cases.tsv", environment=shim(DROPS_LAUNCHES)), FAILED)
        self.assertRegex(text.stdout, "(?m)^transpose .* WRONG: byte 0 is 0xa5")
        report = self.check(call("bench", "cases.tsv", "--json", environment=shim(DROPS_LAUNCHES)),
                            FAILED)
        self.assertEqual({case["id"]: case["verified"]
                          for case in json.loads(report.stdout)["cases"]},
                         {"transpose": False, "view": True})

    def test_progress_is_for_terminals(self):
        write(*named("transpose", "copy"))
        line = [PROGRAM, "bench", "cases.tsv", "--tsv", "--repetitions", "1"]
        terminal, theirs = pty.openpty()
        subprocess.run(line, stdout=subprocess.DEVNULL, stderr=theirs, check=True, timeout=300)
        os.close(theirs)
        self.assertIn(b"[2 of 2] transpose", os.read(terminal, 4096))
        os.close(terminal)
        self.assertEqual(call(*line[1:]).stderr, "")

    def test_a_report_is_a_file_to_send(self):
        write(*named("transpose"), ("twice", "plain", "f32", "4x4", "C", "1,0", "0,1"))
        command = ("bench", "cases.tsv", "--repetitions", "1", "--report")
        self.assertIn("geometric mean", self.check(call(*command, "report.json"), FAILED).stdout)
        with open("report.json") as file:
            report = json.load(file)
        self.assertEqual([case["id"] for case in report["cases"]], ["transpose"])
        self.assertEqual([case["id"] for case in report["failed"]], ["twice"])
        device = report["device"]
        self.assertGreater(min(device[key] for key in ("group_items", "parameter_bytes")), 0)
        listed = json.loads(self.succeeds("devices", "--json"))["devices"]
        self.assertIn(device, [{key: each[key] for key in device} for each in listed])
        printed = json.loads(self.check(call(*command, "-"), FAILED).stdout)
        self.assertEqual((list(printed), printed["device"]), (list(report), device))

    def test_a_report_replaces_no_input(self):
        write(*named("transpose"))
        self.refused(FAILED, "cases.tsv", "bench", "cases.tsv", "--report", "cases.tsv")
        self.refused(USAGE, "exclude", "bench", "--tsv", "--report", "-")

    def test_built_in_cases(self):
        rows, _ = rows_of(self.succeeds("bench", "--tsv", "--filter", "alias"))
        self.assertEqual([(row["id"], row["outcome"], row["verified"]) for row in rows],
                         [("alias", "alias", "yes")])


if __name__ == "__main__":
    need_device()
    main()
