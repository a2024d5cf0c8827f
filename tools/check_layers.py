#!/usr/bin/env python3
"""Checks that dependencies point one way: reads the #include lines of src/, cli/ and import/.

usage: check_layers.py [ROOT]

    base -> matrix, loss, penalty -> objective -> metric -> subproblem -> step -> algorithm -> solver -> model -> cli

A layer includes itself and those before it; matrix, loss and penalty do not know one another; data knows base and
matrix; the command knows public headers and its own, import what data knows.
"""

import pathlib
import re
import sys

NUMERICS = ["base", "matrix", "loss", "penalty", "objective", "metric", "subproblem", "step", "algorithm", "solver"]

ALLOWED = {
    "base": ["base"],
    "matrix": ["base", "matrix"],
    "loss": ["base", "loss"],
    "penalty": ["base", "penalty"],
    "data": ["base", "matrix", "data"],
    "cli": ["cli"],
    "import": ["base", "matrix", "data", "import"],
    "model": NUMERICS + ["data", "model"],
}
for position in range(NUMERICS.index("objective"), len(NUMERICS)):
    ALLOWED[NUMERICS[position]] = NUMERICS[: position + 1]

# The files that stand directly in src/, by their name without the ending.
AT_ROOT = {
    "solver": "solver", "registry": "solver", "settings": "solver", "problem": "solver", "compact": "solver",
    "combination": "solver", "standardize": "solver", "targets": "solver", "anneal": "solver", "run": "solver",
    "ridge_machine": "solver",
    "null_model": "solver", "short_list": "solver", "wide": "solver", "solver_penalty": "solver", "solver_state": "solver", "local_convexity": "solver", "settings_text": "solver",
    "path": "model", "path_fit": "model", "path_start": "model", "path_ahead": "model", "outside": "model", "path_lower": "model", "path_write": "model", "path_store": "model", "path_plan": "model",
    "path_read": "model", "cv": "model", "cv_write": "model", "cv_choice": "model", "subset_fit": "model",
    "folds": "model", "measure": "model", "stability": "model", "selection": "model",
    "model": "model", "model_file": "model", "model_read": "model", "model_write": "model",
    "liblinear_model": "model",
    "checkpoint": "solver", "model_json": "model", "model_fields": "model",
}

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
    """The layer of a path below src/ ("matrix/dense.h", "solver.h") or of "cli/..."; None if it has none."""
    parts = path.parts
    name = AT_ROOT.get(path.stem) if len(parts) == 1 else parts[0]
    return name if name in ALLOWED else None


def objection(layer, path):
    """Why a file of this layer may not include that path, or None."""
    if path.parts[0] == "dcpn":
        known = PUBLIC.get(layer)
        return None if known is None or path.stem in known else f"{layer} knows only {known} of the public headers"
    target = layer_of(path)
    if target is None:
        return "it belongs to no layer: list a new file of src/ in check_layers.py"
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
                yield f"{shown}: it belongs to no layer: list it in check_layers.py"
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
