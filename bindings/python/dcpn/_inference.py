# SPDX-License-Identifier: BSD-3-Clause
"""How sure one may be: features at a promised rate of false ones, and intervals of coefficients."""

import numpy as np

from ._functions import _problem, call
from ._inputs import as_data, feature_names
from ._results import doubles, integers, warn_of_notes


class Knockoffs:
    """Features of which at most a promised share is false.

    Attributes
    ----------
    selected : positions of the chosen features, ascending
    win : of each feature by how much it beats its copies, in the mean; below 0 it loses by so much
    frequency : share of the draws that choose each feature
    evidence : what the draws say together for each feature
    threshold : of `win` with one draw, else of `evidence`; infinite if nothing is chosen
    fdr : the share that was promised
    copies, draws : of each feature; of copies
    shrinkage : weight of the identity in the estimated correlations
    extra_rows : rows of noise that were added, with fixed features and few rows
    correlation : the mean of that of a feature with its copy
    lam : where coefficients were compared; NaN: by where features enter
    feature_names : names of the columns of a DataFrame; None
    """

    def __init__(self, found, fdr, names):
        self.selected, self.win = integers(found["index"]), doubles(found["win"])
        self.frequency, self.evidence = doubles(found["frequency"]), doubles(found["evidence"])
        self.threshold, self.lam, self.fdr = found["threshold"], found["lambda"], fdr
        self.copies, self.draws, self.shrinkage = found["copies"], found["draws"], found["shrinkage"]
        self.extra_rows, self.correlation = found["extra_rows"], found["correlation"]
        self.feature_names = names

    def __repr__(self):
        return f"<Knockoffs: {len(self.selected)} of {len(self.win)} features at the rate {self.fdr:g}>"


class Intervals:
    """Intervals of coefficients, one for each feature asked for.

    Attributes
    ----------
    features : their positions
    estimate, error : the coefficients and their standard errors
    low, high : the ends of the intervals
    statistic, p_value : of the coefficient being 0, two-sided
    beside : how many features each was adjusted for
    method : 'full', 'debiased' or 'double'
    deviation : of the noise; NaN with logistic loss
    level : the share of intervals that hold the coefficient
    feature_names : names of the columns of a DataFrame; None
    """

    def __init__(self, found, level, names):
        self.features, self.beside = integers(found["feature"]), integers(found["beside"])
        self.estimate, self.error = doubles(found["estimate"]), doubles(found["error"])
        self.low, self.high = doubles(found["low"]), doubles(found["high"])
        self.statistic, self.p_value = doubles(found["statistic"]), doubles(found["p_value"])
        self.method, self.deviation, self.level, self.feature_names = found["method"], found["deviation"], level, names

    def __len__(self):
        return len(self.features)

    def __repr__(self):
        return f"<Intervals: {len(self)} of level {self.level:g}, {self.method}>"


def knockoffs(
    X,
    y,
    *,
    fdr=0.1,
    kind="gaussian",
    statistic="coefficient",
    distance="mvr",
    copies=None,
    draws=None,
    lenient=False,
    seed=1,
    folds=None,
    sample_weight=None,
    offset=None,
    entry=None,
    strata=None,
    n_jobs=None,
    callback=None,
    **settings,
):
    """Chooses features of which at most a promised share is false, by knockoffs.

    Parameters
    ----------
    fdr : the expected share of false features among the chosen, at most
    kind : 'gaussian', rows of normal features and any loss, or 'fixed', any features, the loss squared and normal noise
    statistic : what is compared with copies: 'coefficient', at one lambda, or 'entry', the lambda where a feature enters
    distance : of copies: 'mvr', as different as can be together, or 'equal'
    copies : of each feature; None: four where a draw keeps to a rate below 0.2, else one
    draws : of copies, each at half the rate, that are put together by their evidence (5); 1: the plain filter
    lenient : chooses more, without the proof of the rate
    seed : of the copies and the folds
    folds : of the choice of lambda (10)

    The others are those of `fit`; the penalty is l1 if none is named.

    Returns
    -------
    Knockoffs
    """
    data = as_data(X, n_jobs)
    settings = {"penalty": "l1", **settings}
    labels, options, vectors = _problem(
        data, y, settings, sample_weight, offset, None, None, None, None, None, entry, strata
    )
    found = call(
        data.knockoffs, labels.numbers, options, vectors[0], vectors[1], vectors[6], callback, fdr=float(fdr), kind=kind,
        statistic=statistic, distance=distance, copies=int(copies or 0), draws=int(draws or 0), lenient=bool(lenient), seed=int(seed),
        folds=int(folds or 0)
    )
    warn_of_notes(found["notes"])
    return Knockoffs(found, fdr, feature_names(X))


def _positions(features, names, columns):
    """Positions of features that are named, or numbered from 0; None: of all."""
    if features is None:
        return None
    places = {} if names is None else {name: k for k, name in enumerate(names)}
    listed = [features] if isinstance(features, str) or np.ndim(features) == 0 else list(features)
    found = []
    for feature in listed:
        if feature in places:
            found.append(places[feature])
        elif isinstance(feature, str) or int(feature) != feature or not 0 <= feature < columns:
            raise ValueError(f"features: found {feature!r}, expected names of columns or positions from 0 to {columns - 1}")
        else:
            found.append(int(feature))
    return np.array(found, np.int64)


def intervals(
    X,
    y,
    *,
    features=None,
    level=0.95,
    method=None,
    seed=1,
    folds=None,
    sample_weight=None,
    offset=None,
    penalty_factors=None,
    n_jobs=None,
    callback=None,
    **settings,
):
    """Intervals and p values for the coefficients of a linear or logistic model of all features.

    Features that were chosen by the same rows have intervals that are too optimistic.

    Parameters
    ----------
    features : positions or names; None: all
    level : the share of intervals that hold the coefficient
    method : 'full', least squares or likelihood of all features; 'debiased', a sparse fit corrected for what it shrinks;
        'double', of what sparse fits of the labels and of the feature keep; None: full where rows are enough, else debiased
    seed, folds : of the choices of lambda

    The others are those of `fit`; the penalty of the sparse fit is l1 if none is named.

    Returns
    -------
    Intervals
    """
    data = as_data(X, n_jobs)
    names = feature_names(X)
    settings = {"penalty": "l1", **settings}
    labels, options, vectors = _problem(data, y, settings, sample_weight, offset, penalty_factors, None, None, None)
    found = call(
        data.intervals, labels.numbers, options, *vectors[:3], callback, level=float(level), method=method, seed=int(seed),
        features=_positions(features, names, data.shape()[1]), folds=int(folds or 0)
    )
    warn_of_notes(found["notes"])
    return Intervals(found, level, names)
