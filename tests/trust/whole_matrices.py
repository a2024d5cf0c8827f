"""dcpn graph and dcpn complete for the whole command: how cases are drawn, and what their files say, recomputed.

graph:    -log det K + tr(S K) + ridge / 2 |K|^2 + sum over i != j of p(|K_ij|) and how far entries are from being stationary, by
          sixty digits, S the covariance or correlation of the rows
complete: sum over entries seen of (y - X - E)^2 / 2, of p(sigma) and of p_E(|E|), X = offset + U diag(sigma) V', and how far
          the vectors are from being singular ones of the rest
"""

import math
import os
import sys
from decimal import Decimal, InvalidOperation, localcontext

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "evaluator"))
import evaluate as ev  # noqa: E402

SHARE = 1e-8
TOO_LARGE, TOO_SMALL = 1e100, 1e-100
SHAPES = {"theta": 1.0, "a": 3.7, "gamma": 3.0, "p": 0.5, "eps": 1e-3}


# ---- drawing ---------------------------------------------------------------------------------------------------------

def shape_words(rng, settings, real):
    words = []
    for option in SHAPES:
        if rng.random() < 0.15:
            low, high = next(line[2:] for line in settings if line[1] == option)
            words += [f"--{option}", repr(real(rng, low, high))]
    return words + rng.choice(([], [], ["--shape-units", "raw"]))


def lambda_words(rng, real):
    if rng.random() < 0.6:
        return ["--lambda", repr(10.0 ** rng.uniform(-4, 2) if rng.random() < 0.8 else real(rng, 0.0, 1e308))]
    return ["--nlambda", str(rng.choice((1, 2, 5)))]


def graph_words(rng, rows, features, files, size):
    words = []
    if rng.random() < 0.2:
        files["weights.txt"] = "".join(f"{rng.choice((0.0, 1.0, 2.0, abs(size(rng))))!r}\n" for _ in range(rows))
        words += ["--weights", "weights.txt"]
    if rng.random() < 0.5:
        words += ["--ridge", repr(10.0 ** rng.uniform(-6, 1))]
    if rng.random() < 0.2:
        words += ["--rule", "cv", "--folds", str(rng.choice((2, 3, 5)))]
    if rng.random() < 0.15:
        words += ["--stability", str(rng.choice((1, 3)))]
    if rng.random() < 0.2:
        factors = [[0.0] * features for _ in range(features)]
        for i in range(features):
            for j in range(i + 1):
                factors[i][j] = factors[j][i] = rng.choice((0.0, 1.0, 1.0, 2.5, abs(size(rng))))
        files["factors.csv"] = "".join(",".join(map(repr, row)) + "\n" for row in factors)
        words += ["--penalty-factor", "factors.csv"]
    return words + rng.choice(([], [], ["--no-standardize"])) + rng.choice(([], [], ["--penalize-diagonal"]))


def entries_of(rng, size):
    """Lines of row, column and value; now and then a place twice."""
    rows, columns, rank = rng.choice((1, 2, 4, 8)), rng.choice((1, 2, 3, 7)), rng.choice((1, 1, 2))
    share, factor = rng.choice((0.3, 0.7, 1.0)), size(rng)
    left = [[rng.gauss(0, 1) for _ in range(rank)] for _ in range(rows)]
    right = [[rng.gauss(0, 1) for _ in range(rank)] for _ in range(columns)]
    lines = []
    for i in range(rows):
        for j in range(columns):
            value = factor * (sum(a * b for a, b in zip(left[i], right[j])) + 0.1 * rng.gauss(0, 1))
            if rng.random() < share:
                lines.append(f"{i + 1},{j + 1},{max(-1.7e308, min(1.7e308, value))!r}")
    if lines and rng.random() < 0.05:
        lines.append(rng.choice(lines))
    return "\n".join(["row,column,value", *lines]) + "\n"


def complete_words(rng):
    words = ["--center"] if rng.random() < 0.3 else []
    if rng.random() < 0.3:
        words += ["--sparse-lambda", repr(10.0 ** rng.uniform(-3, 2)), "--sparse-penalty", rng.choice(("l1", "mcp", "scad", "lp"))]
    if rng.random() < 0.15:
        words += ["--most-rank", str(rng.choice((1, 2)))]
    if rng.random() < 0.15:
        words += ["--held-out", repr(rng.choice((0.01, 0.3, 0.9)))]
    return words


# ---- graphs ----------------------------------------------------------------------------------------------------------

def is_tame(values):
    return all(v == 0.0 or TOO_SMALL < abs(v) < TOO_LARGE for v in values)


def is_far_apart(values):
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values)) < 1e-6 * abs(mean)


def covariance(columns, weights, scale):
    """S in sixty digits, divided by the scales that the file has, and what the rounding of an entry may be."""
    total = sum(map(Decimal, weights))
    rest = []
    for column in columns:
        mean = sum(Decimal(w) * Decimal(v) for w, v in zip(weights, column)) / total
        rest.append([Decimal(v) - mean for v in column])
    return [[sum(Decimal(w) * a * b for w, a, b in zip(weights, x, y)) / total / Decimal(s) / Decimal(t)
             for y, t in zip(rest, scale)] for x, s in zip(rest, scale)]


def inverse_and_log_det(K):
    """By Gauss and Jordan; None: K is not positive definite."""
    n, log_det = len(K), Decimal(0)
    rows = [[*row, *(Decimal(i == j) for j in range(n))] for i, row in enumerate(K)]
    for k in range(n):
        pivot = rows[k][k]
        if pivot <= 0:
            return None
        log_det += pivot.ln()
        rows[k] = [v / pivot for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[n:] for row in rows], log_det


def matrix_of(point):
    n = len(point["diagonal"])
    K = [[0.0] * n for _ in range(n)]
    for i, value in enumerate(point["diagonal"]):
        K[i][i] = value
    for i, j, value in zip(point["first"], point["second"], point["value"]):
        K[i][j] = K[j][i] = value
    return K


def params_of(found, words, lam, unit=1.0):
    """The shape in raw units; unit: of the curvature."""
    params = {"penalty": found["penalty"], "lambda": lam, **{key: found.get(key, value) for key, value in SHAPES.items()}}
    if "raw" in words:
        return params
    if params["penalty"] == "capped-l1":
        params["theta"] *= lam * unit
    if params["penalty"] in ("mcp", "exponential"):
        params["gamma"] *= unit
    if params["penalty"] == "scad":
        params |= {"a": params["a"] * unit, "unit": unit}
    return params


def wrong_graph(words, columns, weights, factors, found):
    """Sentences; None: naive code cannot tell."""
    if len(found["points"]) == 0 or any(map(is_far_apart, columns)):
        return None
    every = [v for column in columns for v in column] + weights + found["scale"]
    if not is_tame(every) or not is_tame([*(found[key] for key in SHAPES), found["ridge"]]):
        return None
    wrong = []
    with localcontext() as context:
        context.prec = 60
        try:
            S = covariance(columns, weights, found["scale"])
            for point in found["points"]:
                wrong += wrong_point(words, S, factors, found, point)
        except (InvalidOperation, OverflowError, ZeroDivisionError):
            return None
    return wrong


def wrong_point(words, S, factors, found, point):
    K, n = matrix_of(point), len(S)
    if not is_tame([point["lambda"], *(v for row in K for v in row)]):
        return []
    solved = inverse_and_log_det([[Decimal(v) for v in row] for row in K])
    if solved is None:
        return ["K is not positive definite"]
    W, log_det = solved
    size = math.fsum(abs(float(s) * k) for a, b in zip(S, K) for s, k in zip(a, b))
    likelihood = float(sum(s * Decimal(k) for a, b in zip(S, K) for s, k in zip(a, b)) - log_det)
    lone = math.fsum(float(S[i][i]) for i in range(n)) / n
    params = params_of(found, words, point["lambda"], 1.0 / (lone * lone))
    pull = penalties(words, K, factors, params)
    price = math.fsum(ev.penalty_term(abs(K[i][j]), lam, params) for (i, j), lam in pull.items() if lam > 0.0)
    ridge = 0.5 * found["ridge"] * math.fsum(v * v for row in K for v in row)
    worst, doubt = 0.0, 0.0
    reach = max(float(abs(w)) for row in W for w in row)
    condition = reach * max(abs(v) for row in K for v in row) * n
    for i in range(n):
        for j in range(n):
            g, lam = float(S[i][j] - W[i][j]) + found["ridge"] * K[i][j], pull.get((i, j), 0.0)
            at = dict(params, **{"lambda": lam})
            worst = max(worst, ev.violation(K[i][j], g, lam, at) if lam > 0.0 else abs(g))
            slopes = ev.penalty_slopes(abs(K[i][j]), lam, at) if lam > 0.0 else [0.0]
            doubt = max(doubt, abs(float(S[i][j])), abs(found["ridge"] * K[i][j]), *map(abs, slopes))
    doubt = SHARE * (doubt + reach * (1.0 + condition * 1e-6)) + 1e-14 * reach * condition
    wrong = []
    for name, value, room in (("likelihood", likelihood, SHARE * (size + float(abs(log_det)) + n) + 1e-14 * n * condition),
                              ("penalty_value", price, SHARE * price + 1e-300), ("ridge_value", ridge, SHARE * ridge + 1e-300),
                              ("violation", worst, doubt + SHARE * worst)):
        if not abs(point[name] - value) <= room:
            wrong.append(f"lambda {point['lambda']}: {name} {point[name]!r}, naive code has {value!r}, may differ by {room:.3g}")
    if point["outcome"] == "converged" and not worst <= point["goal"] + doubt:
        wrong.append(f"lambda {point['lambda']}: converged, and the violation is {worst}, above {point['goal']}")
    return wrong


def penalties(words, K, factors, params):
    """lambda of every pair that is penalised, both ways round."""
    n = range(len(K))
    lam = params["lambda"]
    return {(i, j): lam * (factors[i][j] if factors else 1.0) for i in n for j in n if i != j or "--penalize-diagonal" in words}


# ---- completion ------------------------------------------------------------------------------------------------------

def wrong_completion(words, lines, found):
    """Sentences; None: naive code cannot tell."""
    sigma, rows, columns = found["sigma"], found["rows"], found["columns"]
    entries = [(int(i) - 1, int(j) - 1, float(v)) for i, j, v in (line.split(",") for line in lines)]
    if not is_tame([*(v for _, _, v in entries), *sigma, *found["U"], *found["V"], found["lambda"], *given_shapes(words).values()]):
        return None
    U, V = ([found[key][i * len(sigma):(i + 1) * len(sigma)] for i in range(count)] for key, count in (("U", rows), ("V", columns)))
    sparse = dict(zip(zip(found["sparse_rows"], found["sparse_columns"]), found["sparse_values"]))
    shape = dict(found, **given_shapes(words))
    params = params_of(shape, words, found["lambda"], rows * columns / len(entries))
    rest, reach = {}, 0.0
    for i, j, value in entries:
        terms = [value, -found["offset"], -sparse.get((i, j), 0.0)] + [-s * a * b for s, a, b in zip(sigma, U[i], V[j])]
        rest[i, j] = math.fsum(terms)
        reach = max(reach, math.fsum(map(abs, terms)))
    loss = math.fsum(0.5 * r * r for r in rest.values())
    price = math.fsum(ev.penalty_term(s, found["lambda"], params) for s in sigma)
    wrong = [f"the columns of {key} are not orthonormal" for key, X in (("U", U), ("V", V)) if not orthonormal(X, len(sigma))]
    if min(sigma, default=0.0) < 0.0:
        wrong.append("a singular value is negative")
    worst, doubt = 0.0, SHARE * (reach * len(entries) + max((abs(t) for s in sigma
                                                             for t in ev.penalty_slopes(s, found["lambda"], params)), default=0.0))
    for k, s in enumerate(sigma):
        for mine, other, count, way in ((U, V, rows, 0), (V, U, columns, 1)):
            product = [0.0] * count
            for place, r in rest.items():
                product[place[way]] += r * other[place[1 - way]][k]
            slopes = ev.penalty_slopes(s, found["lambda"], params)
            worst = max(worst, min(math.hypot(*(p - slope * row[k] for p, row in zip(product, mine))) for slope in slopes))
    room = SHARE * reach * reach * len(entries) + 1e-300
    for name, value, allowed in (("loss_value", loss, room), ("penalty_value", price, SHARE * price + 1e-300)):
        if not abs(found[name] - value) <= allowed:
            wrong.append(f"{name} {found[name]!r}, naive code has {value!r}, may differ by {allowed:.3g}")
    if not worst <= found["violation"] + doubt:
        wrong.append(f"violation {found['violation']!r}, naive code has at least {worst!r}")
    if found["outcome"] == "converged" and not found["violation"] <= found["goal"]:
        wrong.append("converged above the goal")
    return wrong


def given_shapes(words):
    return {key: float(words[words.index(f"--{key}") + 1]) if f"--{key}" in words else value for key, value in SHAPES.items()}


def orthonormal(X, rank):
    return all(abs(math.fsum(row[k] * row[j] for row in X) - (j == k)) <= 1e-8 for k in range(rank) for j in range(k + 1))
