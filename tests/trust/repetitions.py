#!/usr/bin/env python3
"""A weight is a repetition: rows of weights 0 to 3 and rows that often in the data have the same models, for every loss,
penalty, kind of groups and search, in fits, paths and cross-validations whose folds are given, and in graphs.

usage: repetitions.py DCPN [--cases N] [--first SEED]

A row of weight 3 and its three copies are in the same fold: the file of folds says so.

A search that takes one of two basins by the last digits of a sum may end elsewhere on the same rows in another order. Where
the two differ, an order of the rows and the last digits of their numbers must make as much of a difference, and few cases
may be such.
"""

import argparse
import copy
import json
import math
import os
import random
import subprocess
import sys
import tempfile

CLASSES = ("logistic", "squared-hinge", "smooth-ramp")
COUNTS = ("poisson", "negative-binomial")
LOSSES = (*CLASSES, "squared", "huber", "welsch", "quantile", *COUNTS, "gamma", "multinomial", "ordinal", "cox")
PENALTIES = ("capped-l1", "mcp", "scad", "lp", "log", "l1")
SEARCHES = ([], [], [], ["--global", "path"], ["--global", "path-then-drop"], ["--global", "path+drop"])
TOLERANCE, TOLERANCE_OF_FOLDS = 1e-6, 0.02
FOLDS = 3
GRAPHS = 8   # every so many cases one
ORDERS, NUDGE = 16, 1e-12
MOST_UNSTEADY = 0.06


def label_of(loss, score, i, rng):
    """Of a time: the time and whether there was an event, two columns."""
    if loss in CLASSES:
        return "1" if (score > 0) != (i == 0) else "0"
    if loss == "multinomial":
        return "abc"[(score > -0.5) + (score > 0.5) if i > 2 else i]
    if loss == "ordinal":
        return "123"[(score > -0.5) + (score > 0.5) if i > 2 else i]
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
            must_count = loss in ("multinomial", "ordinal") and i < 3   # a class is one of those that have some weight
            self.rows.append((2 if uniform or must_count else rng.choice([0, 1, 1, 2, 3]), ",".join([label, *map(repr, values)])))
        self.words = ["--loss", loss, "--penalty", rng.choice(PENALTIES), "-q", "--tol", "1e-8", *rng.choice(SEARCHES)]
        for option in ("--intercept", "--standardize"):
            self.words += rng.choice([[], [option]])
        if loss == "multinomial":
            self.words += rng.choice([[], ["--class-grouping", "row"]])
        elif rng.random() < 0.25:
            self.words += ["--groups", "groups.txt", "--grouping", rng.choice(["norm", "sparse", "sum"])]
        self.labels = 2 if loss == "cox" else 1
        self.head = ["time", "event"] if loss == "cox" else ["label"]
        self.words += ["--time", "time", "--event", "event"] if loss == "cox" else []
        self.words += rng.choice([[], ["--scale", "mean"]])
        self.command = rng.choice(["fit", "fit", "path"])
        self.words += ["--lambda", repr(10 ** rng.uniform(-2, 0.7))] if self.command == "fit" else ["--nlambda", "12"]
        if self.command == "path" and rng.random() < 0.5:
            self.command = "cv"
            self.words += ["--folds", "folds.txt", "--rule", "min"]
            self.rows = [(max(1, weight), row) for weight, row in self.rows]   # so that no fold is of weight 0
        self.fold = {row: i % FOLDS for i, (_, row) in enumerate(self.rows)}

    def write(self, rows, weights):
        head = ",".join([*self.head, *(f"c{j}" for j in range(self.features))])
        write("groups.txt", (f"c{j},g{j % (1 + self.features // 3)}" for j in range(self.features)))
        write("data.csv", [head, *rows])
        if self.command == "cv":
            write("folds.txt", (self.fold[row] for row in rows))
        if weights:
            write("weights.txt", weights)

    def numbers(self, found):
        """What two runs are compared by: F at each point, and what was measured on its folds."""
        points = [found["fit"]] if self.command == "fit" else [p for path in found["paths"] for p in path["points"]]
        measured = [point["cv"][name]["mean"] for point in points for name in ("deviance", "error") if name in point.get("cv", {})]
        return [point["objective"] for point in points], measured


class Graph:
    """Rows of variables; of the last ones the covariance has not full rank, and a ridge is what makes F have a minimiser."""

    def __init__(self, seed):
        rng = random.Random(1000 + seed)
        self.features = rng.choice([3, 8, 15])
        rows, head = rng.choice([10, 30, 60]), ",".join(f"c{j}" for j in range(self.features))
        mixed = [[rng.gauss(0, 1) for _ in range(self.features)] for _ in range(2)]
        self.head, self.rows, self.command, self.labels = head, [], "graph", 0
        for _ in range(rows):
            common = [rng.gauss(0, 1) for _ in mixed]
            values = [rng.gauss(0, 1) + sum(a * m[j] for a, m in zip(common, mixed)) for j in range(self.features)]
            self.rows.append((rng.choice([0, 1, 1, 2, 3]), ",".join(map(repr, values))))
        self.fold = dict.fromkeys(row for _, row in self.rows)
        self.words = ["-q", "--tol", "1e-8", "--nlambda", "8", "--penalty", rng.choice(PENALTIES), "--ridge", "0.01"]

    def write(self, rows, weights):
        write("data.csv", [self.head, *rows])
        if weights:
            write("weights.txt", weights)

    @staticmethod
    def numbers(found):
        return [point[name] for point in found["points"] for name in ("likelihood", "penalty_value", "ebic")], []


def write(name, lines):
    with open(name, "w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines)


def fits(dcpn, case, rows, weights=None):
    """What was found; or what is said against the data: of no rows it is not the same as of weights 0."""
    case.write(rows, weights)
    words = [dcpn, case.command, "data.csv", "-o", "out.json", *case.words, *(["--weights", "weights.txt"] if weights else [])]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.partition(": ")[2].split(":")[0]
    with open("out.json", encoding="utf-8") as file:
        return case.numbers(json.load(file))


def agree(one, other):
    """F and what was measured on folds are the same; but where F is flat, what is measured elsewhere is not determined by it
    to as many digits."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str)
    return are_same(one[0], other[0], TOLERANCE) and are_same(one[1], other[1], TOLERANCE_OF_FOLDS)


def are_same(one, other, tolerance):
    """Neither has a measure where folds had ended before."""
    return len(one) == len(other) and all(F is G is None or None not in (F, G) and abs(F - G) <= tolerance * abs(F) + 1e-9
                                          for F, G in zip(one, other))


def nudge(rng):
    return 1 + rng.choice((-1, 0, 1)) * NUDGE


def nudged(row, labels, rng):
    """The row with other last digits of its features."""
    words = row.split(",")
    return ",".join(words[:labels] + [repr(float(word) * nudge(rng)) for word in words[labels:]])


def is_unsteady(dcpn, case, weighted, repeated):
    """Do the order of the rows and the last digits of their numbers make a difference, to the same kind of rows?"""
    for seed in range(ORDERS):
        rng = random.Random(seed)
        again = copy.copy(case)
        again.rows = [(weight, nudged(row, case.labels, rng)) for weight, row in case.rows]
        again.fold = {new: case.fold[row] for (_, new), (_, row) in zip(again.rows, case.rows)}
        rng.shuffle(again.rows)
        weights = [repr(weight * nudge(rng)) for weight, _ in again.rows]
        if not agree(weighted, fits(dcpn, again, [row for _, row in again.rows], weights)):
            return True
        rows = [row for weight, row in again.rows for _ in range(weight)]
        rng.shuffle(rows)
        if not agree(repeated, fits(dcpn, again, rows, [repr(nudge(rng)) for _ in rows])):
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
            case = Graph(seed) if seed % GRAPHS == 0 else Case(seed)
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
