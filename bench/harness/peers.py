# SPDX-License-Identifier: BSD-3-Clause
"""Who can be run here, and running them: each peer in a process of its own, one after the other."""

import json
import os
import pathlib
import shutil
import subprocess
import time

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "peers"
HARD_LIMIT_FACTOR = 20  # a worker that prints nothing for so many limits is ended
DENSE_COPY_MOST_BYTES = 2 * 10**9


class Refused(Exception):
    """dcpn does not take these options; the text is its own."""


# ------------------------------------------------------------------------------------------------- the peers

def python_for(module, venv):
    """A Python that has the module: Debian's, or the one of the private environment."""
    for python in (os.path.join(venv, "bin", "python"), "/usr/bin/python3", shutil.which("python3")):
        if python and os.path.exists(python):
            if subprocess.run([python, "-c", f"import {module}, scipy"], capture_output=True, check=False).returncode == 0:
                return python
    return None


def r_has(package):
    if not shutil.which("Rscript"):
        return False
    test = f'quit(status = !(requireNamespace("{package}", quietly = TRUE) && requireNamespace("jsonlite", quietly = TRUE)))'
    return subprocess.run(["Rscript", "-e", test], capture_output=True, check=False).returncode == 0


def command_of(name, venv):
    """The command that runs a peer's worker, or None where the peer is not installed."""
    if (FOLDER / f"{name}_peer.R").exists():
        return ["Rscript", str(FOLDER / f"{name}_peer.R")] if r_has(name) else None
    python = python_for(name, venv)
    return [python, str(FOLDER / f"{name}_peer.py")] if python else None


def unsuitable(settings, problem, facts):
    """Why a peer does not take a problem, or None."""
    if problem["loss"] not in settings["losses"]:
        return f"has no {problem['loss']} loss"
    if problem["penalty"] not in settings["penalties"]:
        return f"has no {problem['penalty']} penalty"
    if problem["scale"] not in settings.get("scales", ["sum", "mean"]):
        return f"has no scale {problem['scale']}"
    if settings.get("dense-copy") and 8 * facts["rows"] * facts["columns"] > DENSE_COPY_MOST_BYTES:
        return "wants a dense matrix, which would be too large"
    return None


def read_coef(path):
    x = np.load(path) if path.endswith(".npy") else np.fromfile(path, dtype="<f8")
    os.unlink(path)
    return x


def run_peer(command, job, scratch):
    """Yields the records of a worker with the coefficients read; the last may hold an error instead."""
    job_path = pathlib.Path(scratch) / "job.json"
    job = dict(job, output=str(pathlib.Path(scratch) / "coef"))
    job_path.write_text(json.dumps(job))
    environment = dict(os.environ, DCPN_BENCH_PEERS=str(FOLDER))
    hard_limit = HARD_LIMIT_FACTOR * job["limit_s"]
    try:
        done = subprocess.run(command + [str(job_path)], capture_output=True, text=True, env=environment,
                              timeout=hard_limit, check=False)
        output, error = done.stdout, done.stderr if done.returncode else ""
    except subprocess.TimeoutExpired as stopped:
        output, error = (stopped.stdout or b"").decode(), f"stopped after {hard_limit:g} s"
    for line in output.splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            yield dict(record, x=read_coef(record.pop("coef")))
    if error:
        yield {"error": error.strip().splitlines()[-1]}


# -------------------------------------------------------------------------------------------------- dcpn

def problem_options(problem):
    options = []
    for key in ("loss", "penalty", "lambda", "scale", "gamma", "a", "theta"):
        if key in problem:
            value = problem[key]
            options += [f"--{key}", value if isinstance(value, str) else repr(value)]
    return options


def model_coef(path):
    with open(path, encoding="utf-8") as lines:
        model = json.load(lines)
    x = np.zeros(model["features"])
    x[np.array(model["coef"]["index"], dtype=int) - model["index_base"]] = model["coef"]["value"]
    return x


def run_dcpn(data, columns, problem, options, scratch, timeout=None):
    """One fit: the numbers of --json with the coefficients and the peak memory of the process."""
    model = str(pathlib.Path(scratch) / "model.json")
    command = [os.environ["DCPN"], "fit", str(data), "--json", "--features", str(columns), "-o", model]
    command += problem_options(problem) + list(options)
    start = time.perf_counter()
    with open(pathlib.Path(scratch) / "dcpn.out", "w+", encoding="utf-8") as out, \
            open(pathlib.Path(scratch) / "dcpn.err", "w+", encoding="utf-8") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise Refused((err.read().strip().splitlines() or [f"exit {process.returncode}"])[0])
        result = json.loads(out.read())
    return dict(result, x=model_coef(model), peak_mb=usage.ru_maxrss / 1024.0, wall_s=time.perf_counter() - start,
                cpu_s=usage.ru_utime + usage.ru_stime)
