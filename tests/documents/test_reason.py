#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture and the table at the top of the README come from experiments/reason.py: usage: test_reason.py DCPN

The script runs on one small draw; the committed picture and table have the form of what it makes, for six draws.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACE = "{http://www.w3.org/2000/svg}"


def bars(picture):
    """The bars of the picture; the first two are those of the legend."""
    return ElementTree.parse(picture).getroot().findall(f".//{SPACE}rect")[2:]


def without_numbers(lines):
    return [re.sub(r"[0-9.]+ \|", "0 |", line) for line in lines]


def main():
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "reason.svg"
        done = subprocess.run([sys.executable, ROOT / "experiments/reason.py", sys.argv[1], "--draws", "1", "--features",
                               "60", "--svg", picture], capture_output=True, text=True, check=True)
        made = bars(picture)
    printed = done.stdout.splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = readme.index(printed[0])
    assert without_numbers(readme[first:first + 4]) == without_numbers(printed), readme[first:first + 4]
    assert len(made) == 4 and all(float(bar.get("width")) >= 0 for bar in made), len(made)
    assert float(made[0].get("width")) > 0, "the lasso finds nothing that matters"
    assert len(bars(ROOT / "docs/reason.svg")) == 6 * 4
    print("1 passed")


if __name__ == "__main__":
    main()
