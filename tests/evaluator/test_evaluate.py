"""Tests of evaluate.py: values worked out by hand, finite differences, and the command line.

    python3 -m unittest discover -s tests/evaluator
"""

import contextlib
import io
import json
import math
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import evaluate as ev  # noqa: E402

LOSSES = {
    "squared": {}, "logistic": {}, "squared-hinge": {}, "huber": {"delta": 0.7}, "smooth-ramp": {"tau": 1.3},
    "poisson": {}, "gamma": {}, "negative-binomial": {"dispersion": 0.4}, "quantile": {"quantile": 0.8, "smoothing": 0.5},
}
PENALTIES = {
    "l1": {}, "capped-l1": {"theta": 0.6}, "scad": {"a": 3.7}, "mcp": {"gamma": 2.5}, "exponential": {"gamma": 2.5}, "log": {"theta": 0.3},
    "lp": {"p": 0.5, "eps": 0.05},
}
ROWS = [[(1, 0.5), (3, -1.25)], [(2, 2.0)], [], [(1, -1.5), (2, 0.25), (3, 0.75)], [(3, 3.0)]]
LABELS = [2.0, 1.0, 2.0, 2.0, 1.0]
CLASSES = [1, 2]
WEIGHTS = [1.0, 0.5, 2.0, 1.5, 3.0]
OFFSET = [0.1, -0.2, 0.3, 0.0, -0.4]


def make_params(loss="squared", penalty="l1", **more):
    params = {"loss": loss, "penalty": penalty, "lambda": 0.4, "ridge": 0.0, "scale": "sum", "intercept": True}
    params.update(LOSSES[loss])
    params.update(PENALTIES[penalty])
    params.update(more)
    return params


def make_point(coef, intercept=0.0, features=4, base=1, factor=None):
    return ev.Point(coef, intercept, features, base, factor)


DATA = ev.Data(ROWS, LABELS, WEIGHTS, OFFSET)
PLAIN = ev.Data([[(1, 1.0)], [(1, 2.0)]], [3.0, -1.0], [1.0, 1.0], [0.0, 0.0])


class LossByHand(unittest.TestCase):
    def test_squared(self):
        # residuals 0.5 - 3 = -2.5 and 1 + 1 = 2
        point = make_point({1: 0.5}, features=1)
        self.assertAlmostEqual(ev.loss_value(PLAIN, make_params(), None, point), 0.5 * (6.25 + 4), 14)

    def test_mean_scale_and_ridge(self):
        point = make_point({1: 0.5}, features=1)
        params = make_params(scale="mean", ridge=8.0)
        self.assertAlmostEqual(ev.loss_value(PLAIN, params, None, point), 0.25 * 10.25 + 4 * 0.25, 14)

    def test_ridge_leaves_the_intercept_alone(self):
        point = make_point({}, intercept=3.0, features=1)
        self.assertAlmostEqual(ev.loss_value(PLAIN, make_params(ridge=8.0), None, point), 8.0, 14)

    def test_weights_and_offset(self):
        data = PLAIN._replace(weights=[2.0, 4.0], offset=[1.0, -1.0])
        point = make_point({1: 0.5}, features=1)
        # residuals -1.5 and 1
        self.assertAlmostEqual(ev.loss_value(data, make_params(), None, point), 2.25 + 2, 14)
        self.assertAlmostEqual(ev.loss_value(data, make_params(scale="mean"), None, point), 4.25 / 6, 14)

    def test_phi(self):
        self.assertAlmostEqual(ev.phi(0.0, 1.0, make_params("logistic")), math.log(2), 15)
        self.assertEqual(ev.phi(-1000.0, 1.0, make_params("logistic")), 1000.0)
        self.assertEqual(ev.phi(0.5, -1.0, make_params("squared-hinge")), 2.25)
        self.assertEqual(ev.phi(2.0, 1.0, make_params("squared-hinge")), 0.0)
        self.assertAlmostEqual(ev.phi(2.0, 0.0, make_params("huber")), 0.7 * 2 - 0.245, 15)
        self.assertAlmostEqual(ev.phi(0.5, 0.0, make_params("huber")), 0.125, 15)

    def test_smooth_ramp_is_the_difference_of_logistics(self):
        for tau in (0.01, 1.0, 20.0, 50.0):
            params = make_params("smooth-ramp", tau=tau)
            for m in (-40.0, -3.0, -1e-9, 0.0, 2.5, 15.0):
                naive = (math.log1p(math.exp(-m)) - math.log1p(math.exp(-m - tau))) / tau
                self.assertAlmostEqual(ev.phi(m, 1.0, params), naive, 11)
                self.assertEqual(ev.phi(-m, -1.0, params), ev.phi(m, 1.0, params))

    def test_smooth_ramp_far_out(self):
        params = make_params("smooth-ramp")
        self.assertAlmostEqual(ev.phi(-2000.0, 1.0, params), 1.0, 12)
        self.assertEqual(ev.phi(2000.0, 1.0, params), 0.0)
        # g(m) - g(m + tau) ~ e^-m (1 - e^-tau)
        self.assertAlmostEqual(ev.phi(60.0, 1.0, params) * 1.3 / (math.exp(-60) * (1 - math.exp(-1.3))), 1.0, 12)

    def test_class_order(self):
        data = PLAIN._replace(labels=[7.0, 5.0])
        self.assertEqual(ev.targets(data, make_params("logistic"), [5, 7]), [1.0, -1.0])
        self.assertEqual(ev.targets(data, make_params("logistic"), [7, 5]), [-1.0, 1.0])
        self.assertEqual(ev.targets(data, make_params("squared"), None), [7.0, 5.0])


class PenaltyByHand(unittest.TestCase):
    def check(self, penalty, t, value, lam=0.5, **more):
        self.assertAlmostEqual(ev.penalty_term(t, lam, make_params(penalty=penalty, **more)), value, 14)

    def test_values(self):
        self.check("l1", 3.0, 1.5)
        self.check("capped-l1", 0.5, 0.25)
        self.check("capped-l1", 3.0, 0.3)
        self.check("scad", 0.25, 0.125, a=3)
        self.check("scad", 1.0, (3.0 - 1.0 - 0.25) / 4, a=3)
        self.check("scad", 9.0, 0.5, a=3)
        self.check("mcp", 1.0, 0.5 - 0.25, gamma=2)
        self.check("mcp", 9.0, 0.25, gamma=2)
        self.check("exponential", 1.0, 0.5 * (1 - math.exp(-1)), gamma=2)
        self.check("log", 0.3, 0.5 * math.log(2))
        self.check("lp", 0.2, 0.5 * (math.sqrt(0.25) - math.sqrt(0.05)))
        self.check("lp", 4.0, 1.0, eps=0.0)

    def test_continuous_at_the_knots(self):
        for penalty, knots in (("capped-l1", [0.6]), ("scad", [0.4, 3.7 * 0.4]), ("mcp", [2.5 * 0.4])):
            params = make_params(penalty=penalty)
            for t in knots:
                left = ev.penalty_term(t * (1 - 1e-12), 0.4, params)
                right = ev.penalty_term(t * (1 + 1e-12), 0.4, params)
                self.assertAlmostEqual(left, right, 11)

    def test_factors(self):
        point = make_point({1: 2.0, 3: -1.0}, features=3, factor=[0.0, 1.0, 5.0])
        for penalty, expected in (("l1", 2.0), ("mcp", 2.0 - 0.2), ("scad", 2.0)):
            self.assertAlmostEqual(ev.penalty_value(make_params(penalty=penalty), point), expected, 14)

    def test_slopes_by_finite_differences(self):
        h = 1e-6
        for penalty in PENALTIES:
            params = make_params(penalty=penalty)
            for t in (0.1, 0.35, 0.55, 0.9, 1.2, 5.0):
                up, down = (ev.penalty_term(t + s * h, 0.4, params) for s in (1, -1))
                self.assertAlmostEqual(ev.penalty_slopes(t, 0.4, params)[0], (up - down) / (2 * h), 7, penalty)

    def test_slope_at_zero(self):
        h = 1e-9
        for penalty in PENALTIES:
            params = make_params(penalty=penalty)
            slope = ev.penalty_slopes(0.0, 0.4, params)[0]
            self.assertAlmostEqual(slope, ev.penalty_term(h, 0.4, params) / h, 6, penalty)

    def test_lp_without_eps_has_infinite_slope_at_zero(self):
        params = make_params(penalty="lp", eps=0.0)
        self.assertEqual(ev.penalty_slopes(0.0, 0.4, params), [math.inf])
        self.assertEqual(ev.penalty_slopes(0.0, 0.0, params), [0.0])


class Gradient(unittest.TestCase):
    POINT = make_point({1: 0.3, 2: -0.8, 3: 0.45}, intercept=-0.2)
    STEP = 1e-6

    def slope(self, params, move):
        up, down = (ev.loss_value(DATA, params, CLASSES, move(s * self.STEP)) for s in (1, -1))
        return (up - down) / (2 * self.STEP)

    def moved(self, j, by):
        coef = dict(self.POINT.coef)
        coef[j] = coef.get(j, 0.0) + by
        return self.POINT._replace(coef=coef)

    def test_finite_differences(self):
        for loss in LOSSES:
            for scale in ("sum", "mean"):
                self.check_gradient(make_params(loss, ridge=0.6, scale=scale))

    def check_gradient(self, params):
        by_feature, by_intercept = ev.gradient(DATA, params, CLASSES, self.POINT)
        self.assertEqual(sorted(by_feature), [1, 2, 3, 4])
        for j, g in by_feature.items():
            self.assertAlmostEqual(g, self.slope(params, lambda by, j=j: self.moved(j, by)), 7, params)
        shifted = self.slope(params, lambda by: self.POINT._replace(intercept=self.POINT.intercept + by))
        self.assertAlmostEqual(by_intercept, shifted, 7, params)


class Stationarity(unittest.TestCase):
    def value(self, params, coef, intercept=0.0, data=PLAIN, **more):
        return ev.stationarity(data, params, None, make_point(coef, intercept, features=1, **more))

    def test_at_zero(self):
        # the gradient at zero is -(3 - 2) = -1, and for the intercept -(3 - 1) = -2
        self.assertAlmostEqual(self.value(make_params(intercept=False), {}), 0.6, 14)
        self.assertAlmostEqual(self.value(make_params(intercept=False, **{"lambda": 1.5}), {}), 0.0, 14)
        self.assertAlmostEqual(self.value(make_params(), {}), 2.0, 14)

    def test_lasso_solution(self):
        # x = (1 - 0.4) / 5, and 6 with a ridge of 1
        self.assertAlmostEqual(self.value(make_params(intercept=False), {1: 0.12}), 0.0, 14)
        self.assertAlmostEqual(self.value(make_params(intercept=False, ridge=1.0), {1: 0.1}), 0.0, 14)
        # on the wrong side the gradient is -0.6 - 1 and the penalty adds another -0.4
        self.assertAlmostEqual(self.value(make_params(intercept=False), {1: -0.12}), 2.0, 14)

    def test_explicit_zero_is_zero(self):
        params = make_params(intercept=False)
        self.assertEqual(self.value(params, {1: 0.0}), self.value(params, {}))

    def test_capped_l1_at_the_knot_takes_the_larger_side(self):
        params = make_params(penalty="capped-l1", intercept=False, theta=0.2)
        # at x = 0.2 the gradient is 1 - 1 = 0: one side gives 0.4, the other 0
        self.assertAlmostEqual(self.value(params, {1: 0.2}), 0.4, 14)
        self.assertAlmostEqual(self.value(params, {1: -0.2}), 2.4, 14)

    def test_unpenalised_feature(self):
        params = make_params(intercept=False)
        self.assertAlmostEqual(self.value(params, {}, factor=[0.0]), 1.0, 14)
        self.assertAlmostEqual(self.value(params, {1: 0.2}, factor=[0.0]), 0.0, 14)

    def test_feature_absent_from_the_data(self):
        point = make_point({2: 1.0}, features=2)
        params = make_params(intercept=False, ridge=0.5, **{"lambda": 0.7})
        data = PLAIN._replace(labels=[0.0, 0.0])
        self.assertAlmostEqual(ev.stationarity(data, params, None, point), 1.2, 14)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("data", "2 0:0.5 2:-1.25\n+1 1:2 # a comment\n2\n2 0:-1.5 1:0.25 2:0.75\n1 2:3\n")
        self.write("weights", "1\n0.5\n2\n1.5\n3\n")
        self.write("offset", "0.1\n-0.2\n0.3\n0\n-0.4\n")
        self.write("factor", "1\n0\n2\n1\n")
        self.model = {
            "format": "dcpn-model", "version": 1, "classes": CLASSES, "features": 4, "index_base": 0,
            "intercept": -0.25, "coef": {"index": [0, 2], "value": [0.5, -1.5]}, "fit": {},
            "params": make_params("logistic", "mcp", scale="mean", ridge=0.1),
        }
        point = make_point({1: 0.5, 3: -1.5}, -0.25, factor=[1.0, 0.0, 2.0, 1.0])
        self.fit = ev.evaluate(DATA, self.model, point)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as out:
            out.write(text)

    def run_main(self, *more):
        self.write("model", json.dumps(self.model))
        self.write("fit", json.dumps(self.fit))
        options = ["--weights", self.path("weights"), "--offset", self.path("offset"),
                   "--penalty-factor", self.path("factor")]
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = ev.main([self.path("data"), self.path("model"), self.path("fit"), *options, *more])
        return status, out.getvalue()

    def test_agreement(self):
        self.assertEqual(self.run_main(), (0, ""))

    def test_each_difference_is_found(self):
        good = dict(self.fit)
        for key in good:
            self.fit = dict(good)
            self.fit[key] += 1 if key in ("n", "p", "nnz") else 1e-8 * good[key]
            status, table = self.run_main()
            self.assertEqual(status, 1, key)
            self.assertEqual([line.split()[0] for line in table.splitlines()], ["value", key])

    def test_rtol(self):
        self.fit["objective"] *= 1 + 1e-8
        self.assertEqual(self.run_main("--rtol", "1e-7")[0], 0)

    def test_missing_or_nan_is_a_difference(self):
        self.fit["objective"] = math.nan
        del self.fit["nnz"]
        status, table = self.run_main()
        self.assertEqual(status, 1)
        self.assertIn("objective", table)
        self.assertIn("nnz", table)

    def test_stationarity_tolerance_has_a_floor(self):
        data = PLAIN
        model = {"params": make_params(intercept=False), "classes": None}
        point = make_point({1: 0.12}, features=1)
        fit = ev.evaluate(data, model, point)
        # phi' = (-2.88, 1.24), so the scale is 1e-3 * (2.88 + 2.48)
        fit["stationarity"] = 5e-12
        self.assertEqual(ev.differences(data, model, fit, point), [])
        fit["stationarity"] = 6e-12
        self.assertEqual([row[0] for row in ev.differences(data, model, fit, point)], ["stationarity"])

    def test_unusable_input(self):
        self.model["features"] = 2
        self.assertEqual(self.run_main()[0], 2)
        self.model["features"], self.model["version"] = 4, 2
        self.assertEqual(self.run_main()[0], 2)
        self.write("weights", "1\n")
        self.model["version"] = 1
        self.assertEqual(self.run_main()[0], 2)


if __name__ == "__main__":
    unittest.main()
