# `onnx` and external data in other files of the model's folder: the data equals NumPy's file, and
# no path leads out of the folder.
#
# SPDX-License-Identifier: Apache-2.0
import os
import types

import numpy as np

from onnx_files import external, field, node, tensor, weighted, write
from program import FAILED, USAGE, Case, main, need_device

FIRST = np.arange(12, dtype="<f4").reshape(3, 4)
SECOND = FIRST + 100


class External(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("out")
        os.makedirs("model/deep/er")
        write("model/weights.bin", bytes(64) + FIRST.tobytes() + SECOND.tobytes())
        write("model/deep/er/weights", FIRST.tobytes())
        write("secret.bin", FIRST.tobytes())

    def write(self, *initializers):
        nodes = [node("Transpose", [f"w{i}"], [f"y{i}"]) for i in range(len(initializers))]
        outputs = [f"y{i}" for i in range(len(initializers))]
        write("model/model.onnx", weighted(initializers, nodes, outputs, (4, 3)))

    def one(self, **entries):
        self.write(external("w0", FIRST, **entries))

    def run_it(self, *options):
        self.succeeds("onnx", "model/model.onnx", "-o", "out", "--npy", *options)
        return [np.load(f"out/{name}") for name in sorted(os.listdir("out"))]

    def refuses(self, says, *options):
        text = self.refused(FAILED, says, "onnx", "model/model.onnx", "-o", "out", *options)
        self.assertIn("initializer 0", text)
        self.assertEqual(os.listdir("out"), [])
        return text

    # ---- what is read ----

    def test_offsets_and_lengths(self):
        self.write(external("w0", FIRST, location="weights.bin", offset=64, length=48),
                   external("w1", SECOND, location="weights.bin", offset=112),
                   external("w2", FIRST, location="deep/er/weights", checksum="0" * 40),
                   external("w3", FIRST, location="weights.bin", offset=64))
        got = self.run_it()
        for array, want in zip(got, (FIRST, SECOND, FIRST, FIRST)):
            np.testing.assert_array_equal(array, want.T)

    def test_the_model_in_the_current_folder(self):
        self.one(location="weights.bin", offset=64)
        os.chdir("model")
        self.succeeds("onnx", "model.onnx", "-o", "../out", "--npy")
        np.testing.assert_array_equal(np.load("../out/output_0.npy"), FIRST.T)

    def test_beside_data_of_its_own(self):
        inner = tensor(SECOND) + field(8, "w1")
        self.write(external("w0", FIRST, location="weights.bin", offset=64), inner)
        first, second = self.run_it()
        np.testing.assert_array_equal(first, FIRST.T)
        np.testing.assert_array_equal(second, SECOND.T)

    def test_limits(self):
        place = {"location": "weights.bin", "offset": 64}
        self.write(external("w0", FIRST, **place), external("w1", FIRST, **place))
        self.refused(FAILED, "are more than the 95 of external data", "onnx", "model/model.onnx",
                     "-o", "out", "--external-data", "95")
        self.assertEqual(os.listdir("out"), [])
        self.assertEqual(len(self.run_it("--external-data", "96")), 2)
        for size in ("", "-1", "1.5G", "M", "00x"):
            self.refused(USAGE, f"'{size}' is no size", "onnx", "model/model.onnx",
                         "--external-data", size)

    def test_off(self):
        self.one(location="weights.bin", offset=64)
        self.refuses("external_data), which is not read", "--external-data", "0")

    def test_the_file_is_looked_at_before_memory_is_taken(self):
        """No machine has so much memory, so the message tells the size of the file."""
        huge = types.SimpleNamespace(shape=(1 << 24, 1 << 24))
        self.write(external("w0", huge, location="weights.bin"))
        self.refuses(f"is {1 << 50} bytes from byte 0 of 'weights.bin' on, which has 160",
                     "--external-data", "2048T")

    def test_no_output_replaces_it(self):
        for output, write_as in (("output_0.pb", ()), ("output_0.npy", ("--npy",))):
            data = bytes(64) + FIRST.tobytes()
            write(f"model/{output}", data)
            self.one(location=output, offset=64)
            before = sorted(os.listdir("model"))
            self.refused(FAILED, f"the output is the input file {output}", "onnx",
                         "model/model.onnx", "-o", "model", *write_as)
            with open(f"model/{output}", "rb") as file:
                self.assertEqual(file.read(), data)
            self.assertEqual(sorted(os.listdir("model")), before)

    # ---- what is not ----

    def test_locations_outside_of_the_folder(self):
        for location in ("../secret.bin", "deep/../../secret.bin", "deep/../weights.bin", "..",
                         os.path.abspath("secret.bin"), "/etc/passwd", "", ".", "./weights.bin",
                         "deep//er/weights", "deep/er/weights/", "x" * 300):
            with self.subTest(location):
                self.one(location=location)
                self.refuses("must be a path within the folder of the model")

    def test_links_are_not_followed(self):
        os.symlink("../secret.bin", "model/link.bin")
        os.symlink("weights.bin", "model/near.bin")
        os.symlink("..", "model/up")
        os.symlink("deep", "model/down")
        for location in ("link.bin", "near.bin", "up/secret.bin", "down/er/weights"):
            with self.subTest(location):
                self.one(location=location)
                self.refuses("(links are not followed)")

    def test_a_model_behind_a_link_has_the_folder_of_the_link(self):
        self.one(location="weights.bin", offset=64)
        os.symlink("model/model.onnx", "model.onnx")
        self.refused(FAILED, "weights.bin': No such file", "onnx", "model.onnx", "-o", "out")
        os.symlink("model", "folder")
        self.succeeds("onnx", "folder/model.onnx", "-o", "out")

    def test_files_that_are_none(self):
        os.mkfifo("model/pipe")
        for location, says in (("missing", "No such file"), ("deep", "not a regular file"),
                               ("pipe", "not a regular file"),
                               ("weights.bin/x", "Not a directory")):
            with self.subTest(location):
                self.one(location=location)
                self.refuses(says)

    def test_ranges_outside_of_the_file(self):
        for entries, says in (({"offset": 113}, "48 bytes from byte 113 of 'weights.bin' on"),
                              ({"offset": 1 << 62}, "which has 160"),
                              ({"offset": -1}, "the offset of its external_data is '-1'"),
                              ({"offset": "1e3"}, "which is no number of bytes"),
                              ({"offset": 1 << 70}, "which is no number of bytes"),
                              ({"length": 47}, "has the length 47; its dims and data_type need 48"),
                              ({"length": 160}, "has the length 160"),
                              ({"length": ""}, "the length of its external_data is ''")):
            with self.subTest(entries):
                self.one(location="weights.bin", **entries)
                self.refuses(says)

    def test_entries_that_are_wrong(self):
        self.one(offset=0)
        self.refuses("has no location")
        twice = external("w0", FIRST, location="weights.bin") + \
            field(13, field(1, "location") + field(2, "deep/er/weights"))
        self.write(twice)
        self.refuses("has location twice")
        self.write(external("w0", FIRST, location="weights.bin") + field(9, bytes(48)))
        self.refuses("both raw_data and external_data")
        huge = np.broadcast_to(np.float32(0), (1 << 40, 1 << 10))
        self.write(external("w0", huge, location="weights.bin"))
        self.refuses("are more than the 4294967296 of external data")
        huge = types.SimpleNamespace(shape=(1 << 62, 1 << 10))
        self.write(external("w0", huge, location="weights.bin"))
        self.refuses("64 bits")

    def test_a_location_that_a_nul_would_cut(self):
        self.one(location="weights.bin\0.txt", offset=64)
        text = self.refused(FAILED, "is a NUL within a string, value of StringStringEntryProto",
                            "onnx", "model/model.onnx", "-o", "out")
        self.assertIn("model/model.onnx", text)
        self.assertEqual(os.listdir("out"), [])

    def test_what_a_location_holds_is_escaped(self):
        self.one(location="a\x1b[31m\nb")
        text = self.refuses("\\x1b[31m\\nb")
        self.assertEqual(text.count("\n"), 1)


if __name__ == "__main__":
    need_device()
    main()
