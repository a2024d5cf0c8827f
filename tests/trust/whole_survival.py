"""Times to events for the whole command: how a case of them is drawn, and Cox's partial likelihood by naive code.

With u the scores, at each instant t of a stratum at which rows D have their event, R those at risk (entry < t <= time):
    Breslow:  w_D log sum_R v exp(u) - sum_D w u
    Efron:    (w_D / m) sum_{l<m} log(sum_R v exp(u) - (l / m) sum_D v exp(u)) - sum_D w u
v the weights as they are given, w these times the scale, w_D the sum of D's, m how many of D have some weight.
"""

import math

OPTIONS = ("time", "event", "entry", "strata")


def draw(rng, rows):
    """{name of the column: texts}: ties, no event, no time at all, rows that enter late, strata of one row."""
    kind = rng.randrange(6)
    times = [rng.choice((1.0, 2.0, 3.0)) if kind == 0 else rng.expovariate(1.0) + (kind == 1) for _ in range(rows)]
    if kind == 2:
        times = [t * rng.choice((1.0, 1e-300, 1e300, 0.0)) for t in times]
    share = rng.choice((0.0, 0.2, 0.6, 0.6, 0.6, 1.0))
    table = {"time": times, "event": [int(rng.random() < share) for _ in times]}
    if rng.random() < 0.03:
        table["event"][rng.randrange(rows)] = rng.choice((2, -1, 0.5))
    if rng.random() < 0.3:
        table["entry"] = [t * rng.random() * (0.7 if rng.random() < 0.99 else 2.0) for t in times]
    if rng.random() < 0.3:
        table["strata"] = [rng.randrange(rng.choice((1, 2, 3, rows))) for _ in times]
    return {name: [repr(v) for v in values] for name, values in table.items()}


def words(table):
    return [word for name in table for word in (f"--{name}", name)]


def with_columns(text, table):
    """The text of a table of features with these columns around them: the time first, others last."""
    lines = [line.split(",", 1)[1] for line in text.splitlines()]
    columns = [[name, *values] for name, values in table.items()]
    return "".join(",".join([columns[0][i], line, *(column[i] for column in columns[1:])]) + "\n" for i, line in enumerate(lines))


def columns_of(words_of_case, text):
    """The numbers of these columns, by option; None: the case is none of times."""
    if "--time" not in words_of_case:
        return None
    head, *lines = [line.split(",") for line in text.splitlines()]
    return {name: [float(line[head.index(name)]) for line in lines] for name in OPTIONS if f"--{name}" in words_of_case}


class Likelihood:
    """The loss, the slope of each row, and how large the terms of that slope are."""

    def __init__(self, times, u, weights, unit, ties):
        self.times, self.u, self.weights, self.unit, self.ties = times, u, weights, unit, ties
        rows = range(len(u))
        self.losses, self.slopes, self.sizes = [], [[] for _ in rows], [0.0 for _ in rows]
        events = {(self.stratum(i), times["time"][i]) for i in rows if self.has_event(i)}
        for stratum, time in sorted(events):
            at = [i for i in rows if weights[i] > 0.0 and self.stratum(i) == stratum]
            self.add([i for i in at if self.entry(i) < time <= times["time"][i]],
                     [i for i in at if self.has_event(i) and times["time"][i] == time])
        self.slopes = [math.fsum(terms) for terms in self.slopes]

    def stratum(self, i):
        return self.times["strata"][i] if "strata" in self.times else 0.0

    def entry(self, i):
        return self.times["entry"][i] if "entry" in self.times else -1.0

    def has_event(self, i):
        return "event" not in self.times or self.times["event"][i] != 0.0

    def add(self, at_risk, events):
        if not events:
            return
        top = max(self.u[i] for i in at_risk)
        x = {i: self.weights[i] * math.exp(self.u[i] - top) for i in at_risk}
        terms = len(events) if self.ties == "efron" else 1
        weight = self.unit * math.fsum(self.weights[i] for i in events) / terms
        for i in events:
            self.put(i, -self.unit * self.weights[i])
            self.losses.append(-self.unit * self.weights[i] * self.u[i])
        for k in range(terms):
            taken = {i: k / terms for i in events}
            S = math.fsum(v * (1.0 - taken.get(i, 0.0)) for i, v in x.items())
            self.losses.append(weight * (math.log(S) + top))
            for i, v in x.items():
                self.put(i, weight * v * (1.0 - taken.get(i, 0.0)) / S)

    def put(self, i, term):
        self.slopes[i].append(term)
        self.sizes[i] += abs(term)
