#!/usr/bin/env python3
"""Fits on ranks by mpirun: the same model as one process, and refusals that are everybody's.

usage: run.py DCPN

Without mpirun, or without the module of its MPI beside the command, it says so and exits with 77: skipped.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LOCAL = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def engine(dcpn):
    """The starter and its module."""
    beside = pathlib.Path(dcpn).resolve().parent
    for starter, module in (("mpirun.openmpi", "dcpn-openmpi.so"), ("mpirun.mpich", "dcpn-mpich.so")):
        if shutil.which(starter) and (beside / module).exists():
            yield starter
    return


def run(words, folder):
    done = subprocess.run(words, cwd=folder, env={**os.environ, **LOCAL}, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def write_many_classes(path, rows):
    source = random.Random(3)
    with open(path, "w") as out:
        for _ in range(rows):
            entries = {j: round(source.gauss(0, 1), 4) for j in sorted(source.sample(range(1, 41), 9))}
            scores = [sum(v * 1.5 for j, v in entries.items() if j % 9 == k) + source.gauss(0, 1) for k in range(4)]
            out.write(f"{3 * scores.index(max(scores)) - 2} " + " ".join(f"{j}:{v}" for j, v in entries.items()) + "\n")


def write_rows(path, rows, classes):
    source = random.Random(7)
    with open(path, "w") as out:
        for _ in range(rows):
            entries = {j: round(source.gauss(0, 1), 4) for j in sorted(source.sample(range(1, 81), 12))}
            score = sum(v * (1.5 if j % 9 == 0 else 0.0) for j, v in entries.items()) + source.gauss(0, 1)
            label = (1 if score > 0 else -1) if classes else round(score, 5)
            out.write(f"{label} " + " ".join(f"{j}:{v}" for j, v in entries.items()) + "\n")


def model(path):
    """What a model says, but for who made it and how long that took."""
    content = json.loads(path.read_text())
    for name in ("command", "checksum"):
        content.pop(name, None)
    content.get("fit", {}).pop("time_s", None)
    content.get("fit", {}).pop("read_s", None)
    return content


def paths(path):
    """The same of a path, wherever times stand in it."""
    def without_times(value):
        if isinstance(value, dict):
            return {k: without_times(v) for k, v in value.items() if k not in ("command", "checksum", "timing")}
        return [without_times(v) for v in value] if isinstance(value, list) else value
    return without_times(json.loads(path.read_text()))


def check(holds, what):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def check_fits(dcpn, starter, folder, data, options):
    alone, ranks = folder / "alone.json", folder / "ranks.json"
    code, _, said = run([dcpn, "fit", data, *options, "--sums", "exact", "-o", alone.name], folder)
    check(code == 0, f"one process, {options}: {said}")
    for size in (1, 3):
        ranks.unlink(missing_ok=True)
        code, printed, said = run([starter, "-n", str(size), dcpn, "fit", data, *options, "-o", ranks.name], folder)
        check(code == 0, f"{size} ranks, {options}: {said}")
        check(printed.count("objective") == 1, f"one rank prints: {printed}")
        check(printed.count(f"ranks         {size}, ") == 1, f"and says what it has sent: {printed}")
        check(model(alone) == model(ranks), f"{data}, {options}: the same model on {size} ranks")


def check_turns(dcpn, starter, folder):
    """More columns in use than there is room for at a time: 256 of 110 rows."""
    source = random.Random(5)
    truth = [source.gauss(0, 1) for _ in range(600)]
    with open(folder / "wide.svm", "w") as out:
        for _ in range(110):
            entries = {j: round(source.gauss(0, 1), 4) for j in range(1, 601) if source.random() < 0.3}
            score = sum(v * truth[j - 1] for j, v in entries.items()) + source.gauss(0, 1)
            out.write(f"{round(score, 4)} " + " ".join(f"{j}:{v}" for j, v in entries.items()) + "\n")
    options = ["--loss", "squared", "--ridge", "2", "--penalty", "l1", "--lambda", "0.5", "--storage", "sparse",
               "--tol", "1e-6"]
    check_fits(dcpn, starter, folder, "wide.svm", options)
    code, _, said = run([dcpn, "fit", "wide.svm", *options, "-o", "plain.json"], folder)
    check(code == 0, said)
    plain, ranks = (json.loads((folder / name).read_text())["fit"] for name in ("plain.json", "ranks.json"))
    check(ranks["nnz"] > 256, f"columns take turns: {ranks}")
    check(abs(ranks["objective"] - plain["objective"]) < 1e-9 * plain["objective"], f"to the same end: {ranks} {plain}")


def check_paths(dcpn, starter, folder, options):
    code, _, said = run([dcpn, "path", "classes.svm", *options, "--sums", "exact", "-o", "alone.json"], folder)
    check(code == 0, said)
    code, _, said = run([starter, "-n", "3", dcpn, "path", "classes.svm", *options, "-o", "ranks.json"], folder)
    check(code == 0, said)
    check(paths(folder / "alone.json") == paths(folder / "ranks.json"), f"the same path, {options}")


def check_validations(dcpn, starter, folder, data, options):
    code, printed, said = run([dcpn, "cv", data, *options, "--sums", "exact", "-o", "alone.json"], folder)
    check(code == 0, said)
    code, by_ranks, said = run([starter, "-n", "3", dcpn, "cv", data, *options, "-o", "ranks.json"], folder)
    check(code == 0, said)
    check(paths(folder / "alone.json") == paths(folder / "ranks.json"), f"the same cross-validation, {options}")

    def lines(text):
        return [line for line in text.splitlines() if not line.startswith(("work ", "ranks ", "results "))]
    check(lines(printed) == lines(by_ranks), f"the same table: {printed} {by_ranks}")


def check_checkpoints(dcpn, starter, folder, data, options):
    """Three ranks are cut short, and two go on."""
    code, _, said = run([dcpn, "fit", data, *options, "--sums", "exact", "-o", "alone.json"], folder)
    check(code == 0, said)
    (folder / "saved").unlink(missing_ok=True)
    saved = ["--checkpoint", "saved", "--quiet"]
    code, _, said = run([starter, "-n", "3", dcpn, "fit", data, *options, *saved, "--max-iter", "2"], folder)
    check((folder / "saved").exists(), f"{code} {said}")
    words = [starter, "-n", "2", dcpn, "fit", data, *options, "--checkpoint", "saved", "--resume", "-o", "ranks.json"]
    code, _, said = run(words, folder)
    check(code == 0 and said.count("going on from saved") == 1, said)
    check(model(folder / "alone.json") == model(folder / "ranks.json"), f"{data}: the model of a run that was not cut short")


def check_parts(dcpn, starter, folder, options):
    """A file for each rank, as convert --shards cuts them."""
    code, _, said = run([dcpn, "convert", "numbers.svm", "part.dcpn", "--shards", "3"], folder)
    check(code == 0, said)
    parts = [f"part-{k}.dcpn" for k in (1, 2, 3)]
    code, _, said = run([starter, "-n", "3", dcpn, "fit", *parts, *options, "-o", "parts.json"], folder)
    check(code == 0, said)
    code, _, said = run([dcpn, "fit", "numbers.svm", *options, "--sums", "exact", "-o", "alone.json"], folder)
    check(model(folder / "parts.json") == model(folder / "alone.json"), "the same model from parts")
    code, _, said = run([starter, "-n", "3", dcpn, "fit", *parts[:2], *options], folder)
    check(code == 2 and "2 files for 3 ranks" in said, said)


def check_refusals(dcpn, starter, folder):
    rows = (folder / "numbers.svm").read_text().splitlines()
    rows[400] = "1 3:x"
    (folder / "bad.svm").write_text("\n".join(rows) + "\n")
    code, printed, said = run([starter, "-n", "3", dcpn, "fit", "bad.svm"], folder)
    check(code == 4 and said.count("bad.svm") == 1 and "found 'x'" in said and not printed, f"{code} {said}")
    code, _, said = run([starter, "-n", "2", dcpn, "fit", "numbers.svm", "--unlabelled", "w"], folder)
    check(code == 2 and said.count("--unlabelled is not known to several ranks") == 1, said)
    code, _, said = run([starter, "-n", "3", dcpn, "cv", "numbers.svm", "--loss", "cox"], folder)
    check(code == 2 and said.count("--loss cox is no sum over rows") == 1, said)
    code, _, said = run([starter, "-n", "3", dcpn, "fit", "numbers.svm", "--weights", "weights.txt"], folder)
    check(code == 4 and said.count("expected 500") == 1, said)
    code, _, said = run([starter, "-n", "2", dcpn, "fit", "numbers.svm", "--loss", "squared", "--algorithm", "gist"], folder)
    check(code == 2 and said.count("--sums exact") == 1, said)


def start_with_one_stuck(dcpn, starter, folder, wait_s):
    """Rank 1 opens a pipe that nobody writes to, and never answers the others."""
    (folder / "stuck").mkdir(exist_ok=True)
    pipe = folder / "stuck" / "part.svm"
    if not pipe.exists():
        os.mkfifo(pipe)
    words = [starter, "-n", "3", dcpn, "fit", "numbers.svm", str(pipe), "numbers.svm", "--loss", "squared"]
    return subprocess.Popen(words, cwd=folder, env={**os.environ, **LOCAL, "DCPN_RANKS_WAIT_S": wait_s},
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ranks_in(folder):
    """The processes of dcpn that work in the folder, by their rank."""
    found = {}
    for process in pathlib.Path("/proc").iterdir():
        try:
            is_one = process.name.isdigit() and (process / "exe").resolve().name == "dcpn"
            if not is_one or (process / "cwd").resolve() != folder.resolve():
                continue
            variables = dict(v.split("=", 1) for v in (process / "environ").read_text().split("\0") if "=" in v)
            rank = variables.get("OMPI_COMM_WORLD_RANK", variables.get("PMI_RANK"))
            if rank is not None:
                found[int(rank)] = int(process.name)
        except OSError:
            pass
    return found


def last_words(job):
    try:
        return "".join(job.communicate(timeout=60))
    except subprocess.TimeoutExpired:
        job.kill()
        sys.exit("FAILED: the job goes on without one of its ranks")


def wait_for_reader(pipe):
    """The end of the pipe for writing, which cannot be opened before somebody reads."""
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.1)
    sys.exit("FAILED: no rank reads its part")


def is_gone(folder):
    for _ in range(100):
        if not ranks_in(folder):
            return True
        time.sleep(0.1)
    return False


def check_lost_ranks(dcpn, starter, folder):
    """One that does not answer within the limit, and one that is killed: the job ends, and says why."""
    job = start_with_one_stuck(dcpn, starter, folder, "1")
    said = last_words(job)
    check(job.returncode not in (0, None) and "no answer from the other ranks within 1 s" in said, said)
    check(is_gone(folder), "no rank outlives the job")
    job = start_with_one_stuck(dcpn, starter, folder, "300")
    writer = wait_for_reader(folder / "stuck" / "part.svm")  # so that it has joined the others
    os.kill(ranks_in(folder)[1], signal.SIGKILL)
    said = last_words(job)
    os.close(writer)
    check(job.returncode not in (0, None) and "kill" in said.lower(), f"{job.returncode} {said}")
    check(is_gone(folder), "no rank outlives the one that was killed")


def main():
    dcpn = sys.argv[1]
    starters = list(engine(dcpn))
    if not starters:
        skip("no mpirun, or no module of ranks for it")
    for starter in starters:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_rows(folder / "numbers.svm", 500, False)
            write_rows(folder / "classes.svm", 700, True)
            check_fits(dcpn, starter, folder, "numbers.svm", ["--loss", "squared", "--penalty", "l1", "--lambda", "20"])
            check_fits(dcpn, starter, folder, "classes.svm", ["--penalty", "mcp", "--lambda", "6", "--intercept"])
            write_many_classes(folder / "many.svm", 500)
            many = ["--loss", "multinomial", "--penalty", "mcp", "--class-weight", "balanced"]
            check_fits(dcpn, starter, folder, "many.svm", [*many, "--lambda", "4", "--class-grouping", "row"])
            check_turns(dcpn, starter, folder)
            check_parts(dcpn, starter, folder, ["--loss", "squared", "--penalty", "capped-l1", "--lambda", "20"])
            check_paths(dcpn, starter, folder, ["--loss", "logistic", "--penalty", "l1,mcp", "--nlambda", "6"])
            (folder / "weights.txt").write_text("".join(f"{1 + 0.37 * (k % 5)}\n" for k in range(700)))
            (folder / "folds.txt").write_text("".join(f"{(k * k) % 7}\n" for k in range(700)))
            rows = ["--weights", "weights.txt", "--offset", "weights.txt", "--class-weight", "balanced"]
            check_fits(dcpn, starter, folder, "classes.svm", [*rows, "--penalty", "mcp", "--lambda", "6", "--lower", "-1"])
            check_checkpoints(dcpn, starter, folder, "classes.svm", ["--penalty", "mcp", "--lambda", "4", "--tol", "1e-8"])
            short = ["--nlambda", "5", "--lambda-min-ratio", "0.1"]
            check_validations(dcpn, starter, folder, "classes.svm",
                              ["--loss", "logistic", "--penalty", "l1,mcp", "--folds", "folds.txt", *short, *rows])
            check_validations(dcpn, starter, folder, "many.svm", [*many, "--folds", "2", "--nlambda", "3"])
            few = ["--penalty", "mcp", "--folds", "2", "--nlambda", "4", "--lambda-min-ratio", "0.2"]
            check_validations(dcpn, starter, folder, "numbers.svm", ["--loss", "squared", *few])
            check_refusals(dcpn, starter, folder)
            check_lost_ranks(dcpn, starter, folder)
        print("the same models by", starter)


main()
