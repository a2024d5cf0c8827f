#!/usr/bin/env python3
"""Checkpoints with valid checksums and lies inside: a run that goes on from one ends, with nothing worse than a refusal, and
what it then says of itself is what naive code finds.

usage: forged.py DCPN [--cases N] [--first SEED]
"""

import argparse
import json
import math
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile

import whole
import whole_case
import whole_truth
from xxh64 import xxh64

HEADER, RECORD = 80, 40                               # bytes: of the file, and before each record
RECORDS, FILE_SIZE, BODY, CHECKSUM = 40, 48, 64, 72   # where these stand in the header
MOST_PROCESSOR_S = 20
NUMBERS = [struct.pack("<d", x) for x in (1e308, math.nan, math.inf, -1e-300, 0.0, 1.0)]
NUMBERS += [struct.pack("<q", x) for x in (1, -1, 10 ** 6, 2 ** 62, -2 ** 63)]
WAYS = [["--algorithm", name] for name in ("dcpn", "gist", "dca", "scp", "multi-stage")]
WAYS += [["--penalty", "l1", "--algorithm", name] for name in ("fista", "sparsa", "proximal-gradient", "proximal-newton")]
WAYS += [["--metric", name] for name in ("lbfgs", "seeded-lbfgs", "identity", "barzilai-borwein", "identity-backtracked")]
WAYS += [["--subsolver", "fista"], ["--subsolver", "forward-backward"], ["--active-set", "off"], ["--global", "path+drop"],
         ["--global", "off"], ["--loss", "smooth-ramp"], ["--loss", "smooth-ramp", "--algorithm", "gist"]]
WAYS += [["--groups", "groups.txt", "--penalty", name, "--grouping", kind] for name, kind in
         (("mcp", "norm"), ("l1", "norm"), ("scad", "sparse"))]
WAYS += [["--groups", "shared.txt", "--penalty", name, "--grouping", kind] for name, kind in (("lp", "sum"), ("mcp", "latent"))]
WAYS += [["--loss", name, "--penalty", "mcp", "--lambda", "8"] for name in ("poisson", "negative-binomial", "quantile")]
PROBLEM = ["data.csv", "-q", "-o", "out.json", "--lambda", "0.5", "--tol", "1e-10", "--checkpoint", "state"]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_S, MOST_PROCESSOR_S + 1))


def fit(dcpn, *words):
    return subprocess.run([dcpn, "fit", *PROBLEM, *words], capture_output=True, text=True, preexec_fn=limit)


def combine(sum_so_far, data):
    return xxh64(struct.pack("<QQ", sum_so_far, xxh64(data)))


def sealed(data):
    """The same with checksums that are right."""
    data, at, body = bytearray(data), HEADER, 0
    for _ in range(min(len(data), struct.unpack_from("<Q", data, RECORDS)[0])):
        if at + RECORD > len(data):
            break
        end = at + RECORD + struct.unpack_from("<Q", data, at + RECORD - 8)[0]
        if end > len(data):
            break
        body = combine(combine(body, bytes(data[at:at + RECORD])), bytes(data[at + RECORD:end]))
        at = end
    struct.pack_into("<Q", data, FILE_SIZE, len(data))
    struct.pack_into("<Q", data, BODY, body)
    struct.pack_into("<Q", data, CHECKSUM, xxh64(bytes(data[:CHECKSUM])))
    return bytes(data)


def honest_checkpoints(dcpn):
    """(words, bytes) of runs that were ended early."""
    made = []
    for way in WAYS:
        for steps in ("2", "6"):
            done = fit(dcpn, *way, "--checkpoint-every", "0", "--max-iter", steps)
            assert done.returncode == 0, (way, done)
            if os.path.exists("state"):
                with open("state", "rb") as file:
                    made.append((way, file.read()))
                os.remove("state")
    assert len(made) > len(WAYS), len(made)
    for way, data in made:
        assert sealed(data) == data, ("the file has another form than this test knows", way)
    return made


def forge(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(HEADER, len(data) - 8) // 8 * 8 if rng.random() < 0.9 else RECORDS
        data[at:at + 8] = rng.choice(NUMBERS) if rng.random() < 0.7 else rng.randbytes(8)
    return sealed(data[:rng.randrange(HEADER, len(data))] if rng.random() < 0.1 else data)


def write_data():
    """The files of the problem: {name: text}."""
    rng = random.Random(5)
    rows = [[rng.gauss(0, 1) for _ in range(12)] for _ in range(40)]
    lines = [",".join([str(int(row[0] - row[1] + rng.gauss(0, 1) > 0)), *map(repr, row)]) for row in rows]
    names = [whole_case.name_of(j) for j in range(12)]
    files = {"data.csv": "\n".join([",".join(["label", *names]), *lines]) + "\n",
             "groups.txt": "".join(f"{name},g{j * 5 % 4}\n" for j, name in enumerate(names)),
             "shared.txt": "".join(f"{name},g{j // 3}\n{name},h{(j + 1) // 3}\n" for j, name in enumerate(names))}
    for name, text in files.items():
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
    return files


def judge(dcpn, problem, way):
    """Whether the run went on, or began anew, and ended; it may also refuse the file."""
    if os.path.exists("out.json"):
        os.remove("out.json")
    done = fit(dcpn, *way, "--resume", "--max-iter", "60")
    assert done.returncode in (0, 4), (way, done)
    if done.returncode == 4:
        assert done.stderr.startswith("dcpn fit: ") and done.stderr.count("\n") == 1, done.stderr
        return 0
    model = whole.load("out.json")
    found = whole_truth.differences(problem, dict(model["params"], **model["shape"]) if "shape" in model else model["params"],
                                    model["classes"], whole.dense(model["coef"], model), model["intercept"], model["fit"])
    assert found == [] or found is None and "latent" in way, (way, found)
    assert model["fit"]["outcome"] in whole.OUTCOMES and 0 <= model["fit"]["iterations"] <= 10 ** 15, (way, model["fit"])
    return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dcpn", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=150)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        files, went_on = write_data(), 0
        honest = honest_checkpoints(arguments.dcpn)
        for seed in range(arguments.first, arguments.first + arguments.cases):
            rng = random.Random(seed)
            way, state = rng.choice(honest)
            with open("state", "wb") as file:
                file.write(forge(rng, state))
            went_on += judge(arguments.dcpn, whole.problem_of({"files": files, "words": way}), way)
        os.chdir("/")
    assert 0 < went_on < arguments.cases, went_on
    print(f"{arguments.cases} forged checkpoints, {went_on} of which the run went on from, or without; the others are refused")


if __name__ == "__main__":
    sys.exit(main())
