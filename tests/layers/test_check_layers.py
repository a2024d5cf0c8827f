"""Tests of tools/check_layers.py: small trees with faults, compiled, and what it says of them.

    CC=gcc python3 tests/layers/test_check_layers.py
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"


def function(name, *callees):
    """The text of a C function that calls others."""
    declarations = "".join(f"int {callee}(void);\n" for callee in callees)
    return f"{declarations}int {name}(void);\nint {name}(void) {{ return 1{''.join(f' + {c}()' for c in callees)}; }}\n"


def table(name, *entries):
    """The text of a table of functions, as a registry has it."""
    declarations = "".join(f"int {entry}(void);\n" for entry in entries)
    declarations += f"extern int (*const {name}[])(void);\n"
    return f"{declarations}int (*const {name}[])(void) = {{{', '.join(entries)}}};\n"


def look_up(name, listed):
    """The text of a function that calls what a table lists."""
    return f"extern int (*const {listed}[])(void);\nint {name}(void);\nint {name}(void) {{ return {listed}[0](); }}\n"


def circle(folder, names):
    """Files of a folder each of which calls the next, and the last the first."""
    return {f"{folder}/{name}.c": function(name, after) for name, after in zip(names, names[1:] + names[:1])}


class Tree:
    """A source tree of a few files and its object files."""

    def __init__(self, folder, sources):
        self.root, self.build = pathlib.Path(folder), pathlib.Path(folder) / "build"
        for source, text in sources.items():
            path = self.root / "src" / source
            target = self.build / "CMakeFiles" / "all.dir" / "src" / f"{source}.o"
            for file in (path, target):
                file.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            subprocess.run([os.environ.get("CC", "cc"), "-O1", "-fPIC", "-c", path, "-o", target], check=True)

    def check(self, *options):
        done = subprocess.run([sys.executable, TOOL, self.root, "--objects", self.build, *options],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def check(self, sources, *options, remove=()):
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder, sources)
            for source in remove:
                (tree.root / "src" / source).unlink()
            return tree.check(*options)

    def assert_fine(self, sources, *options, **more):
        self.assertEqual(self.check(sources, *options, **more), (0, ""))

    def assert_says(self, sentences, sources, *options):
        code, output = self.check(sources, *options)
        for sentence in sentences:
            self.assertIn(sentence, output)
        self.assertEqual(code, 1)

    def test_calls_down_are_fine(self):
        self.assert_fine({"base/a.c": function("a"), "matrix/b.c": function("b", "a"),
                          "objective/c.c": function("c", "a", "b")})

    def test_a_call_up_is_found(self):
        self.assert_says(["src/base/a.c: calls b (src/matrix/b.c): base may not know matrix"],
                         {"base/a.c": function("a", "b"), "matrix/b.c": function("b")})

    def test_siblings_do_not_know_one_another(self):
        self.assert_says(["loss may not know penalty"], {"loss/a.c": function("a", "b"), "penalty/b.c": function("b")})

    def test_a_use_of_data_up_is_found(self):
        self.assert_says(["src/base/a.c: calls entries (src/matrix/b.c)"],
                         {"base/a.c": look_up("a", "entries"), "matrix/b.c": function("b") + table("entries", "b")})

    def test_an_entry_of_a_table_up_is_found(self):
        self.assert_says(["src/base/a.c: lists b (src/matrix/b.c): base may not know matrix"],
                         {"base/a.c": table("entries", "b"), "matrix/b.c": function("b")})

    def test_a_circle_of_folders_is_found(self):
        path = "base --b (src/base/a.c -> src/matrix/b.c)--> matrix --a (src/matrix/b.c -> src/base/a.c)--> base"
        self.assert_says(["between 2 folders, base, matrix", path],
                         {"base/a.c": function("a", "b"), "matrix/b.c": function("b", "a")})

    def test_a_circle_of_four_files_is_found(self):
        path = "src/base/a.c --b--> src/base/b.c --c--> src/base/c.c --d--> src/base/d.c --a--> src/base/a.c"
        self.assert_says(["base: calls go round between 4 files", path], circle("base", "abcd"))

    def test_a_circle_of_three_files_is_only_reported(self):
        self.assert_fine(circle("base", "abc"))
        code, output = self.check(circle("base", "abc"), "--report")
        self.assertEqual(code, 0)
        self.assertIn("src/base/a.c --b--> src/base/b.c --c--> src/base/c.c --a--> src/base/a.c", output)

    def test_a_table_is_no_call(self):
        entries = ["b", "c", "d"]
        listed = {f"loss/{name}.c": function(name, "find") for name in entries}
        self.assert_fine({"loss/list.c": table("entries", *entries) + look_up("find", "entries"), **listed})

    def test_strictly_nothing_is_mixed(self):
        self.assert_says(["search may not know path", "between 2 folders, path, search"],
                         {"search/a.c": function("a", "b"), "path/b.c": function("b", "a")}, "--strict")

    def test_an_object_without_source_is_left_over(self):
        self.assert_fine({"base/a.c": function("a", "b"), "matrix/b.c": function("b")}, remove=["base/a.c"])

    def test_a_walk_goes_in_the_order_of_the_code(self):
        sources = {"base/a.c": function("a"), "matrix/b.c": function("b"), "metric/c.c": function("c", "a", "b"),
                   "step/d.c": function("d", "c", "a")}
        code, output = self.check(sources, "--walk", "d")
        self.assertEqual(code, 0)
        self.assertIn("d: 4 functions of 4 files in 4 folders", output)
        lines = ["    step: d.c", "    metric: c.c", "    base: a.c", "    matrix: b.c"]
        self.assertEqual(output.splitlines()[-4:], lines)


if __name__ == "__main__":
    unittest.main()
