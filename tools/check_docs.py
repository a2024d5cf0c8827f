#!/usr/bin/env python3
"""Checks that the documents speak of what exists.

usage: check_docs.py [ROOT]

In every *.md at the root and below docs/: a relative link leads to a file, and so does `code` that looks like a path of
the project (src/..., include/..., tests/... and so on; * stands for anything), unless a how-to creates that file.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
CODE = re.compile(r"`([^`\s]+)`")
FOLDERS = ("include", "src", "cli", "import", "tests", "examples", "docs", "tools", "script", "cmake")
CREATED = re.compile(r"^Create `([^`]+)`:$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def without_blocks(text):
    """The text with its fenced blocks emptied, so that line numbers stay."""
    return FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)


def missing(root, document):
    text = document.read_text(encoding="utf-8")
    created = set(CREATED.findall(text))
    for number, line in enumerate(without_blocks(text).splitlines(), 1):
        for target in LINK.findall(line):
            if "://" not in target and not (document.parent / target).exists():
                yield number, target
        for word in CODE.findall(line):
            path = word.rstrip("/")
            if path.split("/")[0] in FOLDERS and "/" in word and path not in created and not any(root.glob(path)):
                yield number, word


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    documents = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    complaints = [
        f"{document.relative_to(root)}:{number}: {target} does not exist"
        for document in documents
        for number, target in missing(root, document)
    ]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
