#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a program compiled against the headers relies on with the recorded table: the functions and their arguments, the
numbers of enumerations, the size of each public struct and where its members are.

usage: check_abi.py [--cc CC] [--update] SOURCE

The table is tests/abi/table.txt. Whatever is in it and has changed breaks programs that were compiled before: either that was
not meant, or the version is another one (CMakeLists.txt, cmake/exports.map), and `--update` records it. Until version 1.0 every
version may break the one before. What may grow is not in it: settings, results, paths and the like are handles, whose structs
(include/dcpn/layout) only the project sees, and options that a program fills in have room for later members (`reserved`).
"""

import argparse
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

MARKER = re.compile(r'^# \d+ "([^"]*)"')
MEMBER = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")


def declarations(compiler, source):
    """The declarations of the public headers, preprocessed, one text each."""
    program = '#include "dcpn/dcpn.h"\n'
    text = subprocess.run([compiler, "-E", "-xc", "-I", str(source / "include"), "-"], input=program, capture_output=True, text=True,
                          check=True).stdout
    kept, is_ours = [], False
    for line in text.splitlines():
        marker = MARKER.match(line)
        if marker:
            is_ours = "/dcpn/" in marker.group(1)
        elif is_ours and not line.startswith("#"):
            kept.append(line)
    return split(" ".join(kept), ";")


def split(text, separator):
    """Splits where no bracket is open."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if letter == separator and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def squeeze(text):
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    return re.sub(r"\s*([(),*])\s*", r"\1", re.sub(r"\s+", " ", text)).replace(",", ", ").strip()


def members_of(body):
    """The names of the members of a struct; those of a struct without a name within it with the name of that one before them."""
    for declaration in split(body, ";"):
        nested = re.match(r"(?:struct|union)\s*\{(.*)\}\s*(\w+)\s*$", declaration, re.DOTALL)
        if nested:
            yield nested.group(2)
            yield from (f"{nested.group(2)}.{name}" for name in members_of(nested.group(1)))
            continue
        for declarator in split(declaration, ","):
            pointer = re.search(r"\(\s*\*\s*(?:const\s+)?(\w+)", declarator)
            name = pointer.group(1) if pointer else MEMBER.search(declarator).group(1)
            yield name


def read(all_declarations):
    """What the headers declare: structs with their members, constants, and functions as one line each."""
    structs, constants, functions = {}, [], []
    for text in all_declarations:
        text = re.sub(r'^extern "C"\s*\{', "", text)
        enum = re.search(r"\benum\b\s*\w*\s*\{(.*)\}", text, re.DOTALL)
        struct = re.match(r"typedef struct (\w+)\s*\{(.*)\}\s*\w+$", text, re.DOTALL)
        if struct:
            structs[struct.group(1)] = list(members_of(struct.group(2)))
        elif enum:
            constants += [constant.split("=")[0].strip() for constant in split(enum.group(1), ",")]
        elif "(" in text and not text.startswith("typedef") and not text.startswith("struct"):
            functions.append(squeeze(text))
    return structs, constants, functions


def measure(compiler, source, structs, constants):
    """Compiles and runs a program that prints sizes, places and numbers."""
    lines = ['#include "dcpn/dcpn.h"', "#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for name, members in structs.items():
        lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
        lines += [f'printf("  {name}.{member} at %zu, %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
                  for member in members]
    lines += [f'printf("number {name} %lld\\n", (long long){name});' for name in constants]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "measure")
        subprocess.run([compiler, "-xc", "-I", str(source / "include"), "-o", str(program), "-"], input="\n".join([*lines, "}"]),
                       text=True, check=True)
        return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()


def table_of(compiler, source):
    structs, constants, functions = read(declarations(compiler, source))
    version = re.search(r"\b(DCPN_[0-9.]+)\s*\{", (source / "cmake/exports.map").read_text()).group(1)
    lines = [f"version {version}", *measure(compiler, source, structs, constants), *(f"function {f}" for f in sorted(functions))]
    return lines


def broken(recorded, found):
    """Lines of the table that are not so any more. What is new at the end of an enumeration or a new function breaks nothing."""
    present = set(found)
    return [line for line in recorded if line not in present]


def compare(recorded, found):
    """0: as recorded; else what to do is said."""
    if recorded == found:
        return 0
    lost, new = broken(recorded, found), broken(found, recorded)
    for line in lost:
        print(f"recorded, but not so any more: {line.strip()}")
    for line in new:
        print(f"not recorded yet: {line.strip()}")
    print("what programs rely on has changed. If that is meant, record it: tools/check_abi.py --update ."
          + ("; after a release, what is not so any more also needs another version in cmake/exports.map and CMakeLists.txt"
             if lost else ""))
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--update", action="store_true", help="record what is found")
    given = parser.parse_args()
    if sys.maxsize < 2**32 or platform.machine() not in ("x86_64", "aarch64"):
        print("skipped: the table is that of 64-bit machines")
        return 77
    table = given.source / "tests/abi/table.txt"
    found = table_of(given.cc, given.source)
    if given.update:
        table.write_text("\n".join(found) + "\n")
        return 0
    return compare(table.read_text().splitlines(), found)


if __name__ == "__main__":
    sys.exit(main())
