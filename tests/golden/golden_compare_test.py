#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/golden --compare finds what differs, and only that."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[2] / "packaging/golden"
ANSWER = """--- quadric analyze study.quadric --json
exit status 0
--- standard output
{
 "responses": [
  {"response": "y", "sigma": 0.123456789012, "terms": ["1", "A"], "p": 1.5e-14}
 ]
}
--- standard error
quadric: 3 runs are pending
"""
PLOT = "path d=M237.5,459.15l1,0 fill=#000000\ntext x=8 y=19.83 speed\n"


class GoldenCompareTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, files):
        for path, text in files.items():
            place = Path(self.folder.name) / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def compare(self, first, second, *options):
        """Exit status, and what is printed."""
        self.write("a", first)
        self.write("b", second)
        words = [sys.executable, GOLDEN, "--compare", "a", "b", *options]
        result = subprocess.run(words, cwd=self.folder.name, capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def compare_answers(self, old, new, *options):
        self.assertIn(old, ANSWER)
        return self.compare({"s/analyze.txt": ANSWER}, {"s/analyze.txt": ANSWER.replace(old, new)}, *options)

    def test_equal_sets_are_equal(self):
        files = {"s/analyze.txt": ANSWER, "s/plots/pareto.txt": PLOT}
        self.assertEqual(self.compare(files, files), (0, "0 of 2 files differ\n"))

    def test_a_changed_digit_is_found_and_named(self):
        status, said = self.compare_answers("0.123456789012", "0.123456799012")
        self.assertEqual(status, 1)
        self.assertIn("s/analyze.txt: responses[0].sigma: 0.123456789012 is now 0.123456799012", said)
        self.assertIn("1 of 1 files differ", said)

    def test_a_difference_of_rounding_is_none(self):
        self.assertEqual(self.compare_answers("0.123456789012", "0.1234567890121")[0], 0)
        self.assertEqual(self.compare_answers("1.5e-14", "-2.5e-13")[0], 0)

    def test_the_tolerance_can_be_looser(self):
        self.assertEqual(self.compare_answers("0.123456789012", "0.1234568", "--tolerance", "1e-6")[0], 0)
        self.assertEqual(self.compare_answers("0.123456789012", "0.1234578", "--tolerance", "1e-6")[0], 1)

    def test_texts_are_compared_exactly(self):
        for old, new in (("\"A\"", "\"B\""), ("are pending", "is pending"), ("3 runs", "4 runs"), ("exit status 0", "exit status 1"), ("\"p\"", "\"q\""),
                         ("1.5e-14", "null"), ("0.123456789012", "true"), ("[\"1\", \"A\"]", "[\"1\", \"A\", \"A\"]"), ("standard error", "standard output")):
            with self.subTest(old=old):
                self.assertEqual(self.compare_answers(old, new)[0], 1)

    def test_numbers_of_plots_are_compared(self):
        status, said = self.compare({"s/plots/p.txt": PLOT}, {"s/plots/p.txt": PLOT.replace("459.15", "459.16")})
        self.assertEqual(status, 1)
        self.assertIn("line 1", said)
        self.assertEqual(self.compare({"s/plots/p.txt": PLOT}, {"s/plots/p.txt": PLOT.replace("M237", "L237")})[0], 1)
        self.assertEqual(self.compare({"s/plots/p.txt": PLOT}, {"s/plots/p.txt": PLOT + "text more\n"})[0], 1)

    def test_files_of_one_set_only_are_named(self):
        status, said = self.compare({"s/a.txt": PLOT}, {"s/b.txt": PLOT})
        self.assertEqual(status, 1)
        self.assertIn("s/a.txt: is gone", said)
        self.assertIn("s/b.txt: is new", said)

    def test_named_changes_are_passed_over(self):
        status, said = self.compare_answers("0.123456789012", "0.5", "--except", r"analyze\.txt: .*\.sigma")
        self.assertEqual((status, said), (0, "0 of 1 files differ; passed over: 1\n"))
        self.assertEqual(self.compare_answers("0.123456789012", "0.5", "--except", r"\.vif")[0], 1)


if __name__ == "__main__":
    unittest.main()
