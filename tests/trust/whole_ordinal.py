"""Classes in an order as naive code has them: the logarithms of their probabilities, and slopes in a score and in the intercepts,
which are log odds of a class above another. Differences of two probabilities are written as in docs/numerics.md, so that they keep
their digits."""

import math


def log_of_odds(v):
    """log(1 + exp(v))"""
    return v + math.log1p(math.exp(-v)) if v > 0.0 else math.log1p(math.exp(v))


def sigmoid(v):
    return 1.0 / (1.0 + math.exp(-v)) if v >= 0.0 else math.exp(v) / (1.0 + math.exp(v))


class Boundaries:
    """The loss of rows, their slopes in the score, and the slopes of all rows together in each intercept."""

    def __init__(self, labels, classes, scores, intercepts, weights):
        place = {float(label): k for k, label in enumerate(classes)}
        self.losses, self.slopes, self.of_intercepts = [], [], [0.0] * len(intercepts)
        for label, u, w in zip(labels, scores, weights):
            below, above = place[float(label)] - 1, place[float(label)]
            loss, slope = 0.0, 0.0
            if below >= 0:
                loss += log_of_odds(-(u + intercepts[below]))
                slope -= sigmoid(-(u + intercepts[below]))
                self.of_intercepts[below] -= w * sigmoid(-(u + intercepts[below]))
            if above < len(intercepts):
                loss += log_of_odds(u + intercepts[above])
                slope += sigmoid(u + intercepts[above])
                self.of_intercepts[above] += w * sigmoid(u + intercepts[above])
            if below >= 0 and above < len(intercepts):
                gap = intercepts[below] - intercepts[above]
                loss -= math.log(-math.expm1(-gap))
                self.of_intercepts[below] -= w / math.expm1(gap)
                self.of_intercepts[above] += w / math.expm1(gap)
            self.losses.append(w * loss)
            self.slopes.append(w * slope)
