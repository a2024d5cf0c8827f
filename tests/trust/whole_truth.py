"""What a result says of itself, recomputed by the naive code of tests/evaluator: F, its parts, and the stationarity of the
columns as they were standardised. Numbers are compared as far as the rounding of a sum of such terms lets them agree."""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "evaluator"))
import evaluate as ev  # noqa: E402
import whole_groups  # noqa: E402
import whole_many  # noqa: E402
import whole_ordinal  # noqa: E402
import whole_survival  # noqa: E402

SHARE = 1e-9   # of the sum of the sizes of all terms
CURVATURE = {"squared": 1.0, "logistic": 0.25, "squared-hinge": 2.0, "huber": 1.0, "welsch": 1.0}
KNOWN = (*CURVATURE, "smooth-ramp", "quantile", "poisson", "negative-binomial", "gamma", "ordinal", "cox")
TOO_LARGE = 1e140   # squares of what is above overflow in naive code, and not in careful code
TOO_SMALL = 1e-140


def welsch(r, delta):
    return -0.5 * delta * delta * math.expm1(-(r / delta) ** 2)


def phi(u, y, params):
    return welsch(u - y, params["delta"]) if params["loss"] == "welsch" else ev.phi(u, y, params)


def phi_slope(u, y, params):
    if params["loss"] == "welsch":
        return (u - y) * math.exp(-((u - y) / params["delta"]) ** 2)
    return ev.phi_slope(u, y, params)


def curvature(u, y, params):
    """The largest curvature of a row there, or anywhere."""
    loss = params["loss"]
    if loss == "quantile":
        return 0.5 / params["smoothing"]
    if loss == "poisson":
        return math.exp(u)
    if loss == "gamma":
        return y * math.exp(-u)
    if loss == "negative-binomial":
        return math.exp(u) * (1.0 + params["dispersion"] * y)
    return CURVATURE.get(loss, 0.5)


class Problem:
    """Rows, labels, weights, offsets, factors, groups and bounds of a case, as naive code has them. groups: None, or a list of
    (features, weight or None); those of features in no group are not among them. times: as whole_survival has them, or None."""

    def __init__(self, labels, columns, weights, offset, factors=None, groups=None, is_bounded=False, times=None):
        self.labels, self.columns, self.weights, self.offset = labels, columns, weights, offset
        self.factors, self.groups, self.is_bounded = factors or [1.0] * len(columns), groups, is_bounded
        self.times = times

    def is_tame(self):
        """Far enough from the ends of the range for naive sums."""
        numbers = [abs(v) for values in self.columns for v in values]
        numbers += [abs(y) for y in map(whole_many.label_of, self.labels) if not isinstance(y, str)]
        numbers += [abs(v) for v in self.offset] + list(self.weights) + list(self.factors)
        numbers += [weight or 0.0 for _, weight in self.groups or ()]
        return all(v == 0.0 or TOO_SMALL < v < TOO_LARGE for v in numbers) and sum(self.weights) > 0.0

    def deviation(self, j):
        if len({v for v, w in zip(self.columns[j], self.weights) if w > 0.0}) == 1:
            return max(zip(self.weights, self.columns[j]))[1], 0.0
        total = math.fsum(self.weights)
        mean = math.fsum(w * v for w, v in zip(self.weights, self.columns[j])) / total
        square = math.fsum(w * (v - mean) ** 2 for w, v in zip(self.weights, self.columns[j])) / total
        return mean, math.sqrt(square)


def targets(problem, params, classes):
    if params["loss"] not in ev.CLASSIFICATION:
        return [float(y) for y in problem.labels]
    return [1.0 if float(y) == float(classes[1]) else -1.0 for y in problem.labels]


def find_scales(problem, params):
    """(mean, deviation) of each column; deviation 1 if it is constant or not scaled; None: too close to tell."""
    scales = []
    for j in range(len(problem.columns)):
        mean, deviation = problem.deviation(j)
        if 0.0 < deviation <= 1e-6 * abs(mean):
            return None
        scales.append((mean, deviation if params["standardize"] and deviation > 0.0 else 1.0))
    return scales


class Recomputed:
    """F and the violations at a point: coefficients of the columns as given, and an intercept."""

    def __init__(self, problem, params, classes, coefficients, intercept):
        self.problem, self.params = problem, params
        self.intercepts = intercept if isinstance(intercept, list) else [intercept]
        self.x, self.of_intercepts = coefficients, None
        intercept = 0.0 if params["loss"] == "ordinal" else intercept
        rows = range(len(problem.labels))
        terms = [[problem.offset[i], intercept] + [c[i] * x for c, x in zip(problem.columns, self.x)] for i in rows]
        u = [math.fsum(t) for t in terms]
        scale = 1.0 if params["scale"] == "sum" else 1.0 / math.fsum(problem.weights)
        reach = [math.fsum(abs(v) for v in t) for t in terms]
        if params["loss"] == "cox":
            self.sum_over_instants(params, u, scale, reach)
        elif params["loss"] == "ordinal":
            self.sum_over_boundaries(classes, u, scale, reach)
        else:
            self.sum_over_rows(params, targets(problem, params, classes), u, scale, reach)
        self.scales = find_scales(problem, params)

    def sum_over_rows(self, params, y, u, scale, reach):
        weights = [w * scale for w in self.problem.weights]
        self.slopes = [w * phi_slope(a, b, params) for w, a, b in zip(weights, u, y)]
        reach = [r + abs(b) for r, b in zip(reach, y)]
        self.doubt = [abs(s) + w * curvature(a, b, params) * r
                      for s, w, r, a, b in zip(self.slopes, weights, reach, u, y)]
        losses = [w * phi(a, b, params) for w, a, b in zip(weights, u, y)]
        self.loss = math.fsum(losses)
        self.loss_doubt = math.fsum(map(abs, losses)) + math.fsum((abs(s) + d) * r for s, d, r in
                                                                  zip(self.slopes, self.doubt, reach)) * 1e-4

    def sum_over_boundaries(self, classes, u, scale, reach):
        weights = [w * scale for w in self.problem.weights]
        found = whole_ordinal.Boundaries(self.problem.labels, classes, u, self.intercepts, weights)
        widest = max(map(abs, self.intercepts))
        self.slopes, self.of_intercepts, self.loss = found.slopes, found.of_intercepts, math.fsum(found.losses)
        self.doubt = [w * (2.0 + r + widest) for w, r in zip(weights, reach)]
        least = min((a - b for a, b in zip(self.intercepts, self.intercepts[1:])), default=1.0)
        self.loss_doubt = math.fsum(found.losses) + math.fsum(self.doubt) * max(1.0, widest / least)

    def sum_over_instants(self, params, u, scale, reach):
        found = whole_survival.Likelihood(self.problem.times, u, self.problem.weights, scale, params["ties"])
        self.slopes, self.loss = found.slopes, math.fsum(found.losses)
        self.doubt = [size * (1.0 + max(reach)) for size in found.sizes]
        self.loss_doubt = math.fsum(map(abs, found.losses)) + math.fsum(found.sizes) * max(reach)

    def penalty(self):
        z = [x * s for x, (_, s) in zip(self.x, self.scales)]
        ridge = 0.5 * (self.params["ridge"] or 0.0) * math.fsum(t * t for t in z)
        return whole_groups.penalty(self.problem, self.params, z), ridge

    def stationarity(self, centred):
        """The largest violation, and how far rounding may move it."""
        z, gradient, doubt = [], [], 0.0
        for column, x, (mean, s) in zip(self.problem.columns, self.x, self.scales):
            about = mean if centred(column, mean) else 0.0
            entries = [(v - about) / s for v in column]
            g = math.fsum(a * r for a, r in zip(entries, self.slopes)) + (self.params["ridge"] or 0.0) * x * s
            slack = SHARE * math.fsum((abs(a) + abs(v / s)) * d for a, v, d in zip(entries, column, self.doubt))
            doubt += slack + SHARE * abs(g)
            z.append(x * s)
            gradient.append(g)
        worst = whole_groups.stationarity(self.problem, self.params, z, gradient)
        if self.params["intercept"]:
            worst = max(worst, *map(abs, self.of_intercepts or [math.fsum(self.slopes)]))
            doubt = max(doubt, SHARE * math.fsum(self.doubt))
        return worst, doubt


def differences(problem, params, classes, coefficients, intercept, said):
    """A sentence for each number of said (objective, ...) that naive code has otherwise; None: it cannot tell."""
    if params["lambda"] > TOO_LARGE or params.get("orthonormal") and whole_groups.has_groups(problem, params):
        return None
    if params["loss"] == "multinomial":
        return differences_of_many(problem, params, classes, coefficients, intercept, said)
    if params["loss"] not in KNOWN or not problem.is_tame() or params["ridge"] > TOO_LARGE or len(set(map(float, problem.labels))) > 2 and \
            params["loss"] in ev.CLASSIFICATION:
        return None
    try:
        return compare(Recomputed(problem, params, classes, coefficients, intercept), params, said)
    except (OverflowError, ZeroDivisionError):
        return None


def differences_of_many(problem, params, classes, coefficients, intercepts, said):
    """Of two classes there is one score, which is not looked at here."""
    if not problem.is_tame() or params["ridge"] > TOO_LARGE or not isinstance(intercepts, list):
        return None
    try:
        scales = find_scales(problem, params)
        ours = whole_many.Many(problem, params, classes, coefficients, intercepts)
        return whole_many.differences(ours, scales, ways_to_centre(params), said) if scales else None
    except (OverflowError, ZeroDivisionError):
        return None


def ways_to_centre(params):
    """What is centred is a matter of how the columns are stored, and of how far out they are."""
    ways = [lambda column, mean: False]
    if params["intercept"]:
        ways += [lambda column, mean: True, lambda column, mean: all(column), is_far,
                 lambda column, mean: is_far(column, mean) and all(column)]
    return ways


def compare(ours, params, said):
    if ours.scales is None:
        return None
    penalty, ridge = ours.penalty()
    if penalty is None:   # of copies that a model does not have
        return None
    found = []
    loss = ours.loss + ridge
    for name, value, allowed in (("loss_value", loss, SHARE * (ours.loss_doubt + ridge)),
                                 ("penalty_value", penalty, SHARE * abs(penalty) + 1e-300),
                                 ("objective", loss + penalty, SHARE * (ours.loss_doubt + abs(penalty) + ridge))):
        if not abs(said[name] - value) <= allowed:
            found.append(f"{name} {said[name]!r}, naive code has {value!r}, may differ by {allowed:.3g}")
    if ours.problem.is_bounded:
        return found
    ways = ways_to_centre(params)
    if not any(abs(said["stationarity"] - value) <= doubt + SHARE * value + penalty_doubt(ours)
               for value, doubt in map(ours.stationarity, ways)):
        value, doubt = ours.stationarity(ways[0])
        found.append(f"stationarity {said['stationarity']!r}, naive code has {value!r}, may differ by {doubt:.3g}")
    return found


def is_far(column, mean):
    """More than a thousand deviations from 0, about: then a column is centred even if it is not scaled."""
    spread = math.sqrt(math.fsum((v - mean) ** 2 for v in column) / len(column))
    return abs(mean) > 1000.0 * spread


def penalty_doubt(ours):
    """A slope of the penalty at a coefficient that was written in the units of the column."""
    if ours.problem.groups is not None and ours.params["grouping"] != "entry":
        z = [x * s for x, (_, s) in zip(ours.x, ours.scales)]
        return SHARE * whole_groups.steepest(ours.problem, ours.params, z)
    return SHARE * max((max(map(abs, ev.penalty_slopes(abs(x) * s, ours.params["lambda"] * f, ours.params)))
                        for x, (_, s), f in zip(ours.x, ours.scales, ours.problem.factors)), default=0.0)
