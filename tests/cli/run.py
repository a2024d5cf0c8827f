#!/usr/bin/env python3
"""Runs the tests of the command: run.py DCPN [PATTERN] [--update]

Each folder in cases/ is a test. Its file `cmd` is run by sh in a fresh folder into which the other files of the case
are copied, with $DCPN the command, $DATA the folder of shared data and $EVALUATE the independent evaluator. Expected:

    exit            the exit code (0 if there is no such file)
    stdout.exact    all of standard output
    stdout.match    one regular expression a line, to be found in this order in the lines of standard output
    stderr.match    the same for standard error

PATTERN selects the cases whose name contains it; --update rewrites stdout.exact where it exists.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTATIONS = ("cmd", "exit", "stdout.exact", "stdout.match", "stderr.match")
LIMIT_S = 120


def copy_files(case, folder):
    for path in case.iterdir():
        if path.name not in EXPECTATIONS:
            shutil.copy(path, folder)


def run(case, dcpn):
    """Returns exit code, standard output and standard error; a case that hangs has the exit code None."""
    environment = dict(os.environ, DCPN=str(dcpn), DATA=str(HERE / "data"), LC_ALL="C",
                       EVALUATE=str(HERE.parent / "evaluator" / "evaluate.py"))
    with tempfile.TemporaryDirectory() as folder:
        copy_files(case, folder)
        try:
            done = subprocess.run(["sh", str(case / "cmd")], cwd=folder, env=environment, timeout=LIMIT_S,
                                  stdin=subprocess.DEVNULL, capture_output=True)
        except subprocess.TimeoutExpired as late:
            return None, text(late.stdout), text(late.stderr) + f"\nnot finished after {LIMIT_S} s\n"
    return done.returncode, text(done.stdout), text(done.stderr)


def text(output):
    return (output or b"").decode(errors="replace")


def compare_exact(expected, found, name):
    lines = difflib.unified_diff(expected.splitlines(True), found.splitlines(True), f"expected {name}", f"found {name}")
    return "".join(lines)


def compare_match(patterns, found, name):
    lines = iter(found.splitlines())
    for pattern in patterns.splitlines():
        if not any(re.search(pattern, line) for line in lines):
            return f"{name}: no line (left) matches {pattern!r}\n"
    return ""


def judge(case, code, out, err):
    """The complaints about one run; empty if it is as expected."""
    exit_file = case / "exit"
    expected = int(exit_file.read_text()) if exit_file.exists() else 0
    complaints = "" if code == expected else f"exit code: expected {expected}, found {code}\n"
    if "Sanitizer" in err or "runtime error:" in err:
        complaints += "a sanitizer complained\n"
    for name, found in (("stdout", out), ("stderr", err)):
        exact, match = case / f"{name}.exact", case / f"{name}.match"
        if exact.exists():
            complaints += compare_exact(exact.read_text(), found, name)
        if match.exists():
            complaints += compare_match(match.read_text(), found, name)
    return complaints


def indented(output):
    return "".join(f"    | {line}\n" for line in output.splitlines()[:60])


def report(case, code, out, err):
    complaints = judge(case, code, out, err)
    if complaints:
        print(f"FAILED {case.name}\n{complaints}  standard output:\n{indented(out)}  standard error:\n{indented(err)}")
    return not complaints


def update(case, out):
    exact = case / "stdout.exact"
    if exact.exists():
        exact.write_text(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dcpn", type=pathlib.Path)
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    dcpn = arguments.dcpn.resolve()
    if not os.access(dcpn, os.X_OK):
        parser.error(f"{dcpn} cannot be run")
    cases = sorted(path.parent for path in (HERE / "cases").glob("*/cmd") if arguments.pattern in path.parent.name)
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for case, result in zip(cases, pool.map(lambda case: run(case, dcpn), cases)):
            if arguments.update:
                update(case, result[1])
            passed += report(case, *result)
    print(f"{passed} passed, {len(cases) - passed} failed")
    return 0 if cases and passed == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
