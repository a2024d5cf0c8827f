# SPDX-License-Identifier: BSD-3-Clause
"""Single fits: every peer at each of its tolerances, judged by the time to a relative suboptimality."""

import tempfile

import numpy as np
import scipy.sparse as sp

from harness import cases, datasets, objective, peers

SUBOPTIMALITIES = (1e-4, 1e-6, 1e-8)
REPEAT_BELOW_S = 1.0
MOST_REPEATS = 3


def facts_of(A):
    return {"rows": A.shape[0], "columns": A.shape[1], "entries": int(A.nnz) if sp.issparse(A) else int(A.size)}


def point(result, A, y, problem):
    x = result.pop("x")
    return dict(result, F=objective.objective(A, y, x, problem), nonzeros=int(np.count_nonzero(x)))


def dcpn_points(settings, options, folder, facts, problem, limit_s, scratch):
    """A point per tolerance; the shortest of a few runs where a run is short."""
    for tolerance in settings["tolerances"]:
        runs = []
        while len(runs) < MOST_REPEATS and sum(run["time_s"] for run in runs) < REPEAT_BELOW_S:
            runs.append(peers.run_dcpn(folder / "data.svm", facts["columns"], problem,
                                       ["--tol", repr(tolerance), "--max-time", repr(limit_s)] + options, scratch))
        best = min(runs, key=lambda run: run["time_s"])
        kept = ("x", "time_s", "read_s", "peak_mb", "passes", "iterations", "outcome", "metric", "subsolver")
        yield dict({key: best[key] for key in kept if key in best}, tolerance=tolerance, claimed_F=best["objective"])
        if best["time_s"] > limit_s or best["outcome"] != "converged":
            break


def run_problem(config, case, folder, A, y, problem, venv, wanted, say):
    """All curves of one problem: {who: [points]}, and why some are missing."""
    facts, curves, skipped = facts_of(A), {}, {}
    limit_s = case.get("limit_s", 20.0)
    with tempfile.TemporaryDirectory() as scratch:
        for name in case.get("sets", ["dcpn"]):
            if wanted and name not in wanted:
                continue
            try:
                found = dcpn_points(config["dcpn"], config["dcpn"]["sets"][name], folder, facts, problem, limit_s, scratch)
                curves[name] = [point(result, A, y, problem) for result in found]
            except peers.Refused as refusal:
                skipped[name] = str(refusal)
        for name, settings in config["peers"].items():
            if wanted and name not in wanted:
                continue
            reason = peers.unsuitable(settings, problem, facts)
            command = None if reason else peers.command_of(name, venv)
            if not command:
                skipped[name] = reason or "is not installed here"
                continue
            job = {"data": str(folder), "problem": problem, "tolerances": settings["tolerances"], "limit_s": limit_s}
            points = []
            for result in peers.run_peer(command, job, scratch):
                if "error" in result:
                    skipped[name] = result["error"]
                else:
                    points.append(point(result, A, y, problem))
            if points:
                curves[name] = points
            say(f"    {name}: {len(points)} points")
    return curves, skipped


def time_to(points, best, suboptimality):
    """The shortest time of a point that is good enough, or None."""
    times = [p["time_s"] for p in points if p["F"] - best <= suboptimality * abs(best)]
    return min(times) if times else None


def judge(curves):
    """The best F of all and, for each curve, its times to the suboptimalities and its peak memory."""
    best = min(p["F"] for points in curves.values() for p in points)
    rows = {}
    for name, points in curves.items():
        rows[name] = {
            "least_suboptimality": (min(p["F"] for p in points) - best) / abs(best),
            "time_to": {f"{s:g}": time_to(points, best, s) for s in SUBOPTIMALITIES},
            "peak_mb": max(p["peak_mb"] for p in points),
        }
    return best, rows


def run(config, selected, data_root, venv, wanted, say):
    """Yields a result per problem, as they come."""
    for case in selected:
        recipe = config["data"][case["data"]]
        try:
            folder = datasets.prepare(data_root, case["data"], recipe)
        except datasets.Missing as why:
            say(f"{case['name']}: skipped: {why}")
            continue
        A, y = datasets.load(folder)
        problem = cases.problem_of(case)
        for label, lam in cases.lambdas_of(case, lambda: objective.lambda_max(A, y, problem)):
            say(f"{case['name']}, lambda {label}")
            here = dict(problem, **{"lambda": float(lam)})
            curves, skipped = run_problem(config, case, folder, A, y, here, venv, wanted, say)
            for name, why in skipped.items():
                say(f"    {name} skipped: {why}")
            if not curves:
                continue
            best, rows = judge(curves)
            yield {"case": case["name"], "lambda": label, "problem": here, "data": facts_of(A), "best_F": best,
                   "judged": rows, "curves": curves, "skipped": skipped}
