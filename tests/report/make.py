#!/usr/bin/env python3
"""Writes a path or cross-validation file as docs/file-formats.md describes it, for the tests of what reads them.

usage: make.py FEATURES [--kind path|cv] [--hostile] [--penalties N] [--stability] [--runaway] > FILE

The numbers are made up, smooth and deterministic: no fit is behind them.
"""

import argparse
import json
import math

LAMBDAS = 60
HOSTILE = ['</script><script>alert(1)</script>', '"onload="x', "a'b&amp;<b>", "two\nlines\ttab", "\u202eevil\u202c",
           "\x1b[31mred\x1b[0m", "=1+1", "comma, quote\"", "", "\u03b2 \u00e9t\u00e9 \u6c49\u5b57", "x" * 300,
           "]]>", "--", "{}", "%s%n", "$(touch /tmp/pwned)"]
WORDS = ["age", "sex", "income", "tumour size", "systolic blood pressure", "cholesterol", "smoker", "glucose"]


def name(j, hostile):
    if hostile:
        return HOSTILE[j % len(HOSTILE)] + (str(j) if j >= len(HOSTILE) else "")
    return WORDS[j] if j < len(WORDS) else f"gene_{j:04d}"


def coefficient(j, step, features):
    """Feature j enters at a step of its own and grows towards a size of its own."""
    used = min(features, 12 + features // 8)
    enters = 1 + j * (LAMBDAS - 8) / used
    if j >= used or step < enters:
        return 0.0
    size = (2.0 if j < 6 else 0.5) / (1 + 0.25 * j) * (-1 if j % 3 == 1 else 1)
    return size * (1 - math.exp(-(step - enters) / 12))


def measurement(mean, se):
    return {"mean": mean, "se": se, "folds": [mean + se * (f - 2) for f in range(5)]}


def point(step, features, shift, with_cv, runaway):
    values = [(j, coefficient(j, step, features)) for j in range(features)]
    kept = [(j, v) for j, v in values if v]
    share = 1 - math.exp(-step / 20)
    made = {"lambda": 0.5 * 10 ** (-3 * step / LAMBDAS), "intercept": 0.1 + 0.01 * step,
            "coef": {"index": [j + 1 for j, _ in kept], "value": [v for _, v in kept]}, "nnz": len(kept),
            "objective": 120 - step, "loss_value": 100 - step, "penalty_value": 20.0, "stationarity": 1e-5 / (1 + step),
            "stationarity_goal": 2e-5, "outcome": "converged" if step != 41 else "max-iter",
            "deviance": 500 * (1 - share), "deviance_explained": share, "iterations": 3 + step % 4,
            "inner_iterations": 10 + 7 * (step % 5), "line_search_trials": 4, "safeguards": 0, "escape": 0,
            "passes": 1.5 + step % 3,
            "locally_convex": step < 44, "convexity": 0.5 - step / 88}
    if with_cv:
        bump = 0.9 + 0.5 * math.exp(-step / 9) + 0.00012 * max(0, step - 30) ** 2 + shift
        bump += runaway * (step > 0) * max(0, step - 30 + 2000 * shift) ** 2
        made["cv"] = {"deviance": measurement(bump, 0.05 + 0.001 * step), "error": measurement(bump / 5, 0.012),
                      "auc": measurement(1 - bump / 6, 0.01), "outcomes": ["converged"] * 5, "nnz": [len(kept)] * 5}
    return made


def chosen(paths, at):
    best = paths[0]["points"][at]
    return {"path": 0, "point": at, "penalty": paths[0]["penalty"], "varying": None, "value": None,
            "lambda": best["lambda"], "nnz": best["nnz"], "mean": best["cv"]["deviance"]["mean"],
            "se": best["cv"]["deviance"]["se"]}


def held_out(rows, positives):
    """Scores that speak for the class of the row, mostly: the more a row is shifted, the more certain they are."""
    labels = [1 if i < positives else -1 for i in range(rows)]
    scores = [2.2 * math.sin(1.7 * i) + 0.9 * label - 0.4 for i, label in enumerate(labels)]
    return {"fold": [i % 5 for i in range(rows)], "label": labels, "weight": [1] * rows, "min": scores,
            "1se": [0.8 * score for score in scores]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=int)
    parser.add_argument("--kind", default="cv", choices=("path", "cv"))
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--nameless", action="store_true")
    parser.add_argument("--penalties", type=int, default=1)
    parser.add_argument("--stability", action="store_true")
    parser.add_argument("--runaway", action="store_true", help="means that are not drawn: of one path nearly all")
    arguments = parser.parse_args()
    features, is_cv = arguments.features, arguments.kind == "cv"
    names = [name(j, arguments.hostile) for j in range(features)]
    paths = [{"penalty": penalty, "varying": None, "value": None, "lambda_max": 0.5, "ended": "all", "min": 31,
              "1se": 19, "algorithm": "dcpn", "metric": "hessian", "subsolver": "coordinate-descent",
              "points": [point(step, features, 0.02 * p, is_cv, arguments.runaway) for step in range(LAMBDAS)]}
             for p, penalty in enumerate(("mcp", "scad", "l1", "capped-l1")[:arguments.penalties])]
    file = names[0] + ".csv" if arguments.hostile else "data/patients.csv"
    made = {"format": f"dcpn-{arguments.kind}", "version": 1, "dcpn": "0.1.0",
            "command": ["dcpn", arguments.kind, file, "--penalty", "mcp", "-o", "it's here.json"],
            "params": {"loss": "logistic", "penalty": "mcp", "lambda": 1.0, "intercept": True, "scale": "mean"},
            "classes": [0, 1], "features": features, "index_base": 1,
            "class_names": ["well", names[1]] if arguments.hostile else ["well", "ill"],
            "feature_names": None if arguments.nameless else names,
            "data": {"file": file, "n": 500, "p": features, "entries": 500 * features, "dense": True, "weight": 500,
                     "positives": 180, "null_deviance": 653.42},
            "missing": [0.5] * features, "gaps": [3 * (j % 4) for j in range(features)], "paths": paths,
            "timing": {"threads": 1, "read_s": 0.01, "time_s": 0.5,
                       "points": [[0.001 + 0.0001 * s for s in range(LAMBDAS)] for _ in paths]}}
    if is_cv:
        paths[0]["points"][41]["cv"]["outcomes"][2] = "max-iter"
        made.update({"folds": {"count": 5, "seed": 1, "stratified": True, "file": None, "sizes": [100] * 5},
                     "measures": ["deviance", "error", "auc"], "measure": "deviance",
                     "chosen": {"min": chosen(paths, 31), "1se": chosen(paths, 19)}, "rule": "1se",
                     "unconverged": [{"path": 0, "point": 41, "fold": 2, "outcome": "max-iter"}], "stability": None,
                     "held_out": held_out(500, 180)})
    if arguments.stability:
        count = min(features, 40)
        made["stability"] = {"subsamples": 100, "share": 0.5, "seed": 1, "penalty": "mcp", "varying": None,
                             "value": None,
                             "lambdas": [p["lambda"] for p in paths[0]["points"][:20]], "threshold": 0.6, "mean_selected": 9.4,
                             "bound": 9.4 ** 2 / (0.2 * features), "index": list(range(1, count + 1)),
                             "frequency": [round(math.exp(-j / 9), 2) for j in range(count)],
                             "stable": [j + 1 for j in range(count) if math.exp(-j / 9) >= 0.6], "unconverged": 0}
    print(json.dumps(made))


if __name__ == "__main__":
    main()
