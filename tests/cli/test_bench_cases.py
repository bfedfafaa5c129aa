# clreshape bench without a device: the command line, and case files with mistakes, which are named
# by line, column and rule before any device is opened.
#
# SPDX-License-Identifier: Apache-2.0
import os

from program import FAILED, NO_DEVICE, USAGE, Case, main

NOWHERE = {"OCL_ICD_VENDORS": "/nonexistent"}
GOOD = "a\ts\tf32\t2x3\tC\t1,0\tC"


def write(text):
    with open("cases.tsv", "w") as file:
        file.write(text)


# The fault, the line, the expected message.
BAD_LINES = [
    ("too few columns", "a\ts\tf32\t2x3\tC\t1,0", ("column 7 (dst_strides)", "missing")),
    ("too many columns", GOOD + "\t1\tnote\tmore", ("more than 9 columns",)),
    ("empty id", GOOD[1:], ("column 1 (id)", "empty")),
    ("blank in the id", "a b" + GOOD[1:], ("column 1 (id)", "blanks")),
    ("control character in the suite", GOOD.replace("\ts\t", "\t\x1b[2J\t"),
     ("column 2 (suite)", "printable")),
    ("delete character in the id", "\x7f" + GOOD[1:], ("column 1 (id)", "printable")),
    ("unknown dtype", GOOD.replace("f32", "f33"), ("column 3 (dtype)", "f33")),
    ("empty dtype", GOOD.replace("f32", ""), ("column 3 (dtype)", "empty")),
    ("dtype that straddles bytes", GOOD.replace("f32", "u3"), ("column 3 (dtype)", "u3")),
    ("dim of 0", GOOD.replace("2x3", "2x0"), ("column 4 (shape)", "dim 1", "less than 1")),
    ("dim that is no number", GOOD.replace("2x3", "2xx3"), ("column 4 (shape)", "''")),
    ("33 dims", GOOD.replace("2x3", "x".join(["1"] * 33)), ("column 4 (shape)", "more than 32")),
    ("more elements than 64 bits count", GOOD.replace("2x3", "9999999999x9999999999"),
     ("column 5 (src_strides)", "64 bits")),
    ("too few strides", GOOD.replace("\tC\t1,0", "\t3\t1,0"),
     ("column 5 (src_strides)", "1 strides", "2 dims")),
    ("stride that is no number", GOOD.replace("\tC\t1,0", "\t3,x\t1,0"),
     ("column 5 (src_strides)", "'x'")),
    ("elements farther apart than 63 bits count",
     GOOD.replace("\tC\t1,0", "\t9223372036854775807,1\t1,0"),
     ("column 5 (src_strides)", "64 bits")),
    ("offset too small for a negative stride", GOOD.replace("\tC\t1,0", "\t-3,1@2\t1,0"),
     ("column 5 (src_strides)", "offset 2", "before the buffer")),
    ("offset that is no number", GOOD.replace("\tC\t1,0", "\t3,1@x\t1,0"),
     ("column 5 (src_strides)", "'x'")),
    ("axis that is no number", GOOD.replace("1,0", "1,x"), ("column 6 (perm)", "'x'")),
    ("axis twice", GOOD.replace("1,0", "1,1"), ("column 6 (perm)", "'1,1'", "permutation")),
    ("axis out of range", GOOD.replace("1,0", "2,0"), ("column 6 (perm)", "0 to 1")),
    ("axis below 0", GOOD.replace("1,0", "1,-1"), ("column 6 (perm)", "'1,-1'", "permutation")),
    ("too few axes", GOOD.replace("1,0", "0"), ("column 6 (perm)", "1 axes", "2 dims")),
    ("reshape to another count", GOOD.replace("1,0", "1,0/4x2/1,0"),
     ("column 6 (perm)", "6 elements to 8")),
    ("reshape to more elements than 64 bits count",
     GOOD.replace("1,0", "1,0/9999999999x9999999999/1,0"), ("column 6 (perm)", "64 bits")),
    ("number of kept elements that is no number", GOOD.replace("1,0", "1,0/3x2:y/1,0"),
     ("column 6 (perm)", "dim 1 of '3x2:y'", "'y'")),
    ("more kept than there is", GOOD.replace("1,0", "1,0/3x2:3/1,0"),
     ("column 6 (perm)", "dim 1 of '3x2:3'", "kept")),
    ("nothing kept", GOOD.replace("1,0", "1,0/3x2:0/1,0"), ("dim 1 of '3x2:0'", "kept")),
    ("part of the source kept", GOOD.replace("2x3", "2:1x3"), ("column 4 (shape)", "'2:1'")),
    ("reshape to what was not kept", GOOD.replace("1,0", "1,0/3x2:1/0,1/6/0"),
     ("column 6 (perm)", "3 elements to 6")),
    ("chain that ends in a reshape", GOOD.replace("1,0", "1,0/3x2"),
     ("column 6 (perm)", "permutation is missing")),
    ("chain that is too long", GOOD.replace("1,0", "1,0" + "/6/0" * 4),
     ("column 6 (perm)", "more than 3 reshapes")),
    ("batch of no dims", GOOD.replace("2x3", "2*"), ("column 4 (shape)", "dim 1", "''")),
    ("batch of too many moves", GOOD.replace("2x3", "65537*3").replace("1,0", "0,1"),
     ("column 4 (shape)", "65536 moves")),
    ("batch within a batch", GOOD.replace("2x3", "2x3*4"), ("column 4 (shape)", "'3*4'")),
    ("batch whose moves are no longer first", GOOD.replace("2x3", "2*3"),
     ("column 6 (perm)", "batch", "first")),
    ("batch that is reshaped", GOOD.replace("2x3", "2*3").replace("1,0", "0,1/6/0"),
     ("column 6 (perm)", "batch", "reshape")),
    ("too many destination strides", GOOD[:-1] + "1,2,3", ("column 7 (dst_strides)", "3 strides")),
    ("MiB that is no number", GOOD + "\tmuch", ("column 8 (MiB)", "'much'")),
]


class Cases(Case):
    def test_bad_lines_are_named(self):
        for name, line, says in BAD_LINES:
            with self.subTest(name):
                write(f"{GOOD}\n# a comment\n\n{line.replace('a', 'b', 1)}\n")
                message = self.refused(FAILED, "cases.tsv: line 4: ", "bench", "cases.tsv",
                                       environment=NOWHERE)
                for words in says:
                    self.assertIn(words, message)

    def test_bad_files(self):
        self.refused(FAILED, "missing.tsv", "bench", "missing.tsv", environment=NOWHERE)
        self.refused(FAILED, ".: ", "bench", ".", environment=NOWHERE)
        for text in ("", "\n\n", "id\tsuite\n", "# nothing\n"):
            write(text)
            self.refused(FAILED, "holds no case", "bench", "cases.tsv", environment=NOWHERE)
        write(GOOD + "\n" + GOOD + "\n")
        self.refused(FAILED, "line 2: column 1 (id): 'a'", "bench", "cases.tsv",
                     environment=NOWHERE)
        write("".join(f"{i}{GOOD[1:]}\n" for i in range(2001)))
        self.refused(FAILED, "more than 2000 cases", "bench", "cases.tsv", environment=NOWHERE)
        write(GOOD + "\n#" + " " * (16 << 20) + "\n")
        self.refused(FAILED, "larger than 16777216 bytes", "bench", "cases.tsv",
                     environment=NOWHERE)
        write(GOOD + "\0\n")
        self.refused(FAILED, "not text", "bench", "cases.tsv", environment=NOWHERE)

    def test_a_good_file_gets_as_far_as_the_device(self):
        for text in (GOOD, GOOD + "\r\n", GOOD + "\t\tnote", "id\tsuite\n" + GOOD + "\t0.1\tä note\n",
                     GOOD.replace("\tC\t1,0\tC", "\t-3,-1\t1,0/2x3/0,1\t-3,1@3")):
            write(text)
            self.refused(NO_DEVICE, "no OpenCL device", "bench", "cases.tsv", environment=NOWHERE)
        self.refused(NO_DEVICE, "no OpenCL device", "bench", environment=NOWHERE)

    def test_mistakes_on_the_command_line(self):
        write(GOOD)
        self.refused(USAGE, "'more.tsv'", "bench", "cases.tsv", "more.tsv")
        self.refused(USAGE, "--nonsense", "bench", "--nonsense")
        for gone in ("--plot", "--latency", "--preprocess"):
            self.refused(USAGE, gone, "bench", "cases.tsv", gone)
        self.refused(USAGE, "--filter", "bench", "--filter")
        self.refused(USAGE, "exclude", "bench", "--json", "--tsv")
        self.refused(USAGE, "'x'", "bench", "--repetitions", "x")
        self.refused(USAGE, "is 0", "bench", "--repetitions", "0")
        self.refused(USAGE, "'0'", "bench", "--device", "0")
        self.refused(USAGE, "'sideways'", "bench", "--class", "sideways")
        self.refused(USAGE, "2000", "bench", "--random", "2001")
        self.refused(USAGE, "is 0", "bench", "--random", "3", "--seed", "0")
        self.refused(USAGE, "attention", "bench", "--random", "3", "--family", "sideways")
        self.refused(USAGE, "no file", "bench", "cases.tsv", "--random", "3")
        self.refused(USAGE, "--random", "bench", "--seed", "3")
        self.refused(USAGE, "--random", "bench", "--family", "images")
        self.assertEqual(os.listdir("."), ["cases.tsv"])


if __name__ == "__main__":
    main()
