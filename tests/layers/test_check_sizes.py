"""Tests of tools/check_sizes.py: what it says of small files that are too large.

    python3 tests/layers/test_check_sizes.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_sizes.py"


def said_of(text):
    """The exit code for a project of one file, and what is printed."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "file.c").write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def struct(*members):
    """The text of a struct."""
    return "struct large {\n" + "".join(f"    {member};\n" for member in members) + "};\n"


class Sizes(unittest.TestCase):
    """Each limit is reached without a word, and passed with a sentence."""

    def test_columns(self):
        self.assertEqual(said_of("/*" + "x" * 116 + "*/\n")[0], 0)
        code, sentence = said_of("\n/*" + "x" * 117 + "*/\n")
        self.assertEqual(code, 1)
        self.assertIn("file.c:2: found 121 columns, expected at most 120", sentence)

    def test_members(self):
        self.assertEqual(said_of(struct(*(f"int m{k}" for k in range(20))))[0], 0)
        code, sentence = said_of(struct(*(f"int m{k}" for k in range(21))))
        self.assertEqual(code, 1)
        self.assertIn("struct large: found 21 members, expected at most 20", sentence)

    def test_members_of_all_kinds(self):
        function, several, nested = "int (*f)(int a, int (*b)(int, int))", "double *a, b[3], c", "struct { int a, b; } s"
        one = struct(function, several, nested, *(f"int m{k}" for k in range(15)))
        self.assertEqual(said_of(one)[0], 0)
        self.assertIn("found 21 members", said_of(one.replace("int m0;", "int m0, n0;"))[1])

    def test_comments_declare_nothing(self):
        self.assertEqual(said_of(struct("int a /* one; two; three */", *(f"int m{k}" for k in range(19))))[0], 0)


if __name__ == "__main__":
    unittest.main()
