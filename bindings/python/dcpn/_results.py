# SPDX-License-Identifier: BSD-3-Clause
"""What comes out: fits, paths and cross-validations, made of arrays, so that they can be copied and pickled."""

import os
import warnings

import numpy as np

from . import _core
from ._inputs import BY_LOGARITHM, MANY_CLASSES, ORDERED, is_frame, is_sparse, numbers_of_frame

OUTCOMES = _core.outcomes()


class ConvergenceWarning(UserWarning):
    """A fit ended before its certificate was below the tolerance."""


def doubles(array):
    return np.frombuffer(array, np.float64)


def integers(array):
    return np.frombuffer(array, np.int64)


def scores_of(X, coefficients, intercept, offset=None):
    """intercept + X x (+ offset), by the features in use alone where they are few."""
    if is_frame(X):
        X = numbers_of_frame(X)
    elif not is_sparse(X):
        X = np.asarray(X)
    features = coefficients.shape[-1]
    if X.ndim != 2 or X.shape[1] != features:
        raise ValueError(f"X: found the shape {X.shape}, expected {features} features as in the fit")
    scores = X @ coefficients.T + intercept
    return scores if offset is None else scores + offset


def logistic(scores):
    """1 / (1 + exp(-score)), small ones exact to the last digits too."""
    small = np.exp(-np.abs(scores))
    return np.where(scores >= 0, 1.0, small) / (1.0 + small)


def ordered_shares(scores, intercepts):
    """The probabilities of classes in an order. A score is the log odds of a class above the lowest one; those of a class above
    another differ by their intercepts, which fall."""
    odds, one = np.asarray(scores)[:, None] + (intercepts - intercepts[0]), np.ones((len(scores), 1))
    apart = np.concatenate([[1.0], -np.expm1(np.diff(intercepts)), [1.0]])
    return np.hstack([one, logistic(odds)]) * np.hstack([logistic(-odds), one]) * apart


class _Writable:
    """What can be written as a file of the command, and shown as its page."""

    kept = None  # the results as the library has them
    feature_names = classes = None

    def _names(self):
        """Names of the features and of the classes; None: those that the file has that they come from."""
        if self.kept is None:
            raise ValueError("nothing is kept of these results, so that there is nothing to write")
        if getattr(self, "_is_loaded", False):
            return None, None, None
        features, classes = self.feature_names, self.classes
        return (None if features is None else [str(name) for name in features],
                None if classes is None else [str(label) for label in np.asarray(classes).tolist()], None)

    def save(self, path):
        """Writes the file that the command would write, which it reads as well: dcpn.load(path), dcpn predict, dcpn report."""
        names = self._names()
        self.kept.save(os.fspath(path), names)

    def report(self, path, title="dcpn"):
        """Writes a page with tables and figures, one HTML file that needs no network."""
        names = self._names()
        self.kept.report(os.fspath(path), str(title), names)


class Fit(_Writable):
    """One fitted model and how its fit ended.

    Attributes
    ----------
    coefficients, intercept : the model; most coefficients are 0. With the loss multinomial a row and a number for each class, with
        several responses for each of them; with the loss ordinal an intercept for each boundary between two classes
    support : positions of the coefficients that are not 0
    lam : the weight of the penalty
    classes : the two classes, the negative one first; None where the labels are numbers
    feature_names : names of the columns of a DataFrame; None
    objective, loss_value, penalty_value : F = f + h at the end
    stationarity, stationarity_goal : the certificate, and what it was compared with
    outcome, converged : how the run ended; converged: by its own rule
    iterations, passes, time_s : what it took
    settings : all settings that were given, by name
    """

    def __init__(self, coefficients, intercept, lam, settings, result, labels=None, feature_names=None):
        self.coefficients, self.intercept, self.lam, self.settings = coefficients, intercept, lam, settings
        self.classes = None if labels is None else labels.classes
        self.feature_names = feature_names
        outcome = OUTCOMES[result["outcome"]]
        self.outcome, self.meaning = outcome["name"], outcome["meaning"]
        self.converged = bool(outcome["converged"])
        for name, value in result.items():
            if name != "outcome":
                setattr(self, name, value)

    @property
    def support(self):
        used = self.coefficients != 0
        return np.flatnonzero(used if used.ndim == 1 else used.any(axis=0))

    def decision_function(self, X, offset=None):
        """The scores of rows; of classes in an order the log odds of a class above the lowest one."""
        return scores_of(X, self.coefficients, self.intercept[0] if self._is_ordered else self.intercept, offset)

    @property
    def _is_ordered(self):
        return self.settings.get("loss") in ORDERED

    def predict_proba(self, X, offset=None):
        """The probability of each class, with the losses logistic, multinomial and ordinal."""
        scores = self.decision_function(X, offset)
        if self._is_ordered:
            return ordered_shares(scores, self.intercept)
        if self.settings.get("loss") in MANY_CLASSES:
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
            return odds / odds.sum(axis=1, keepdims=True)
        if self.classes is None or self.settings.get("loss", "logistic") != "logistic":
            raise ValueError(f"the loss {self.settings.get('loss')!r} has no probabilities; 'logistic' has")
        return np.column_stack([logistic(-scores), logistic(scores)])

    def predict(self, X, offset=None):
        """The class of each row, or the number; with several responses a column for each."""
        scores = self.decision_function(X, offset)
        if self.classes is None and self.settings.get("loss") in BY_LOGARITHM:
            return np.exp(scores)
        if self.classes is None:
            return scores
        if self._is_ordered:
            return self.classes[ordered_shares(scores, self.intercept).argmax(axis=1)]
        if scores.ndim == 2:
            return self.classes[scores.argmax(axis=1)]
        return self.classes[(scores > 0).astype(np.intp)]

    def named_coefficients(self):
        """The coefficients that are not 0, by the names of their features or else their positions; of many classes the largest."""
        names, table = self.feature_names, np.atleast_2d(self.coefficients)
        largest = table[np.abs(table).argmax(axis=0), np.arange(table.shape[1])]
        return {(int(j) if names is None else names[j]): float(largest[j]) for j in self.support}

    def plot(self, ax=None, **words):
        """The largest coefficients as bars, on matplotlib."""
        from ._plots import draw_coefficients

        table = np.atleast_2d(self.coefficients)
        largest = table[np.abs(table).argmax(axis=0), np.arange(table.shape[1])]
        return draw_coefficients(largest, self.feature_names, ax, **words)

    def _repr_html_(self):
        from . import _html

        return _html.table(repr(self), _html.coefficients(self.named_coefficients()), ["feature", "coefficient"])

    def __repr__(self):
        return (
            f"Fit({self.settings.get('penalty', 'capped-l1')}, lam={self.lam:.6g}: {len(self.support)} of "
            f"{self.coefficients.shape[-1]} features, F = {self.objective:.6g}, {self.outcome})"
        )


class Path(_Writable):
    """Fits of one penalty down a grid of lambdas; lambdas descend.

    Attributes
    ----------
    penalty, varying, value : which path it is; value is that of the setting `varying`
    kind : of a comparison 'local', plain descents; 'searched', what a search makes of them; 'by-size', the best model of
        each number of features, refitted without the penalty; else None
    lambdas, intercepts, objective, deviance, stationarity, nonzeros, iterations : one entry a lambda
    lambda_max : the smallest lambda at which no feature is in use
    mfdr : for each lambda about the largest share of the features in use that is expected to have nothing to do with the labels;
        NaN where that is not known (docs/choosing.md)
    end : 'all', 'saturated', 'crowded' (more features than can be told from noise), 'noise' (lambda is below its level) or 'interrupted'
    scores : of a row; one for each class with the loss multinomial, or for each of several responses: intercepts are then
        lambdas x scores; with the loss ordinal they are lambdas x boundaries
    """

    def __init__(self, found, features, settings, classes, names, scores=1):
        for name in ("penalty", "kind", "varying", "value", "lambda_max", "end"):
            setattr(self, name, found[name])
        self.lambdas, self.intercepts = doubles(found["lambdas"]), doubles(found["intercepts"])
        for name in ("objective", "loss_value", "penalty_value", "stationarity", "stationarity_goal", "deviance", "mfdr"):
            setattr(self, name, doubles(found[name]))
        self.nonzeros, self.iterations = integers(found["nonzeros"]), integers(found["iterations"])
        self.convexity = doubles(found["convexity"])
        self.outcomes = [OUTCOMES[number]["name"] for number in found["outcomes"]]
        self.converged = np.array([bool(OUTCOMES[number]["converged"]) for number in found["outcomes"]])
        self.features, self.settings, self.classes, self.feature_names = features, settings, classes, names
        self.scores = scores
        if scores > 1 or self._is_ordered:
            self.intercepts = self.intercepts.reshape(len(self.lambdas), -1)
        self._first = integers(found["first"])
        self._indices, self._values = integers(found["indices"]), doubles(found["coefficients"])

    @property
    def name(self):
        """What the path is called: its penalty, the value of its shape where it varies, and its kind."""
        if self.kind == "by-size":
            return f"refitted {self.varying}={self.value:g}" if self.varying else "refitted"
        shape = f" {self.varying}={self.value:g}" if self.varying else ""
        return self.penalty + shape + (", searched" if self.kind == "searched" else "")

    def __len__(self):
        return len(self.lambdas)

    def _part(self, k):
        return slice(self._first[k], self._first[k] + self.nonzeros[k])

    def support(self, k):
        """Positions of the features in use at the k-th lambda."""
        indices = self._indices[self._part(k)]
        return indices if self.scores == 1 else np.unique(indices % self.features)

    def coefficients_at(self, k):
        """The coefficients at the k-th lambda, with several scores a row for each."""
        coefficients = np.zeros(self.scores * self.features)
        coefficients[self._indices[self._part(k)]] = self._values[self._part(k)]
        return coefficients if self.scores == 1 else coefficients.reshape(self.scores, self.features)

    @property
    def coefficients(self):
        """All of them as a SciPy matrix by columns: features x lambdas; with several scores, those of the first come first."""
        from scipy.sparse import csc_matrix

        parts = [self._part(k) for k in range(len(self))]
        pointers = np.concatenate([[0], np.cumsum(self.nonzeros)])
        indices = np.concatenate([self._indices[part] for part in parts]) if parts else self._indices
        values = np.concatenate([self._values[part] for part in parts]) if parts else self._values
        return csc_matrix((values, indices, pointers), (self.scores * self.features, len(self)))

    def nearest(self, lam):
        """The position of the lambda that is nearest, by its logarithm."""
        if not lam > 0:
            raise ValueError(f"lam: found {lam}, expected a positive number")
        return int(np.argmin(np.abs(np.log(self.lambdas) - np.log(lam))))

    def predict(self, X, k):
        """The scores of rows by the model at the k-th lambda."""
        return scores_of(X, self.coefficients_at(k), self.intercepts[k][0] if self._is_ordered else self.intercepts[k])

    @property
    def _is_ordered(self):
        return self.settings.get("loss") in ORDERED

    def plot(self, ax=None, **words):
        """The coefficients against lambda, on matplotlib."""
        from ._plots import draw_path

        return draw_path(self, ax, **words)

    def _repr_html_(self):
        from . import _html

        rows = [(float(self.lambdas[k]), int(self.nonzeros[k]), float(self.objective[k]), self.outcomes[k])
                for k in range(0, len(self), max(1, len(self) // 20))]
        return _html.table(repr(self), rows, ["lambda", "features", "F", "outcome"])

    def __repr__(self):
        return f"Path({self.name}: {len(self)} lambdas, at most {self.nonzeros.max(initial=0)} features)"


class Choice:
    """A point of a cross-validation: path and position on it, mean and standard error of the measure there."""

    def __init__(self, found):
        self.path, self.point, self.mean, self.se = found

    def __repr__(self):
        return f"Choice(path={self.path}, point={self.point}, mean={self.mean:.6g}, se={self.se:.6g})"


class Stability:
    """How often each feature is selected when only a share of the rows is seen.

    group_frequency : how often any feature of each group is, in the order in which the groups were given; None without
    """

    def __init__(self, found):
        self.indices, self.frequency = integers(found["indices"]), doubles(found["frequency"])
        groups = found["group_frequency"]
        self.group_frequency = None if groups is None else doubles(groups)
        for name in ("subsamples", "share", "threshold", "path", "points", "mean_selected", "bound", "pairs",
                     "sharper_bound"):
            setattr(self, name, found[name])

    def plot(self, ax=None, names=None, **words):
        """The features that are selected most often, on matplotlib."""
        from ._plots import draw_stability

        return draw_stability(self, names, ax, **words)

    @property
    def stable(self):
        """Positions of the features that are selected often enough."""
        return self.indices[self.frequency >= self.threshold]


class CrossValidation(_Writable):
    """Paths and their cross-validation.

    Attributes
    ----------
    paths : list of Path, fitted to all rows
    measures, measure : the names of what was measured, and of the one that chooses
    min, one_se : Choice by the best mean, and the sparsest model within a standard error of it
    rule, chosen : the rule, and its Choice
    compares : were several penalties compared because none was named?
    mean(path), se(path), folds(path) : of the measure that chooses, for each lambda of a path
    stability : Stability, or None
    """

    def __init__(self, found, settings, classes, names):
        paths = found["paths"]
        self.paths = [Path(path, paths["features"], settings, classes, names, paths["scores"]) for path in paths["paths"]]
        self.n_folds, self.measures = found["folds"], found["measures"]
        self.measure = self.measures[found["measure"]]
        self.rule, self.compares = found["rule"], found["compares"]
        self.min, self.one_se, self.chosen = Choice(found["min"]), Choice(found["1se"]), Choice(found["chosen"])
        self.is_complete, self.time_s = found["is_complete"], found["time_s"]
        self.stability = Stability(found["stability"]) if found["stability"] else None
        self.classes = classes
        self._given_names = names
        self._first = integers(found["first"])
        points = int(self._first[-1])
        measures = len(doubles(found["mean"])) // points if points else 1
        self._mean = doubles(found["mean"]).reshape(points, measures)
        self._se = doubles(found["se"]).reshape(points, measures)
        self._folds = doubles(found["values"]).reshape(points, measures, self.n_folds)
        self.best, self.best_1se = integers(found["best"]), integers(found["one_se"])

    def keep(self, kept):
        """Takes the results as the library has them; the paths belong to them."""
        self.kept = kept
        for path in self.paths:
            path.kept = kept

    @property
    def feature_names(self):
        return self.paths[0].feature_names if self.paths else self._given_names

    def _column(self, table, path, measure):
        column = self.measures.index(measure or self.measure)
        return table[self._first[path] : self._first[path + 1], column]

    def mean(self, path=0, measure=None):
        return self._column(self._mean, path, measure)

    def se(self, path=0, measure=None):
        return self._column(self._se, path, measure)

    def folds(self, path=0, measure=None):
        """What was measured on each fold: lambdas x folds."""
        return self._column(self._folds, path, measure)

    def coefficients(self, choice=None):
        """Coefficients and intercept of the chosen model."""
        choice = choice or self.chosen
        if choice.path < 0:
            raise ValueError("nothing was chosen: the cross-validation ended early")
        path = self.paths[choice.path]
        return path.coefficients_at(choice.point), path.intercepts[choice.point]

    def plot(self, ax=None, **words):
        """The measure against lambda, on matplotlib."""
        from ._plots import draw_cv

        return draw_cv(self, ax, **words)

    def _repr_html_(self):
        from . import _html

        rows = []
        for p, path in enumerate(self.paths):
            k = int(self.best_1se[p] if self.rule == "1se" else self.best[p])
            if k >= 0:
                mark = " (chosen)" if p == self.chosen.path else ""
                rows.append((path.name + mark, float(path.lambdas[k]), int(path.nonzeros[k]),
                             float(self.mean(p)[k]), float(self.se(p)[k])))
        return _html.table(repr(self), rows, ["penalty", "lambda", "features", self.measure, "se"])

    def __repr__(self):
        if self.chosen.path < 0:
            return "CrossValidation(nothing was chosen)"
        path = self.paths[self.chosen.path]
        lam = "" if path.kind == "by-size" else f", lam={path.lambdas[self.chosen.point]:.6g}"
        return (
            f"CrossValidation({path.name}{lam}: "
            f"{path.nonzeros[self.chosen.point]} features, {self.measure} {self.chosen.mean:.6g} +- "
            f"{self.chosen.se:.2g}, rule {self.rule})"
        )


def warn_of_notes(notes, stacklevel=3):
    """What the library warns of becomes a warning; its notes stay unsaid."""
    from ._settings import in_words_of_python

    for level, sentence in notes:
        if level == 0:
            warnings.warn(in_words_of_python(sentence), UserWarning, stacklevel=stacklevel)
