"""Tests of tools/check_docs.py: small trees with faults, and what it says of them.

    python3 tests/documents/test_check_docs.py
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_docs.py"
SOURCE = "struct part {\n    int size;\n};\nint make_part(void);\n"


class Documents(unittest.TestCase):
    def complaints(self, text, name="docs/howto/add.md"):
        """What is said of a document beside the one source src/part.h, without the place."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {"src/part.h": SOURCE, name: text}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
        return [line.split(": ", 1) for line in done.stdout.splitlines()]

    def test_what_exists_is_accepted(self):
        self.assertEqual(self.complaints("`make_part(...)` in [part.h](../../src/part.h), its `.size`, `src/part.h`\n"), [])

    def test_a_file_that_is_gone(self):
        found = self.complaints("a line\nsee `src/whole.h` and [whole](../../src/whole.h)\n")
        self.assertEqual([place for place, _ in found], ["docs/howto/add.md:2"] * 2)

    def test_a_heading_that_is_gone(self):
        text = "# A page\n\n## What is done: `when`\n\n[here](#what-is-done-when), [gone](#what-was-done)\n"
        self.assertEqual(self.complaints(text, "docs/page.md"), [["docs/page.md:5", "#what-was-done does not exist"]])

    def test_a_name_that_has_left_its_file(self):
        text = "a line\n`make_whole` of\n[part.h](../src/part.h)\n"
        self.assertEqual(self.complaints(text, "docs/page.md"),
                         [["docs/page.md:2", "make_whole in ../src/part.h does not exist"]])

    def test_names_in_a_howto_that_no_source_has(self):
        for text in ("`make_whole`", "`.weight`", "`whole(part)`"):
            with self.subTest(text):
                self.assertEqual(len(self.complaints(text + "\n")), 1)

    def test_only_whole_names_count(self):
        self.assertEqual(len(self.complaints("`ake_part`\n")), 1)

    def test_what_a_howto_makes_exists(self):
        text = "Create `src/new.c`:\n\n```c\nint new_part(void) { return 1; }\n```\n\n`new_part` is in `src/new.c`.\n"
        self.assertEqual(self.complaints(text), [])


if __name__ == "__main__":
    unittest.main()
