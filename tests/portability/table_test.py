"""The table keeps parts that were not run again, each with the part's date.

SPDX-License-Identifier: Apache-2.0
"""

import unittest

import table

NAME, CORES = "some-driver", 2
TESTED = {"passed": ["a", "b"], "failed": {}}
VERSION = {"platform": "Some Driver", "driver": "1.0"}


def date_of(text):
    return text.splitlines()[-1].strip("| ").split(" | ")[-1]


def made(before, **parts):
    times = {name.replace("_", " "): part.pop("when") for name, part in parts.items()}
    tests = parts.pop("some_tests", None)
    result = {"name": NAME, "cores": CORES, "times": times} | parts
    return table.markdown([result | ({"tests": tests} if tests else {})], before)


class Dates(unittest.TestCase):
    def setUp(self):
        self.first = made("", version=VERSION | {"when": "2026-01-01, aaa"},
                          tests=TESTED | {"when": "2026-01-01, aaa"},
                          chains={"failed": None, "count": 10, "when": "2026-01-02, bbb"})

    def test_each_part_has_its_own(self):
        self.assertEqual(date_of(self.first),
                         "version, tests: 2026-01-01, aaa; chains: 2026-01-02, bbb; 2 cores")

    def test_what_is_run_again_has_the_new_one_alone(self):
        second = made(self.first, tests=TESTED | {"when": "2026-01-03, ccc"})
        self.assertEqual(date_of(second), "version: 2026-01-01, aaa; chains: 2026-01-02, bbb; "
                         "tests: 2026-01-03, ccc; 2 cores")
        self.assertIn("| 10 right |", second)
        self.assertIn("| Some Driver, 1.0 |", second)
        third = made(second, chains={"failed": None, "count": 20, "when": "2026-01-04, ddd"})
        self.assertEqual(date_of(third), "version: 2026-01-01, aaa; tests: 2026-01-03, ccc; "
                         "chains: 2026-01-04, ddd; 2 cores")

    def test_chosen_tests_leave_the_others_their_date(self):
        second = made(self.first, some_tests=TESTED | {"when": "2026-01-03, ccc"})
        third = made(second, some_tests=TESTED | {"when": "2026-01-04, ddd"})
        for text, when in ((second, "2026-01-03, ccc"), (third, "2026-01-04, ddd")):
            self.assertEqual(date_of(text), "version, other tests: 2026-01-01, aaa; chains: "
                             f"2026-01-02, bbb; some tests: {when}; 2 cores")
            self.assertIn("2 of 2 chosen, earlier 2 of 2", text)

    def test_all_parts_of_one_date_are_not_named(self):
        self.assertEqual(table.times_of("2026-01-01, aaa, 2 cores"),
                         dict.fromkeys(table.PARTS, "2026-01-01, aaa"))

    def test_a_driver_that_was_not_run_stays(self):
        again = table.markdown([{"name": NAME, "times": {}}], self.first)
        self.assertEqual(date_of(again), date_of(self.first))


if __name__ == "__main__":
    unittest.main()
