#!/usr/bin/env python3
"""The whole command on drawn data and drawn options, and on every case that once failed.

usage: whole.py DCPN [--cases N] [--first SEED] [--seconds S] [--keep FOLDER] [--next FILE] [CASE.json ...]

Each case is a command and what reads its files. It must end (RLIMIT_CPU is far above what the counted work takes), with an
exit code of the list and a sentence if it is no success; leave whole files or none; write no number that is not finite; say
of itself what naive code finds; and be read back, to the same values, by every command that reads such a file. Some are
run again with the services that never change a result, and end with the same bytes or the same refusal.
"""

import argparse
import glob
import json
import math
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import whole_case
from whole_finding import Finding, expect
import whole_factors
import whole_matrices
import whole_services
import whole_survival
import whole_truth

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "corpus")
CODES = {0, 2, 4, 5}
MOST_PROCESSOR_S = 20
ONE_IN = 3   # of the cases is run again with services
OUTCOMES = {"converged", "relative-change", "stalled", "max-iter"}
MAY_BE_NULL = {"class_names", "classes", "varying", "value", "label", "feature_names", "convexity", "positives", "file", "folds",
               "mean", "se", "weight", "deviance_explained", "locally_convex", "algorithm", "metric", "bound", "sharper_bound", "stability", "command", "ebic", "cv_mean", "cv_se", "held_out_error"}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_S, MOST_PROCESSOR_S + 1))


class Whole:
    def __init__(self, dcpn):
        self.dcpn = os.path.abspath(dcpn)
        self.commands = 0
        self.told = 0
        whole_case.learn_choices(json.loads(self.run("list", "--json").stdout))

    def run(self, *words):
        self.commands += 1
        return subprocess.run([self.dcpn, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              preexec_fn=limit, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]})

    def must(self, *words):
        done = self.run(*words)
        expect(done.returncode == 0, f"{' '.join(words)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def try_case(self, case):
        before = set(case["files"])
        for name, text in case["files"].items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        try:
            done = self.run(*case["words"])
            self.judge(case, done, before)
            if hash_of(case) % ONE_IN == 0:
                whole_services.judge(self, case, done)
        finally:
            for name in os.listdir("."):
                os.remove(name)

    def judge(self, case, done, before):
        left = set(os.listdir(".")) - before
        expect(done.returncode in CODES, f"ends with {done.returncode}: {done.stderr}")
        if done.returncode != 0:
            expect(not left, f"ends with {done.returncode} and leaves {left}")
            expect(done.stderr.startswith(f"dcpn {case['words'][0]}: "), f"says {done.stderr!r}")
            return
        if case["words"][0] == "convert":
            self.judge_converted(case)
        elif case["words"][0] == "factor":
            self.judge_factors(case)
        elif case["words"][0] in ("graph", "complete"):
            self.judge_matrix(case)
        else:
            self.judge_result(case)

    # ---- results

    def judge_factors(self, case):
        found = load("out.json")
        wrong = whole_factors.differences(columns_of(case), found)
        self.told += wrong is not None
        expect(not wrong, "; ".join(wrong or ()))
        self.must("info", "out.json")
        done = self.run("predict", "out.json", "data.csv", "-o", "codes.csv", "-q")
        expect(done.returncode == 0, f"predict ends with {done.returncode}: {done.stderr}")

    def judge_matrix(self, case):
        words, found = case["words"], load("out.json")
        lines = case["files"]["data.csv"].splitlines()[1:]
        if words[0] == "graph":
            numbers = [[float(v) for v in case["files"].get("weights.txt", "").split()],
                       [[float(v) for v in line.split(",")] for line in case["files"].get("factors.csv", "").splitlines()]]
            wrong = whole_matrices.wrong_graph(words, columns_of(case), numbers[0] or [1.0] * len(lines), numbers[1], found)
        else:
            wrong = whole_matrices.wrong_completion(words, lines, found)
        for point in found.get("points", [found]):
            expect(point["outcome"] in OUTCOMES, f"outcome {point['outcome']}")
        self.told += wrong is not None
        expect(not wrong, "; ".join(wrong or ()))
        self.must("info", "out.json")
        self.must("info", "out.json", "--json")
        self.must("predict", "out.json", "data.csv", "-o", "filled.csv", "-q")

    def judge_result(self, case):
        words = case["words"]
        found = load("out.json")
        problem = problem_of(case) if not has_texts(case) else None
        if words[0] == "fit":
            self.judge_model(problem, "out.json", found)
        else:
            self.judge_paths(problem, found)
        self.must("info", "out.json")
        self.must("coef", "out.json", *first_point(found))
        self.must("report", "out.json", "-o", "page.html")
        if words[0] == "cv":
            if not os.path.exists("model.json"):
                raise Finding("cv writes no model")
            self.judge_model(problem, "model.json", load("model.json"), is_checked=False)
            self.must("predict", "out.json", "data.csv", "-o", "scores.txt", "--type", "scores")

    def judge_model(self, problem, path, model, is_checked=True):
        fit = model["fit"]
        expect(fit["outcome"] in OUTCOMES, f"outcome {fit['outcome']}")
        if fit["outcome"] == "converged":
            expect(fit["stationarity"] <= fit["stationarity_goal"], "converged above the goal")
        expect(fit["iterations"] <= model["params"]["max-iter"], f"{fit['iterations']} iterations")
        x = dense(model["coef"], model)
        params = dict(model["params"], **model.get("shape", {}))
        if is_checked:
            self.compare(problem, params, model.get("classes"), x, model["intercept"], fit)
        self.judge_predictions(problem, path, x, model["intercept"])

    def judge_paths(self, problem, found):
        for path in found["paths"]:
            for point in path["points"]:
                expect(point["outcome"] in OUTCOMES, f"outcome {point['outcome']}")
                if point["outcome"] == "converged":
                    expect(point["stationarity"] <= point["stationarity_goal"], "converged above the goal")
                classes = found.get("class_names") or found["classes"]
                self.compare(problem, params_at(found["params"], path, point), classes, dense(point["coef"], found),
                             point["intercept"], point)

    def compare(self, problem, params, classes, x, intercept, said):
        if problem is None:
            return
        found = whole_truth.differences(problem, params, classes, x, intercept, said)
        self.told += found is not None
        expect(not found, "; ".join(found or ()))

    def judge_predictions(self, problem, path, x, intercept):
        """Scores are those of naive code; where those overflow, dcpn refuses in a sentence or says the same."""
        done = self.run("predict", path, "data.csv", "-o", "scores.txt", "--type", "scores")
        expect(done.returncode == 0, f"predict of what was written ends with {done.returncode}: {done.stderr}")
        with open("scores.txt", encoding="utf-8") as file:
            scores = [list(map(float, line.split(","))) for line in file]
        if problem is None:
            return
        expect(len(scores) == len(problem.labels), f"{len(scores)} scores")
        constants = intercept if isinstance(intercept, list) else [intercept]
        many = (x, constants) if x and isinstance(x[0], list) else ([x], constants[:1])   # of ordered classes the first
        for i, row in enumerate(scores):
            expect(len(row) == len(many[0]), f"row {i}: {len(row)} scores")
            for score, x_k, constant in zip(row, *many):
                terms = [constant] + [column[i] * c for column, c in zip(problem.columns, x_k)]
                size = sum(map(abs, terms))
                if size < 1e300:
                    expect(abs(score - math.fsum(terms)) <= 1e-12 * size + 1e-320,
                           f"row {i}: score {score}, expected {math.fsum(terms)}")

    # ---- data

    def judge_converted(self, case):
        out = case["words"][2]
        labels = ["--labels", f"{out}.labels"] if os.path.exists(f"{out}.labels") else []
        self.must("info", out, *labels)
        self.must("check", out, *labels)
        single = "--float32" in case["words"]
        before = rows_of(case["files"]["data.csv"], single)
        for k, back in enumerate(("back.csv", "back.svm", "back.dcpn")):
            features = ["--features", str(len(before[0]) - 1)] if out.split(".")[1] == "svm" else []
            self.must("convert", out, back, "-q", *labels, *features)
            if k == 2:
                self.must("convert", back, "back.csv", "-q")
            if k != 1:
                with open("back.csv", encoding="utf-8") as file:
                    after = rows_of(file.read(), single)
                expect(before == after, f"{out} -> {back}: {first_difference(before, after)}")


def rows_of(text, single):
    """The label and the values of each row, wherever the column of labels stands."""
    head, *lines = [line.split(",") for line in text.splitlines()]
    at = head.index("label")
    rounded = as_single if single else float
    return [[float(line[at])] + [rounded(float(v)) for j, v in enumerate(line) if j != at] for line in lines]


def as_single(value):
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def first_difference(before, after):
    if len(before) != len(after):
        return f"{len(before)} and {len(after)} rows"
    for i, (a, b) in enumerate(zip(before, after)):
        if a != b:
            return f"row {i}: {a} and {b}"
    return ""


def refuse_constant(word):
    raise Finding(f"the JSON has {word}")


def finite(text):
    value = float(text)
    expect(math.isfinite(value), f"the JSON has {text}")
    return value


def load(path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file, parse_constant=refuse_constant, parse_float=finite)
    for key, value in leaves(found):
        expect(value is not None or key in MAY_BE_NULL, f"{key} is null")
    return found


def leaves(value, key=""):
    if isinstance(value, dict):
        for name, inside in value.items():
            yield from leaves(inside, name)
    elif isinstance(value, list):
        for inside in value:
            yield from leaves(inside, key)
    else:
        yield key, value


def dense(coef, model):
    """The coefficients of the features; of several classes, a list of those of each."""
    if "class" in coef:
        x = [[0.0] * model["features"] for _ in model["classes"]]
        for k, j, value in zip(coef["class"], coef["index"], coef["value"]):
            x[k][j - model["index_base"]] = value
        return x
    x = [0.0] * model["features"]
    for j, value in zip(coef["index"], coef["value"]):
        x[j - model["index_base"]] = value
    return x


def params_at(params, path, point):
    """Those of one point, its shape in raw units."""
    params = dict(params, penalty=path["penalty"], **{"lambda": point["lambda"]})
    unit = path.get("shape_unit") if params["shape-units"] == "problem" else None
    if unit and path["penalty"] == "capped-l1":
        params["theta"] *= point["lambda"] * unit
    if unit and path["penalty"] in ("mcp", "exponential"):
        params["gamma"] *= unit
    if unit and path["penalty"] == "scad":
        params |= {"a": params["a"] * unit, "unit": unit}
    return params


def first_point(found):
    if found["format"] != "dcpn-path":
        return []
    points = found["paths"][0]["points"]
    return ["--lambda", repr(points[-1]["lambda"])]


def hash_of(case):
    return zlib.crc32(" ".join(case["words"]).encode())


def has_texts(case):
    return not {"--id", "--categorical"}.isdisjoint(case["words"])


def columns_of(case):
    """The features: their names are those of whole_case."""
    head, *lines = [line.split(",") for line in case["files"]["data.csv"].splitlines()]
    return [[float(line[j]) for line in lines] for j, name in enumerate(head) if whole_case.is_feature(name)]


def problem_of(case):
    lines = [line.split(",") for line in case["files"]["data.csv"].splitlines()[1:]]
    columns = columns_of(case)
    numbers = {name: [float(v) for v in case["files"].get(f"{name}.txt", "").split()] for name in ("weights", "offset", "factors")}
    is_bounded = not {"--lower", "--upper", "--nonnegative"}.isdisjoint(case["words"])
    return whole_truth.Problem([line[0] for line in lines], columns, numbers["weights"] or [1.0] * len(lines),
                               numbers["offset"] or [0.0] * len(lines), numbers["factors"], groups_of(case, len(columns)), is_bounded,
                               whole_survival.columns_of(case["words"], case["files"]["data.csv"]))


def groups_of(case, features):
    """(members, weight or None) of each group; None: there are none."""
    if "--groups" not in case["words"]:
        return None
    file = case["words"][case["words"].index("--groups") + 1]
    if file not in case["files"]:   # by what names begin with
        return [(list(range(k, features, 3)), None) for k in range(min(3, features))]
    groups = {}
    for line in case["files"][file].splitlines():
        feature, name, *weight = line.split(",")
        members, known = groups.get(name, ([], None))
        groups[name] = ([*members, int(feature.split("_")[1])], float(weight[0]) if weight else known)
    return list(groups.values())


def cases(arguments):
    """Those named, or the corpus and then those drawn."""
    for path in arguments.case or sorted(glob.glob(os.path.join(CORPUS, "*.json"))):
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path), json.load(file)
    if arguments.case:
        return
    until = time.monotonic() + arguments.seconds if arguments.seconds else None
    seed = arguments.first
    while time.monotonic() < until if until else seed < arguments.first + arguments.cases:
        yield f"seed-{seed}", whole_case.draw(seed)
        seed += 1
    if arguments.next:
        with open(arguments.next, "w", encoding="ascii") as file:
            file.write(f"{seed}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dcpn")
    parser.add_argument("case", nargs="*", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--keep", type=os.path.abspath)
    parser.add_argument("--next", type=os.path.abspath)
    arguments = parser.parse_args()
    whole, count, failed = Whole(arguments.dcpn), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, case in cases(arguments):
            count += 1
            try:
                whole.try_case(case)
            except Finding as finding:
                failed += 1
                print(f"{name}: dcpn {' '.join(case['words'])}: {finding}", flush=True)
                if arguments.keep:
                    with open(os.path.join(arguments.keep, f"whole-{name}.json"), "w", encoding="utf-8") as file:
                        json.dump(case, file, indent=1)
        os.chdir("/")
    print(f"{count} cases, {whole.commands} commands, {whole.told} recomputed, {failed} findings")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
