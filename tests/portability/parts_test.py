"""A part of tests that was ended goes on behind its last test.

SPDX-License-Identifier: Apache-2.0
"""

import json
import types
import unittest

import parts


class Driver:
    """Whose tests pass, until one ends the process."""
    name, cases = "some-driver", 3

    def __init__(self, kept, revision="aaa", ends_at=None):
        self.kept, self.revision, self.ends_at, self.ran = kept, revision, ends_at, []

    def keep(self, **what):
        self.kept.update(json.loads(json.dumps(what)))

    def missing(self):
        return {}

    def tests(self, _label):
        return [(name, [name], {}) for name in ("a", "b", "c")]

    def run(self, name, *_command, **_environment):
        if name == self.ends_at:
            raise KeyboardInterrupt
        self.ran.append(name)
        return types.SimpleNamespace(verdict=None, skipped=False, output="")


class Ended(unittest.TestCase):
    def setUp(self):
        self.kept = {}
        with self.assertRaises(KeyboardInterrupt):
            parts.tests(Driver(self.kept, ends_at="c"))

    def ran_again(self, revision="aaa"):
        driver = Driver(self.kept, revision)
        self.assertEqual(parts.tests(driver)["passed"], ["a", "b", "c"])
        return driver.ran

    def test_goes_on(self):
        self.assertEqual(self.ran_again(), ["c"])

    def test_begins_again_at_another_commit(self):
        self.assertEqual(self.ran_again("bbb"), ["a", "b", "c"])

    def test_begins_again_where_the_commit_says_little(self):
        self.kept["tests so far"]["run"][0] = "aaa-dirty"
        self.assertEqual(self.ran_again("aaa-dirty"), ["a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
