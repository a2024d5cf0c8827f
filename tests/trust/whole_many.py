"""What a result with a score for each class says of itself, recomputed: F and stationarity of the multinomial loss, with the
penalty of single coefficients, of groups in each class or, by rows, of features or groups over the classes."""

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
        self.blocks = Blocks(problem, params, len(classes))
        self.block_params = params if problem.groups is not None else dict(params, grouping="norm")
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
        """Class after class."""
        return [x * s for row in self.x for x, (_, s) in zip(row, scales)]

    def penalty(self, z):
        """Its value (None: latent groups), and that of the ridge."""
        ridge = 0.5 * (self.params["ridge"] or 0.0) * math.fsum(t * t for t in z)
        return whole_groups.penalty(self.blocks, self.block_params, z), ridge

    def stationarity(self, z, scales, centred):
        gradient, doubt, ridge = [0.0] * len(z), 0.0, self.params["ridge"] or 0.0
        for j, (column, (mean, s)) in enumerate(zip(self.problem.columns, scales)):
            about = mean if centred(column, mean) else 0.0
            entries = [(v - about) / s for v in column]
            for i in range(j, len(z), len(scales)):
                k = i // len(scales)
                gradient[i] = math.fsum(a * r[k] for a, r in zip(entries, self.slopes)) + ridge * z[i]
            doubt = max(doubt, SHARE * math.fsum((abs(a) + abs(v / s)) * w * (1.0 + r) for a, v, w, r in
                                                 zip(entries, column, self.weights, self.reach)))
        worst = whole_groups.stationarity(self.blocks, self.block_params, z, gradient)
        if self.params["intercept"]:
            worst = max(worst, *(abs(math.fsum(r[k] for r in self.slopes)) for k in range(len(self.x))))
        return worst, doubt * len(z) + SHARE * self.doubt

    def slope_doubt(self, z):
        if whole_groups.has_groups(self.blocks, self.block_params):
            return SHARE * whole_groups.steepest(self.blocks, self.block_params, z)
        return SHARE * max(abs(slope) for t, f in zip(z, self.blocks.factors)
                           for slope in whole_groups.slopes(abs(t), self.params["lambda"] * f, self.params))


class Blocks:
    """The coefficients of all classes as those of one, class after class, with the groups of --groups in each of them, or
    by rows in all of them together. A group keeps the weight that it has over features."""

    def __init__(self, problem, params, scores):
        self.columns, self.factors = problem.columns * scores, problem.factors * scores
        self.groups = given = with_weights(problem, params)
        count = len(problem.columns)
        if params["class-grouping"] == "row":
            self.groups = [([k * count + j for k in range(scores) for j in members], weight) for members, weight in
                           with_singles(given or [], count)]
        elif given is not None:
            self.groups = [([k * count + j for j in members], weight) for k in range(scores) for members, weight in given]


def with_weights(problem, params):
    if not whole_groups.has_groups(problem, params):
        return None
    return [(members, weight if weight is not None else 1.0 if params["grouping"] == "sum" else math.sqrt(len(members)))
            for members, weight in problem.groups]


def with_singles(groups, count):
    within = {j for members, _ in groups for j in members}
    return groups + [([j], 1.0) for j in range(count) if j not in within]


def differences(ours, scales, ways, said):
    z = ours.scaled(scales)
    penalty, ridge = ours.penalty(z)
    if penalty is None:   # of copies that a model does not have
        return None
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
