#!/usr/bin/env python3
"""Does what a how-to says, word by word.

usage: follow.py HOWTO.md ROOT

A recipe speaks in two sentences, each followed by fenced blocks:

    Create `FILE`:            the block is the file
    In `FILE`, replace        the first block, which stands there exactly once, gives way to the second
"""

import pathlib
import re
import sys

CREATE = re.compile(r"Create `([^`]+)`:\n\n```c\n(.*?)```\n", re.DOTALL)
REPLACE = re.compile(r"[Ii]n `([^`]+)`, replace\n\n```c\n(.*?)\n```\n\nby\n\n```c\n(.*?)\n```\n", re.DOTALL)


def create(path, text):
    if path.exists():
        sys.exit(f"{path}: exists already, expected a new file")
    path.write_text(text, encoding="utf-8")


def occurrences(text, words):
    """The places of words in text that are no part of a longer name."""
    return [m.start() for m in re.finditer(r"(?<![\w&])" + re.escape(words) + r"(?!\w)", text)]


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    places = occurrences(text, old)
    if len(places) != 1:
        sys.exit(f"{path}: found {len(places)} times, expected once:\n{old}")
    path.write_text(text[: places[0]] + new + text[places[0] + len(old) :], encoding="utf-8")


def main():
    recipe = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    root = pathlib.Path(sys.argv[2])
    files, changes = CREATE.findall(recipe), REPLACE.findall(recipe)
    if recipe.count("```c\n") != len(files) + 2 * len(changes):
        sys.exit(f"{sys.argv[1]}: found a block that no sentence of a recipe leads to")
    for file, text in files:
        create(root / file, text)
    for file, old, new in changes:
        replace(root / file, old, new)
    print(f"{pathlib.Path(sys.argv[1]).name}: {len(files)} files made, {len(changes)} changes")


if __name__ == "__main__":
    main()
