# SPDX-License-Identifier: BSD-3-Clause
"""Estimators whose unknown is a matrix: graphs, completions, factors. scikit-learn is loaded with this module."""

import os
import tempfile
import warnings

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._estimators import _ALLOW_NAN, validate_data
from ._functions import call
from ._inputs import as_data, in_order, is_sparse, vector
from ._settings import SETTINGS

_MISSING = -np.finfo(np.float64).max  # DCPN_MISSING
_LEAST_RIDGE = 0.01
_SHAPES = ("theta", "a", "gamma", "p", "eps", "shape_units", "tol", "max_iter", "max_time")


def _options(estimator, **words):
    """The settings of an estimator, by the options that they are."""
    words = {name: value for name, value in words.items() if value is not None}
    words.update((name, getattr(estimator, name)) for name in ("penalty", *_SHAPES) if getattr(estimator, name) is not None)
    return {SETTINGS[name].option: value for name, value in words.items()}


def _run(function, *arguments, **words):
    """What is there when Ctrl-C comes is not worth having: the exception is."""
    found = call(function, *arguments, **words)
    if found["exception"] is not None:
        raise found["exception"]
    return found


def _array(memory):
    return np.frombuffer(memory, dtype=np.float64).copy()


def _integers(memory):
    return np.frombuffer(memory, dtype=np.int64).copy()


def _weights(sample_weight):
    weights = vector(sample_weight, "sample_weight")
    if weights is not None and len(weights) and not np.any(weights):
        raise ValueError("sample_weight: found only zero weights, expected some above 0")
    return weights


class _TakesSparse:
    """Estimators that take SciPy matrices say so."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _warn(found, what):
    if not found["converged"]:
        warnings.warn(f"the {what} ended before it was done: {found['outcome']}; raise max_iter or tol", ConvergenceWarning, stacklevel=3)


class _Kept:
    """What the library has made, for files and pages; a pickle of it has the text of the file."""

    def __init__(self, made):
        self.made = made

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.json")
            self.made.save(path)
            with open(path, "rb") as file:
                return _kept_again, (file.read(),)


def _kept_again(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.json")
        with open(path, "wb") as file:
            file.write(text)
        return _Kept(_core.KeptMatrix.read(path))


class _Filed:
    """Files and pages of what has been fitted."""

    def save(self, path):
        """Writes the file that the command would write with -o, which it reads as well: dcpn predict, dcpn report, dcpn info."""
        check_is_fitted(self)
        self._kept.made.save(os.fspath(path))

    def report(self, path, title=None, image_shape=None):
        """Writes the page that dcpn report makes; image_shape, of factors: atoms are images of so many rows and columns."""
        check_is_fitted(self)
        rows, columns = (0, 0) if image_shape is None else image_shape
        length = self.components_.shape[1] if hasattr(self, "components_") else None
        if image_shape is not None and (rows < 1 or columns < 1 or rows * columns != length):
            raise ValueError(f"image_shape: found {image_shape!r}, expected rows and columns of atoms that have {length} numbers")
        self._kept.made.report(os.fspath(path), str(type(self).__name__ if title is None else title), int(rows), int(columns))


class GraphicalModel(_TakesSparse, _Filed, BaseEstimator):
    """Which variables depend on one another when all others are known: the sparse inverse of their covariance.

    Minimises -log det K + tr(S K) + ridge/2 |K|^2 + sum over i != j of p(|K_ij|), S the correlation of the columns (their
    covariance with standardize=False). Without lam a path of lambdas is followed, and `rule` chooses: "ebic" or "cv".

    Parameters
    ----------
    penalty : name of the penalty; shapes theta, a, gamma, p, eps as for the other estimators
    lam : float or None; None: n_lambdas of them, or `lambdas`
    rule : {"ebic", "cv"}; ebic_gamma, from 0 to 1, is how much edges cost
    stability : int; halves of the rows on which edges are counted
    ridge : float or None; None: 0, or 0.01 with a warning where F would have no minimiser: fewer rows than variables, and a penalty
        that is bounded
    assume_covariance : bool; fit takes a covariance matrix, of `rows` rows

    Attributes
    ----------
    precision_, covariance_, location_ : K, its inverse, the means
    partial_correlation_ : -K_ij / sqrt(K_ii K_jj)
    edges_ : array of pairs; stability_ : how often each was there, or None
    lam_, objective_, violation_, goal_ : the end that was chosen, and its certificate
    path_ : a list of dictionaries, one for each lambda
    """

    def __init__(self, *, penalty="mcp", lam=None, lambdas=None, n_lambdas=30, min_ratio=0.05, rule="ebic", ebic_gamma=0.5, cv=10,
                 stability=0, seed=0, ridge=None, standardize=True, penalize_diagonal=False, penalty_factors=None,
                 assume_covariance=False, rows=0, theta=None, a=None, gamma=None, p=None, eps=None, shape_units=None, tol=None,
                 max_iter=None, max_time=None, n_jobs=None):
        values = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, values[name])

    def fit(self, X, y=None, sample_weight=None):
        """X: rows of variables, or their covariance matrix with assume_covariance."""
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=2, ensure_min_features=2)
        if self.rule not in ("ebic", "cv"):
            raise ValueError(f"rule: found {self.rule!r}, expected 'ebic' or 'cv'")
        words = dict(covariance=bool(self.assume_covariance), rows=float(self.rows), weights=_weights(sample_weight),
                     lambdas=vector(self.lambdas, "lambdas"), min_ratio=float(self.min_ratio), rule=self.rule == "cv",
                     gamma=float(self.ebic_gamma) if self.ebic_gamma > 0 else -1.0, folds=int(self.cv) if self.rule == "cv" else 0, seed=int(self.seed),
                     subsamples=int(self.stability), penalize_diagonal=bool(self.penalize_diagonal))
        words["n_lambdas"] = 0 if self.lam is not None else int(self.n_lambdas)
        if self.penalty_factors is not None:
            words["factors"] = in_order(self.penalty_factors, np.float64).ravel()
        data = as_data(X, self.n_jobs)
        try:
            found = self._found(data, 0.0 if self.ridge is None else self.ridge, words)
        except ValueError as error:
            if self.ridge is not None or "no minimiser" not in str(error):
                raise
            warnings.warn(f"ridge={_LEAST_RIDGE} is taken: without it F has no minimiser, since the covariance is singular", stacklevel=2)
            found = self._found(data, _LEAST_RIDGE, words)
        self._take(found, X.shape[1])
        return self

    def _found(self, data, ridge, words):
        return _run(data.graph, _options(self, ridge=ridge, standardize=bool(self.standardize), lam=self.lam), **words)

    def _take(self, found, p):
        first, second, value, diagonal, mean, stability = found["edges"]
        first, second, value = _integers(first), _integers(second), _array(value)
        self.precision_ = np.diag(_array(diagonal))
        self.precision_[first, second] = self.precision_[second, first] = value
        self.covariance_ = np.linalg.inv(self.precision_)
        self.location_ = _array(mean)
        scale = np.sqrt(np.diag(self.precision_))
        self.partial_correlation_ = -self.precision_ / scale / scale[:, None]
        np.fill_diagonal(self.partial_correlation_, 1.0)
        self.edges_ = np.column_stack([first, second])
        self._kept = _Kept(found["kept"])
        self.stability_ = None if stability is None else _array(stability)
        self.path_ = found["points"]
        chosen = self.path_[found["chosen"]]
        self.lam_, self.objective_ = chosen["lambda"], chosen["objective"]
        self.violation_, self.goal_, self.n_iter_ = chosen["violation"], chosen["goal"], chosen["iterations"]
        _warn(chosen, "graph")

    def impute(self, X):
        """Conditional expectations in the place of NaN: a copy of X."""
        check_is_fitted(self)
        X = np.array(X, np.float64, ndmin=2)
        if X.shape[1] != len(self.precision_):
            raise ValueError(f"X: found {X.shape[1]} columns, expected {len(self.precision_)}")
        for row in X:
            missing = np.isnan(row)
            if missing.any():
                K = self.precision_[missing]
                row[missing] = self.location_[missing] - np.linalg.solve(K[:, missing], K[:, ~missing] @ (row - self.location_)[~missing])
        return X

    def score(self, X, y=None):
        """The mean log-likelihood of rows, up to a constant: (log det K - tr(S K)) / 2."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse=("csr", "csc"), dtype=np.float64)
        X = (X.toarray() if is_sparse(X) else X) - self.location_
        return 0.5 * (np.linalg.slogdet(self.precision_)[1] - np.mean(np.sum((X @ self.precision_) * X, axis=1)))


class NodewiseGraph(_TakesSparse, _Filed, BaseEstimator):
    """Which variables depend on one another, by a fit of each to all others: the Ising model for variables of two values, which
    have the logistic loss, and graphs of both kinds, others having the squared loss.

    Parameters
    ----------
    join : {"and", "or"}; an edge is where both fits keep the other variable, or one of them
    two_values : bool; a variable of more than two values is refused
    lam : float or None; None: each fit chooses by EBIC among `n_lambdas`, or among `lambdas`

    Attributes
    ----------
    edges_ : array of pairs; weights_ : of each, the root of the product of its two coefficients, with their sign
    coefficients_ : SciPy matrix whose row i is the fit of variable i; intercepts_
    lams_, objectives_, violations_, goals_ : of each fit
    """

    def __init__(self, *, penalty="mcp", lam=None, lambdas=None, n_lambdas=30, min_ratio=0.05, ebic_gamma=0.5, join="and",
                 two_values=False, ridge=0.0, standardize=True, theta=None, a=None, gamma=None, p=None, eps=None, shape_units=None,
                 tol=None, max_iter=None, max_time=None, n_jobs=None):
        values = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, values[name])

    def fit(self, X, y=None, sample_weight=None):
        """X: rows of variables."""
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=2, ensure_min_features=2)
        if self.join not in ("and", "or"):
            raise ValueError(f"join: found {self.join!r}, expected 'and' or 'or'")
        lambdas = self.lambdas if self.lam is None else [self.lam]
        found = call(as_data(X, self.n_jobs).neighbours, _options(self, ridge=self.ridge, standardize=bool(self.standardize)),
                     weights=_weights(sample_weight), lambdas=vector(lambdas, "lambdas"), n_lambdas=int(self.n_lambdas),
                     min_ratio=float(self.min_ratio), gamma=float(self.ebic_gamma) if self.ebic_gamma > 0 else -1.0,
                     either=self.join == "or", two_values=bool(self.two_values))
        from scipy.sparse import csr_matrix

        p = X.shape[1]
        self.coefficients_ = csr_matrix((_array(found["value"]), _integers(found["index"]), _integers(found["first"])), shape=(p, p))
        self.edges_ = _integers(found["ends"]).reshape(-1, 2)
        self.weights_ = _array(found["weights"])
        self._kept = _Kept(found["kept"])
        fits = _array(found["fits"]).reshape(p, 6).T
        self.intercepts_, self.lams_, self.objectives_, self.violations_, self.goals_ = fits[:5]
        _warn({"converged": fits[5].all(), "outcome": f"{int(p - fits[5].sum())} of {p} fits"}, "graph")
        return self

    def impute(self, X):
        """A copy of X in which NaN is what the variable's own fit expects, given the others; of 0 and 1 the probability of 1.
        Where several are missing in a row, they take turns until none changes (the mean field)."""
        check_is_fitted(self)
        X = np.array(X, np.float64, ndmin=2, order="C")
        if X.ndim != 2 or X.shape[1] != len(self.intercepts_):
            raise ValueError(f"X: found the shape {X.shape}, expected rows of {len(self.intercepts_)} variables")
        self._kept.made.fill(X)
        return X


class MatrixCompletion(_TakesSparse, _Filed, BaseEstimator):
    """A matrix of low rank from some of its entries, NaN being those that are not seen.

    Minimises half the sum of squares over the entries seen and p of each singular value; with sparse_lam there is a sparse part
    beside it. Without lam entries that are held out choose one.

    Attributes
    ----------
    U_, singular_values_, V_, offset_ : X = U diag(sigma) V' + offset
    sparse_ : the sparse part, a SciPy matrix, or None
    rank_, lam_, held_out_error_, objective_, violation_, goal_
    """

    def __init__(self, *, penalty="mcp", lam=None, lambdas=None, n_lambdas=20, min_ratio=0.05, held_out=0.1, center=False,
                 sparse_lam=0.0, sparse_penalty="l1", most_rank=200, seed=0, theta=None, a=None, gamma=None, p=None, eps=None,
                 shape_units=None, tol=1e-3, max_iter=None, max_time=None, n_jobs=None):
        values = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, values[name])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self):
        return {"allow_nan": True}

    def fit(self, X, y=None):
        """X: an array with NaN, or a SciPy matrix whose stored entries are those seen."""
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, ensure_min_samples=2, ensure_min_features=2, **_ALLOW_NAN)
        shape = X.shape
        if is_sparse(X):
            entries = X.tocoo()
            row, column, value = entries.row, entries.col, entries.data
        else:
            row, column = np.nonzero(~np.isnan(X))
            value = X[row, column]
        table = np.column_stack([row, column, value]).astype(np.float64)
        if len(table) == 0:
            raise ValueError("X: found no entry that is seen, expected some")
        words = dict(lambdas=vector(self.lambdas, "lambdas"), n_lambdas=0 if self.lam is not None else int(self.n_lambdas),
                     min_ratio=float(self.min_ratio), held_out=float(self.held_out), seed=int(self.seed), center=bool(self.center),
                     most_rank=int(self.most_rank), sparse_lambda=float(self.sparse_lam), sparse_penalty=self.sparse_penalty)
        data = as_data(table, self.n_jobs)
        found = _run(data.complete, _options(self, lam=self.lam), int(shape[0]), int(shape[1]), **words)
        self._take(found, shape)
        return self

    def _take(self, found, shape):
        U, sigma, V, row, column, value = found["factors"]
        self.singular_values_ = _array(sigma)
        self.rank_ = len(self.singular_values_)
        self._kept = _Kept(found["kept"])
        self.U_, self.V_ = _array(U).reshape(shape[0], self.rank_), _array(V).reshape(shape[1], self.rank_)
        self.sparse_ = None
        if self.sparse_lam > 0:
            from scipy.sparse import csr_matrix

            self.sparse_ = csr_matrix((_array(value), (_integers(row), _integers(column))), shape=shape)
        self.lam_, self.lam_max_, self.offset_ = found["lambda"], found["lambda_max"], found["offset"]
        self.objective_, self.violation_, self.goal_ = found["objective"], found["violation"], found["goal"]
        self.held_out_error_, self.n_iter_ = found["held_out_error"], found["iterations"]
        _warn(found, "completion")

    def complete(self):
        """The whole matrix of low rank."""
        check_is_fitted(self)
        return (self.U_ * self.singular_values_) @ self.V_.T + self.offset_

    def entries(self, rows, columns):
        """Its values at some places, from 0."""
        check_is_fitted(self)
        return np.sum(self.U_[rows] * self.singular_values_ * self.V_[columns], axis=-1) + self.offset_

    def fit_transform(self, X, y=None):
        """X with what is not seen filled in."""
        whole = self.fit(X).complete()
        if is_sparse(X):
            return whole
        X = np.asarray(X, np.float64)
        return np.where(np.isnan(X), whole, X)


class SparseFactorization(_Filed, TransformerMixin, BaseEstimator):
    """X is about C D with sparse codes C and atoms D of length at most 1: dictionary learning, NMF (nonnegative=True), or with
    of_columns=True sparse components, whose codes belong to features. NaN is not seen: the squares leave it out.

    Parameters
    ----------
    atom_lam, atom_penalty : a penalty of the entries of atoms as well
    ridge : of the codes
    batch : rows at a time, for more of them than memory has room for; 0: all
    start : array of atoms, one a row, to begin with, such as the components_ of an earlier fit; of columns codes_.T

    Attributes
    ----------
    components_ : the atoms, one a row (with of_columns: the codes, transposed, so that rows are components)
    codes_ : of the rows X was fitted to
    objective_, unexplained_, codes_violation_, atoms_violation_ and their goals
    """

    def __init__(self, n_components=10, *, penalty="l1", lam=0.1, nonnegative=False, nonnegative_codes=False, nonnegative_atoms=False,
                 of_columns=False, atom_lam=0.0, atom_penalty=None, ridge=0.0, batch=0, start=None, seed=1, theta=None, a=None, gamma=None,
                 p=None, eps=None, shape_units=None, tol=None, max_iter=None, max_time=None, n_jobs=None):
        values = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, values[name])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self):
        """The same for scikit-learn before 1.6."""
        return {"allow_nan": True}

    def _data(self, X, **words):
        """X with NaN, which is not seen, as the library marks it."""
        X = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, **_ALLOW_NAN, **words)
        values = X.data if is_sparse(X) else X
        if np.isnan(values).any():
            X = X.copy() if is_sparse(X) else X
            filled = np.where(np.isnan(values), _MISSING, values)
            if is_sparse(X):
                X.data = filled
            else:
                X = filled
        return X

    def _start(self, X):
        if self.start is None:
            return None
        start, shape = in_order(self.start, np.float64), (int(self.n_components), X.shape[0] if self.of_columns else X.shape[1])
        if start.shape != shape:
            raise ValueError(f"start: found the shape {start.shape}, expected atoms of the shape {shape}")
        return start.ravel()

    def fit(self, X, y=None):
        X = self._data(X)
        nonnegative_codes = bool(self.nonnegative or self.nonnegative_codes)
        settings = _options(self, lam=self.lam, ridge=float(self.ridge))
        found = _run(as_data(X, self.n_jobs).factor, settings, int(self.n_components), of_columns=bool(self.of_columns),
                     nonnegative_codes=nonnegative_codes, nonnegative_atoms=bool(self.nonnegative or self.nonnegative_atoms),
                     atom_lambda=float(self.atom_lam), atom_penalty=self.atom_penalty, batch=int(self.batch), seed=int(self.seed),
                     start=self._start(X))
        from scipy.sparse import csr_matrix

        first, index, value = found["codes"]
        count = X.shape[1] if self.of_columns else X.shape[0]
        codes = csr_matrix((_array(value), _integers(index), _integers(first)), shape=(count, int(self.n_components)))
        atoms = _array(found["atoms"]).reshape(int(self.n_components), -1)
        self.components_ = codes.T.toarray() if self.of_columns else atoms
        self.codes_ = atoms.T.copy() if self.of_columns else codes.toarray()
        self._penalty, self._nonnegative_codes, self._kept = found["penalty"], nonnegative_codes, _Kept(found["kept"])
        self._multiplier = _array(found["multiplier"])
        for name in ("objective", "unexplained", "codes_violation", "codes_goal", "atoms_violation", "atoms_goal"):
            setattr(self, name + "_", found[name])
        self.n_iter_ = found["iterations"]
        _warn(found, "factorisation")
        return self

    @property
    def _n_features_out(self):
        return len(self.components_)

    def fit_transform(self, X, y=None):
        """What fit and then transform give."""
        return self.fit(X).transform(X)

    def transform(self, X):
        """Codes of other rows; with of_columns their scores on the components. NaN is left out."""
        check_is_fitted(self)
        X = self._data(X, reset=False)
        nonnegative = self.nonnegative or self.nonnegative_atoms if self.of_columns else self._nonnegative_codes
        codes = call(as_data(X, self.n_jobs).codes, in_order(self.components_).ravel(), len(self.components_), self._penalty,
                     nonnegative_codes=bool(nonnegative), multiplier=self._multiplier if self.of_columns else None)
        return _array(codes).reshape(X.shape[0], len(self.components_))

    def inverse_transform(self, codes):
        check_is_fitted(self)
        return np.asarray(codes) @ self.components_
