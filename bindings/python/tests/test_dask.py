# SPDX-License-Identifier: BSD-3-Clause
"""The workers of a Dask cluster as ranks: the model of one process, and a worker that is lost."""

import os
import signal

import numpy as np
import pytest
import scipy.sparse

pytest.importorskip("distributed", reason="this Python has no Dask")
da = pytest.importorskip("dask.array")
from distributed import Client, LocalCluster  # noqa: E402

import dcpn  # noqa: E402
import dcpn.dask as by_dask  # noqa: E402

ROWS, COLUMNS = 5000, 12


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=3, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def rows():
    draw = np.random.default_rng(4)
    X = draw.normal(size=(ROWS, COLUMNS)) * (draw.uniform(size=(ROWS, COLUMNS)) < 0.4)
    return X, X[:, 0] * 2 - X[:, 3] + 0.5 * draw.normal(size=ROWS)


def same(one, other):
    assert np.array_equal(one.coefficients, other.coefficients)
    assert np.array_equal(one.intercept, other.intercept) and one.objective == other.objective


def test_dense_rows(client, rows):
    X, y = rows
    words = {"loss": "squared", "penalty": "mcp", "lam": 0.05, "fit_intercept": True, "sample_weight": 1.0 + (np.arange(ROWS) % 3)}
    alone = dcpn.fit(X, y, sums="exact", **words)
    assert 0 < np.count_nonzero(alone.coefficients) < COLUMNS
    same(by_dask.fit(da.from_array(X, chunks=(700, 5)), da.from_array(y, chunks=900), **words), alone)


@pytest.mark.parametrize("chunk", [ROWS, 450, 1700])
def test_sparse_rows(client, rows, chunk):
    X, y = rows
    kinds = np.array(["no", "yes"])[(y > 0).astype(int)]
    words = {"penalty": "l1", "lam": 0.02, "fit_intercept": True}
    alone = dcpn.fit(scipy.sparse.csr_matrix(X), kinds, sums="exact", **words)
    sparse = da.from_array(X, chunks=(chunk, COLUMNS)).map_blocks(scipy.sparse.csr_matrix)
    found = by_dask.fit(sparse, kinds, **words)
    same(found, alone)
    assert list(found.classes) == ["no", "yes"]


def test_path_and_cv(client, rows):
    X, y = rows
    folds = np.arange(ROWS) % 3
    words = {"loss": "squared", "penalty": "mcp", "n_lambdas": 5, "min_ratio": 0.1}
    dask_X = da.from_array(X, chunks=(1000, COLUMNS))
    alone, found = dcpn.path(X, y, sums="exact", **words), by_dask.path(dask_X, y, **words)
    assert len(found) == 5 and np.array_equal(found.nonzeros, alone.nonzeros)
    assert all(np.array_equal(found.coefficients_at(k), alone.coefficients_at(k)) for k in range(5))
    alone, found = dcpn.cv(X, y, folds=folds, sums="exact", **words), by_dask.cv(dask_X, y, folds=folds, **words)
    assert vars(found.chosen) == vars(alone.chosen)


def test_estimators(client, rows):
    X, y = rows
    dask_X = da.from_array(X, chunks=(800, COLUMNS))
    model = by_dask.SparseRegressor(lam=0.05).fit(dask_X, y)
    alone = dcpn.SparseRegressor(lam=0.05, sums="exact").fit(X, y)
    assert np.array_equal(model.coef_, alone.coef_)
    predicted = model.predict(dask_X)
    assert isinstance(predicted, da.Array) and np.array_equal(predicted.compute(), alone.predict(X))
    kinds = np.digitize(y, [-1.0, 1.0])
    many = by_dask.SparseClassifier(loss="multinomial", lam=0.02).fit(dask_X, kinds)
    whole = dcpn.SparseClassifier(loss="multinomial", lam=0.02, sums="exact").fit(X, kinds)
    assert np.array_equal(many.coef_, whole.coef_)
    assert np.array_equal(many.predict(dask_X).compute(), whole.predict(X))
    assert many.predict_proba(dask_X).compute().shape == (ROWS, 3)


def test_refusals(client, rows):
    X, y = rows
    dask_X = da.from_array(X, chunks=(1000, COLUMNS))
    with pytest.raises(ValueError, match="expected a Dask array"):
        by_dask.fit(X, y, loss="squared", lam=1.0)
    with pytest.raises(ValueError, match="found 5000 classes, expected 2"):
        by_dask.fit(dask_X, y, lam=1.0)
    with pytest.raises(ValueError, match="--sums exact|sums"):
        by_dask.fit(dask_X, y, loss="squared", lam=1.0, algorithm="gist")
    broken = y.copy()
    broken[4321] = np.inf
    with pytest.raises(ValueError):
        by_dask.fit(dask_X, broken, loss="squared", lam=1.0)
    with pytest.raises(ValueError, match="expected one number for each"):
        by_dask.fit(dask_X, y[:-1], loss="squared", lam=1.0)


class Ends:
    """The process of that number ends, as if it had been killed, when it has been called so often."""

    def __init__(self, process, after):
        self.process, self.left = process, after

    def __call__(self, *seen):
        self.left -= 1
        if self.left == 0 and os.getpid() == self.process:
            os.kill(self.process, signal.SIGKILL)


def test_a_lost_worker(rows):
    """One worker of a cluster of processes is killed while it fits: the others end, with a sentence."""
    X, y = rows
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            victim = sorted(client.nthreads())[1]
            ends = Ends(client.run(os.getpid, workers=[victim])[victim], 20)
            with pytest.raises(ConnectionError, match="has been lost"):
                by_dask.path(
                    da.from_array(X, chunks=(1000, COLUMNS)), y, client=client, loss="squared", penalty="mcp", callback=ends,
                    min_ratio=1e-6, saturation=1.0,
                )
