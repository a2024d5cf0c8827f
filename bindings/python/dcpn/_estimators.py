# SPDX-License-Identifier: BSD-3-Clause
"""Estimators with the habits of scikit-learn, which is loaded with this module."""

import inspect
import warnings

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
except ImportError as error:  # pragma: no cover - the message is the point
    raise ImportError(
        "the estimators of dcpn need scikit-learn (pip install scikit-learn); dcpn.fit, dcpn.path and dcpn.cv do without"
    ) from error
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv
from sklearn.utils import check_array
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from . import _core
from ._functions import cv as cross_validate
from ._functions import fit as fit_one
from ._inputs import AT_ONCE, BY_LOGARITHM, MANY_CLASSES, OF_TIMES, ORDERED, Labels, as_data, as_groups, is_frame, refuse_frame, refuse_without_order, vector, wants_classes, without_label
from ._progress import Progress
from ._results import logistic, ordered_shares
from ._settings import SETTINGS, documentation

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6 it was a method

    def validate_data(estimator, X, reset=True, **words):
        return estimator._validate_data(X, reset=reset, **words)


# What an estimator takes besides the settings: name and default.
PROBLEM = {"lam": None, "lam_ratio": 0.1, "penalty_factors": None, "lower": None, "upper": None, "groups": None, "group_weights": None}
CROSS_VALIDATION = {
    "penalties": None,
    "values": None,
    "lambdas": None,
    "n_lambdas": None,
    "min_ratio": None,
    "penalty_factors": None,
    "lower": None,
    "upper": None,
    "groups": None,
    "group_weights": None,
    "cv": None,
    "repeats": 1,
    "rule": None,
    "relax": False,
    "features_kept": None,
    "measure": None,
    "stability": 0,
    "patience": None,
    "seed": 0,
}
MEANING = {
    "lam": "float or None: the weight of the penalty; None: lam_ratio of the smallest one at which no feature is in use",
    "lam_ratio": "float: see lam",
    "penalty_factors": "array or None: the weight of each feature's penalty is lam times its factor",
    "lower": "float, array or None: least value of each coefficient, at most 0",
    "upper": "float, array or None: largest value of each coefficient, at least 0",
    "groups": "dict, list, str or None: features that belong together under the setting grouping: a dict of label and "
    "list of positions or names, one label a feature, or 'prefix:SEP'",
    "group_weights": "dict or None: the weight of each group's penalty",
    "class_weight": "dict, 'balanced' or None: of each class, or so that all weigh the same",
    "unlabelled": "label or None: the label of rows that have none; NaN and None always mean that",
    "n_jobs": "int or None: threads, -1 for one on each processor; the results are the same bytes",
    "verbose": "int: 1 shows how far the work is, and about how much time is left; 0: nothing",
    "penalties": "list or None: several penalties to choose from, instead of `penalty`",
    "values": "list or None: values of theta, a or gamma, whichever the penalty has, to choose from",
    "lambdas": "array or None: the grid of lambdas",
    "n_lambdas": "int or None: how many lambdas the grid has, if it is not given; None: 100, of a comparison 50",
    "min_ratio": "float or None: the least lambda of that grid, as a share of the largest",
    "cv": "int, splitter, iterable or None: folds as scikit-learn takes them; None: 10, or one for each row",
    "repeats": "int: how often folds are drawn, and every row is held out; only where cv is a number or None",
    "rule": "{'min', '1se', 'convex', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic', 'sized'} or None: how to choose; None: '1se', "
    "but where several penalties are compared 'sized' for two classes and 'earned' for numbers, unless 'convex' predicts better",
    "relax": "bool: the choice is among models of which the features are refitted without shrinkage",
    "features_kept": "int or None: the best model of at most so many features, instead of a rule",
    "measure": "{'deviance', 'error', 'auc', 'mse', 'mae'} or None: what chooses",
    "stability": "int: subsamples that tell how often each feature is selected; 0: none",
    "patience": "int or None: lambdas in a row, clearly worse than the best, after which the path of a fold ends; 0: never; "
    "None: a fifth of the grid",
    "seed": "int: of folds that are drawn and of the subsamples",
}


def _parameters(extras, defaults):
    """All parameters of an estimator with their defaults: the extras, then the settings."""
    words = dict(extras)
    words.update((s.name, s.default) for s in SETTINGS.values() if s.name not in words and s.name != "lam")
    words["n_jobs"] = None
    words["verbose"] = 0
    words.update(defaults)
    return words


def with_parameters(extras, **defaults):
    """Writes __init__ and the section of the docstring: scikit-learn reads the names from the signature."""

    def decorate(cls):
        words = _parameters(extras, defaults)
        lines = [f"def __init__(self, *, {', '.join(f'{name}={value!r}' for name, value in words.items())}):"]
        lines += [f"    self.{name} = {name}" for name in words]
        space = {}
        exec("\n".join(lines), space)
        cls.__init__ = space["__init__"]
        cls.__init__.__qualname__ = f"{cls.__name__}.__init__"
        cls.__init__.__module__ = cls.__module__
        cls._settings = tuple(name for name in words if name in SETTINGS and name != "lam")
        told = "\n".join(f"{name} : {MEANING[name]}" for name in words if name in MEANING)
        text = inspect.cleandoc(cls.__doc__)  # from Python 3.13 on it comes like this
        cls.__doc__ = text.replace("{parameters}", told + "\n" + documentation(cls._settings, indent=""))
        return cls

    return decorate


class _Sparse(BaseEstimator):
    """What all four have in common."""

    _wants_classes = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _given_settings(self):
        settings = {name: getattr(self, name) for name in self._settings}
        if settings["loss"] in SETTINGS["loss"].choices:
            if wants_classes(settings["loss"]) != self._wants_classes:
                kind = "two classes" if self._wants_classes else "numbers"
                raise ValueError(f"loss: found {settings['loss']!r}, expected a loss for {kind}")
            if settings["loss"] in OF_TIMES and not hasattr(self, "_check_survival"):
                raise ValueError(f"loss: found {settings['loss']!r}, expected a loss for numbers; SparseCox and SparseCoxCV take times")
        return settings

    def _callback(self):
        return Progress() if self.verbose else None

    def _given_groups(self, data):
        """Names are those of the DataFrame that X was; X itself is an array by now."""
        names = getattr(self, "feature_names_in_", None)
        found = as_groups(self.groups, self.group_weights, data.shape()[1], names)
        if found is None:
            return {}
        starts, members, weights, labels = found
        groups = {label: members[starts[g] : starts[g + 1]].tolist() for g, label in enumerate(labels)}
        if len(groups) < len(labels):
            raise ValueError("groups: found two groups of the same name, expected different ones")
        return {"groups": groups, "group_weights": None if weights is None else dict(zip(labels, weights))}

    def _check_X(self, X, reset):
        if is_frame(X):
            refuse_frame(X)
        words = {"accept_sparse": ("csr", "csc"), "dtype": (np.float64, np.float32), "reset": reset}
        return validate_data(self, X, **words)

    def _check_y(self, y):
        return column_or_1d(y, warn=True)

    def _check(self, X, y, sample_weight, offset):
        """X as an array or a SciPy matrix, y as it came but of one dimension, and vectors of as many entries."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        X = self._check_X(X, reset=True)
        y = self._check_y(y)
        if len(y) != X.shape[0]:
            raise ValueError(f"y: found {len(y)} labels, expected {X.shape[0]}: X and y have inconsistent numbers of samples")
        if X.shape[0] < 2:
            raise ValueError(f"X: found {X.shape[0]} sample, expected at least 2: one sample says nothing (n_samples=1)")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        offset = vector(offset, "offset", X.shape[0])
        if offset is not None and len(offset) != X.shape[0]:
            raise ValueError(f"offset: found {len(offset)} numbers, expected {X.shape[0]}")
        return X, y, sample_weight, offset

    @staticmethod
    def _that_weigh(weights, *arrays):
        """The rows of a weight above 0, which are all that a fit looks at; of the weights, too."""
        if weights is None or np.all(weights > 0) or np.any(weights < 0):
            return weights, *arrays
        keep = np.flatnonzero(weights > 0)
        return weights[keep], *(array if array is None else array[keep] for array in arrays)

    def _warn(self, fits):
        if not all(fit.converged for fit in fits):
            worst = next(fit for fit in fits if not fit.converged)
            warnings.warn(
                f"the fit ended before it was done: {worst.outcome}, stationarity {worst.stationarity:.3g}, goal "
                f"{worst.stationarity_goal:.3g}; raise max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _scores(self, X, offset=None):
        check_is_fitted(self)
        X = self._check_X(X, reset=False)
        coefficients = self.coef_ if self.coef_.ndim == 2 else self.coef_.reshape(1, -1)
        intercepts = self.intercept_[:1] if self.loss in ORDERED else self.intercept_
        scores = safe_sparse_dot(X, coefficients.T, dense_output=True) + intercepts
        scores = scores.ravel() if scores.shape[1] == 1 else scores
        return scores if offset is None else scores + np.asarray(offset, np.float64)

    def named_coefficients(self):
        """The coefficients that are not 0, the largest first, by the names of their features or else their positions; of many
        classes the largest of each feature."""
        check_is_fitted(self)
        table, names = self._largest_coefficients(), getattr(self, "feature_names_in_", None)
        order = np.argsort(-np.abs(table), kind="stable")[: np.count_nonzero(table)]
        return {(int(j) if names is None else names[j]): float(table[j]) for j in order}

    def _largest_coefficients(self):
        table = np.atleast_2d(self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_)
        return table[np.abs(table).argmax(axis=0), np.arange(table.shape[1])]

    def plot(self, ax=None, **words):
        """The largest coefficients as bars, on matplotlib."""
        from ._plots import draw_coefficients

        check_is_fitted(self)
        return draw_coefficients(self._largest_coefficients(), getattr(self, "feature_names_in_", None), ax, **words)

    def _only(self):
        """The Fit or CrossValidation behind the model; of several models there is not the one."""
        check_is_fitted(self)
        found = self.fits_ if hasattr(self, "fits_") else self.cv_
        if not isinstance(found, list):
            return found
        if len(found) > 1:
            each = "fits_" if hasattr(self, "fits_") else "cv_"
            raise ValueError(f"found {len(found)} models, one for each class, expected one: write those of {each} one by one, or fit "
                             "with loss='multinomial'")
        return found[0]

    def save(self, path):
        """Writes the model or the cross-validation as a file of the command: dcpn.load(path), dcpn predict, dcpn report.

        For an estimator to come back as it is, use pickle or joblib.
        """
        self._only().save(path)

    def report(self, path, title=None):
        """Writes a page with tables and figures, one HTML file that needs no network."""
        self._only().report(path, type(self).__name__ if title is None else title)

    def to_sklearn(self):
        """A plain LogisticRegression or Lasso of scikit-learn with these coefficients, which other tools know: ONNX, skops.

        Losses that have no such sibling, and more than two classes, are refused.
        """
        check_is_fitted(self)
        plain = self._plain()
        coefficients = self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_
        plain.coef_, plain.intercept_ = np.array(coefficients), np.array(self.intercept_)
        plain.n_iter_ = np.array([self.n_iter_]) if self._wants_classes else int(self.n_iter_)
        for name in ("n_features_in_", "feature_names_in_", "classes_"):
            if hasattr(self, name):
                setattr(plain, name, getattr(self, name))
        return plain

    def sparsify(self):
        """Makes coef_ a SciPy matrix, which takes less memory where most coefficients are 0."""
        from scipy.sparse import csr_matrix

        check_is_fitted(self)
        self.coef_ = csr_matrix(self.coef_)
        return self

    def densify(self):
        """Makes coef_ an array again."""
        check_is_fitted(self)
        if hasattr(self.coef_, "toarray"):
            dense = self.coef_.toarray()
            self.coef_ = dense if self._wants_classes or np.ndim(self.intercept_) else dense.ravel()
        return self


def _numbers(y):
    """The labels of a regression: finite numbers."""
    y = check_array(y, ensure_2d=False, dtype=None, input_name="y")
    try:
        return y.astype(np.float64)
    except ValueError:
        raise ValueError(f"y: found {next(label for label in y if isinstance(label, str))!r}, expected numbers; SparseClassifier and "
                         "SparseClassifierCV take classes") from None


class _Regressor(RegressorMixin, _Sparse):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags

    def _check_y(self, y):
        """One response, or several columns of them."""
        array = y if hasattr(y, "ndim") else np.asarray(y)
        if array.ndim == 2 and array.shape[1] > 1:
            return check_array(y, ensure_2d=False, dtype=None, input_name="y")
        return column_or_1d(y, warn=True)

    @staticmethod
    def _given_numbers(y):
        return Labels.of_numbers(y) if y.ndim == 1 else Labels.of_numbers(vector(y.T.ravel(), "y"), responses=y.shape[1])

    def _keep_responses(self):
        """Of several responses a row of coefficients and an intercept for each."""
        self.coef_, self.intercept_ = self.coef_[0], self.intercept_[0]
        if self.coef_.ndim == 1:
            self.intercept_ = float(self.intercept_)

    def _plain(self):
        from sklearn.linear_model import Lasso

        plain = Lasso(alpha=float(self.lam_))
        plain.dual_gap_ = 0.0
        return plain

    def predict(self, X, offset=None):
        """The number of each row."""
        scores = self._scores(X, offset)
        return np.exp(scores) if self.loss in BY_LOGARITHM else scores


class _Classifier(ClassifierMixin, _Sparse):
    _wants_classes = True

    def _plain(self):
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        if self.loss != "logistic":
            raise ValueError(f"to_sklearn: found the loss {self.loss!r}, expected 'logistic': LogisticRegression has no other")
        if len(self.classes_) == 2:
            return LogisticRegression(solver="liblinear")
        raise ValueError(
            f"to_sklearn: found {len(self.classes_)} classes, expected 2: a LogisticRegression of more has probabilities of "
            f"another kind; use {OneVsRestClassifier.__name__}({type(self).__name__}())"
        )

    def _classes(self, y, sample_weight):
        """Which rows have a label, and the number of each row's class."""
        y = np.asarray(y)
        if y.dtype.kind == "f":
            y = check_array(y, ensure_2d=False, dtype=None, input_name="y", **_ALLOW_NAN)
        missing = without_label(y, self.unlabelled)
        check_classification_targets(y[~missing])
        self.classes_, inverse = np.unique(y[~missing], return_inverse=True)
        seen = inverse if sample_weight is None else inverse[sample_weight[~missing] > 0]
        if len(np.unique(seen)) < 2:
            raise ValueError(f"y: found {len(np.unique(seen))} class, expected at least 2 classes with rows that weigh something")
        numbers = np.full(len(y), -1)
        numbers[~missing] = inverse
        return numbers

    def _weights(self, numbers, sample_weight):
        """The weights of rows times those of their classes."""
        if self.class_weight is None:
            return sample_weight
        labelled = numbers >= 0
        weights = np.ones(len(numbers)) if sample_weight is None else sample_weight.copy()
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(f"class_weight: found {self.class_weight!r}, expected 'balanced', a dict or None")
            sums = np.bincount(numbers[labelled], weights[labelled], len(self.classes_))
            of_class = sums.sum() / (len(self.classes_) * np.where(sums > 0, sums, 1.0))
        else:
            of_class = np.array([self.class_weight.get(label, 1.0) for label in self.classes_.tolist()])
        weights[labelled] *= of_class[numbers[labelled]]
        return weights

    def _targets(self, numbers):
        """For each model its labels: one of two classes, or each of several against all others, or all of them at once."""
        if self.loss in AT_ONCE:
            refuse_without_order(self.classes_, self.loss)
            if np.any(numbers < 0):
                raise ValueError(f"y: found {np.sum(numbers < 0)} rows without a label, expected none for the loss {self.loss}")
            yield Labels.of_numbers(numbers.astype(np.float64), self.classes_)
            return
        positives = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        for k in positives:
            yield Labels.of_numbers(np.where(numbers < 0, np.nan, np.where(numbers == k, 1.0, -1.0)), self.classes_)

    def decision_function(self, X, offset=None):
        """The score of each row; of several classes one for each of them, with the loss ordinal the log odds of a class above
        the lowest one."""
        return self._scores(X, offset)

    def predict(self, X, offset=None):
        """The class of each row."""
        scores = self._scores(X, offset)
        if self.loss in ORDERED:
            return self.classes_[ordered_shares(scores, self.intercept_).argmax(axis=1)]
        return self.classes_[(scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _has_probabilities(self):
        if self.loss in ("logistic", *AT_ONCE):
            return True
        raise AttributeError(f"the loss {self.loss!r} has no probabilities; 'logistic' has")

    @available_if(_has_probabilities)
    def predict_proba(self, X, offset=None):
        """The probability of each class; of several classes those of one against all others, made to sum up to 1, or with
        the losses multinomial and ordinal its own."""
        scores = self._scores(X, offset)
        if self.loss in ORDERED:
            return ordered_shares(scores, self.intercept_)
        if scores.ndim == 2 and self.loss in MANY_CLASSES:
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
            return odds / odds.sum(axis=1, keepdims=True)
        positive = logistic(scores)
        if scores.ndim == 1:
            return np.column_stack([logistic(-scores), positive])
        sums = positive.sum(axis=1, keepdims=True)
        even = np.full_like(positive, 1.0 / len(self.classes_))
        return np.divide(positive, sums, out=even, where=sums > 0)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X, offset=None):
        """Their logarithms."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset))


def _allow_nan():
    names = inspect.signature(check_array).parameters
    return {"ensure_all_finite" if "ensure_all_finite" in names else "force_all_finite": "allow-nan"}


_ALLOW_NAN = _allow_nan()


def _of_classes(coefficients, intercepts):
    """Of one fit with a score for each class; of two classes their difference says all."""
    if len(coefficients) > 2:
        return coefficients, intercepts
    return np.diff(coefficients, axis=0), np.diff(intercepts)


def _of_all_classes(estimator):
    """What one fit of all classes has found: a score for each of them, or boundaries between those in an order."""
    if estimator.loss in ORDERED:
        estimator.intercept_ = estimator.intercept_[0]
    elif estimator.coef_.ndim == 3 and estimator._wants_classes:
        estimator.coef_, estimator.intercept_ = _of_classes(estimator.coef_[0], estimator.intercept_[0])


class _One(_Sparse):
    """An estimator that makes one fit at one lambda."""

    def _fit_one(self, y, data, sample_weight, offset, survival):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # convergence is said once, of all classes
            return fit_one(
                data, y, lam=self.lam, lam_ratio=self.lam_ratio, sample_weight=sample_weight, offset=offset,
                penalty_factors=self.penalty_factors, lower=self.lower, upper=self.upper, **survival, **self._given_groups(data),
                callback=self._callback(), **self._given_settings(),
            )

    def _fit_all(self, X, targets, sample_weight, offset, **survival):
        """One fit for each of the targets; survival: entries and strata. Ctrl-C leaves the best model so far in the estimator."""
        data, fits = as_data(X, self.n_jobs), []
        self._given_settings()
        try:
            for labels in targets:
                fits.append(self._fit_one(labels, data, sample_weight, offset, survival))
        except KeyboardInterrupt as interrupt:
            if hasattr(interrupt, "result"):
                fits.append(interrupt.result)
                self._keep(fits)
            raise
        self._keep(fits)
        self._warn(fits)
        return self

    def _keep(self, fits):
        for fit in fits:
            fit.feature_names = getattr(self, "feature_names_in_", None)
        self.coef_ = np.array([fit.coefficients for fit in fits])
        self.intercept_ = np.array([fit.intercept for fit in fits])
        _of_all_classes(self)
        self.lam_ = fits[0].lam if len(fits) == 1 else np.array([fit.lam for fit in fits])
        self.n_iter_ = max(1, *(fit.iterations for fit in fits)) if len(fits) > 1 else max(1, fits[0].iterations)
        self.certificate_ = max(fit.stationarity for fit in fits)
        self.converged_ = all(fit.converged for fit in fits)
        self.fits_ = fits


@with_parameters(PROBLEM, loss="squared", penalty="mcp")
class SparseRegressor(_Regressor, _One):
    """A sparse linear model of numbers, with a penalty that need not be convex.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_, intercept_ : the model; most coefficients are 0. With several columns of y a row and a number for each of them
    lam_ : the weight of the penalty that was used
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations, at least 1
    n_features_in_, feature_names_in_ : of X
    fits_ : the dcpn.Fit
    """

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the model."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        weights, X, numbers, offset = self._that_weigh(sample_weight, X, _numbers(y), offset)
        return self._fit_all(X, [self._given_numbers(numbers)], weights, offset)

    def _keep(self, fits):
        super()._keep(fits)
        self._keep_responses()


@with_parameters({**PROBLEM, "class_weight": None, "unlabelled": None}, loss="logistic", penalty="mcp")
class SparseClassifier(_Classifier, _One):
    """A sparse linear classifier, with a loss and a penalty that need not be convex.

    Of more than two classes each is told from all others, or with loss="multinomial" all are fitted at once, which
    `class_grouping` belongs to. Classes in an order, which are numbers, have one score and boundaries with loss="ordinal". Rows without a label take part (see unlabelled_weight).

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_, intercept_ : one row for two classes, else one for each class; most coefficients are 0. With loss="ordinal" one row,
        and an intercept for each boundary between two classes
    classes_ : the classes
    lam_ : the weight of the penalty that was used
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations, at least 1
    n_features_in_, feature_names_in_ : of X
    fits_ : a dcpn.Fit for each model
    """

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the model."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        numbers = self._classes(y, sample_weight)
        weights = self._weights(numbers, sample_weight)
        weights, X, numbers, offset = self._that_weigh(weights, X, numbers, offset)
        return self._fit_all(X, self._targets(numbers), weights, offset)


class _Chosen(_Sparse):
    """An estimator that chooses penalty and lambda by cross-validation."""

    def _splits(self, X, y):
        """For each row the test set that it is in, -1 for none; None where the library draws the folds."""
        if self.cv is None or isinstance(self.cv, (int, np.integer)):
            return None
        fold_of = np.full(X.shape[0], -1, np.int64)
        for number, (_, test) in enumerate(check_cv(self.cv, y, classifier=self._wants_classes).split(X, y)):
            if np.any(fold_of[test] >= 0):
                raise ValueError("cv: found a row in two test sets, expected folds: each row in one")
            fold_of[test] = number
        return fold_of

    def _folds(self, splits, labelled):
        """The words that say the folds: how many, or which fold each row is in."""
        if splits is None:
            return {"folds": min(10 if self.cv is None else int(self.cv), int(np.sum(labelled)))}
        if np.any(splits[labelled] < 0):
            raise ValueError("cv: found a row in no test set, expected folds: each row in one")
        return {"folds": np.where(labelled, splits, 0)}

    def _choose(self, data, labels, sample_weight, offset, folds, survival):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cross_validate(
                data, labels, **folds, repeats=self.repeats, seed=self.seed, measure=self.measure, rule=self.rule, relax=self.relax,
                features_kept=self.features_kept, stability=self.stability,
                patience=self.patience, lambdas=self.lambdas, n_lambdas=self.n_lambdas, min_ratio=self.min_ratio, penalties=self.penalties,
                values=self.values, sample_weight=sample_weight, offset=offset, penalty_factors=self.penalty_factors,
                lower=self.lower, upper=self.upper, callback=self._callback(), **survival, **self._given_groups(data), **self._settings_of_paths(),
            )

    def _settings_of_paths(self):
        """Where penalties are named besides, that of the settings is not read."""
        settings = self._given_settings()
        is_read = self.penalties is None and self.values is None
        return settings if is_read or settings["penalty"] != "several" else {**settings, "penalty": "mcp"}

    def _fit_all(self, X, targets, folds, sample_weight, offset, **survival):
        data, found = as_data(X, self.n_jobs), []
        self._given_settings()
        for labels in targets:
            found.append(self._choose(data, labels, sample_weight, offset, folds, survival))
        self._keep(found)
        return self

    def _keep(self, found):
        chosen = [cv.coefficients() for cv in found]
        self.coef_ = np.array([coefficients for coefficients, _ in chosen])
        self.intercept_ = np.array([intercept for _, intercept in chosen])
        _of_all_classes(self)
        for path in (path for cv in found for path in cv.paths):
            path.feature_names = getattr(self, "feature_names_in_", None)
        paths = [cv.paths[cv.chosen.path] for cv in found]
        points = [cv.chosen.point for cv in found]
        self.lam_ = [float(path.lambdas[k]) for path, k in zip(paths, points)]
        self.penalty_ = ["refitted" if path.kind == "by-size" else path.penalty for path in paths]
        self.value_ = [path.value if path.varying else None for path in paths]
        self.certificate_ = max(float(path.stationarity[k]) for path, k in zip(paths, points))
        self.converged_ = all(bool(path.converged[k]) for path, k in zip(paths, points))
        self.n_iter_ = max(1, *(int(path.iterations[k]) for path, k in zip(paths, points)), 1)
        self.cv_ = found
        if len(found) == 1:
            self.cv_, self.lam_, self.penalty_, self.value_ = found[0], self.lam_[0], self.penalty_[0], self.value_[0]


@with_parameters(CROSS_VALIDATION, loss="squared", penalty="several")
class SparseRegressorCV(_Regressor, _Chosen):
    """A sparse linear model of numbers; cross-validation chooses penalty, shape and lambda.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_, intercept_ : the chosen model; most coefficients are 0. With several columns of y a row and a number for each
    lam_, penalty_, value_ : what was chosen; penalty_ is 'refitted' for a model that was fitted again without the penalty
    cv_ : the dcpn.CrossValidation, with all paths
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations of the chosen fit, at least 1
    n_features_in_, feature_names_in_ : of X
    """

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the paths, chooses, and keeps the chosen model."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        splits, y = self._splits(X, y), _numbers(y)
        weights, X, y, offset, splits = self._that_weigh(sample_weight, X, y, offset, splits)
        return self._fit_all(X, [self._given_numbers(y)], self._folds(splits, np.ones(len(y), bool)), weights, offset)

    def _keep(self, found):
        super()._keep(found)
        self._keep_responses()


@with_parameters({**CROSS_VALIDATION, "class_weight": None, "unlabelled": None}, loss="logistic", penalty="several")
class SparseClassifierCV(_Classifier, _Chosen):
    """A sparse linear classifier; cross-validation chooses penalty, shape and lambda.

    Of more than two classes each is told from all others, and has a choice of its own; with loss="multinomial" there is one
    fit and one choice for all. Rows without a label take part in
    every fit and are in no fold.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_, intercept_ : the chosen model, one row for two classes, else one for each class
    classes_ : the classes
    lam_, penalty_, value_ : what was chosen, as in SparseRegressorCV; lists of more than two classes
    cv_ : the dcpn.CrossValidation, with all paths; likewise
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations of the chosen fit, at least 1
    n_features_in_, feature_names_in_ : of X
    """

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the paths, chooses, and keeps the chosen model."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        numbers = self._classes(y, sample_weight)
        splits, weights = self._splits(X, y), self._weights(numbers, sample_weight)
        weights, X, numbers, offset, splits = self._that_weigh(weights, X, numbers, offset, splits)
        return self._fit_all(X, self._targets(numbers), self._folds(splits, numbers >= 0), weights, offset)
