"""Penalties of groups by their definitions, and how far 0 is from the gradient under them: naive code for whole_truth.py.

z are the coefficients of the columns as scaled, gradient that of the smooth part there. A feature in no group is one by
itself, of weight 1. With the grouping latent F is that of copies, which a model does not have: None.
"""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "evaluator"))
import evaluate as ev  # noqa: E402


def has_groups(problem, params):
    return problem.groups is not None and params["grouping"] != "entry"


def all_groups(problem, params):
    """(features, weight) of every group; columns without entries are no members, but count for the size."""
    kind = params["grouping"]
    within = set()
    for members, weight in problem.groups:
        within |= set(members)
        default = 1.0 if kind == "sum" else math.sqrt(len(members))
        yield [j for j in members if any(problem.columns[j])], default if weight is None else weight, len(members)
    for j in range(len(problem.columns)):
        if j not in within and any(problem.columns[j]):
            yield [j], 1.0, 1


def term(t, lam, params):
    return ev.penalty_term(t, lam, params) if lam > 0.0 else 0.0


def slopes(t, lam, params):
    """From the left and the right; at 0 from the right alone."""
    found = ev.penalty_slopes(t, lam, params) if lam > 0.0 else [0.0]
    return found if t > 0.0 and len(found) == 2 else [found[0]] * 2


def inner_params(params):
    """Of the penalty of single coefficients; None: it is t itself."""
    name = params["inner-penalty"]
    if params["grouping"] == "sum" and name in ("auto", "l1"):
        return None
    return params if name == "auto" else dict(params, penalty=name)


def norm(z, members):
    return math.hypot(*(z[j] for j in members)) if members else 0.0


# ---- a sum over groups of p of a sum ---------------------------------------------------------------------------------

def rho(t, inner, lam):
    return t if inner is None else term(t, lam, inner) / slopes(0.0, lam, inner)[1]


def rho_slopes(t, inner, lam):
    if inner is None or t == 0.0:
        return [1.0, 1.0]
    return [slope / slopes(0.0, lam, inner)[1] for slope in slopes(t, lam, inner)]


def sums(problem, params, z):
    """(members, weight times lambda, extent, argument of p) of every group that is penalised."""
    inner = inner_params(params)
    for members, weight, count in all_groups(problem, params):
        extent = 1.0 if inner is None else 0.5 * count
        total = math.fsum(problem.factors[j] * rho(abs(z[j]), inner, params["lambda"]) for j in members)
        if weight * params["lambda"] > 0.0 and members:
            yield members, weight * params["lambda"], extent, total / extent


def sum_stationarity(problem, params, z, gradient):
    inner = inner_params(params)
    pull = [[0.0, 0.0] for _ in z]
    for members, lam, _, t in sums(problem, params, z):
        for j in members:
            for side, slope in enumerate(slopes(t, lam, params)):
                pull[j][side] += slope
    worst = 0.0
    for j, (x, g) in enumerate(zip(z, gradient)):
        own = rho_slopes(abs(x), inner, params["lambda"]) if params["lambda"] > 0.0 else [0.0, 0.0]
        ends = [problem.factors[j] * a * b for a, b in zip(pull[j], own)]
        if x == 0.0:
            worst = max(worst, abs(g) - problem.factors[j] * pull[j][1])
        else:
            worst = max(worst, *(abs(g + math.copysign(end, x)) for end in ends))
    return worst


# ---- norms, and sparse groups ----------------------------------------------------------------------------------------

def norm_lambdas(problem, params, members, weight):
    """Of the norm of a group, and of each of its coefficients."""
    if params["grouping"] == "sparse":
        return (1.0 - params["mix"]) * weight * params["lambda"], [params["mix"] * problem.factors[j] * params["lambda"]
                                                                   for j in members]
    return weight * params["lambda"] * (problem.factors[members[0]] if members else 1.0), [0.0] * len(members)


def norm_violation(problem, params, z, gradient, members, weight):
    inner = inner_params(params) if params["grouping"] == "sparse" else params
    whole, own = norm_lambdas(problem, params, members, weight)
    r, worst = norm(z, members), 0.0
    for side in range(2):
        slope, left = slopes(r, whole, params)[side], []
        for j, lam in zip(members, own):
            pull = slopes(abs(z[j]), lam, inner)[side]
            if z[j] == 0.0:
                left.append(max(abs(gradient[j]) - pull, 0.0))
            else:
                left.append(abs(gradient[j] + math.copysign(pull, z[j]) + slope * z[j] / r))
        size = math.hypot(*left) if left else 0.0
        worst = max(worst, size if r > 0.0 else size - slope)
    return worst


# ---- groups within groups --------------------------------------------------------------------------------------------

def take_balls(left, balls, rounds=300):
    """What is left of a vector when the balls of some groups are taken from it, again and again (Dykstra)."""
    parts = [[0.0] * len(members) for members, _ in balls]
    for _ in range(rounds if len(balls) > 1 else 1):
        for (members, radius), part in zip(balls, parts):
            for i, j in enumerate(members):
                left[j] += part[i]
            length = norm(left, members)
            scale = radius / length if length > radius else 1.0
            for i, j in enumerate(members):
                part[i] = scale * left[j]
                left[j] -= part[i]


def tree_stationarity(problem, params, z, gradient):
    """The smooth terms, and the distance to the sum of the balls of groups that are 0; by smallest groups."""
    left, balls, done, worst = list(gradient), [], set(), 0.0
    groups = sorted(all_groups(problem, params), key=lambda group: len(group[0]))
    for members, weight, _ in groups:
        whole, r = norm_lambdas(problem, params, members, weight)[0], norm(z, members)
        if r == 0.0:
            balls.append((members, slopes(0.0, whole, params)[1]))
        for j in members if r > 0.0 else []:
            left[j] += slopes(r, whole, params)[1] * z[j] / r
    take_balls(left, balls)
    for members, _, _ in groups:
        worst = max(worst, norm(left, [j for j in members if j not in done]))
        done |= set(members)
    return worst


# ---- all of it -------------------------------------------------------------------------------------------------------

def penalty(problem, params, z):
    if not has_groups(problem, params):
        return math.fsum(term(abs(t), params["lambda"] * f, params) for t, f in zip(z, problem.factors))
    if params["grouping"] == "latent":
        return None
    if params["grouping"] == "sum":
        return math.fsum(extent * term(t, lam, params) for _, lam, extent, t in sums(problem, params, z))
    terms = []
    for members, weight, _ in all_groups(problem, params):
        whole, own = norm_lambdas(problem, params, members, weight)
        terms.append(term(norm(z, members), whole, params))
        inner = inner_params(params)
        terms += [term(abs(z[j]), lam, inner) for j, lam in zip(members, own) if lam > 0.0]
    return math.fsum(terms)


def stationarity(problem, params, z, gradient):
    if not has_groups(problem, params):
        return max((ev.violation(t, g, params["lambda"] * f, params) for t, g, f in zip(z, gradient, problem.factors)), default=0.0)
    if params["grouping"] == "sum":
        return sum_stationarity(problem, params, z, gradient)
    if params["grouping"] == "tree":
        return tree_stationarity(problem, params, z, gradient)
    return max((norm_violation(problem, params, z, gradient, members, weight)
                for members, weight, _ in all_groups(problem, params)), default=0.0)


def steepest(problem, params, z):
    """About the largest slope that stands in a violation."""
    found = [0.0]
    for members, weight, _ in all_groups(problem, params):
        whole, own = norm_lambdas(problem, params, members, weight)
        found += slopes(norm(z, members), whole, params) + [slopes(0.0, lam, params)[1] for lam in own if lam > 0.0]
        found += [len(members) * t for t in slopes(0.0, weight * params["lambda"], params)]
    return max(map(abs, found))
