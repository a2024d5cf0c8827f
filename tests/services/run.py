#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Services never change a result: fits, paths and cross-validations end with the same bytes with each on and off.

usage: run.py DCPN

A service is a word of the command line that says how the work is done and not what is computed, or the form of the file
that the same numbers are in. The problems are those of problems.py.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import problems

LIMIT_S = 300

# What is said of the work, of the words and of the names that only some formats have, and what switches a service.
SAID_BESIDES = {"command", "timing", "passes", "checksum", "file", "feature_names", "name", "label",
                "max-iter", "max-time", "screening"}

# name, words, ending of the data
SERVICES = [
    ("2 threads", ["--threads", "2"], "svm"),
    ("4 threads", ["--threads", "4"], "svm"),
    ("no screening", ["--no-screening"], "svm"),
    ("no screening, 4 threads", ["--no-screening", "--threads", "4"], "dcpn"),
    ("messages", ["-v"], "svm"),
    ("a limit of time that is not reached", ["--max-time", "100000"], "svm"),
    ("the values in single precision", ["--float32"], "svm"),
    ("a table", ["--label-column", "label", "--features", "COLUMNS"], "csv"),
    ("a mapped file", [], "dcpn"),
    ("a mapped file in single precision", [], "float32.dcpn"),
]
OF_FITS = [
    ("a trace", ["--trace", "TRACE"], "svm"),
    ("checkpoints", ["--checkpoint", "SAVED", "--checkpoint-every", "0"], "svm"),
]


class Runner:
    """Runs the command on one of the problems, in a folder that has all data."""

    def __init__(self, dcpn):
        self.dcpn = os.path.abspath(dcpn)

    def convert(self, name):
        for ending, more in (("dcpn", []), ("float32.dcpn", ["--float32"])):
            subprocess.run([self.dcpn, "convert", "-q", f"{name}.svm", f"{name}.{ending}", *more], check=True)

    def words(self, name, options, out):
        files = {word: f"{name}.{word}" for word in ("WEIGHTS", "OFFSET", "FACTORS", "GROUPS", "SHARED", "NESTED")}
        files |= {"TRACE": out + ".trace", "SAVED": out + ".saved", "COLUMNS": str(problems.DATA[name]["columns"])}
        return [files.get(word, word) for word in options]

    def run(self, command, name, ending, options, out, **how):
        words = [self.dcpn, command, f"{name}.{ending}", "-o", out, *self.words(name, options, out)]
        quiet = [] if "-v" in options else ["-q"]
        return subprocess.run([*words, *quiet], capture_output=True, text=True, timeout=LIMIT_S, **how)

    def result(self, *arguments):
        """What the file says that the run has written, without what is said besides, number by number."""
        done = self.run(*arguments)
        out = arguments[-1]
        assert done.returncode == 0, (done.args, done.returncode, done.stderr)
        with open(out, encoding="ascii") as file:
            found = json.load(file, parse_float=str)
        os.remove(out)
        return list(leaves(found))


def leaves(value, place=""):
    """Every number and text with its place; numbers as they are written."""
    if isinstance(value, dict):
        for key in sorted(value.keys() - SAID_BESIDES):
            yield from leaves(value[key], f"{place}/{key}")
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from leaves(item, f"{place}/{k}")
    else:
        yield place, value


def first_difference(one, other):
    one, other = dict(one), dict(other)
    place = min(place for place in one | other if one.get(place) != other.get(place))
    return f"{place} is {one.get(place)} and {other.get(place)}"


def check_services(runner, command, name, options):
    """The services that changed something."""
    mark = re.sub(r"\W+", "_", f"{command} {name} {options}")
    plain = runner.result(command, name, "svm", options.split(), f"{mark}.json")
    changed = []
    for service, more, ending in SERVICES + (OF_FITS if command == "fit" else []):
        if ending == "csv" and problems.DATA[name].get("unlabelled"):
            continue  # a table has no sign for a row without a label
        found = runner.result(command, name, ending, [*options.split(), *more], f"{mark}.json")
        if found != plain:
            changed.append(f"{command} {name} {options}: {service}: {first_difference(plain, found)}")
    return changed


def main():
    runner = Runner(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        problems.write_all(".")
        for name in problems.DATA:
            runner.convert(name)
        work = [(command, *problem) for command, table in
                (("fit", problems.FITS), ("path", problems.PATHS), ("cv", problems.CVS)) for problem in table]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            changed = sum(pool.map(lambda words: check_services(runner, *words), work), [])
        os.chdir("/")
    print(len(work), "problems,", len(SERVICES), "services on each")
    print("\n".join(changed))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
