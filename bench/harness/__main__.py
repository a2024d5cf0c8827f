# SPDX-License-Identifier: BSD-3-Clause
"""The command line of bench/run."""

import argparse
import json
import pathlib
import sys

from harness import cases, fits, table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def parse():
    parser = argparse.ArgumentParser(prog="bench/run", description="Measures dcpn beside its peers.")
    parser.add_argument("command", nargs="?", default="fits", choices=["fits"])
    parser.add_argument("--case", action="append", default=[], help="only cases whose name begins so; may be repeated")
    parser.add_argument("--peer", action="append", default=[], help="only this peer or option set; may be repeated")
    parser.add_argument("--cases", help="another case file [bench/cases.toml]")
    parser.add_argument("--data", default=str(ROOT / "build/bench/data"), help="where data sets are kept")
    parser.add_argument("--venv", default=str(ROOT / "build/bench/venv"), help="the environment of the PyPI peers")
    parser.add_argument("--out", default=str(ROOT / "build/bench"), help="where results go")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    arguments = parse()
    config = cases.read(arguments.cases)
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    selected = cases.chosen(config["fit"], arguments.case)
    results = []
    for result in fits.run(config, selected, arguments.data, arguments.venv, arguments.peer, say):
        results.append(result)
        (out / "fits.json").write_text(json.dumps(results, indent=1))
        (out / "fits.md").write_text(table.fits(results) + "\n")
    print(table.fits(results))


main()
