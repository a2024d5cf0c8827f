#!/usr/bin/env python3
"""Independent check of models with several scores a row: many classes, or several responses.

    several.py DCPN COUNT [--seed N]

Draws COUNT problems with options (loss, penalty, groups, weights, offsets, factors, bounds, ridge, scale, intercept), has
`dcpn fit` solve them and `dcpn predict` apply them, and recomputes objective, certificate and probabilities from the files by
naive code that shares nothing with the C program. A fit that did not converge is measured all the same. Exit status 1 if
anything differs, with the command.
"""

import json
import math
import random
import subprocess
import sys

import evaluate as ev

ROWS, FEATURES = 40, 6
PENALTIES = {"l1": {}, "capped-l1": {"theta": 0.5}, "scad": {"a": 3.7}, "mcp": {"gamma": 3.0}, "exponential": {"gamma": 3.0},
             "log": {"theta": 0.4}, "lp": {"p": 0.5, "eps": 0.1}}
RESPONSES = {"squared": {}, "huber": {"delta": 0.8}, "poisson": {}, "gamma": {}}


# ------------------------------------------------------------------------------------------------ drawing

def draw_rows(rng):
    return [[round(rng.gauss(0, 1), 3) if rng.random() < 0.7 else 0.0 for _ in range(FEATURES)] for _ in range(ROWS)]


def draw_labels(rng, rows, loss, count):
    """A list of numbers for each row: its class, or its responses."""
    labels = []
    for i, row in enumerate(rows):
        scores = [1.5 * row[k] + rng.gauss(0, 0.5) for k in range(count)]
        if loss == "multinomial":
            labels.append([2 * max(range(count), key=scores.__getitem__) + 1 if i >= count else 2 * i + 1])
        elif loss == "poisson":
            labels.append([min(20, math.floor(math.exp(0.7 * s))) for s in scores])
        elif loss == "gamma":
            labels.append([round(math.exp(0.4 * s), 4) for s in scores])
        else:
            labels.append([round(s, 4) for s in scores])
    return labels


def draw(rng):
    loss = rng.choice(["multinomial", "multinomial", *RESPONSES])
    count = rng.randint(3, 4) if loss == "multinomial" else rng.randint(2, 3)
    rows = draw_rows(rng)
    problem = {
        "loss": loss, "count": count, "rows": rows, "labels": draw_labels(rng, rows, loss, count),
        "penalty": rng.choice(list(PENALTIES)), "class-grouping": rng.choice(["entry", "row"]),
        "scale": rng.choice(["sum", "mean"]), "intercept": rng.random() < 0.6, "ridge": rng.choice([0.0, 0.3]),
        "weights": [rng.choice([0.5, 1.0, 2.0]) for _ in rows] if rng.random() < 0.5 else None,
        "factors": [rng.choice([0.5, 1.0, 2.0, 0.0]) for _ in range(FEATURES)] if rng.random() < 0.5 else None,
        "groups": None,
        "offset": [round(rng.gauss(0, 0.3), 3) for _ in rows] if loss != "multinomial" and rng.random() < 0.5 else None,
    }
    if problem["factors"] is None and rng.random() < 0.5:  # features 0 to 2, and 3 with 4; 5 is in none
        problem["groups"] = [[0, 1, 2], [3, 4]]
        problem["grouping"] = rng.choice(["norm", "sum"]) if problem["penalty"] == "l1" else "norm"
    problem["lambda"] = rng.choice([1.0, 3.0]) / (len(rows) if problem["scale"] == "mean" else 1)
    problem["ridge"] /= len(rows) if problem["scale"] == "mean" else 1
    has_norms = problem["class-grouping"] == "row" or problem["groups"]  # which take bounds of 0 alone
    boxes = [(0.0, None), (None, 0.0)] if has_norms else [(0.0, None), (-0.2, 0.3)]
    problem["lower"], problem["upper"] = rng.choice(boxes) if rng.random() < 0.3 else (None, None)
    return problem


# ------------------------------------------------------------------------------------------ the command

def write_numbers(path, numbers):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{number!r}\n" for number in numbers)


def write_table(problem):
    count = problem["count"]
    names = ["class"] if problem["loss"] == "multinomial" else [f"r{k}" for k in range(count)]
    with open("t.csv", "w", encoding="ascii") as file:
        print(*(f"x{j}" for j in range(FEATURES)), *names, sep=",", file=file)
        for row, labels in zip(problem["rows"], problem["labels"]):
            print(*(repr(v) for v in [*row, *labels]), sep=",", file=file)
    return names


def words_of(problem):
    names = write_table(problem)
    words = ["t.csv", "--labels" if len(names) > 1 else "--label-column", ",".join(names), "--shape-units", "raw", "--tol", "1e-7",
             "--max-iter", "20000", "--global", "off"]
    for name in ("loss", "penalty", "class-grouping", "scale", "lambda", "ridge"):
        words += [f"--{name}={problem[name]}"]
    for name, value in {**PENALTIES[problem["penalty"]], **RESPONSES.get(problem["loss"], {})}.items():
        words += [f"--{name}={value}"]
    words += ["--intercept"] if problem["intercept"] else []
    for option, key in (("weights", "weights"), ("penalty-factor", "factors"), ("offset", "offset")):
        if problem[key]:
            write_numbers(f"{key}.txt", problem[key])
            words += [f"--{option}", f"{key}.txt"]
    if problem["groups"]:
        with open("groups.txt", "w", encoding="ascii") as file:
            file.writelines(f"x{j},g{g}\n" for g, members in enumerate(problem["groups"]) for j in members)
        words += ["--groups", "groups.txt", f"--grouping={problem['grouping']}"]
    for bound in ("lower", "upper"):
        words += [f"--{bound}={problem[bound]}"] if problem[bound] is not None else []
    return words


def run(dcpn, problem):
    """What the command reports and writes: the fit, the model, and what it predicts."""
    words = [dcpn, "fit", *words_of(problem), "-o", "m.json", "--json", "-q"]
    fit = subprocess.run(words, capture_output=True, text=True, check=False)
    if fit.returncode:
        return words, None, fit.stderr
    kind = "probabilities" if problem["loss"] == "multinomial" else "labels"
    offset = ["--offset", "offset.txt"] if problem["offset"] else []
    said = subprocess.run([dcpn, "predict", "m.json", "t.csv", "--type", kind, "-q", *offset], capture_output=True, text=True, check=True)
    predictions = [[float(word) for word in line.split(",")] for line in said.stdout.split()]
    return words, (json.loads(fit.stdout), ev.load_json("m.json"), predictions), ""


# --------------------------------------------------------------------------------------------- naive

def scores_of(problem, model):
    x = [[0.0] * FEATURES for _ in range(problem["count"])]
    for k, index, value in zip(model["coef"]["class"], model["coef"]["index"], model["coef"]["value"]):
        x[k][index - model["index_base"]] = value
    offset = problem["offset"] or [0.0] * ROWS
    scores = [[math.fsum([offset[i], model["intercept"][k], *(a * b for a, b in zip(row, x[k]))]) for k in range(problem["count"])]
              for i, row in enumerate(problem["rows"])]
    return x, scores


def softmax(u):
    top = max(u)
    terms = [math.exp(v - top) for v in u]
    return [t / math.fsum(terms) for t in terms]


def row_of(problem, params, labels, u):
    """The loss of a row, its slopes in the scores, and what is predicted."""
    if problem["loss"] == "multinomial":
        p, own = softmax(u), (labels[0] - 1) // 2
        others = math.fsum(p[k] for k in range(len(u)) if k != own)  # 1 - p[own] would lose digits where that is near 1
        loss = math.log1p(math.fsum(math.exp(u[k] - u[own]) for k in range(len(u)) if k != own))
        return loss, [p[k] if k != own else -others for k in range(len(u))], p
    means = [math.exp(v) for v in u] if problem["loss"] in ("poisson", "gamma") else u
    return (math.fsum(ev.phi(v, y, params) for v, y in zip(u, labels)),
            [ev.phi_slope(v, y, params) for v, y in zip(u, labels)], means)


def violation_of_entry(x, g, lam, params, problem):
    slopes = ev.penalty_slopes(abs(x), lam, params)
    ends = [g + math.copysign(s, x) for s in slopes] if x else [g - slopes[0], g + slopes[0]]
    rises, falls = x != problem["upper"], x != problem["lower"]  # which way there is room
    if x:
        return max(max(-e if rises else 0.0, e if falls else 0.0, 0.0) for e in ends)
    return max(-ends[1] if rises else 0.0, ends[0] if falls else 0.0, 0.0)


def within(x, slope, problem):
    """A slope of F, or 0 where x could only follow it out of its bounds."""
    return 0.0 if x == problem["lower" if slope > 0.0 else "upper"] else slope


def violation_of_row(x, g, lam, params, problem):
    t = math.sqrt(math.fsum(v * v for v in x))
    slopes = ev.penalty_slopes(t, lam, params)
    if t == 0:
        return max(math.sqrt(math.fsum(within(0.0, v, problem) ** 2 for v in g)) - slopes[0], 0.0)
    return max(math.sqrt(math.fsum(within(b, a + s * b / t, problem) ** 2 for a, b in zip(g, x))) for s in slopes)


def blocks_of(problem):
    """What has a norm, each as (class, feature), and its factor of lambda: groups and single features, of each class or all."""
    groups = problem["groups"] or []
    if groups and problem["grouping"] == "sum":  # of l1 that of all coefficients
        yield from (([(k, j)], 1.0) for k in range(problem["count"]) for j in range(FEATURES))
        return
    features = groups + [[j] for j in range(FEATURES) if not any(j in group for group in groups)]
    for group in features:
        factor = problem["factors"][group[0]] if problem["factors"] else math.sqrt(len(group))
        if problem["class-grouping"] == "row":
            yield [(k, j) for k in range(problem["count"]) for j in group], factor
        else:
            yield from (([(k, j) for j in group], factor) for k in range(problem["count"]))


def recompute(problem, model):
    params, count = ev.in_raw_units(model), problem["count"]
    x, scores = scores_of(problem, model)
    weights = problem["weights"] or [1.0] * ROWS
    scale = 1 / math.fsum(weights) if problem["scale"] == "mean" else 1.0
    rows = [row_of(problem, params, labels, u) for labels, u in zip(problem["labels"], scores)]
    slopes = [[scale * w * s for s in row[1]] for w, row in zip(weights, rows)]
    gradient = [[math.fsum([problem["ridge"] * x[k][j], *(slopes[i][k] * problem["rows"][i][j] for i in range(ROWS))])
                 for j in range(FEATURES)] for k in range(count)]
    size = max(math.fsum(abs(slopes[i][k] * problem["rows"][i][j]) for i in range(ROWS)) for k in range(count) for j in range(FEATURES))
    loss = scale * math.fsum(w * row[0] for w, row in zip(weights, rows))
    loss += problem["ridge"] / 2 * math.fsum(v * v for of in x for v in of)
    penalty, worst = [], 0.0
    for members, factor in blocks_of(problem):
        lam = problem["lambda"] * factor
        own, g = [x[k][j] for k, j in members], [gradient[k][j] for k, j in members]
        penalty.append(ev.penalty_term(math.sqrt(math.fsum(v * v for v in own)), lam, params))
        if len(members) > 1:
            worst = max(worst, violation_of_row(own, g, lam, params, problem))
        else:
            worst = max(worst, violation_of_entry(own[0], g[0], lam, params, problem))
    if problem["intercept"]:
        worst = max(worst, max(abs(math.fsum(slopes[i][k] for i in range(ROWS))) for k in range(count)))
    values = {"loss_value": loss, "penalty_value": math.fsum(penalty), "objective": loss + math.fsum(penalty), "stationarity": worst}
    return values, [row[2] for row in rows], size


def differences(problem, fit, model, predictions):
    values, expected, size = recompute(problem, model)
    for name, value in values.items():
        # The certificate is what is left of sums of this size, as in evaluate.py.
        allowed = 1e-9 * max(value, 1e-3 * size) if name == "stationarity" else 1e-10 * abs(value)
        if not ev.agrees(fit[name], value, allowed):
            yield f"{name}: reported {fit[name]!r}, recomputed {value!r}"
    for i, (said, known) in enumerate(zip(predictions, expected)):
        if any(abs(a - b) > 1e-9 * max(1.0, abs(b)) for a, b in zip(said, known)):
            yield f"row {i + 1}: predicted {said}, recomputed {known}"


def main(argv):
    dcpn, count = argv[0], int(argv[1])
    rng = random.Random(int(argv[3]) if len(argv) > 3 else 1)
    wrong = converged = kept = 0
    for number in range(count):
        problem = draw(rng)
        words, result, refusal = run(dcpn, problem)
        faults = [refusal] if result is None else list(differences(problem, *result))
        converged += result is not None and result[0]["outcome"] == "converged"
        kept += result is not None and result[0]["nnz"] > 0
        wrong += bool(faults)
        for fault in faults:
            print(f"problem {number}: {' '.join(words[1:])}\n  {fault}")
    print(f"{count} problems, {wrong} with differences; at least nine in ten converged: {10 * converged >= 9 * count}, "
          f"had features: {10 * kept >= 9 * count}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
