"""Commands on a single driver, with a time limit, a separate cache and nothing else visible.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import pathlib
import signal
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
TEST_DATA = "/usr/share/libonnx-testdata/data"
QUIETLY = "CLRS_MATRIX_QUIETLY"
PATIENCE = float(os.environ.get("CLRS_MATRIX_PATIENCE", "1"))


class Done:
    """The end of a command. verdict is None for success."""

    def __init__(self, code, output, seconds, limit):
        self.output, self.seconds = output, seconds
        self.skipped = code == 77
        if code is None:
            self.verdict = f"took more than {limit:.0f} s"
        elif code < 0:
            self.verdict = f"crashed: {signal.Signals(-code).name}"
        else:
            self.verdict = f"exit code {code}" if code not in (0, 77) else None


class OnDriver:
    """kept: the results of earlier runs."""
    platform = "Portable Computing Language"
    packages = ""  # Debian packages whose versions stand for the device's, if the device does not tell

    def __init__(self, name, kept, cases, build, folder):
        self.name, self.kept, self.cases = name, kept, cases
        self.build, self.folder = build, folder
        self.scratch = build / "portability" / name
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.logs = folder / "results" / name
        self.logs.mkdir(parents=True, exist_ok=True)

    def environment(self, **more):
        env = dict(os.environ, CLRS_REQUIRE_DEVICE="1", POCL_SIGFPE_HANDLER="0",
                   POCL_CACHE_DIR=str(self.scratch / "pocl"), TMPDIR="/tmp",
                   XDG_CACHE_HOME=str(self.scratch / "cache"),
                   CLRS_SHOW=f"{SOURCE} {self.build} {TEST_DATA}")
        for name in ("OCL_ICD_VENDORS", "LD_LIBRARY_PATH", "CLRS_EXECUTION"):
            env.pop(name, None)
        (self.scratch / "pocl").mkdir(exist_ok=True)
        (self.scratch / "cache").mkdir(exist_ok=True)
        return env | more

    def run(self, label, command, limit=600, quietly=False, **environment):
        """The output is kept under the label. The limit is in seconds of an idle machine. A command
        that must run quietly goes through the environment's command for quiet runs, if set."""
        limit *= PATIENCE
        command = ["sh", HERE / "with.sh", self.name, self.folder, *command]
        if quietly:
            command = os.environ.get(QUIETLY, "").split() + command
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=self.build, env=self.environment(**environment),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace",
                                   start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, code = process.communicate()[0], None
        (self.logs / f"{label}.log").write_text(output)
        done = Done(code, output, time.monotonic() - begin, limit)
        print(f"{label}: {done.verdict or 'ok'} ({done.seconds:.0f} s)", flush=True)
        return done

    def missing(self):
        """Tests that cannot be had, and why."""
        return {}

    def tests(self, label, with_long=False):
        """The build's tests with this label, without `long` but where asked: name, command,
        environment."""
        listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"],
                                capture_output=True, text=True, check=True).stdout
        for test in json.loads(listed)["tests"]:
            properties = {p["name"]: p["value"] for p in test["properties"]}
            labels = properties.get("LABELS", [])
            if label in labels and (with_long or "long" not in labels):
                env = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
                env.pop("CLRS_LAYER_REPORT", None)
                scratch = str(self.scratch / test["name"])  # two drivers may be at it at once
                yield test["name"], [scratch if word.endswith("-scratch") else word
                                     for word in test["command"]], env
