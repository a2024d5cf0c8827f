#!/usr/bin/env python3
"""Checks what keeps a file readable: check_sizes.py PROJECT

No line of C has more than 120 columns, and no struct more than 20 members: one that grows beyond is made of several.
A nested struct counts as one member, and so does a function pointer.
"""

import re
import subprocess
import sys
from pathlib import Path

MOST_COLUMNS, MOST_MEMBERS = 120, 20
COMMENT = re.compile(r"/\*.*?\*/", re.S)
PARENTHESES = re.compile(r"\([^()]*\)")


def files(project):
    """The C files that belong to the project; all of them where it is no checkout."""
    try:
        listed = subprocess.run(["git", "-C", project, "ls-files", "*.c", "*.h", "*.inc"], capture_output=True, text=True,
                                check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        listed = []
    found = [project / name for name in listed] or [p for p in project.rglob("*") if p.suffix in (".c", ".h", ".inc")]
    return [path for path in found if path.is_file() and "build" not in path.relative_to(project).parts]


def wide_lines(text):
    """(line, columns) of the lines that are too wide."""
    return [(k, len(line)) for k, line in enumerate(text.split("\n"), 1) if len(line) > MOST_COLUMNS]


def body_of(text, start):
    """The text between the brace before `start` and the one that closes it."""
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[start:end - 1]


def members(body):
    """How many members the body of a struct declares."""
    flat, depth = [], 0
    for letter in re.sub(r"^\s*#.*$", "", body, flags=re.M):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0 and letter != "}":
            flat.append(letter)
    count = 0
    for declaration in "".join(flat).split(";"):
        if declaration.strip():
            while PARENTHESES.search(declaration):
                declaration = PARENTHESES.sub("", declaration)
            count += 1 + declaration.count(",")
    return count


def large_structs(text):
    """(name, members) of the structs that are too large."""
    plain = COMMENT.sub(" ", text)
    sizes = [(match.group(1), members(body_of(plain, match.end()))) for match in re.finditer(r"struct\s+(\w+)\s*\{", plain)]
    return [(name, size) for name, size in sizes if size > MOST_MEMBERS]


def complaints(project):
    """One sentence for each thing that is too large."""
    for path in sorted(files(project)):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(project)
        for line, columns in wide_lines(text):
            yield f"{name}:{line}: found {columns} columns, expected at most {MOST_COLUMNS}; break the line"
        for struct, size in large_structs(text):
            yield (f"{name}: struct {struct}: found {size} members, expected at most {MOST_MEMBERS}; "
                   "group those that belong together")


def main():
    """Prints the complaints; the exit code says whether there are any."""
    found = list(complaints(Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "sizes: lines and structs are small enough")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
