# SPDX-License-Identifier: BSD-3-Clause
"""Fits and paths: every peer at each of its tolerances, one after the other, in processes of their own.

A curve is a list of points (tolerance, time, F); on a path F is a list, one value per lambda.
"""

import tempfile

import numpy as np
import scipy.sparse as sp

from harness import cases, datasets, objective, peers

REPEAT_BELOW_S = 1.0  # a shorter fit is repeated, and the shortest counts
MOST_REPEATS = 3
MOST_WAITING_S = 20.0  # reading a large file again and again is not worth a third run
KEPT = ("x", "objective", "time_s", "read_s", "peak_mb", "passes", "iterations", "outcome", "metric", "subsolver",
        "convex")


def facts_of(A):
    return {"rows": A.shape[0], "columns": A.shape[1], "entries": int(A.nnz) if sp.issparse(A) else int(A.size)}


def evaluated(result, A, y, problem):
    """A point: the result with F in place of the coefficients; None for a path that ended early."""
    x = np.atleast_2d(result.pop("x"))
    lambdas = problem.get("lambdas", [problem["lambda"]])
    if len(x) != len(lambdas):
        return None
    values = [objective.objective(A, y, row, dict(problem, **{"lambda": lam})) for row, lam in zip(x, lambdas)]
    return dict(result, F=values if "lambdas" in problem else values[0], nonzeros=int(np.count_nonzero(x[-1])))


def worth_repeating(runs):
    """Whether one more run may show a shorter time."""
    solving, waiting = (sum(run[key] for run in runs) for key in ("time_s", "wall_s"))
    return len(runs) < MOST_REPEATS and solving < REPEAT_BELOW_S and waiting < MOST_WAITING_S


def dcpn_points(settings, options, data, columns, problem, limit_s, scratch):
    """A point per tolerance; the shortest of a few runs where a run is short."""
    call = peers.run_dcpn_path if "lambdas" in problem else peers.run_dcpn
    limits = [] if "lambdas" in problem else ["--max-time", repr(limit_s)]
    for tolerance in settings["tolerances"]:
        runs = []
        while worth_repeating(runs):
            runs.append(call(data, columns, problem, ["--tol", repr(tolerance)] + limits + options, scratch))
        best = min(runs, key=lambda run: run["time_s"])
        yield dict({key: best[key] for key in KEPT if key in best}, tolerance=tolerance)
        if best["time_s"] > limit_s or best.get("outcome", "converged") != "converged":
            break


def peer_points(name, settings, folder, facts, problem, limit_s, choice, scratch):
    reason = peers.unsuitable(settings, problem, facts)
    command = None if reason else peers.command_of(name, choice.venv)
    if not command:
        raise peers.Refused(reason or "is not installed here")
    job = {"data": str(folder), "problem": problem, "tolerances": settings["tolerances"], "limit_s": limit_s,
           "clock": choice.clock}
    for result in peers.run_peer(command, job, facts["columns"], scratch):
        if "error" in result:
            raise peers.Refused(result["error"])
        yield result


def sources(config, case, folder, facts, problem, choice, scratch):
    """(name, generator of points) of all that may run a case, dcpn first."""
    limit_s = case.get("limit_s", 20.0)
    columns = facts["columns"]
    data = peers.quick_to_read(folder / "data.svm", columns, scratch)
    for name in case.get("sets", ["dcpn"]):
        options = config["dcpn"]["sets"][name]
        yield name, dcpn_points(config["dcpn"], options, data, columns, problem, limit_s, scratch)
    for name, settings in config["peers"].items():
        if name not in case.get("without", []):
            yield name, peer_points(name, settings, folder, facts, problem, limit_s, choice, scratch)


def run_problem(config, case, folder, A, y, problem, choice, kept, say):
    """All curves of one problem: {who: [points]}, and why some are missing; those kept are not measured again."""
    curves, skipped = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, results in sources(config, case, folder, facts_of(A), problem, choice, scratch):
            if name in kept or (choice.peer and name not in choice.peer):
                continue
            points = []
            try:
                for result in results:
                    found = evaluated(result, A, y, problem)
                    if not found:
                        raise peers.Refused(f"ended its path early at tolerance {result['tolerance']:g}")
                    points.append(found)
            except peers.Refused as refusal:
                skipped[name] = str(refusal)
                say(f"    {name} {'ended' if points else 'skipped'}: {refusal}")
            if points:
                curves[name] = points
                say(f"    {name}: {len(points)} points, the last after {points[-1]['time_s']:.3g} s")
    return dict(curves, **kept), skipped


def problems_of(case, A, y):
    """(label, problem) for each lambda of a fit, or one for a path."""
    problem = cases.problem_of(case)
    largest = objective.lambda_max(A, y, problem)
    if "nlambda" in case:
        lambdas = np.geomspace(largest, case["lambda-min-ratio"] * largest, case["nlambda"])
        label = f"{case['nlambda']} to {case['lambda-min-ratio']:g} max"
        yield label, dict(problem, **{"lambda": float(lambdas[-1]), "lambdas": lambdas.tolist()})
        return
    for ratio in case.get("lambda-ratio", []):
        yield f"{ratio:g} max", dict(problem, **{"lambda": ratio * largest})
    for value in case.get("lambda", []):
        yield f"{value:g}", dict(problem, **{"lambda": value})


def kept_curves(earlier, config, result):
    """The peers' curves of an earlier run of the same problem."""
    for other in earlier:
        if all(other[key] == result[key] for key in ("case", "data", "lambda", "problem")):
            return {name: points for name, points in other["curves"].items() if name in config["peers"]}
    return {}


def run(config, selected, choice, earlier, say):
    """Yields a result per problem, as they come."""
    for case, data in selected:
        try:
            folder = datasets.prepare(choice.data, data, config["data"][data])
        except datasets.Missing as why:
            say(f"{case['name']} {data} skipped: {why}")
            continue
        A, y = datasets.load(folder)
        for label, problem in problems_of(case, A, y):
            say(f"{case['name']}, {data}, lambda {label}")
            result = {"case": case["name"], "data": data, "lambda": label, "problem": problem, "facts": facts_of(A),
                      "sets": case.get("sets", ["dcpn"])}
            kept = kept_curves(earlier, config, result)
            curves, skipped = run_problem(config, case, folder, A, y, problem, choice, kept, say)
            yield dict(result, curves=curves, skipped=skipped)
            if choice.quick:
                break
