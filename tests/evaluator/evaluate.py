#!/usr/bin/env python3
"""Independent check of a `dcpn fit` result.

    evaluate.py DATA MODEL.json FIT.json [--weights FILE] [--offset FILE] [--penalty-factor FILE] [--rtol 1e-9]

Recomputes loss, penalty, objective, stationarity and number of nonzeros from the LIBSVM data and the model
file, by naive code that shares nothing with the C program, and compares them with the output of
`dcpn fit --json`. Exit status: 0 all agree, 1 some value differs (a table is printed), 2 unusable input.

Tolerances, with R the value of --rtol:

* objective, loss_value, penalty_value: relative difference at most R;
* n, p, nnz: equal (nnz counts features, never the intercept);
* stationarity: |difference| <= R * max(stationarity, scale), where
  scale = 1e-3 * max_j sum_i |a_ij phi'_i| (phi'_i with its weight and the loss scale). Near a solution the
  stationarity is what remains after sums of that size cancel, so a purely relative tolerance would ask for
  more digits than double precision holds.
"""

import argparse
import json
import math
import sys
from collections import namedtuple

CLASSIFICATION = ("logistic", "squared-hinge", "smooth-ramp")
STATIONARITY_SCALE = 1e-3

# rows: a list of (feature index, value) for each sample, indices as in the file.
Data = namedtuple("Data", "rows labels weights offset")
# coef: {feature index: value}; factor: a list over features, or None for ones.
Point = namedtuple("Point", "coef intercept features index_base factor")


# ---------------------------------------------------------------------------------------------- input

def read_libsvm(path):
    labels, rows = [], []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            fields = line.split("#", 1)[0].split()
            if fields:
                labels.append(float(fields[0]))
                rows.append([parse_entry(field) for field in fields[1:]])
    return labels, rows


def parse_entry(field):
    index, value = field.split(":")
    return int(index), float(value)


def read_numbers(path, count):
    with open(path, encoding="ascii") as lines:
        numbers = [float(word) for word in lines.read().split()]
    if len(numbers) != count:
        raise ValueError(f"{path}: {len(numbers)} numbers, expected {count}")
    return numbers


def load_data(path, weights_path=None, offset_path=None):
    labels, rows = read_libsvm(path)
    n = len(rows)
    weights = read_numbers(weights_path, n) if weights_path else [1.0] * n
    offset = read_numbers(offset_path, n) if offset_path else [0.0] * n
    return Data(rows, labels, weights, offset)


def load_json(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def point_of_model(model, factor_path=None):
    index, value = model["coef"]["index"], model["coef"]["value"]
    if len(index) != len(value) or len(set(index)) != len(index):
        raise ValueError("model: coef.index and coef.value do not match")
    features = model["features"]
    factor = read_numbers(factor_path, features) if factor_path else None
    return Point(dict(zip(index, value)), model["intercept"], features, model["index_base"], factor)


def check_model(model, data):
    if model.get("format") != "dcpn-model" or model.get("version") != 1:
        raise ValueError("model: not a dcpn-model of version 1")
    first = model["index_base"]
    last = first + model["features"] - 1
    used = [index for row in data.rows for index, _ in row] + list(model["coef"]["index"])
    if used and not first <= min(used) <= max(used) <= last:
        raise ValueError(f"feature index outside {first}..{last}")


def targets(data, params, classes):
    if params["loss"] not in CLASSIFICATION:
        return data.labels
    negative, positive = (float(label) for label in classes)
    sign = {negative: -1.0, positive: 1.0}
    return [sign[label] for label in data.labels]


# ----------------------------------------------------------------------------------------------- loss

def sigmoid(t):
    if t >= 0:
        return 1 / (1 + math.exp(-t))
    return math.exp(t) / (1 + math.exp(t))


def log1p_exp(t):
    """log(1 + exp(t)) without overflow."""
    return max(t, 0.0) + math.log1p(math.exp(-abs(t)))


def ramp_value(m, tau):
    """(g(m) - g(m + tau)) / tau with g(m) = log(1 + exp(-m)); the log1p forms avoid cancellation."""
    gap = -math.expm1(-tau)
    if m >= 0:
        return math.log1p(gap * math.exp(-m) / (1 + math.exp(-m - tau))) / tau
    if tau < 30:
        return math.log1p(gap / (math.exp(m) + math.exp(-tau))) / tau
    return (log1p_exp(-m) - log1p_exp(-m - tau)) / tau


def ramp_slope(m, tau):
    return math.expm1(-tau) * sigmoid(-m) * sigmoid(m + tau) / tau


def phi(u, y, params):
    loss = params["loss"]
    if loss == "squared":
        return 0.5 * (u - y) ** 2
    if loss == "logistic":
        return log1p_exp(-y * u)
    if loss == "squared-hinge":
        return max(0.0, 1 - y * u) ** 2
    if loss == "huber":
        r, delta = abs(u - y), params["delta"]
        return 0.5 * r * r if r <= delta else delta * r - 0.5 * delta * delta
    if loss == "smooth-ramp":
        return ramp_value(y * u, params["tau"])
    if loss == "poisson":
        return math.exp(u) - y * u
    if loss == "gamma":
        return y * math.exp(-u) + u
    if loss == "negative-binomial":
        a = params["dispersion"]
        return (y + 1 / a) * math.log1p(a * math.exp(u)) - y * u
    if loss == "quantile":
        r, d = u - y, params["smoothing"]
        return (r * r / (2 * d) if abs(r) <= d else abs(r) - d / 2) / 2 + (0.5 - params["quantile"]) * r
    raise ValueError(f"unknown loss {loss}")


def phi_slope(u, y, params):
    loss = params["loss"]
    if loss == "squared":
        return u - y
    if loss == "logistic":
        return -y * sigmoid(-y * u)
    if loss == "squared-hinge":
        return -2 * y * max(0.0, 1 - y * u)
    if loss == "huber":
        return max(-params["delta"], min(params["delta"], u - y))
    if loss == "smooth-ramp":
        return y * ramp_slope(y * u, params["tau"])
    if loss == "poisson":
        return math.exp(u) - y
    if loss == "gamma":
        return 1 - y * math.exp(-u)
    if loss == "negative-binomial":
        return (math.exp(u) - y) / (1 + params["dispersion"] * math.exp(u))
    if loss == "quantile":
        return max(-1, min(1, (u - y) / params["smoothing"])) / 2 + 0.5 - params["quantile"]
    raise ValueError(f"unknown loss {loss}")


def linear_predictor(data, point):
    return [math.fsum([offset, point.intercept] + [v * point.coef.get(j, 0.0) for j, v in row])
            for row, offset in zip(data.rows, data.offset)]


def loss_scale(data, params):
    if params["scale"] == "sum":
        return 1.0
    if params["scale"] == "mean":
        return 1 / math.fsum(data.weights)
    raise ValueError(f"unknown scale {params['scale']}")


def ridge_of(params):
    return params.get("ridge") or 0.0


def loss_value(data, params, classes, point):
    u, y = linear_predictor(data, point), targets(data, params, classes)
    total = math.fsum(w * phi(ui, yi, params) for w, ui, yi in zip(data.weights, u, y))
    squares = math.fsum(x * x for x in point.coef.values())
    return loss_scale(data, params) * total + 0.5 * ridge_of(params) * squares


def gradient_terms(data, params, classes, point):
    """For every feature the list of s w_i phi'_i a_ij, and for the intercept the list of s w_i phi'_i."""
    u, y = linear_predictor(data, point), targets(data, params, classes)
    s = loss_scale(data, params)
    slopes = [s * w * phi_slope(ui, yi, params) for w, ui, yi in zip(data.weights, u, y)]
    columns = {j: [] for j in feature_indices(point)}
    for row, slope in zip(data.rows, slopes):
        for j, v in row:
            columns[j].append(slope * v)
    return columns, slopes


def gradient(data, params, classes, point):
    """Gradient of the smooth part: ({feature: value}, value for the intercept)."""
    columns, slopes = gradient_terms(data, params, classes, point)
    ridge = ridge_of(params)
    by_feature = {j: math.fsum(terms + [ridge * point.coef.get(j, 0.0)]) for j, terms in columns.items()}
    return by_feature, math.fsum(slopes)


def gradient_scale(data, params, classes, point):
    """max_j sum_i |a_ij phi'_i|: the size of what cancels in the gradient."""
    columns, slopes = gradient_terms(data, params, classes, point)
    sums = [math.fsum(map(abs, terms)) for terms in columns.values()]
    if params["intercept"]:
        sums.append(math.fsum(map(abs, slopes)))
    return max(sums, default=0.0)


# -------------------------------------------------------------------------------------------- penalty

def feature_indices(point):
    return range(point.index_base, point.index_base + point.features)


def lambda_of(point, params, j):
    factor = point.factor[j - point.index_base] if point.factor else 1.0
    return factor * params["lambda"]


def penalty_term(t, lam, params):
    """p_lam(t) for t >= 0."""
    kind = params["penalty"]
    if kind == "l1":
        return lam * t
    if kind == "capped-l1":
        return lam * min(t, params["theta"])
    if kind == "scad":
        return scad_term(t, lam, params["a"], params.get("unit", 1))
    if kind == "mcp":
        gamma = params["gamma"]
        return lam * t - t * t / (2 * gamma) if t <= gamma * lam else gamma * lam * lam / 2
    if kind == "exponential":
        return -params["gamma"] * lam * lam * math.expm1(-t / (params["gamma"] * lam)) if lam else 0.0
    if kind == "log":
        return lam * math.log1p(t / params["theta"])
    if kind == "lp":
        return lp_term(t, lam, params["p"], params["eps"])
    raise ValueError(f"unknown penalty {kind}")


def scad_term(t, lam, a, k):
    if t <= k * lam:
        return lam * t
    if t <= a * lam:
        return (2 * a * lam * t - t * t - k * k * lam * lam) / (2 * (a - k))
    return lam * lam * (a + k) / 2


def lp_term(t, lam, p, eps):
    """lam ((t + eps)^p - eps^p), without the cancellation for t much smaller than eps."""
    if eps == 0:
        return lam * t ** p
    return lam * eps ** p * math.expm1(p * math.log1p(t / eps))


def penalty_slopes(t, lam, params):
    """The one-sided derivatives of p_lam at t > 0 (one value where they agree), or p'(0+) alone at t = 0."""
    kind = params["penalty"]
    if lam == 0:
        return [0.0]
    if kind == "l1":
        return [lam]
    if kind == "capped-l1":
        theta = params["theta"]
        return [lam, 0.0] if t == theta else [lam if t < theta else 0.0]
    if kind == "scad":
        a, k = params["a"], params.get("unit", 1)
        return [lam if t <= k * lam else max(a * lam - t, 0.0) / (a - k)]
    if kind == "mcp":
        return [max(lam - t / params["gamma"], 0.0)]
    if kind == "exponential":
        return [lam * math.exp(-t / (params["gamma"] * lam))]
    if kind == "log":
        return [lam / (params["theta"] + t)]
    if kind == "lp":
        return [lp_slope(t, lam, params["p"], params["eps"])]
    raise ValueError(f"unknown penalty {kind}")


def lp_slope(t, lam, p, eps):
    base = t + eps
    if base == 0:
        return lam if p == 1 else math.inf
    return lam * p * base ** (p - 1)


def penalty_value(params, point):
    return math.fsum(penalty_term(abs(x), lambda_of(point, params, j), params) for j, x in point.coef.items())


# ---------------------------------------------------------------------------- objective, stationarity

def objective(data, params, classes, point):
    return loss_value(data, params, classes, point) + penalty_value(params, point)


def violation(x, g, lam, params):
    slopes = penalty_slopes(abs(x), lam, params)
    if x == 0:
        return max(abs(g) - slopes[0], 0.0)
    return max(abs(g + math.copysign(slope, x)) for slope in slopes)


def stationarity(data, params, classes, point):
    by_feature, by_intercept = gradient(data, params, classes, point)
    violations = [violation(point.coef.get(j, 0.0), g, lambda_of(point, params, j), params)
                  for j, g in by_feature.items()]
    if params["intercept"]:
        violations.append(abs(by_intercept))
    return max(violations, default=0.0)


def count_nonzeros(point):
    return sum(1 for x in point.coef.values() if x != 0)


# ----------------------------------------------------------------------------------------- comparison

def in_raw_units(model):
    """The parameters, with the shape of the penalty as numbers on the scale of lambda and of the coefficients."""
    return dict(model["params"], **model.get("shape", {}))


def evaluate(data, model, point):
    params, classes = in_raw_units(model), model.get("classes")
    loss, penalty = loss_value(data, params, classes, point), penalty_value(params, point)
    return {
        "objective": loss + penalty,
        "loss_value": loss,
        "penalty_value": penalty,
        "stationarity": stationarity(data, params, classes, point),
        "nnz": count_nonzeros(point),
        "n": len(data.rows),
        "p": point.features,
    }


def tolerances(data, model, point, ours, rtol):
    scale = STATIONARITY_SCALE * gradient_scale(data, model["params"], model.get("classes"), point)
    allowed = {key: rtol * abs(ours[key]) for key in ("objective", "loss_value", "penalty_value")}
    allowed["stationarity"] = rtol * max(ours["stationarity"], scale)
    return allowed


def agrees(theirs, ours, allowed):
    # Written so that NaN and missing values never agree.
    return isinstance(theirs, (int, float)) and abs(theirs - ours) <= allowed


def differences(data, model, fit, point, rtol=1e-9):
    """Rows (name, reported, recomputed, allowed difference) of the values that do not agree."""
    ours = evaluate(data, model, point)
    allowed = tolerances(data, model, point, ours, rtol)
    rows = [(key, fit.get(key), value, allowed.get(key, 0)) for key, value in ours.items()]
    return [row for row in rows if not agrees(*row[1:])]


def print_table(rows):
    print(f"{'value':<14} {'reported':>24} {'recomputed':>24} {'allowed difference':>20}")
    for name, reported, recomputed, allowed in rows:
        print(f"{name:<14} {reported!r:>24} {recomputed!r:>24} {allowed:>20.3g}")


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description="Recompute and check the result of `dcpn fit --json`.")
    parser.add_argument("data", help="LIBSVM file the model was fitted to")
    parser.add_argument("model", help="model file written by dcpn fit")
    parser.add_argument("fit", help="output of dcpn fit --json")
    parser.add_argument("--weights", help="sample weights, one number a line")
    parser.add_argument("--offset", help="offsets, one number a line")
    parser.add_argument("--penalty-factor", help="factor of lambda for each feature, one number a line")
    parser.add_argument("--rtol", type=float, default=1e-9)
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_arguments(argv)
    try:
        data = load_data(args.data, args.weights, args.offset)
        model, fit = load_json(args.model), load_json(args.fit)
        check_model(model, data)
        rows = differences(data, model, fit, point_of_model(model, args.penalty_factor), args.rtol)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"evaluate.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    if rows:
        print_table(rows)
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
