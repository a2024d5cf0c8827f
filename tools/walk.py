"""A walk down the calls from one function, as somebody would take it who reads the program."""

import collections
import pathlib


def walk(functions, start):
    """All (source, function) that are reached, depth first, each once, in the order of the code."""
    seen, order, waiting = set(), [], [start]
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            order.append(function)
            waiting += reversed(functions[function])
    return order


def stays(sources, folder_of):
    """[(folder, [sources])] for each time that these sources enter a folder."""
    found = []
    for source in sources:
        folder = folder_of(source) or "-"
        if not found or found[-1][0] != folder:
            found.append((folder, []))
        found[-1][1].append(source)
    return found


def describe(functions, name, folder_of):
    """How often the walk from the function of this name enters each folder, and in which order it opens the files."""
    starts = [function for function in functions if function[1] == name]
    if not starts:
        return f"{name}: no such function in these object files"
    sources = [source for source, _ in walk(functions, starts[0])]
    files = list(dict.fromkeys(sources))
    steps = collections.Counter(folder for folder, _ in stays(sources, folder_of))
    opened = stays(files, folder_of)
    openings = collections.Counter(folder for folder, _ in opened)
    sizes = collections.Counter(folder_of(source) or "-" for source in files)

    lines = [f"{name}: {len(sources)} functions of {len(files)} files in {len(sizes)} folders"]
    for folder, size in sizes.items():
        lines.append(f"  {folder:12} {size:3} files: entered {steps[folder]} times, {openings[folder]} to open one")
    for folder, there in opened:
        lines.append(f"    {folder}: " + ", ".join(pathlib.PurePosixPath(source).name for source in there))
    return "\n".join(lines)
