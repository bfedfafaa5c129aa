# Foreign text (names in a model, .npy headers, arguments, paths, environment) that the program
# repeats. The output controls no terminal, forges no line, and UTF-8 stays UTF-8. Needs no device,
# except for models.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess
import unicodedata

import numpy as np

from onnx_files import model, node, tensor, write
from program import FAILED, PROGRAM, USAGE, Case, main, need_device

# Text that a terminal would obey, or that would make a line look like another line.
HOSTILE = [
    (b"\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
    (b"a\nclreshape: all is well", r"a\nclreshape: all is well"),
    (b"a\rb\tc\x08\x7f", r"a\rb\tc\x08\x7f"),
    (b"\xc2\x9b2J \xc2\x85", r"\u009b2J \u0085"),  # CSI in one character, next line
    ("\u202egnp.exe\u2066 \u2028".encode(), r"\u202egnp.exe\u2066 \u2028"),
    (b"\xff\xfe \xc3( \xe2\x82", r"\xff\xfe \xc3( \xe2\x82"),  # no UTF-8: bad, bad, cut
    (b"\xc0\x8a \xed\xa0\x80 \xf4\x90\x80\x80", r"\xc0\x8a \xed\xa0\x80 \xf4\x90\x80\x80"),
    ("\u00e4\u00df \u4f60\u597d \U0001f600".encode(), "\u00e4\u00df \u4f60\u597d \U0001f600"),
]
ALLOWED = {"Cc": "\n", "Cf": "", "Zl": "", "Zp": "", "Cs": ""}


class Messages(Case):
    def says(self, code, *arguments, **options):
        """The output on standard error, which is UTF-8 without controls, in `clreshape: ` lines."""
        result = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=300, **options)
        text = result.stderr.decode()
        self.assertEqual((result.returncode, result.stdout), (code, b""), text)
        self.is_clean(text)
        lines = text.splitlines()
        self.assertTrue(lines[0].startswith("clreshape: "), text)
        self.assertEqual(len(lines), 2 if code == USAGE else 1, text)
        return text

    def is_clean(self, text):
        for character in text:
            kind = unicodedata.category(character)
            self.assertTrue(kind not in ALLOWED or character in ALLOWED[kind], repr(text))

    def test_arguments(self):
        for raw, shown in HOSTILE:
            with self.subTest(shown):
                for arguments in ([raw], ["devices", raw],
                                  ["run", "in.npy", "out.npy", b"rearrange=" + raw + b" -> a"],
                                  ["run", "in.npy", "out.npy", b"--" + raw],
                                  ["run", "in.npy", "out.npy", b"--policy", raw],
                                  ["run", "in.npy", "out.npy", b"--device", raw],
                                  ["bench", "--class", raw], ["bench", "a", raw],
                                  ["resolve", "--input", raw, "--shape", "1"]):
                    self.assertIn(shown, self.says(USAGE, *arguments))

    def test_operations(self):
        """Numbers end at blanks, so the first word is wrong."""
        for raw, shown in HOSTILE:
            word = re.split(r" |\\n|\\r|\\t", shown)[0]
            with self.subTest(shown):
                for begin in (b"", b"slice=", b"permute="):
                    said = self.says(USAGE, "run", "in.npy", "out.npy", begin + raw)
                    self.assertIn(begin.decode() + word, said)

    def test_paths(self):
        for raw, shown in HOSTILE:
            with self.subTest(shown):
                for arguments in (["explain", raw], ["run", raw, "out.npy"],
                                  ["run", b"missing/" + raw, "out.npy"], ["bench", raw],
                                  ["onnx", raw], ["onnx", "model.onnx", "-o", raw]):
                    self.assertIn(shown, self.says(FAILED, *arguments))

    def test_npy_headers(self):
        np.save("in.npy", np.zeros(3, "f4"))
        with open("in.npy", "rb") as file:
            good = file.read()
        for raw, shown in HOSTILE:
            for old in (b"<f4", b"descr"):
                with self.subTest(shown, old=old):
                    header = good[10:128].replace(old, raw)
                    write("bad.npy", good[:8] + len(header).to_bytes(2, "little") + header +
                          bytes(12))
                    self.assertIn(shown, self.says(FAILED, "explain", "bad.npy"))

    def test_names_in_models(self):
        write("x.pb", tensor(np.zeros(3, "f4")))
        for raw, shown in HOSTILE:
            models = {"operator": ([node(raw, ["x"], ["y"])], "x", "y"),
                      "node": ([node("Nothing", ["x"], ["y"], raw)], "x", "y"),
                      "input of a node": ([node("Identity", [raw], ["y"])], "x", "y"),
                      "output": ([node("Identity", ["x"], ["y"])], "x", raw),
                      "twice": ([node("Identity", ["x"], [raw])] * 2, "x", "y")}
            for what, (nodes, given, made) in models.items():
                with self.subTest(shown, name=what):
                    write("model.onnx", model(nodes, [given], [made], (3,)))
                    self.assertIn(shown, self.says(FAILED, "onnx", "model.onnx", "x.pb"))

    def test_names_that_explain_prints(self):
        write("x.pb", tensor(np.zeros((2, 3), "f4")))
        for raw, shown in HOSTILE:
            with self.subTest(shown):
                write("model.onnx", model([node("Identity", ["x"], [raw], raw)], ["x"], [raw],
                                          (2, 3)))
                result = subprocess.run([PROGRAM, "onnx", "model.onnx", "x.pb", "--explain"],
                                        capture_output=True, timeout=300, check=True)
                text = result.stderr.decode()
                self.is_clean(text)
                name = text[text.index('"'):text.index('": ') + 1]
                self.assertEqual(json.loads(name), self.as_json(raw))

    def as_json(self, raw):
        """The text itself, with a byte outside UTF-8 as the four characters of \\xff."""
        return raw.decode(errors="backslashreplace")

    def test_json_has_utf_8_as_it_is(self):
        for raw, shown in HOSTILE:
            if any(byte in raw for byte in b"\n\r\t"):
                continue  # these end a column
            with self.subTest(shown):
                write("cases.tsv", b"huge\tplain\tf32\t1048576x1048576\tC\t1,0\tC\t0\t" + raw +
                      b"\n" + b"small\tplain\tf32\t4x4\tC\t1,0\tC\t0\t" + raw + b"\n")
                result = subprocess.run([PROGRAM, "bench", "cases.tsv", "--json", "--repetitions",
                                         "1"], capture_output=True, timeout=300)
                text = result.stdout.decode()
                self.is_clean(text)
                self.assertEqual(json.loads(text)["cases"][0]["note"], self.as_json(raw))
                if raw.decode(errors="replace") == shown:
                    self.assertIn(shown, text)  # as it is

    def test_long_names_are_cut_between_characters(self):
        """Every length around the limit, for characters of one to four bytes."""
        for character in ("a", "\u00e4", "\u4f60", "\U0001f600"):
            for before in range(5):
                name = "b" * before + character * 120
                shown = self.says(USAGE, "run", "in.npy", "out.npy", name).split("'")[1]
                self.assertTrue(shown.endswith("..."), shown)
                self.assertTrue(name.startswith(shown[:-3]))
                self.assertLessEqual(len(shown.encode()), 103)
                self.assertGreater(len(shown.encode()), 99)

    def test_long_messages_are_cut_between_characters(self):
        """A path may be longer than a message."""
        for character in ("\u00e4", "\u4f60", "\U0001f600"):
            for before in range(5):
                path = "/".join(["missing"] * 2 + ["b" * before + character * 50] * 20)
                self.assertNotIn("\\x", self.says(FAILED, "explain", path))


if __name__ == "__main__":
    need_device()
    main()
