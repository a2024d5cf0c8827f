# SPDX-License-Identifier: BSD-3-Clause
"""Instruction counts of small fits by callgrind: a slowdown is seen on a machine whose clock is of no use."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import datasets, table

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "instructions.txt"
NOTICED = 0.05  # compilers and libraries differ by less


def count(command, scratch):
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/callgrind.out"] + command,
                          capture_output=True, text=True, check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return int(found.group(1))


def measure(case, data, scratch):
    """Instructions of a fit, less those of reading the same file and stopping at once."""
    fit = [os.environ["DCPN"], "fit", data, "--quiet", "-o", str(pathlib.Path(scratch) / "model.json")] + case["fit"]
    return count(fit, scratch) - count(fit + ["--max-iter", "0"], scratch)


def read():
    if not RECORDED.exists():
        return {}
    lines = [line.split() for line in RECORDED.read_text().splitlines() if line and not line.startswith("#")]
    return {name: int(number) for name, number in lines}


def record(counts):
    head = "# Instructions of the fits of cases.toml, less reading; made by 'bench/run instructions --record'.\n"
    RECORDED.write_text(head + "".join(f"{name} {number}\n" for name, number in counts.items()))


def verdict(before, now):
    if before is None:
        return "not recorded"
    change = now / before - 1.0
    if abs(change) <= NOTICED:
        return f"{change:+.1%}, as before"
    return f"{change:+.1%}, {'SLOWER' if change > 0 else 'faster'}"


def command(config, choice, out):
    if not shutil.which("valgrind"):
        choice.say("instructions skipped: no valgrind here")
        return
    counts = {}
    for case in config["instructions"]:
        folder = datasets.prepare(choice.data, case["data"], config["data"][case["data"]])
        with tempfile.TemporaryDirectory() as scratch:
            counts[case["name"]] = measure(case, str(folder / "data.svm"), scratch)
    before = read()
    rows = [[name, str(before.get(name, "-")), str(now), verdict(before.get(name), now)]
            for name, now in counts.items()]
    text = table.markdown(["fit", "recorded", "now", "change"], rows)
    (out / "instructions.md").write_text(text + "\n")
    print(text)
    if choice.record:
        record(counts)
