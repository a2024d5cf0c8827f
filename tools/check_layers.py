#!/usr/bin/env python3
"""Checks that dependencies point one way: reads the #include lines of src/, cli/ and import/.

usage: check_layers.py [ROOT]

    base -> matrix, loss, penalty -> objective -> metric -> subproblem -> step -> algorithm -> working_set -> search
         -> settings, problem, solver -> transduction -> path -> selection -> model -> cli

A layer includes itself and those before it; matrix, loss and penalty do not know one another; data knows base and
matrix; the command knows public headers and its own, import what data knows.
"""

import pathlib
import re
import sys

NUMERICS = ["base", "matrix", "loss", "penalty", "objective", "metric", "subproblem", "step", "algorithm"]
# Still being put in order: these folders know one another.
UPPER = ["working_set", "search", "settings", "problem", "solver", "transduction", "path", "selection"]

ALLOWED = {
    "base": ["base"],
    "matrix": ["base", "matrix"],
    "loss": ["base", "loss"],
    "penalty": ["base", "penalty"],
    "data": ["base", "matrix", "data"],
    "cli": ["cli"],
    "import": ["base", "matrix", "data", "import"],
    "model": NUMERICS + UPPER + ["data", "model"],
}
for position in range(NUMERICS.index("objective"), len(NUMERICS)):
    ALLOWED[NUMERICS[position]] = NUMERICS[: position + 1] + ["working_set"]
for folder in UPPER:
    ALLOWED[folder] = NUMERICS + UPPER

# Folders beside src/.
PROGRAMS = ("cli", "import")

# The first layers know only the public headers that speak of them.
PUBLIC = {
    "base": ["base", "errors", "outcomes"],
    "matrix": ["base", "data"],
    "data": ["base", "data"],
    "loss": ["base", "extend"],
    "penalty": ["base", "extend"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def layer_of(path):
    """The layer of a path below src/ ("matrix/dense.h") or of "cli/..."; None if it has none."""
    return path.parts[0] if path.parts[0] in ALLOWED else None


def objection(layer, path):
    """Why a file of this layer may not include that path, or None."""
    if path.parts[0] == "dcpn":
        known = PUBLIC.get(layer)
        return None if known is None or path.stem in known else f"{layer} knows only {known} of the public headers"
    target = layer_of(path)
    if target is None:
        return "it belongs to no layer: a file of src/ stands in the folder of its layer"
    return None if target in ALLOWED[layer] else f"{layer} may not know {target}"


def check_file(file, layer, shown):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or layer in PROGRAMS and (file.parent / match.group(1)).is_file():
            continue
        reason = objection(layer, pathlib.PurePosixPath(match.group(1)))
        if reason:
            yield f'{shown}:{number}: includes "{match.group(1)}": {reason}'


def check_tree(root):
    for folder in ("src", *PROGRAMS):
        for file in sorted((root / folder).rglob("*")):
            if not file.is_file():
                continue
            shown = file.relative_to(root)
            layer = layer_of(shown if folder in PROGRAMS else file.relative_to(root / folder))
            if layer is None:
                yield f"{shown}: it belongs to no layer: a file of src/ stands in the folder of its layer"
            else:
                yield from check_file(file, layer, shown)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    complaints = list(check_tree(root))
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
