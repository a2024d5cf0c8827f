# SPDX-License-Identifier: BSD-3-Clause
"""Reading text, and a whole run from file to model: dcpn, LIBLINEAR's train, scikit-learn's load_svmlight_file."""

import json
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

from harness import datasets, objective, peers, table

REPEATS = 3
FACTOR_GIVEN_UP = 10.0  # end to end, dcpn is given so many times what LIBLINEAR takes
SKLEARN = """
import json, sys, time
from sklearn.datasets import load_svmlight_file
times = []
clock = time.process_time if sys.argv[3] == "cpu" else time.perf_counter
for _ in range(int(sys.argv[2])):
    start = clock()
    load_svmlight_file(sys.argv[1])
    times.append(clock() - start)
print(json.dumps(min(times)))
"""


def dcpn_reading(path, columns, threads, scratch):
    problem = {"loss": "logistic", "penalty": "l1", "lambda": 1.0}
    options = ["--max-iter", "0", "--threads", str(threads)]
    return min(peers.run_dcpn(path, columns, problem, options, scratch)["read_s"] for _ in range(REPEATS))


def whole_time(command, clock, scratch):
    return min(peers.measured(command, scratch)[1][f"{clock}_s"] for _ in range(REPEATS))


def liblinear_reading(path, clock, scratch):
    """The whole of train with a solver that stops at once: reading is nearly all of it."""
    at_once = ["-s", "0", "-e", "1e10", "-c", "1e-9"]
    command = ["liblinear-train", "-q", *at_once, str(path), str(pathlib.Path(scratch) / "model")]
    return whole_time(command, clock, scratch)


def sklearn_reading(path, clock, venv):
    python = peers.python_for("sklearn", venv)
    if not python:
        raise peers.Refused("is not installed here")
    command = [python, "-c", SKLEARN, str(path), str(REPEATS), clock]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def liblinear_coef(path, columns):
    words = pathlib.Path(path).read_text().split()
    label = words[words.index("label") + 1]
    x = np.array(words[words.index("w") + 1:], dtype=float)
    return (1.0 if float(label) == 1.0 else -1.0) * np.pad(x, (0, columns - len(x)))


def end_to_end(path, A, y, problem, tolerances, clock, scratch):
    """LIBLINEAR as it comes (-e 0.01) and the loosest dcpn that ends no higher: read, fit, write."""
    model = pathlib.Path(scratch) / "model"
    command = ["liblinear-train", "-q", "-s", "6", "-c", repr(1.0 / problem["lambda"]), str(path), str(model)]
    theirs = whole_time(command, clock, scratch)
    F = objective.objective(A, y, liblinear_coef(model, A.shape[1]), problem)
    for tolerance in tolerances:
        options = ["--tol", repr(tolerance), "--max-time", repr(FACTOR_GIVEN_UP * theirs)]
        run = peers.run_dcpn(path, A.shape[1], problem, options, scratch)
        if objective.objective(A, y, run["x"], problem) <= F * (1.0 + 1e-9):
            more = [peers.run_dcpn(path, A.shape[1], problem, options, scratch) for _ in range(REPEATS - 1)]
            ours = min(r[f"{clock}_s"] for r in [run] + more)
            return {"liblinear_s": theirs, "dcpn_s": ours, "F": F, "tolerance": tolerance}
        if run["outcome"] != "converged":
            break
    return {"liblinear_s": theirs, "dcpn_s": None, "F": F, "tolerance": None}


def measure(data, folder, choice, lam, tolerances):
    path = folder / "data.svm"
    A, y = datasets.load(folder)
    row = {"data": data, "megabytes": path.stat().st_size * 1e-6}
    with tempfile.TemporaryDirectory() as scratch:
        row["dcpn"] = dcpn_reading(path, A.shape[1], 1, scratch)
        if choice.clock == "wall":  # processor time cannot show what a second thread gains
            row["dcpn, 2 threads"] = dcpn_reading(path, A.shape[1], 2, scratch)
        if shutil.which("liblinear-train"):
            row["liblinear"] = liblinear_reading(path, choice.clock, scratch)
            problem = {"loss": "logistic", "penalty": "l1", "scale": "sum", "lambda": lam}
            row["end to end"] = end_to_end(path, A, y, problem, tolerances, choice.clock, scratch)
        else:
            choice.say("liblinear skipped: no liblinear-train here")
        try:
            row["sklearn"] = sklearn_reading(path, choice.clock, choice.venv)
        except peers.Refused as refusal:
            choice.say(f"sklearn skipped: {refusal}")
    return row


def cell(row, who):
    return "-" if who not in row else f"{row[who]:.3g} ({row[who] / row['dcpn']:.2g}x)"


def whole(row):
    ends = row.get("end to end")
    if not ends:
        return "-"
    if ends["dcpn_s"] is None:
        return f"not within {FACTOR_GIVEN_UP:g} times the {ends['liblinear_s']:.3g} of liblinear"
    return f"{ends['dcpn_s']:.3g} against {ends['liblinear_s']:.3g} ({ends['liblinear_s'] / ends['dcpn_s']:.2g}x)"


HEADER = ["file", "MB", "dcpn s", "MB/s", "dcpn, 2 threads", "liblinear", "sklearn", "whole run, dcpn against liblinear"]


def cells(r):
    return [r["data"], f"{r['megabytes']:.0f}", f"{r['dcpn']:.3g}", f"{r['megabytes'] / r['dcpn']:.0f}",
            cell(r, "dcpn, 2 threads"), cell(r, "liblinear"), cell(r, "sklearn"), whole(r)]


def command(config, choice, out):
    settings, rows = config["reading"], []
    for data in settings["data"]:
        if choice.case and not any(data.startswith(name) for name in choice.case):
            continue
        try:
            folder = datasets.prepare(choice.data, data, config["data"][data])
        except datasets.Missing as why:
            choice.say(f"{data} skipped: {why}")
            continue
        choice.say(data)
        rows.append(measure(data, folder, choice, settings["lambda"], settings["tolerances"]))
        (out / "reading.json").write_text(json.dumps(rows, indent=1))
        if choice.quick:
            break
    text = table.markdown(HEADER, [cells(r) for r in rows])
    (out / "reading.md").write_text(text + "\n")
    print(text)
