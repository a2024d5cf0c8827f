#!/usr/bin/env python3
"""Checks that dependencies point one way: reads the #include lines of the sources and the symbols of object files.

usage: check_layers.py [ROOT] [--objects BUILD] [--strict] [--report] [--walk FUNCTION]...

A layer knows itself and those before it in ORDER below. With the object files of the build tree BUILD it also asks that

 1. no call goes against that order,
 2. no calls go round in a circle between folders,
 3. nor between more than three files of one folder.

A call is a symbol that the code of one file needs and another file defines, be it a function or data. Tables of data
that list functions, as registries do, have to keep the order as well but are no calls, and calls through such tables
are not seen.

--strict    as if nothing were left to be put in order
--report    print all cycles there are, allowed or not
--walk      print in which order a walk down the calls from a function, depth first and each function once, crosses the
            folders; of a build with optimisation (release) functions that were inlined are missing, debug has them all
"""

import argparse
import collections
import math
import pathlib
import re
import sys

import cycles
import object_files
import walk

# The layers, the lowest first. Folders that share a line do not know one another.
ORDER = [
    ["base"],
    ["matrix", "loss", "penalty"],
    ["objective"],
    ["metric"],
    ["subproblem"],
    ["step"],
    ["algorithm"],
    ["working_set"],
    ["search"],
    ["settings"],
    ["problem"],
    ["workspace", "structured"],
    ["transduction"],
    ["solver"],
    ["path"],
    ["selection"],
    ["inference"],
    ["model"],
    ["cli"],
]

# Folders beside the order: what they know besides themselves, and which folders of the order know them.
BESIDE = {
    "data": (["base", "matrix"], ["model", "cli"]),
    "plot": (["base", "data"], ["cli"]),
    "import": (["base", "matrix", "data"], []),
}

# Still to be put in order: these folders know one another, and some know one above them. With both empty the order is
# strict.
MIXED = []
EARLY = {}

# Folders beside src/. The command includes public headers and no others.
PROGRAMS = ["cli", "import", "plot"]
OUTSIDE = {"cli": ["cli", "plot"]}

# The first layers know only the public headers that speak of them.
PUBLIC = {
    "base": ["base", "collective", "errors", "outcomes"],
    "matrix": ["base", "data"],
    "data": ["base", "data"],
    "loss": ["base", "extend"],
    "penalty": ["base", "extend"],
    "plot": ["base", "data"],
}

# How many files of a folder may call one another in a circle.
CYCLE_LIMIT = 3

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
HOMELESS = "it belongs to no layer: a file of src/ stands in the folder of its layer"


class Layers:
    """Which folder may know which: strictly, or with what is still to be put in order."""

    def __init__(self, strict=False, cycle_limit=CYCLE_LIMIT):
        self.mixed, self.early = ([], {}) if strict else (MIXED, EARLY)
        self.limit = cycle_limit
        self.known = {folder: [folder, *knows] for folder, (knows, _) in BESIDE.items()}
        below = []
        for line in ORDER:
            for folder in line:
                self.known[folder] = [folder, *below, *self.early.get(folder, [])]
                self.known[folder] += [beside for beside, (_, knowers) in BESIDE.items() if folder in knowers]
            below += line
        for folder in self.mixed:
            self.known[folder] += self.mixed

    def may_call(self, folder, target):
        return target in self.known[folder]

    def is_left(self, folder, target):
        """Whether a call between these two folders is left to be put in order."""
        return folder in self.mixed and target in self.mixed or target in self.early.get(folder, [])

    def cycle_limit(self, folder):
        return math.inf if folder in self.mixed else self.limit

    def may_include(self, folder, target):
        return target in OUTSIDE.get(folder, self.known[folder])

    def of(self, path):
        """The folder of src/matrix/dense.c, of cli/main.c or, as it is included, of matrix/dense.h; None for others."""
        parts = pathlib.PurePosixPath(path).parts
        folder = parts[1] if parts[0] == "src" else parts[0]
        return folder if folder in self.known else None


def include_objection(layers, folder, path):
    """Why a file of this folder may not include that path, or None."""
    path = pathlib.PurePosixPath(path)
    if path.parts[0] == "dcpn":
        known = PUBLIC.get(folder)
        return None if known is None or path.stem in known else f"{folder} knows only {known} of the public headers"
    target = layers.of(path)
    if target is None:
        return HOMELESS
    return None if layers.may_include(folder, target) else f"{folder} may not know {target}"


def check_includes(layers, file, folder, shown):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or folder in PROGRAMS and (file.parent / match.group(1)).is_file():
            continue
        reason = include_objection(layers, folder, match.group(1))
        if reason:
            yield f'{shown}:{number}: includes "{match.group(1)}": {reason}'


def check_tree(layers, root):
    for top in ("src", *PROGRAMS):
        for file in sorted((root / top).rglob("*")):
            if not file.is_file():
                continue
            shown = file.relative_to(root).as_posix()
            folder = layers.of(shown)
            if folder is None:
                yield f"{shown}: {HOMELESS}"
            else:
                yield from check_includes(layers, file, folder, shown)


def check_order(layers, edges, verb):
    """Objections to calls, or to entries of tables, that go against the order."""
    for source, targets in sorted(edges.items()):
        for target, symbols in sorted(targets.items()):
            folder, other = layers.of(source), layers.of(target)
            if folder and other and not layers.may_call(folder, other):
                yield f"{source}: {verb} {', '.join(symbols)} ({target}): {folder} may not know {other}"


def by_folder(layers, calls):
    """The calls between files as calls between folders: {folder: {folder: [the same in words]}}."""
    folders = {}
    for source, targets in sorted(calls.items()):
        for target, symbols in sorted(targets.items()):
            folder, other = layers.of(source), layers.of(target)
            if folder and other and folder != other and not layers.is_left(folder, other):
                words = f"{symbols[0]} ({source} -> {target})"
                folders.setdefault(folder, {}).setdefault(other, []).append(words)
    return folders


def in_words(cycle, edges):
    """A cycle as a path with a symbol for each of its steps."""
    path = cycle[0]
    for node, target in zip(cycle, cycle[1:] + cycle[:1]):
        path += f" --{edges[node][target][0]}--> {target}"
    return path


def few(words):
    return ", ".join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")


def describe_knot(knot, edges):
    """The cycles of a knot, and which steps most of them share: where it is best cut."""
    found = cycles.shortest_cycles(edges, knot)
    shared = collections.Counter(step for cycle in found for step in zip(cycle, cycle[1:] + cycle[:1]))
    lines = [f"    {in_words(cycle, edges)}" for cycle in found]
    for (node, target), times in shared.most_common(5) if len(found) > 5 else []:
        lines.append(f"  in {times} of {len(found)}: {node} --{few(edges[node][target])}--> {target}")
    return "\n".join(lines)


def folder_cycles(layers, calls):
    """Cycles between folders that do not all lie within what is still mixed."""
    edges = by_folder(layers, calls)
    for knot in cycles.knots(edges):
        yield f"calls go round between {len(knot)} folders, {', '.join(knot)}:\n{describe_knot(knot, edges)}"


def within(layers, calls, folder):
    inside = [source for source in calls if layers.of(source) == folder]
    return {source: {t: symbols for t, symbols in calls[source].items() if t in inside} for source in inside}


def file_cycles(layers, calls):
    """Cycles within a folder through more files than may be."""
    for folder in sorted({layers.of(source) for source in calls} - {None}):
        edges = within(layers, calls, folder)
        for knot in cycles.knots(edges):
            if len(knot) > layers.cycle_limit(folder):
                yield (f"{folder}: calls go round between {len(knot)} files, {', '.join(knot)}:\n"
                       f"{describe_knot(knot, edges)}")


def check_calls(layers, references):
    yield from check_order(layers, references.calls, "calls")
    yield from check_order(layers, references.lists, "lists")
    yield from folder_cycles(layers, references.calls)
    yield from file_cycles(layers, references.calls)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--objects", type=pathlib.Path)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--walk", action="append", default=[], metavar="FUNCTION")
    arguments = parser.parse_args()
    if (arguments.report or arguments.walk) and not arguments.objects:
        parser.error("--report and --walk need --objects")

    layers = Layers(arguments.strict)
    strict = Layers(strict=True, cycle_limit=1)
    complaints = list(check_tree(layers, arguments.root))
    if arguments.objects:
        objects = object_files.find_objects(arguments.objects, arguments.root)
        references = object_files.References(objects)
        complaints += check_calls(layers, references)
        for function in arguments.walk:
            print(walk.describe(object_files.find_functions(objects), function, layers.of))
        if arguments.report:
            print("\n".join([*folder_cycles(strict, references.calls), *file_cycles(strict, references.calls)]))
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
