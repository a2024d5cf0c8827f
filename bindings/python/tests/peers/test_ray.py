# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of a Ray cluster as ranks: the model of one process, what is refused, and a worker that is lost."""

import os
import signal

import numpy as np
import pytest
import scipy.sparse

ray = pytest.importorskip("ray", reason="this Python has no Ray")

import dcpn  # noqa: E402
import dcpn.ray as by_ray  # noqa: E402

ROWS, COLUMNS = 3000, 12


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def rows():
    draw = np.random.default_rng(4)
    X = draw.normal(size=(ROWS, COLUMNS)) * (draw.uniform(size=(ROWS, COLUMNS)) < 0.4)
    return X, X[:, 0] * 2 - X[:, 3] + 0.5 * draw.normal(size=ROWS)


def test_dense_rows(rows):
    X, y = rows
    words = {"loss": "squared", "penalty": "mcp", "lam": 0.05, "fit_intercept": True}
    alone = dcpn.fit(X, y, sums="exact", **words)
    assert 0 < np.count_nonzero(alone.coefficients) < COLUMNS
    found = by_ray.fit([ray.put((X[:1024], y[:1024])), (X[1024:], y[1024:])], **words)
    assert np.array_equal(found.coefficients, alone.coefficients) and found.objective == alone.objective


def test_sparse_rows(rows):
    X, y = scipy.sparse.csr_matrix(rows[0]), np.where(rows[1] > 0, 1, -1)
    words = {"penalty": "l1", "n_lambdas": 4, "min_ratio": 0.1}
    alone = dcpn.path(X, y, sums="exact", **words)
    found = by_ray.path([(X[:700], y[:700]), (X[700:701], y[700:701]), (X[701:], y[701:])], **words)
    assert len(found) == 4 and all(np.array_equal(found.coefficients_at(k), alone.coefficients_at(k)) for k in range(4))


def test_what_is_refused(rows):
    X, y = rows
    with pytest.raises(ValueError, match="expected 1 to 3"):
        by_ray.fit([(X, y)] * 4, loss="squared", lam=0.1)
    with pytest.raises(ValueError, match="features"):
        by_ray.fit([(X[:1024], y[:1024]), (X[1024:, 1:], y[1024:])], loss="squared", lam=0.1)


class Deadly:
    """Labels that kill the process which looks at them."""

    def __array__(self, *_, **__):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_lost(rows):
    X, y = rows
    with pytest.raises(ConnectionError):
        by_ray.fit([(X[:1024], y[:1024]), (X[1024:], Deadly())], loss="squared", lam=0.1)
