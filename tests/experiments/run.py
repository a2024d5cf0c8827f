#!/usr/bin/env python3
"""Tests of dcpn-experiments: run.py PROGRAM

Runs a tiny configuration, cuts its files as an interrupted run leaves them, runs it again, and recomputes the tables
from the CSV files.
"""

import csv
import lzma
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

METHODS = ["dca", "gist", "dcpn-lbfgs", "dcpn"]
TIME = {"time_s", "trial_s"}
failures = []


def check(good, complaint):
    if not good:
        failures.append(complaint)


def run(program, folder, data, *options):
    return subprocess.run([program, "--output", str(folder), "--scale", "100", "--trials", "2", "--max-passes", "300",
                           *options],
                          env=dict(os.environ, DCPN_DATA=str(data)), capture_output=True, text=True, timeout=300)


def read(path):
    with open(path, encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def without_times(rows):
    return [{key: value for key, value in row.items() if key not in TIME} for row in rows]


def make_data(folder):
    """Two sets of the names that are looked for: one compressed where xz is at hand, one not."""
    folder.mkdir()
    draw = random.Random(1)
    for name in ("la2", "classic"):
        lines = []
        for _ in range(300):
            label = draw.choice((-1, 1))
            picked = sorted(draw.sample(range(2, 20), 4))
            lines.append(f"{label:+d} 1:{label + draw.gauss(0, 1):.4f} " + " ".join(f"{j}:1" for j in picked))
        text = ("\n".join(lines) + "\n").encode()
        if name == "la2" and shutil.which("xz"):
            (folder / "la2.libsvm.xz").write_bytes(lzma.compress(text))
        else:
            (folder / f"{name}.libsvm").write_bytes(text)


def table_after(text, heading, first_cell):
    """The cells of the line that begins with first_cell in the first table after heading."""
    part = text[text.index(heading):]
    line = next(line for line in part.splitlines() if line.startswith(f"| {first_cell} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def check_line(rows, problem, cells, first):
    """The columns of the paper, recomputed: four rates, four times, the relative difference."""
    by_method = {m: [r for r in rows if r["problem"] == problem and r["method"] == m] for m in METHODS}
    expected = []
    for column in ("rate", "time_s"):
        for method in METHODS:
            values = [float(row[column]) for row in by_method[method]]
            expected.append((statistics.mean(values), statistics.stdev(values)))
    for (mean, deviation), cell in zip(expected, cells[first:]):
        found = [float(number) for number in re.findall(r"[-0-9.e]+", cell.replace("**", ""))]
        digits = [len(number.split(".")[1]) for number in re.findall(r"[0-9]+\.[0-9]+", cell)]
        check(len(found) == 2 and abs(found[0] - mean) <= 0.51 * 10 ** -digits[0]
              and abs(found[1] - deviation) <= 0.51 * 10 ** -digits[1],
              f"{problem}: found {cell}, expected {mean} ± {deviation}")
    difference = statistics.mean(
        100 * (float(g["objective"]) - float(d["objective"])) / float(g["objective"])
        for g, d in zip(by_method["gist"], by_method["dcpn-lbfgs"]))
    check(abs(float(cells[first + 8]) - difference) <= 0.00051, f"{problem}: found {cells[-1]}, expected {difference}")


def check_first_run(program, folder, data):
    done = run(program, folder, data)
    check(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    check("ohscal is left out" in done.stderr, "a set that is not there was not mentioned")
    for name in ("toy.csv", "toy.md", "real.csv", "real.md", "grid.csv", "basin.csv", "basin.md", "plane.csv"):
        check((folder / name).exists(), f"{name} is missing")
    for name in ("toy-d2000", "toy-d10000", "real-la2", "real-classic", "plane"):
        check("<svg" in (folder / f"{name}.svg").read_text(), f"{name}.svg is no figure")
    toy, real = read(folder / "toy.csv"), read(folder / "real.csv")
    check(len(toy) == 8 * 2 * 4, f"toy.csv: found {len(toy)} rows, expected 64")
    check(len(real) == 2 * 2 * 4, f"real.csv: found {len(real)} rows, expected 16")
    return toy, real


def check_tables(folder, toy, real):
    text = (folder / "toy.md").read_text()
    check_line(toy, "d2000-T1000", table_after(text, "## d = 20,", "10"), 1)
    check_line(toy, "d10000-T500", table_after(text, "## d = 100,", "5"), 1)
    check_line(real, "la2", table_after((folder / "real.md").read_text(), "# Real", "la2"), 5)


def check_choice(folder, real):
    """The rule for lambda and theta, from the rows of the grid."""
    grid = [row for row in read(folder / "grid.csv") if row["problem"] == "la2"]
    best = max(grid, key=lambda row: (float(row["rate"]), float(row["lambda"]), float(row["theta"])))
    used = next(row for row in real if row["problem"] == "la2")
    check((best["lambda"], best["theta"]) == (used["lambda"], used["theta"]), "lambda and theta break the stated rule")
    check({row["trial"] for row in grid} == {"0"}, "the grid was not fitted on split 0")


def check_transduction(folder):
    """Rates of the table of the real sets, recomputed; the choice is among the grid; labels are few."""
    for name in ("transductive-toy.csv", "transductive-toy.md", "transductive-real.md", "url-shape.csv", "url-shape.md"):
        check((folder / name).exists(), f"{name} is missing")
    for name in ("transductive-parts", "transductive-split", "transductive-toy"):
        check("<svg" in (folder / f"{name}.svg").read_text(), f"{name}.svg is no figure")
    toy, real = read(folder / "transductive-toy.csv"), read(folder / "transductive-real.csv")
    check(len(toy) == 6 * 2 * 3, f"transductive-toy.csv: found {len(toy)} rows, expected 36")
    check({row["weight"] for row in toy if row["method"] == "sparse-log"} == {"0"}, "sparse-log has unlabelled rows")
    cells = table_after((folder / "transductive-real.md").read_text(), "# Sparse", "la2-unit")
    for method, cell in (("sparse-log", cells[5]), ("sparse-transductive", cells[6])):
        rates = [float(row["rate"]) for row in real if row["problem"] == "la2-unit" and row["method"] == method]
        found = [float(number) for number in re.findall(r"[-0-9.e]+", cell.replace("**", ""))]
        check(abs(found[0] - statistics.mean(rates)) <= 0.0051 and abs(found[1] - statistics.stdev(rates)) <= 0.051,
              f"{method}: found {cell}, expected {statistics.mean(rates)} ± {statistics.stdev(rates)}")
    choice = {(row["method"], row["trial"]): row for row in read(folder / "transductive-choice.csv")
              if row["problem"] == "la2-unit"}
    for row in real:
        if row["problem"] != "la2-unit":
            continue
        chosen = choice[row["method"], row["trial"]]
        check((row["lambda"], row["theta"], row["weight"]) == (chosen["lambda"], chosen["theta"], chosen["weight"]),
              "la2: another choice than that of the file")
        check(int(row["held"]) == 61, f"la2: found {row['held']} labelled rows, expected 61")


def check_resume(program, folder, data, toy):
    path = folder / "toy.csv"
    whole = path.read_bytes()
    path.write_bytes(whole[:len(whole) // 2])
    kept = [line for line in whole[:len(whole) // 2].split(b"\n")[:-1]]
    done = run(program, folder, data, "--only", "toy")
    check(done.returncode == 0, f"resuming: exit code {done.returncode}: {done.stderr}")
    check(without_times(read(path)) == without_times(toy), "resuming: other rows than those of the whole run")
    finished = 2 + (len(kept) - 2) // 4 * 4
    check(path.read_bytes().split(b"\n")[:finished] == kept[:finished], "resuming: finished trials were run again")
    again = path.read_bytes()
    check(run(program, folder, data, "--only", "toy").returncode == 0 and path.read_bytes() == again,
          "a finished run was changed")


def check_cuts(program, folder, data):
    """Passes cut fits, the same ones each time; the tables count them and the figures name them."""
    rows = []
    for name in ("one", "other"):
        place = folder.parent / name
        check(run(program, place, data, "--only", "real", "--max-passes", "4").returncode == 0, "the cut run failed")
        rows.append(read(place / "real.csv"))
    check(without_times(rows[0]) == without_times(rows[1]), "cut fits: other rows in a second run")
    cut = [row for row in rows[0] if row["outcome"] == "max-passes"]
    check(0 < len(cut) and all(float(row["passes"]) >= 4 for row in cut), f"found {len(cut)} cut fits")
    check(all(row["outcome"] == "max-passes" or float(row["passes"]) < 40 for row in rows[0]), "a fit was not cut")
    counts = [sum(row["problem"] == "la2" and row["method"] == method for row in cut) for method in METHODS]
    cells = table_after((place / "real.md").read_text().split("\n\n", 2)[-1].split("trials |", 1)[1], "|", "la2")
    check(cells[-1] == " / ".join(map(str, counts)), f"cut: found {cells[-1]}, expected {counts}")
    check((", cut" in (place / "real-la2.svg").read_text())
          == any(row["problem"] == "la2" and row["trial"] == "1" for row in cut), "the figure does not name cut fits")


def check_refusals(program, folder, data):
    done = run(program, folder, data, "--only", "toy", "--quick")
    check(done.returncode == 1 and "other settings" in done.stderr, "a quick run was resumed as a full one")
    for options in (["--only", "everything"], ["--trials", "0"], ["--threads", "x"], ["--max-passes", "0"], ["extra"]):
        done = run(program, folder, data, *options)
        check(done.returncode == 2 and options[-1] in done.stderr, f"{options}: {done.returncode}: {done.stderr}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder, data = pathlib.Path(scratch) / "results" / "tiny", pathlib.Path(scratch) / "data"
        make_data(data)
        toy, real = check_first_run(program, folder, data)
        check_tables(folder, toy, real)
        check_choice(folder, real)
        check_transduction(folder)
        check_resume(program, folder, data, toy)
        check_refusals(program, folder, data)
        check_cuts(program, folder, data)
    print("\n".join(failures) or "ok")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
