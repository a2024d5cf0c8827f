# SPDX-License-Identifier: BSD-3-Clause
"""Estimators on Dask arrays: fitted by the workers, and predicting chunk by chunk."""

import dask.array as da
import numpy as np

from . import _estimators
from . import dask as by_dask
from ._inputs import MANY_CLASSES


def _of_chunk(chunk, estimator, method):
    return getattr(estimator, method)(chunk)


class _OnChunks:
    """What both have in common."""

    def _fit_on_workers(self, X, y, sample_weight, offset):
        words = self._given_settings()
        fitted = by_dask.fit(
            X, y, lam=self.lam, lam_ratio=self.lam_ratio, sample_weight=sample_weight, offset=offset,
            penalty_factors=self.penalty_factors, lower=self.lower, upper=self.upper, groups=self.groups,
            group_weights=self.group_weights, n_jobs=self.n_jobs, **words,
        )
        self.n_features_in_ = X.shape[1]
        return fitted

    def _plain_copy(self):
        """The same model as the estimator that takes arrays."""
        plain = type(self).__mro__[2](**self.get_params())
        plain.__dict__.update(self.__dict__)
        return plain

    def _by_chunks(self, X, method, columns=None):
        plain = self._plain_copy()
        if not isinstance(X, da.Array):
            return getattr(plain, method)(X)
        X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        meta = getattr(plain, method)(np.zeros((1, self.n_features_in_)))[:0]
        words = {"drop_axis": 1} if meta.ndim == 1 else {"chunks": (X.chunks[0], (meta.shape[1],))}
        return X.map_blocks(_of_chunk, plain, method, dtype=meta.dtype, meta=meta, **words)

    def predict(self, X):
        """What is predicted for each row, as a Dask array if X is one."""
        return self._by_chunks(X, "predict")


class SparseRegressor(_OnChunks, _estimators.SparseRegressor):
    """`dcpn.SparseRegressor` on Dask arrays; without the row vectors of `predict`."""

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the model by all workers."""
        self._keep([self._fit_on_workers(X, y, sample_weight, offset)])
        return self


class SparseClassifier(_OnChunks, _estimators.SparseClassifier):
    """`dcpn.SparseClassifier` on Dask arrays. More than two classes take loss="multinomial"; `class_weight` is for other data."""

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fits the model by all workers."""
        for name in ("class_weight", "unlabelled"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name}: found {getattr(self, name)!r}, expected None on Dask arrays; use sample_weight")
        fitted = self._fit_on_workers(X, y, sample_weight, offset)
        self.classes_ = np.asarray(fitted.classes)
        self._keep([fitted])
        return self

    def decision_function(self, X):
        """The score of each row; of several classes one for each of them."""
        return self._by_chunks(X, "decision_function")

    def predict_proba(self, X):
        """The probability of each class, with the losses logistic and multinomial."""
        if self.loss not in ("logistic", *MANY_CLASSES):
            raise AttributeError(f"the loss {self.loss!r} has no probabilities; 'logistic' has")
        return self._by_chunks(X, "predict_proba")
