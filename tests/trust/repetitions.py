#!/usr/bin/env python3
"""A weight is a repetition: rows of weights 0 to 3 and rows that often in the data have the same models, for every loss,
penalty, kind of groups and search, in fits and paths.

usage: repetitions.py DCPN [--cases N] [--first SEED]

A search that takes one of two basins by the last bit of a sum may end elsewhere on the same rows in another order. Where
the two differ, an order of the rows must make as much of a difference, and few cases may be such.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

CLASSES = ("logistic", "squared-hinge", "smooth-ramp")
COUNTS = ("poisson", "negative-binomial")
LOSSES = (*CLASSES, "squared", "huber", "welsch", "quantile", *COUNTS, "gamma", "multinomial", "cox")
PENALTIES = ("capped-l1", "mcp", "scad", "lp", "log", "l1")
SEARCHES = ([], [], [], ["--global", "path"], ["--global", "path-then-drop"], ["--global", "path+drop"])
TOLERANCE = 1e-6
ORDERS = 4
MOST_UNSTEADY = 0.06


def label_of(loss, score, i, rng):
    """Of a time: the time and whether there was an event, two columns."""
    if loss in CLASSES:
        return "1" if (score > 0) != (i == 0) else "0"
    if loss == "multinomial":
        return "abc"[(score > -0.5) + (score > 0.5) if i > 2 else i]
    if loss in COUNTS:
        return str(min(30, round(math.exp(min(3.0, score)))))
    if loss == "gamma":
        return repr(math.exp(max(-3.0, min(3.0, score))))
    if loss == "cox":
        return f"{round(math.exp(-0.5 * score), 1) + 0.1!r},{int(rng.random() < 0.7)}"
    return repr(score)


class Case:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.features = rng.choice([3, 10, 25, 60])
        rows = rng.choice([6, 10, 20, 40])
        loss = rng.choice(LOSSES)
        truth = [rng.gauss(0, 2) if rng.random() < 0.3 else 0.0 for _ in range(self.features)]
        uniform = rng.random() < 0.3
        self.rows = []
        for i in range(rows):
            values = [rng.gauss(0, 1) if rng.random() < 0.8 else 0.0 for _ in truth]
            score = sum(a * b for a, b in zip(values, truth)) + rng.gauss(0, 0.5)
            label = label_of(loss, score, i, rng)
            must_count = loss == "multinomial" and i < 3   # a class is one of those that have some weight
            self.rows.append((2 if uniform or must_count else rng.choice([0, 1, 1, 2, 3]), ",".join([label, *map(repr, values)])))
        self.words = ["--loss", loss, "--penalty", rng.choice(PENALTIES), "-q", "--tol", "1e-8", *rng.choice(SEARCHES)]
        for option in ("--intercept", "--standardize"):
            self.words += rng.choice([[], [option]])
        if loss == "multinomial":
            self.words += rng.choice([[], ["--class-grouping", "row"]])
        elif rng.random() < 0.25:
            self.words += ["--groups", "groups.txt", "--grouping", rng.choice(["norm", "sparse", "sum"])]
        self.head = ["time", "event"] if loss == "cox" else ["label"]
        self.words += ["--time", "time", "--event", "event"] if loss == "cox" else []
        self.words += rng.choice([[], ["--scale", "mean"]])
        self.command = rng.choice(["fit", "fit", "path"])
        self.words += ["--lambda", repr(10 ** rng.uniform(-2, 0.7))] if self.command == "fit" else ["--nlambda", "12"]


def fits(dcpn, case, rows, weights=None):
    """F and the number of features at each point; or what is said against it: of no rows not the same as of weights 0."""
    head = ",".join([*case.head, *(f"c{j}" for j in range(case.features))])
    with open("groups.txt", "w", encoding="ascii") as file:
        file.writelines(f"c{j},g{j % (1 + case.features // 3)}\n" for j in range(case.features))
    with open("data.csv", "w", encoding="ascii") as file:
        file.write("\n".join([head, *rows]) + "\n")
    words = [dcpn, case.command, "data.csv", "-o", "out.json", *case.words]
    if weights:
        with open("weights.txt", "w", encoding="ascii") as file:
            file.write("".join(f"{weight}\n" for weight in weights))
        words += ["--weights", "weights.txt"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.partition(": ")[2].split(":")[0]
    with open("out.json", encoding="utf-8") as file:
        found = json.load(file)
    points = [found["fit"]] if case.command == "fit" else found["paths"][0]["points"]
    return [(point["objective"], point["nnz"]) for point in points]


def agree(one, other):
    """At a lambda at which a feature enters, rounding says whether it has: F alone is compared there."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str)
    return len(one) == len(other) and all(abs(F - G) <= TOLERANCE * abs(F) + 1e-9 for (F, _), (G, _) in zip(one, other))


def is_unsteady(dcpn, case, weighted, repeated):
    """Does the order of the rows make a difference, to the same kind of rows?"""
    for seed in range(ORDERS):
        rng = random.Random(seed)
        rows = list(case.rows)
        rng.shuffle(rows)
        if not agree(weighted, fits(dcpn, case, [row for _, row in rows], [weight for weight, _ in rows])):
            return True
        rows = [row for weight, row in rows for _ in range(weight)]
        rng.shuffle(rows)
        if not agree(repeated, fits(dcpn, case, rows)):
            return True
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dcpn", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    unsteady, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(arguments.first, arguments.first + arguments.cases):
            case = Case(seed)
            weighted = fits(arguments.dcpn, case, [row for _, row in case.rows], [weight for weight, _ in case.rows])
            repeated = fits(arguments.dcpn, case, [row for weight, row in case.rows for _ in range(weight)])
            if agree(weighted, repeated):
                continue
            if is_unsteady(arguments.dcpn, case, weighted, repeated):
                unsteady += 1
                continue
            failed += 1
            print(f"{seed}: dcpn {case.command} {' '.join(case.words)}\n  weighted {weighted}\n  repeated {repeated}")
        os.chdir("/")
    print(f"{arguments.cases} cases, {unsteady} of them unsteady under the order of the rows, {failed} differ")
    return failed > 0 or unsteady > MOST_UNSTEADY * arguments.cases


if __name__ == "__main__":
    sys.exit(main())
