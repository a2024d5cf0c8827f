#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The runner of bench/ on problems that take no time: run.py DCPN. Exit 77 (skipped) without numpy and scipy."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DCPN = ""
NO_PYTHON = "with numpy and scipy"

CASES = """
[data.small]
generate = "gaussian"
rows = 40
columns = 30
relevant = 3
seed = 1

[data.small-real]
generate = "gaussian"
rows = 40
columns = 30
relevant = 3
seed = 1
target = "real"

[data.sparse]
generate = "text-like"
rows = 50
columns = 60
words_per_row = 12
relevant = 5
seed = 2

[data.absent]
real = "absent"
columns = 10

[peers.nobody]
losses = ["logistic", "squared"]
penalties = ["l1"]
tolerances = [1e-3]

[dcpn]
tolerances = [1e-3, 1e-8]

[dcpn.sets]
"dcpn" = []
"gist" = ["--algorithm", "gist"]
"odd" = ["--no-such-option"]

[[fit]]
name = "l1"
data = ["small", "sparse", "absent"]
sets = ["dcpn", "gist", "odd"]
loss = "logistic"
penalty = "l1"
lambda-ratio = [0.1]

[[fit]]
name = "mcp"
data = "small-real"
loss = "squared"
penalty = "mcp"
gamma = 3.0
scale = "mean"
lambda = [0.1]

[[path]]
name = "l1"
data = "small-real"
loss = "squared"
penalty = "l1"
scale = "mean"
nlambda = 4
lambda-min-ratio = 0.1
"""


def run(folder, *words):
    """bench/run with the data and the results in a folder: what it printed and said."""
    environment = {key: value for key, value in os.environ.items() if key != "DCPN_DATA"}
    command = [str(ROOT / "bench/run"), *words, "--data", f"{folder}/data", "--out", str(folder), "--venv", f"{folder}/venv"]
    return subprocess.run(command, env=dict(environment, DCPN=DCPN), capture_output=True, text=True, check=False)


class Runner(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        (cls.folder / "cases.toml").write_text(CASES)
        cls.done = run(cls.folder, "fits", "--cases", f"{cls.folder}/cases.toml")
        if NO_PYTHON in cls.done.stderr:
            print(cls.done.stderr)
            os._exit(77)
        assert cls.done.returncode == 0, cls.done.stderr
        cls.results = json.loads((cls.folder / "fits.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def points(self, who):
        return [point for result in self.results for point in result["curves"].get(who, [])]

    def test_evaluator_agrees_with_dcpn(self):
        self.assertEqual(len(self.points("dcpn")), 6)
        for point in self.points("dcpn"):
            self.assertAlmostEqual(point["F"] / point["objective"], 1.0, delta=1e-12)

    def test_methods_meet_at_the_convex_minimum(self):
        for result in self.results:
            if result["problem"]["penalty"] == "l1":
                ends = [points[-1]["F"] for points in result["curves"].values()]
                self.assertEqual(len(ends), 2)
                self.assertAlmostEqual(ends[0] / ends[1], 1.0, delta=1e-9)

    def test_a_looser_tolerance_ends_no_lower(self):
        for result in self.results:
            if result["problem"]["penalty"] == "l1":
                loose, tight = (point["F"] for point in result["curves"]["dcpn"])
                self.assertGreaterEqual(loose, tight * (1.0 - 1e-12))

    def test_what_is_missing_is_said(self):
        self.assertIn("odd skipped: dcpn fit: unknown option '--no-such-option'", self.done.stderr)
        self.assertIn("nobody skipped: is not installed here", self.done.stderr)
        self.assertIn("l1 absent skipped: DCPN_DATA does not name", self.done.stderr)

    def test_tables_have_a_row_for_each_problem_and_each_curve(self):
        for result in self.results:
            problem = f"| {result['case']} | {result['data']} | {result['lambda']} |"
            self.assertRegex(self.done.stdout, f"{problem} [-+.e0-9]+ s".replace("|", r"\|"))
            for who in result["curves"]:
                self.assertIn(f"{problem} {who} |", self.done.stdout)

    def test_figures_are_drawn(self):
        figures = sorted(self.folder.glob("fit-*.svg"))
        self.assertEqual(len(figures), 3)
        for figure in figures:
            words = [node.text for node in xml.etree.ElementTree.parse(figure).iter() if node.text]
            self.assertIn("time in the solver (s)", words)
            self.assertIn("dcpn", words)

    def test_page_has_every_loss_in_red(self):
        with tempfile.TemporaryDirectory() as name:
            folder, results = pathlib.Path(name), json.loads(json.dumps(self.results))
            for result in results:
                for rival, factor in (("quick", 0.5), ("slow", 2.0)):
                    result["curves"][rival] = [dict(point, time_s=factor * point["time_s"])
                                               for point in result["curves"]["dcpn"]]
            (folder / "fits.json").write_text(json.dumps(results))
            done = run(folder, "page")
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (folder / "index.html").read_text()
            self.assertEqual(text.count('<td class="loss">0.5</td>'), len(results))
            self.assertIn(f'{2 * len(results)} comparisons, <span class="loss">{len(results)} lost</span>', text)
            self.assertNotIn('<td class="loss">2', text)

    def test_paths(self):
        done = run(self.folder, "paths", "--cases", f"{self.folder}/cases.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "no command path" in done.stderr:
            return
        result = json.loads((self.folder / "paths.json").read_text())[0]
        for point in result["curves"]["dcpn"]:
            self.assertEqual(len(point["F"]), 4)
            self.assertEqual(point["F"], sorted(point["F"], reverse=True))

    def test_the_case_file_of_the_project(self):
        done = run(self.folder, "fits", "--case", "tiny", "--peer", "dcpn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| tiny | tiny | 0.1 max | dcpn |", done.stdout)


if __name__ == "__main__":
    DCPN = os.path.abspath(sys.argv.pop(1))
    unittest.main()
