# `clreshape warm`: kernels built before use, and a file of kernels for run and onnx.
#
# SPDX-License-Identifier: Apache-2.0
import os
import stat

import numpy as np

from program import FAILED, USAGE, Case, main, need_device

ONE = ("--class", "cpu_tile", "--bits", "32")


class Warm(Case):
    def setUp(self):
        super().setUp()
        self.source = np.arange(40 * 56, dtype=np.float32).reshape(40, 56)
        np.save("in.npy", self.source)

    def test_a_file_of_kernels_serves_run(self):
        said = self.succeeds("warm", "-o", "kernels", *ONE)
        self.assertRegex(said, r"^\d+ programs\n$")
        self.assertEqual(stat.S_IMODE(os.stat("kernels").st_mode) & stat.S_IWOTH, 0)
        self.succeeds("run", "in.npy", "out.npy", "permute=1,0", "--programs", "kernels")
        np.testing.assert_array_equal(np.load("out.npy"), self.source.T)

    def test_a_file_is_all_that_is_written(self):
        home = os.path.abspath("home")
        os.mkdir(home)
        self.succeeds("warm", "-o", "kernels", *ONE, environment={"XDG_CACHE_HOME": home})
        self.assertEqual((sorted(os.listdir()), os.listdir(home)),
                         (["home", "in.npy", "kernels"], []))

    def test_every_width_of_a_class(self):
        count = int(self.succeeds("warm", "-o", "kernels", "--class", "cpu_rows").split()[0])
        self.assertGreaterEqual(count, 5)

    def test_a_damaged_file_is_refused_before_the_driver_sees_it(self):
        self.succeeds("warm", "-o", "kernels", *ONE)
        with open("kernels", "r+b") as file:
            file.seek(-20, os.SEEK_END)
            byte = file.read(1)[0]
            file.seek(-20, os.SEEK_END)
            file.write(bytes([byte ^ 1]))
        for name, says in (("kernels", "damaged"), ("in.npy", "damaged"), ("none", "No such file")):
            self.refused(FAILED, f"{name}: ", "run", "in.npy", "out.npy", "permute=1,0",
                         "--programs", name)
            self.assertIn(says, self.refused(FAILED, name, "onnx", "none.onnx", "--programs", name))
        self.assertNotIn("out.npy", os.listdir())

    def test_an_old_file_is_replaced_or_left_whole(self):
        with open("kernels", "wb") as file:
            file.write(b"old")
        self.refused(FAILED, "class cpu_tile has no kernel for units of 1 bits", "warm", "-o", "kernels",
                     "--class", "cpu_tile", "--bits", "1")
        with open("kernels", "rb") as file:
            self.assertEqual(file.read(), b"old")
        self.refused(FAILED, "nowhere/kernels", "warm", "-o", "nowhere/kernels", *ONE)

    def test_bad_arguments(self):
        self.refused(USAGE, "--bits is '3'", "warm", "--bits", "3")
        self.refused(USAGE, "--bits is '256'", "warm", "--bits", "256")
        self.refused(USAGE, "'nothing'", "warm", "--class", "nothing")
        self.refused(USAGE, "--class any", "warm", "--class", "any")
        self.refused(USAGE, "warm takes no argument: 'file'", "warm", "file")
        self.refused(USAGE, "'x' is not a device", "warm", "--device", "x")
        self.refused(USAGE, "not an option of warm", "warm", "--fast")


if __name__ == "__main__":
    need_device()
    main()
