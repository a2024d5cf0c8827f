#!/usr/bin/env python3
"""Runs the tests of the command: run.py DCPN [CASE...] [--quick] [--update] [--times]

A case is a file cases/GROUP/NAME.case: a script for sh, then under headings what is expected of it:

    # What the case asks.
    $DCPN fit data.svm --lambda nan
    --- exit 2
    --- stdout
    --- stderr matches
    ^dcpn fit: --lambda: found 'nan'

    --- exit CODE           the exit code; without this heading it is 0
    --- stdout              all of standard output follows, word for word; here nothing may be printed
    --- stdout matches      one regular expression a line, to be found in this order in the lines of standard output
    --- stderr              the same two for standard error
    --- stderr matches

The script runs in a fresh, empty folder, with $DCPN the command, $DATA the folder of shared data and $EVALUATE the
independent evaluator; it writes its other files itself. A stream without a heading is not looked at.

A case that takes more than two seconds has a line "# slow: WHY", and a ctest entry of its own. One in which a sanitizer
would find nothing that other cases leave, or that it would make too slow, has a line "# plain: WHY" and is left out
when the command was built with a sanitizer.

CASE is a file or a folder of cases (all). --quick leaves out the slow ones, --update writes what is printed now under
the headings that are word for word, --times prints the seconds of processor time of each case.
"""

import argparse
import difflib
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
LIMIT_S = 120
HEADING = re.compile(r"^--- (.*)\n", re.MULTILINE)
STREAMS = ("stdout", "stderr")
NO_NEWLINE = "\\ no newline at the end\n"


class BadCase(Exception):
    """A case that is not written as it should be."""


class Case:
    """One file: `script`, `exit`, and `expected`, what follows each heading of a stream."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(CASES).with_suffix(""))
        self.script, *parts = HEADING.split(path.read_text())
        self.exit, self.expected = 0, {}
        headings = parts[0::2]
        for heading, content in zip(headings, parts[1::2]):
            self.add(heading, content)
        if len(set(heading.split()[0] for heading in headings)) < len(headings):
            raise BadCase(f"{path}: a heading appears twice")
        if self.script and not self.script.endswith("\n"):
            raise BadCase(f"{path}: the file does not end with a line break")

    def add(self, heading, content):
        if re.fullmatch(r"exit \d+", heading) and not content:
            self.exit = int(heading.split()[1])
        elif re.fullmatch(r"(stdout|stderr)( matches)?", heading):
            self.expected[heading] = content
        else:
            raise BadCase(f"{self.path}: found the heading '--- {heading}', expected exit CODE with nothing below it, "
                          "stdout, stdout matches, stderr or stderr matches")

    def says(self, word):
        return re.search(rf"^# {word}: \S", self.script, re.MULTILINE) is not None

    def write(self):
        text = self.script + (f"--- exit {self.exit}\n" if self.exit else "")
        self.path.write_text(text + "".join(f"--- {heading}\n{content}" for heading, content in self.expected.items()))


def run(case, dcpn):
    """Returns exit code, standard output and standard error; a case that hangs has the exit code None."""
    environment = dict(os.environ, DCPN=str(dcpn), DATA=str(HERE / "data"), LC_ALL="C",
                       EVALUATE=str(HERE.parent / "evaluator" / "evaluate.py"))
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "script")
        script.write_text(case.script)
        work = pathlib.Path(folder, "work")
        work.mkdir()
        try:
            done = subprocess.run(["sh", str(script)], cwd=work, env=environment, timeout=LIMIT_S,
                                  stdin=subprocess.DEVNULL, capture_output=True)
        except subprocess.TimeoutExpired as late:
            return None, text(late.stdout), text(late.stderr) + f"\nnot finished after {LIMIT_S} s\n"
    return done.returncode, text(done.stdout), text(done.stderr)


def text(output):
    found = (output or b"").decode(errors="replace")
    return found if not found or found.endswith("\n") else f"{found}\n{NO_NEWLINE}"


def compare_exact(expected, found, name):
    lines = difflib.unified_diff(expected.splitlines(True), found.splitlines(True), f"expected {name}", f"found {name}")
    return "".join(lines)


def compare_matches(patterns, found, name):
    lines = iter(found.splitlines())
    for pattern in patterns.splitlines():
        if not any(re.search(pattern, line) for line in lines):
            return f"{name}: no line (left) matches {pattern!r}\n"
    return ""


def judge(case, code, out, err):
    """The complaints about one run; empty if it is as expected."""
    complaints = "" if code == case.exit else f"exit code: expected {case.exit}, found {code}\n"
    if "Sanitizer" in err or "runtime error:" in err:
        complaints += "a sanitizer complained\n"
    for heading, expected in case.expected.items():
        name = heading.split()[0]
        compare = compare_exact if heading in STREAMS else compare_matches
        complaints += compare(expected, out if name == "stdout" else err, name)
    return complaints


def indented(output):
    return "".join(f"    | {line}\n" for line in output.splitlines()[:60])


def report(case, code, out, err):
    complaints = judge(case, code, out, err)
    if complaints:
        print(f"FAILED {case.name}\n{complaints}  standard output:\n{indented(out)}  standard error:\n{indented(err)}")
    return not complaints


def update(case, out, err):
    for name, found in zip(STREAMS, (out, err)):
        if name in case.expected:
            if HEADING.search(found):
                raise BadCase(f"{case.path}: {name} has a line that begins like a heading, with '--- '")
            case.expected[name] = found
    case.write()


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def has_sanitizer(dcpn):
    return re.search(rb"__(asan|ubsan|tsan)_", dcpn.read_bytes()) is not None


def chosen(arguments):
    """The cases to run."""
    paths = [path for place in arguments.case or [CASES]
             for path in (sorted(place.rglob("*.case")) if place.is_dir() else [place])]
    strays = [path for path in CASES.rglob("*") if path.is_file() and path.suffix != ".case"]
    if strays:
        raise BadCase(f"{strays[0]}: expected nothing but files NAME.case in the folders of cases")
    cases = [Case(path.resolve()) for path in paths]
    leave_out = ["slow"] * arguments.quick + ["plain"] * has_sanitizer(arguments.dcpn)
    return [case for case in cases if not any(case.says(word) for word in leave_out)], len(cases)


def run_all(cases, arguments):
    """The number of those that passed."""
    passed = 0
    for case in cases:
        before_s = children_s()
        result = run(case, arguments.dcpn)
        if arguments.times:
            print(f"{children_s() - before_s:6.2f} s  {case.name}")
        if arguments.update:
            update(case, *result[1:])
        passed += report(case, *result)
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dcpn", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("case", nargs="*", type=pathlib.Path)
    for option in ("--quick", "--update", "--times"):
        parser.add_argument(option, action="store_true")
    arguments = parser.parse_args()
    if not os.access(arguments.dcpn, os.X_OK):
        parser.error(f"{arguments.dcpn} cannot be run")
    try:
        cases, found = chosen(arguments)
        passed = run_all(cases, arguments)
    except (BadCase, OSError) as error:
        parser.error(str(error))
    print(f"{passed} passed, {len(cases) - passed} failed, {found - len(cases)} left out")
    return 0 if found and passed == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
