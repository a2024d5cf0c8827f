#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/inference.md: what was promised and what came, in simulated settings with a known truth.

usage: experiments/inference.py rates|intervals [--draws N] [--dcpn PATH] [--results FILE] [--settings A,B,...] [--fdr Q]
                                [--methods A,B,...]
       experiments/inference.py table --results FILE

rates: false discoveries and power of `dcpn select` as it comes (select), with one draw of one copy (plain) and with fixed
features (fixed), of the largest model of an MCP path whose marginal false discovery rate is below the same rate (mfdr;
computed here, as Breheny 2019 has it), of the stable features of `dcpn cv --stability` (stable), and of knockpy's plain
filter, if that package can be imported (knockpy).
intervals: how often `dcpn intervals` holds the coefficient. Results are appended to a file, a line of JSON each; what is
there is not done again.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

# loss, law of the columns, rows, features, that matter, correlation, signal
SETTINGS = [
    ("squared", "ar", 200, 60, 10, 0.0, 2.0),
    ("squared", "ar", 200, 60, 10, 0.5, 3.0),
    ("squared", "ar", 200, 60, 10, 0.8, 3.0),
    ("squared", "ar", 200, 60, 20, 0.5, 1.0),
    ("squared", "equal", 200, 60, 10, 0.3, 3.0),
    ("squared", "equal", 200, 60, 10, 0.7, 3.0),
    ("squared", "ar", 100, 150, 10, 0.3, 3.0),
    ("squared", "ar", 150, 200, 15, 0.5, 4.0),
    ("squared", "ar", 150, 300, 10, 0.7, 3.0),
    ("squared", "equal", 150, 200, 10, 0.5, 5.0),
    ("squared", "ar", 400, 100, 15, 0.5, 0.5),
    ("squared", "blocks", 200, 100, 10, 0.8, 3.0),
    ("squared", "heavy", 200, 60, 10, 0.5, 3.0),
    ("squared", "binary", 200, 60, 10, 0.5, 3.0),
    ("logistic", "ar", 200, 60, 10, 0.0, 10.0),
    ("logistic", "ar", 300, 60, 10, 0.5, 5.0),
    ("logistic", "ar", 400, 100, 15, 0.7, 10.0),
    ("logistic", "equal", 300, 60, 10, 0.4, 8.0),
    ("logistic", "ar", 200, 200, 10, 0.3, 20.0),
    ("logistic", "blocks", 300, 100, 10, 0.7, 10.0),
]


def draw(setting, seed):
    """Rows, labels and the true coefficients."""
    loss, law, n, p, k, rho, signal = setting
    rng = np.random.default_rng([seed, n, p, k, int(100 * rho)])
    X = rng.standard_normal((n, p))
    if law in ("ar", "heavy", "binary"):
        for j in range(1, p):
            X[:, j] = rho * X[:, j - 1] + math.sqrt(1 - rho * rho) * X[:, j]
    elif law == "equal":
        X = math.sqrt(rho) * rng.standard_normal((n, 1)) + math.sqrt(1 - rho) * X
    else:  # blocks of five
        X = math.sqrt(rho) * np.repeat(rng.standard_normal((n, (p + 4) // 5)), 5, axis=1)[:, :p] + math.sqrt(1 - rho) * X
    if law == "heavy":
        X = np.sign(X) * np.abs(X) ** 1.5
    if law == "binary":
        X = (X > 0).astype(float)
    b = np.zeros(p)
    b[rng.choice(p, k, replace=False)] = rng.choice([-1, 1], k) * rng.uniform(0.5, 1.5, k)
    S = np.cov(X, rowvar=False)
    u = X @ b
    if loss == "squared":
        return X, u + math.sqrt(b @ S @ b / signal) * rng.standard_normal(n), b
    scale = math.sqrt(signal / (b @ S @ b))
    u = (u - u.mean()) * scale
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-u)), 1.0, -1.0), b * scale


def run(dcpn, words):
    done = subprocess.run([dcpn, *words, "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    return done.stdout


def write(folder, X, y):
    path = os.path.join(folder, "data.csv")
    table = np.column_stack([y, X])
    header = "label," + ",".join(f"x{j}" for j in range(X.shape[1]))
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.10g")
    return path


def select(dcpn, path, loss, fdr, words):
    found = json.loads(run(dcpn, ["select", path, "--loss", loss, "--fdr", str(fdr), "--json", "--folds", "5", *words]))
    return [s["feature"] - 1 for s in found["selected"]]


def by_marginal_rate(dcpn, path, folder, loss, fdr, n, p):
    """The largest model of an MCP path whose marginal false discovery rate is at most fdr."""
    out = os.path.join(folder, "path.json")
    run(dcpn, ["path", path, "--loss", loss, "--penalty", "mcp", "--global", "off", "-o", out])
    best = []
    for point in json.load(open(out))["paths"][0]["points"]:
        index = point["coef"]["index"]
        s = len(index)
        rss = point["deviance"] if loss == "squared" else n * point["brier"]
        if s == 0 or n - s - 1 <= 0 or rss <= 0 or (loss == "logistic" and point["deviance_explained"] > 0.75):
            continue
        sigma = math.sqrt(rss / (n - s - 1))
        expected = p * math.erfc(point["lambda"] * math.sqrt(n) / sigma / math.sqrt(2))
        if expected / s <= fdr and s > len(best):
            best = [j - 1 for j in index]
    return best


def by_stability(dcpn, path, folder, loss):
    """The stable features, and how many of them are expected to be wrong at most."""
    out = os.path.join(folder, "cv.json")
    run(dcpn, ["cv", path, "--loss", loss, "--penalty", "l1", "--folds", "5", "--stability", "30", "-o", out])
    s = json.load(open(out))["stability"]
    return [j - 1 for j, f in zip(s["index"], s["frequency"]) if f >= s["threshold"]], s["bound"]


def by_knockpy(X, y, loss, fdr, seed):
    from knockpy import KnockoffFilter

    np.random.seed(seed)
    filter_ = KnockoffFilter(ksampler="gaussian", fstat="lasso", knockoff_kwargs={"method": "mvr"})
    y = (y > 0).astype(float) if loss == "logistic" else y
    return list(np.flatnonzero(filter_.forward(X=X, y=y, fdr=fdr, shrinkage="ledoitwolf")))


def rate(chosen, b, bound=None):
    wrong = int(sum(b[j] == 0 for j in chosen))
    found = {"wrong": wrong, "chosen": len(chosen), "power": (len(chosen) - wrong) / int((b != 0).sum())}
    return found if bound is None else {**found, "bound": bound}


def has_knockpy():
    try:
        import knockpy  # noqa: F401
    except ImportError:
        return False
    return True


def rates(setting, seed, fdr, dcpn, methods):
    loss, _, n, p, *_ = setting
    X, y, b = draw(setting, seed)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, X, y)
        words = {"select": [], "plain": ["--draws", "1", "--copies", "1"], "fixed": ["--knockoffs", "fixed"]}
        for name in methods:
            if name in words and (name != "fixed" or (loss == "squared" and n > p + 2)):
                found[name] = rate(select(dcpn, path, loss, fdr, ["--seed", str(seed), *words[name]]), b)
            elif name == "mfdr":
                found[name] = rate(by_marginal_rate(dcpn, path, folder, loss, fdr, n, p), b)
            elif name == "stable":
                chosen, bound = by_stability(dcpn, path, folder, loss)
                found[name] = rate(chosen, b, bound)
            elif name == "knockpy":
                found[name] = rate(by_knockpy(X, y, loss, fdr, seed), b)
    return found


def intervals(setting, seed, dcpn):
    """Of three features that matter, and of their neighbours: is the coefficient in the interval, and how wide is it?"""
    X, y, b = draw(setting, seed)
    true = [int(j) for j in np.flatnonzero(b)[:3]]
    chosen = true + [j + 1 for j in true if j + 1 < len(b) and b[j + 1] == 0]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, X, y)
        words = ["intervals", path, "--loss", setting[0], "--only", ",".join(f"x{j}" for j in chosen), "--json"]
        for i in json.loads(run(dcpn, [*words, "--folds", "5"]))["intervals"]:
            t = b[i["feature"] - 1]
            found.append([int(t != 0), int(i["low"] <= t <= i["high"]), i["high"] - i["low"]])
    return {"intervals": found}


def table(path):
    lines = [json.loads(line) for line in open(path)]
    for k, setting in enumerate(SETTINGS):
        ours = [line for line in lines if line["setting"] == list(setting)]
        methods = sorted({m for line in ours for m in line["found"]})
        for fdr in sorted({line["fdr"] for line in ours}):
            some = [line for line in ours if line["fdr"] == fdr]
            cells = []
            for m in methods:
                got = [line["found"][m] for line in some if m in line["found"]]
                if m == "intervals":
                    flat = np.array([i for one in got for i in one])
                    cells.append("holds true %.3f, others %.3f, width %.2f (%d)" % (
                        flat[flat[:, 0] == 1, 1].mean(), flat[flat[:, 0] == 0, 1].mean(), flat[:, 2].mean(), len(flat)))
                    continue
                if not got:
                    continue
                shares = np.array([g["wrong"] / max(1, g["chosen"]) for g in got])
                cell = f"{m} {shares.mean():.3f} +- {shares.std() / math.sqrt(len(shares)):.3f} / {np.mean([g['power'] for g in got]):.2f}"
                if m == "stable":
                    cell += f" wrong {np.mean([g['wrong'] for g in got]):.2f} bound {np.mean([g['bound'] for g in got]):.2f}"
                cells.append(cell)
            print(k + 1, *setting, f"rate {fdr} ({len(some)} draws):", "; ".join(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rates", "intervals", "table"])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--dcpn", default="build/release/dcpn")
    parser.add_argument("--results", default="build/inference.jsonl")
    parser.add_argument("--settings", default=",".join(str(k + 1) for k in range(len(SETTINGS))))
    parser.add_argument("--fdr", type=float, default=0.2)
    parser.add_argument("--methods", default="select,plain,fixed,mfdr,stable,knockpy")
    options = parser.parse_args()
    if options.what == "table":
        return table(options.results)
    methods = [m for m in options.methods.split(",") if m != "knockpy" or has_knockpy()]
    done = set()
    if os.path.exists(options.results):
        done = {(json.dumps(r["setting"]), r["seed"], r["fdr"], r["methods"]) for r in map(json.loads, open(options.results))}
    for seed in range(options.draws):
        for setting in (SETTINGS[int(k) - 1] for k in options.settings.split(",")):
            fdr = options.fdr if options.what == "rates" else 0.0
            if (json.dumps(setting), seed, fdr, options.methods) in done:
                continue
            if options.what == "rates":
                found = rates(setting, seed, fdr, options.dcpn, methods)
            else:
                found = {"intervals": intervals(setting, seed, options.dcpn)["intervals"]}
            with open(options.results, "a") as out:
                out.write(json.dumps({"setting": setting, "seed": seed, "fdr": fdr, "methods": options.methods, "found": found}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
