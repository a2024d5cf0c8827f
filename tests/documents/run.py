#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples of a document and compares what they print with what it says.

usage: run.py DCPN DOCUMENT

An example is a fenced block of the language console. A line that begins with "$ dcpn" is a command, all of them in one
folder; what follows up to the next one is what it prints, on standard output and standard error. A line "..." stands for any
number of lines. Seconds may differ, and spaces at the end of a line.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = re.compile(r"[0-9.e+-]+ s\b")


def examples(text):
    """Pairs of a command and the lines that are expected of it."""
    found = []
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.startswith("> ") and not found[-1][1] and found[-1][0].endswith("\\"):
                found[-1] = (found[-1][0][:-1] + line[2:], [])
            else:
                found[-1][1].append(line)
    return found


def normal(line):
    return SECONDS.sub("? s", line.rstrip())


def matches(expected, found):
    """Do the lines agree, "..." being any number of them?"""
    if not expected:
        return not found
    if expected[0] == "...":
        return any(matches(expected[1:], found[k:]) for k in range(len(found) + 1))
    return bool(found) and normal(expected[0]) == normal(found[0]) and matches(expected[1:], found[1:])


def run(dcpn, command, folder):
    words = command.split()
    if words[0] != "dcpn":
        sys.exit(f"found the command '{command}', expected one that begins with dcpn")
    done = subprocess.run([dcpn, *words[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.stdout.splitlines()


def main():
    dcpn, document = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    pairs = examples(document.read_text(encoding="utf-8"))
    if not pairs:
        sys.exit(f"{document}: found no examples, expected some")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, expected in pairs:
            found = run(dcpn, command, folder)
            if matches(expected, found):
                continue
            wrong += 1
            print(f"{document}: $ {command}\nsays:", *expected, "found:", *found, sep="\n    ")
    print(f"{len(pairs) - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
