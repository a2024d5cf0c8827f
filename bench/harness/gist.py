# SPDX-License-Identifier: BSD-3-Clause
"""Against GIST, in dcpn itself: where the methods end on real text with the capped-l1 penalty, when, and how well they
classify the rows held back."""

import itertools
import json
import tempfile

import numpy as np

from harness import datasets, objective, peers, table

GIST = "gist"
PROBLEM = {"loss": "logistic", "penalty": "capped-l1", "scale": "sum"}


def problems(settings, names, quick):
    """(data set, recipe changes, problem) for all that is asked."""
    sets = [name for name in settings["data"] if not names or any(name.startswith(n) for n in names)]
    for data, rows in itertools.product(sets, settings["rows"]):
        for theta, lam in itertools.product(settings["theta"], settings["lambda"]):
            yield data, rows, dict(PROBLEM, theta=theta, **{"lambda": lam})
            if quick:
                break


def accuracy(folder, x):
    A, y = datasets.load_test(folder)
    return float(np.mean(np.where(A @ x > 0.0, 1.0, -1.0) == y))


def run_set(folder, A, y, problem, options, limit_s, scratch):
    options = ["--max-time", repr(limit_s)] + options
    result = peers.run_dcpn(folder / "data.svm", A.shape[1], problem, options, scratch)
    x = result.pop("x")
    return {"F": objective.objective(A, y, x, problem), "time_s": result["time_s"], "outcome": result["outcome"],
            "nonzeros": int(np.count_nonzero(x)), "accuracy": accuracy(folder, x), "passes": result["passes"],
            "stationarity": result["stationarity"], "stationarity_goal": result["stationarity_goal"],
            "escape": result.get("escape")}


def key_of(data, rows, problem):
    return f"{data}, {rows}, theta {problem['theta']:g}, lambda {problem['lambda']:g}"


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values))))


def summary(results, references, candidate, limit_s):
    """One column of the table; only over the problems that both finished."""
    both = [r for r in results.values() if candidate in r and GIST in r]
    if not both:
        return None
    ratios = [r[candidate]["F"] / r[GIST]["F"] for r in both]
    best = [min(r[n]["F"] for n in references if n in r) for r in both]
    excess = [r[candidate]["F"] / b - 1.0 for r, b in zip(both, best)]
    speed = [min(r[GIST]["time_s"], limit_s) / r[candidate]["time_s"] for r in both]
    return {
        "problems": len(both),
        "geometric mean of F / F_GIST": geometric_mean(ratios),
        "F <= F_GIST": float(np.mean(np.array(ratios) <= 1.0 + 1e-9)),
        "largest excess over the best reference": float(np.max(excess)),
        "speed against GIST": geometric_mean(speed),
        "time, all": sum(r[candidate]["time_s"] for r in both),
        "mean test accuracy": float(np.mean([r[candidate]["accuracy"] for r in both])),
        "not converged": sum(r[candidate]["outcome"] != "converged" for r in both),
    }


FORMS = {
    "problems": "{:d}", "geometric mean of F / F_GIST": "{:.3f}", "F <= F_GIST": "{:.0%}",
    "largest excess over the best reference": "{:.1%}", "speed against GIST": "{:.1f}x", "time, all": "{:.1f} s",
    "mean test accuracy": "{:.2%}", "not converged": "{:d}",
}


def report(results, settings, names):
    columns = {n: summary(results, settings["references"], n, settings["limit_s"]) for n in names}
    columns = {n: c for n, c in columns.items() if c}
    rows = [[what] + [form.format(c[what]) for c in columns.values()] for what, form in FORMS.items()]
    return columns, table.markdown([""] + list(columns), rows)


def earlier(path, reuse):
    return json.loads(path.read_text())["results"] if reuse and path.exists() else {}


def command(config, choice, out):
    settings, kept = config["gist"], out / "gist.json"
    sets = dict(settings["references"], **settings["candidates"])
    wanted = [n for n in sets if not choice.peer or n in choice.peer or n == GIST]
    old, results, refused = earlier(kept, choice.reuse), {}, set()
    for data, rows, problem in problems(settings, choice.case, choice.quick):
        recipe = dict(config["data"][data], rows=rows, **{"test-share": settings["test-share"]})
        try:
            folder = datasets.prepare(choice.data, f"{data}-{rows}-split", recipe)
        except datasets.Missing as why:
            choice.say(f"{data} skipped: {why}")
            continue
        A, y = datasets.load(folder)
        key = key_of(data, rows, problem)
        results[key] = {n: r for n, r in old.get(key, {}).items() if n in settings["references"]}
        choice.say(key)
        for name in wanted:
            if name in refused or name in results[key]:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    results[key][name] = run_set(folder, A, y, problem, sets[name], settings["limit_s"], scratch)
                except peers.Refused as refusal:
                    refused.add(name)
                    choice.say(f"    {name} skipped: {refusal}")
        columns, text = report(results, settings, sets)
        kept.write_text(json.dumps({"summary": columns, "results": results}, indent=1))
        (out / "gist.md").write_text(text + "\n")
    print(report(results, settings, sets)[1])
