"""What a result with a score for each class says of itself, recomputed: F and stationarity of the multinomial loss, with the
penalty of single coefficients or, by rows, of the norm of a feature over the classes."""

import math

import whole_groups

SHARE = 1e-9


def label_of(word):
    try:
        return float(word)
    except ValueError:
        return word


class Many:
    """coefficients: a list of them for each class; intercepts: one each."""

    def __init__(self, problem, params, classes, coefficients, intercepts):
        self.problem, self.params, self.x = problem, params, coefficients
        own = {label_of(str(name)): k for k, name in enumerate(classes)}
        rows, scores = range(len(problem.labels)), range(len(classes))
        scale = 1.0 if params["scale"] == "sum" else 1.0 / math.fsum(problem.weights)
        self.weights = [w * scale for w in problem.weights]
        self.slopes, losses, self.reach = [], [], []
        for i in rows:
            terms = [[intercepts[k]] + [c[i] * x for c, x in zip(problem.columns, coefficients[k])] for k in scores]
            u, k_own = [math.fsum(t) for t in terms], own[label_of(problem.labels[i])]
            top = max(u)
            rest = math.fsum(math.exp(v - top) for v in u)
            losses.append(self.weights[i] * (math.log(rest) + top - u[k_own]))
            self.slopes.append([self.weights[i] * (math.exp(v - top) / rest - (k == k_own)) for k, v in enumerate(u)])
            self.reach.append(max(math.fsum(map(abs, t)) for t in terms))
        self.loss = math.fsum(losses)
        self.doubt = math.fsum(w * (1.0 + r) for w, r in zip(self.weights, self.reach))

    def scaled(self, scales):
        return [[x * s for x, (_, s) in zip(row, scales)] for row in self.x]

    def penalty(self, z):
        """Its value, and that of the ridge."""
        ridge = 0.5 * (self.params["ridge"] or 0.0) * math.fsum(t * t for row in z for t in row)
        by_rows = self.params["class-grouping"] == "row"
        sizes = [[math.hypot(*column)] if by_rows else map(abs, column) for column in zip(*z)]
        return math.fsum(whole_groups.term(t, self.params["lambda"] * f, self.params)
                         for column, f in zip(sizes, self.problem.factors) for t in column), ridge

    def stationarity(self, z, scales, centred):
        worst = doubt = 0.0
        for j, (column, (mean, s)) in enumerate(zip(self.problem.columns, scales)):
            about = mean if centred(column, mean) else 0.0
            entries = [(v - about) / s for v in column]
            g = [math.fsum(a * r[k] for a, r in zip(entries, self.slopes)) + (self.params["ridge"] or 0.0) * z[k][j]
                 for k in range(len(z))]
            worst = max(worst, self.violation([row[j] for row in z], g, self.params["lambda"] * self.problem.factors[j]))
            doubt = max(doubt, SHARE * math.fsum((abs(a) + abs(v / s)) * w * (1.0 + r) for a, v, w, r in
                                                 zip(entries, column, self.weights, self.reach)))
        if self.params["intercept"]:
            worst = max(worst, *(abs(math.fsum(r[k] for r in self.slopes)) for k in range(len(z))))
        return worst, doubt * len(z) + SHARE * self.doubt

    def violation(self, z, g, lam):
        if self.params["class-grouping"] != "row":
            return max(whole_groups.ev.violation(t, a, lam, self.params) for t, a in zip(z, g))
        r, found = math.hypot(*z), 0.0
        for slope in whole_groups.slopes(r, lam, self.params):
            left = math.hypot(*(a + (slope * t / r if r > 0.0 else 0.0) for t, a in zip(z, g)))
            found = max(found, left if r > 0.0 else left - slope)
        return found

    def slope_doubt(self, z):
        sizes = [math.hypot(*column) if self.params["class-grouping"] == "row" else min(map(abs, column)) for column in zip(*z)]
        return SHARE * max(max(map(abs, whole_groups.slopes(t, self.params["lambda"] * f, self.params)), default=0.0)
                           for t, f in zip(sizes, self.problem.factors))


def differences(ours, scales, ways, said):
    z = ours.scaled(scales)
    penalty, ridge = ours.penalty(z)
    loss, found = ours.loss + ridge, []
    for name, value, allowed in (("loss_value", loss, SHARE * (ours.doubt + ridge)),
                                 ("penalty_value", penalty, SHARE * penalty + 1e-300),
                                 ("objective", loss + penalty, SHARE * (ours.doubt + ridge + penalty))):
        if not abs(said[name] - value) <= allowed:
            found.append(f"{name} {said[name]!r}, naive code has {value!r}, may differ by {allowed:.3g}")
    values = [ours.stationarity(z, scales, way) for way in ways]
    if not ours.problem.is_bounded and not any(abs(said["stationarity"] - value) <= doubt + SHARE * value + ours.slope_doubt(z)
                                               for value, doubt in values):
        found.append(f"stationarity {said['stationarity']!r}, naive code has {values[0][0]!r}, may differ by {values[0][1]:.3g}")
    return found
