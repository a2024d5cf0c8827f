# SPDX-License-Identifier: BSD-3-Clause
"""Who can be run here, and running them: each peer in a process of its own, one after the other."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "peers"
PROCESSOR_CLOCK = pathlib.Path(__file__).resolve().parent.parent / "processor_clock.c"
LAUNCH = pathlib.Path(__file__).resolve().parent / "launch.py"
HARD_LIMIT_FACTOR = 20  # a worker that prints nothing for so many limits is ended
DENSE_COPY_MOST_BYTES = 2 * 10**9


class Refused(Exception):
    """dcpn does not take these options; the text is its own."""


# ------------------------------------------------------------------------------------------------- the peers

def python_for(module, venv):
    """A Python that has the module: Debian's, or the one of the private environment."""
    for python in (os.path.join(venv, "bin", "python"), "/usr/bin/python3", shutil.which("python3")):
        if python and os.path.exists(python):
            test = [python, "-c", f"import {module}, scipy"]
            if subprocess.run(test, capture_output=True, check=False).returncode == 0:
                return python
    return None


def r_has(package):
    if package == "ncvreg" and os.environ.get("NCVREG_SO"):  # not in Debian; see ncvreg_peer.R
        package = "jsonlite"
    if not shutil.which("Rscript"):
        return False
    has = [f'requireNamespace("{name}", quietly = TRUE)' for name in (package, "jsonlite")]
    test = f"quit(status = !({' && '.join(has)}))"
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
    if "lambdas" in problem and not settings.get("paths", True):
        return "has no paths here"
    if settings.get("dense-copy") and 8 * facts["rows"] * facts["columns"] > DENSE_COPY_MOST_BYTES:
        return "wants a dense matrix, which would be too large"
    return None


def read_coef(path, columns):
    """A row of coefficients per lambda."""
    x = np.load(path) if path.endswith(".npy") else np.fromfile(path, dtype="<f8")
    os.unlink(path)
    return x.reshape(-1, columns)


def run_peer(command, job, columns, scratch):
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
            yield dict(record, x=read_coef(record.pop("coef"), columns))
    if error:
        yield {"error": error.strip().splitlines()[-1]}


# -------------------------------------------------------------------------------------------------- dcpn

def problem_options(problem):
    options = ["--shape-units", "raw"]
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


def use_processor_clock(out):
    """From now on dcpn's times are processor time."""
    library = pathlib.Path(out) / "processor_clock.so"
    flags = ["-O2", "-D_GNU_SOURCE", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(library), str(PROCESSOR_CLOCK)], check=True)
    os.environ["DCPN_BENCH_PRELOAD"] = str(library.resolve())


def measured(command, scratch):
    """Runs a command: (what it printed, its wall and processor time and peak memory); Refused if it fails."""
    usage = pathlib.Path(scratch) / "usage.json"
    launch = [sys.executable, "-S", "-E", str(LAUNCH), str(usage)]
    done = subprocess.run(launch + command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0])
    return done.stdout, json.loads(usage.read_text())


def dense_source(folder, scratch):
    """What convert reads of data that the peers get as a dense matrix, too."""
    labels = pathlib.Path(scratch) / "labels.txt"
    labels.write_text("".join(f"{float(value)!r}\n" for value in np.load(folder / "y.npy")))
    return [str(folder / "A.npy"), "--labels", str(labels)]


def quick_to_read(text, columns, scratch):
    """The same data in dcpn's own binary form, or the text where this dcpn has none."""
    binary, folder = pathlib.Path(scratch) / "data.dcpn", pathlib.Path(text).parent
    source = [str(text), "--features", str(columns)]
    if (folder / "A.npy").exists():
        source = dense_source(folder, scratch)
    command = [os.environ["DCPN"], "convert", source[0], str(binary), "--quiet", *source[1:]]
    done = subprocess.run(command, capture_output=True, check=False)
    return binary if done.returncode == 0 and binary.exists() else text


def run_dcpn(data, columns, problem, options, scratch):
    """One fit: the numbers of --json with the coefficients and the peak memory of the process."""
    model = str(pathlib.Path(scratch) / "model.json")
    command = [os.environ["DCPN"], "fit", str(data), "--json", "--features", str(columns), "-o", model]
    output, usage = measured(command + problem_options(problem) + list(options), scratch)
    return dict(json.loads(output), x=model_coef(model), **usage)


def run_dcpn_path(data, columns, problem, options, scratch):
    """One path: its file's timing and work, the coefficients (lambdas x columns) and the peak memory."""
    kept, lambdas = pathlib.Path(scratch) / "path.json", pathlib.Path(scratch) / "lambdas.txt"
    lambdas.write_text("".join(f"{value!r}\n" for value in problem["lambdas"]))
    command = [os.environ["DCPN"], "path", str(data), "--features", str(columns), "-o", str(kept), "--quiet",
               "--lambdas", str(lambdas), "--saturation", "1", "--no-intercept", "--no-standardize", "--scale", "sum"]
    without_lambda = {key: value for key, value in problem.items() if key != "lambda"}
    _, usage = measured(command + problem_options(without_lambda) + list(options), scratch)
    found = json.loads(kept.read_text())
    points = found["paths"][0]["points"]
    x = np.zeros((len(points), columns))
    for k, point in enumerate(points):
        x[k, np.array(point["coef"]["index"], dtype=int) - found["index_base"]] = point["coef"]["value"]
    return dict(usage, x=x, time_s=found["timing"]["time_s"], read_s=found["timing"]["read_s"],
                passes=sum(point["passes"] for point in points),
                convex=[point["locally_convex"] is True for point in points])
