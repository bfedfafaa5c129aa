"""Every test that uses OpenCL runs with the layer that counts objects: balance.py BUILD.

This check finds a folder that forgets clrs_balance_tests() at the end: the tests have no
CLRS_LAYER_REPORT. First such a test is planted.

SPDX-License-Identifier: Apache-2.0
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Labels of tests that use OpenCL (tests/CMakeLists.txt), and of tests with a separate loader
# environment.
USES_OPENCL = re.compile("device|cli|conformance|consumer")
HAS_ITS_OWN = {"bench", "microscope"}
# Conformance of the pure core, tests that run as microscope_exact and oclgrind_exact, OpenCV, which
# never releases OpenCV's context and queue, and OpenVINO, which has a separate layer.
EXCEPTIONS = re.compile("test_resolver|test_einops|einops_questions|(test_)?views_.*|map_.*|"
                        "test_exact(_long)?|consumer_open(cv|vino)")


def tests_of(build):
    """From another folder, because in the build folder ctest would overwrite the log of the running
    ctest."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(build).resolve()
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(f'subdirs("{path}")\n')
        shown = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True,
                               capture_output=True, text=True).stdout
    return json.loads(shown)["tests"]


def unbalanced(tests):
    for test in tests:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels = set(properties.get("LABELS", []))
        if not any(USES_OPENCL.search(label) for label in labels) or labels & HAS_ITS_OWN:
            continue
        environment = properties.get("ENVIRONMENT", [])
        if not EXCEPTIONS.fullmatch(test["name"]) and not any(
                entry.startswith("CLRS_LAYER_REPORT=") for entry in environment):
            yield test["name"]


def main():
    tests = tests_of(sys.argv[1])
    planted = copy.deepcopy(next(test for test in tests if test["name"] == "negative_runtime"))
    planted["name"] = "planted"
    for entry in planted["properties"]:
        if entry["name"] == "ENVIRONMENT":
            entry["value"] = ["POCL_SIGFPE_HANDLER=0"]
    if list(unbalanced([planted])) != ["planted"]:
        sys.exit("a planted test without the layer went unseen")
    found = list(unbalanced(tests))
    for name in found:
        print(f"{name} uses OpenCL without the layer: clrs_balance_tests() ends its folder")
    sys.exit(bool(found))


main()
