# SPDX-License-Identifier: BSD-3-Clause
"""Sparse learning with non-convex losses and penalties, by the DC proximal Newton algorithm.

    import dcpn
    model = dcpn.SparseClassifierCV(penalties=["l1", "mcp"]).fit(X, y)

Estimators with the habits of scikit-learn: SparseRegressor, SparseClassifier, SparseRegressorCV, SparseClassifierCV,
SparseCox, SparseCoxCV; and for matrices GraphicalModel, NodewiseGraph, MatrixCompletion, SparseFactorization.
TableCoder makes numbers of the texts and gaps of a DataFrame.
Functions: fit, path, cv, read, load; and to say how sure one may be, knockoffs and intervals. `dcpn.settings()` lists
everything that can be set.
"""

from ._core import version as __version__
from ._functions import Dataset, cv, fit, path, read, settings
from ._inference import Intervals, Knockoffs, intervals, knockoffs
from ._load import load
from ._own import Regularizer, minimize
from ._progress import Progress
from ._results import Choice, ConvergenceWarning, CrossValidation, Fit, Path, Stability

_ESTIMATORS = ("SparseRegressor", "SparseClassifier", "SparseRegressorCV", "SparseClassifierCV", "SparseCox", "SparseCoxCV")
_TABLES = ("TableCoder",)
_MATRICES = ("GraphicalModel", "NodewiseGraph", "MatrixCompletion", "SparseFactorization")

__all__ = [
    "Choice",
    "ConvergenceWarning",
    "CrossValidation",
    "Dataset",
    "Fit",
    "Intervals",
    "Knockoffs",
    "Path",
    "Progress",
    "Regularizer",
    "Stability",
    "cv",
    "fit",
    "intervals",
    "knockoffs",
    "load",
    "minimize",
    "path",
    "read",
    "settings",
    "__version__",
    *_ESTIMATORS,
    *_MATRICES,
    *_TABLES,
]


def __getattr__(name):
    """scikit-learn is loaded when an estimator is used, not before."""
    if name in _ESTIMATORS:
        from . import _estimators, _survival

        return getattr(_survival if "Cox" in name else _estimators, name)
    if name in _TABLES:
        from . import _table

        return getattr(_table, name)
    if name in _MATRICES:
        from . import _matrices

        return getattr(_matrices, name)
    raise AttributeError(f"module 'dcpn' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
