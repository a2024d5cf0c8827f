# SPDX-License-Identifier: BSD-3-Clause
"""Estimators of times to events: Cox's partial likelihood, with the habits of scikit-learn."""

import numpy as np

from ._estimators import CROSS_VALIDATION, PROBLEM, _Chosen, _One, _Sparse, with_parameters
from ._inputs import OF_TIMES, Labels, as_survival, as_times, vector


def concordance(times, scores, weights=None):
    """Of the pairs of rows of which it is known whose event came first, the share where that row has the larger score; equal
    scores count half. times: negative, -0.0 too, where no event has ended them. NaN: there is no such pair."""
    had_event, until = ~np.signbit(times), np.abs(times)
    weights = np.ones(len(times)) if weights is None else weights
    right = pairs = 0.0
    for i in np.flatnonzero(had_event):
        later = (until > until[i]) | ((until == until[i]) & ~had_event)
        weight = weights[i] * weights[later]
        right += np.sum(weight * ((scores[i] > scores[later]) + 0.5 * (scores[i] == scores[later])))
        pairs += np.sum(weight)
    return right / pairs if pairs > 0 else np.nan


class _Survival(_Sparse):
    def _given_settings(self):
        if self.loss not in OF_TIMES:
            raise ValueError(f"loss: found {self.loss!r}, expected {OF_TIMES[0]!r}")
        return super()._given_settings()

    def _check(self, X, y, sample_weight, offset):
        return super()._check(X, y if y is None else as_times(y), sample_weight, offset)

    def _check_survival(self, entry, strata, rows):
        """Entries and strata as two vectors; those that are not given are None."""
        found = as_survival(entry, strata, self.loss, rows) or (None, None)
        for what, numbers in zip(("entry", "strata"), found):
            if numbers is not None and len(numbers) != rows:
                raise ValueError(f"{what}: found {len(numbers)} entries, expected {rows}")
        return found

    def _plain(self):
        raise ValueError("to_sklearn: found the loss 'cox', expected one of numbers or classes: scikit-learn has no such model")

    def decision_function(self, X, offset=None):
        """The score of each row: the logarithm of its risk relative to a row of score 0."""
        return self._scores(X, offset)

    def predict(self, X, offset=None):
        """The risk of each row relative to a row of score 0."""
        return np.exp(self._scores(X, offset))

    def score(self, X, y, sample_weight=None, offset=None):
        """The concordance: the share of comparable pairs whose order is right."""
        scores = self._scores(X, offset)
        return float(concordance(as_times(y), scores, vector(sample_weight, "sample_weight", len(scores))))


@with_parameters(PROBLEM, loss="cox", penalty="mcp")
class SparseCox(_Survival, _One):
    """A sparse proportional hazards model of times to events, with a penalty that need not be convex.

    y is a structured array with an event and a time, as scikit-survival makes them; a table of two columns, the time and then
    whether there was an event; or numbers, which are negative where there was none.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_ : the logarithms of the hazard ratios; most are 0. intercept_ is 0
    lam_ : the weight of the penalty that was used
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations, at least 1
    n_features_in_, feature_names_in_ : of X
    fits_ : the dcpn.Fit
    """

    def fit(self, X, y, sample_weight=None, offset=None, entry=None, strata=None):
        """Fits the model. entry: from when on a row was under observation; strata: labels of rows that are compared with none
        but their own kind."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        entry, strata = self._check_survival(entry, strata, len(y))
        weights, X, y, offset, entry, strata = self._that_weigh(sample_weight, X, y, offset, entry, strata)
        return self._fit_all(X, [Labels.of_numbers(y)], weights, offset, entry=entry, strata=strata)

    def _keep(self, fits):
        super()._keep(fits)
        self.coef_, self.intercept_ = self.coef_[0], float(self.intercept_[0])


@with_parameters(CROSS_VALIDATION, loss="cox", penalty="several")
class SparseCoxCV(_Survival, _Chosen):
    """A sparse proportional hazards model of times to events; cross-validation chooses penalty, shape and lambda.

    y is that of SparseCox. Folds are measured by the deviance of the partial likelihood and by the concordance.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_ : the logarithms of the hazard ratios of the chosen model; most are 0. intercept_ is 0
    lam_, penalty_, value_ : what was chosen
    cv_ : the dcpn.CrossValidation, with all paths
    certificate_ : distance to stationarity; converged_ : is it below the tolerance?
    n_iter_ : iterations of the chosen fit, at least 1
    n_features_in_, feature_names_in_ : of X
    """

    def fit(self, X, y, sample_weight=None, offset=None, entry=None, strata=None):
        """Fits the paths, chooses, and keeps the chosen model; entry and strata are those of SparseCox."""
        X, y, sample_weight, offset = self._check(X, y, sample_weight, offset)
        entry, strata = self._check_survival(entry, strata, len(y))
        splits = self._splits(X, y)
        weights, X, y, offset, entry, strata, splits = self._that_weigh(sample_weight, X, y, offset, entry, strata, splits)
        folds = self._folds(splits, np.ones(len(y), bool))
        return self._fit_all(X, [Labels.of_numbers(y)], folds, weights, offset, entry=entry, strata=strata)

    def _keep(self, found):
        super()._keep(found)
        self.coef_, self.intercept_ = self.coef_[0], float(self.intercept_[0])
