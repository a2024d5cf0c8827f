#!/usr/bin/env python3
"""Checks that the documents speak of what exists.

usage: check_docs.py [ROOT]

In every *.md at the root and below docs/: a relative link leads to a file, and so does `code` that looks like a path of
the project (src/..., include/..., tests/... and so on; * stands for anything), unless a how-to creates that file. A
link to a #heading leads to a heading of that document. The
`name` of or in a [file](path) stands in that file. In a how-to every `name_of_code`, `.member` and `call(...)` stands
somewhere in the sources, or in a file that the how-to creates.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")
CODE = re.compile(r"`([^`\s]+)`")
FOLDERS = ("include", "src", "cli", "import", "tests", "examples", "docs", "tools", "script", "cmake")
CREATED = re.compile(r"^Create `([^`]+)`:$", re.MULTILINE)
NAME_IN_FILE = re.compile(r"`\.?(\w+)(?:\([^`]*\))?`\s+(?:of|in)\s+\[[^\]]*\]\(([^)\s#]+)\)")
NAME = re.compile(r"`(?:\.(\w+)|(\w+)\([^`]*\)|(\w*[a-z]\w*_\w+))`")
SOURCES = ("include", "src", "cli", "import", "tests")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def without_blocks(text):
    """The text with its fenced blocks emptied, so that line numbers stay."""
    return FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)


def anchors(document):
    """What links call the headings of a document."""
    for line in without_blocks(document.read_text(encoding="utf-8")).splitlines():
        if line.startswith("#"):
            yield re.sub(r"[^\w -]", "", line.lstrip("#").strip().lower()).replace(" ", "-")


def lost_anchors(document, line):
    for target, anchor in ANCHOR.findall(line):
        there = document.parent / target if target else document
        if "://" not in target and there.suffix == ".md" and there.is_file() and anchor not in anchors(there):
            yield f"{target}#{anchor}"


def missing(root, document):
    text = document.read_text(encoding="utf-8")
    created = set(CREATED.findall(text))
    for number, line in enumerate(without_blocks(text).splitlines(), 1):
        for target in LINK.findall(line):
            if "://" not in target and not (document.parent / target).exists():
                yield number, target
        for lost in lost_anchors(document, line):
            yield number, lost
        for word in CODE.findall(line):
            path = word.rstrip("/")
            if path.split("/")[0] in FOLDERS and "/" in word and path not in created and not any(root.glob(path)):
                yield number, word


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def has_word(text, word):
    return re.search(rf"\b{word}\b", text) is not None


def misplaced(document):
    """Names that a document says to be in a file and are not."""
    text = without_blocks(document.read_text(encoding="utf-8"))
    for found in NAME_IN_FILE.finditer(text):
        name, path = found.groups()
        file = document.parent / path
        if file.is_file() and not has_word(file.read_text(encoding="utf-8"), name):
            yield line_of(text, found.start()), f"{name} in {path}"


def unknown(document, words):
    """Names of code in a how-to that no source has."""
    whole = document.read_text(encoding="utf-8")
    made = set(re.findall(r"\w+", "".join(FENCE.findall(whole))))
    text = without_blocks(whole)
    for found in NAME.finditer(text):
        name = next(filter(None, found.groups()))
        if name not in words and name not in made:
            yield line_of(text, found.start()), name


def words_of_sources(root):
    files = (path for folder in SOURCES for path in (root / folder).rglob("*") if path.suffix in (".c", ".h", ".inc", ".def"))
    return {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}


def findings(root, document, words):
    yield from missing(root, document)
    yield from misplaced(document)
    if document.parent.name == "howto":
        yield from unknown(document, words)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    documents = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    words = words_of_sources(root)
    complaints = [
        f"{document.relative_to(root)}:{number}: {target} does not exist"
        for document in documents
        for number, target in findings(root, document, words)
    ]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
