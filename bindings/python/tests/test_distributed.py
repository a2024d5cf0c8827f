# SPDX-License-Identifier: BSD-3-Clause
"""Ranks as threads of this process: the model of one process, and failures that are everybody's."""

import threading

import numpy as np
import pytest
import scipy.sparse

import dcpn
import dcpn.distributed as distributed


class Threads:
    """Ranks over barriers."""

    def __init__(self, size, failing=None):
        self.size, self.failing = size, failing
        self.barrier = threading.Barrier(size)
        self.shared = [None] * size
        self.calls = [0] * size

    def of(self, rank):
        def meet():
            self.calls[rank] += 1
            if (rank, self.calls[rank]) == self.failing:
                raise OSError("the link is cut")
            self.barrier.wait()

        def allreduce(array, how):
            self.shared[rank] = array.copy()
            meet()
            array[:] = np.sum(self.shared, axis=0) if how == "sum" else np.max(self.shared, axis=0)
            self.barrier.wait()

        def broadcast(array, root):
            self.shared[rank] = array.copy()
            meet()
            array[:] = self.shared[root]
            self.barrier.wait()

        return distributed.Ranks(rank, self.size, allreduce, broadcast, self.barrier.abort)

    def run(self, work):
        """What each rank returned or raised."""
        found = [None] * self.size

        def work_as(rank):
            try:
                found[rank] = work(self.of(rank), rank)
            except Exception as error:
                found[rank] = error

        threads = [threading.Thread(target=work_as, args=(rank,)) for rank in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=120)
            assert not thread.is_alive()
        return found


def problem(classes):
    source = np.random.default_rng(3)
    X = scipy.sparse.random(900, 70, 0.2, random_state=4, format="csr", data_rvs=source.standard_normal)
    score = X @ np.where(np.arange(70) % 8 == 0, 1.5, 0.0) + 0.5 * source.standard_normal(900)
    return X, np.where(score > 0, 3, 1) if classes else score


SETTINGS = [
    (False, {"loss": "squared", "penalty": "l1"}),
    (True, {"loss": "logistic", "penalty": "mcp", "lam_ratio": 0.2, "fit_intercept": True, "standardize": True}),
]


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("classes, words", SETTINGS)
def test_ranks_have_the_model_of_one_process(size, classes, words):
    X, y = problem(classes)
    alone = dcpn.fit(X, y, sums="exact", **words)
    dealt = np.arange(len(y)) * 7919 % size
    found = Threads(size).run(lambda ranks, rank: distributed.fit(ranks, X[dealt == rank], y[dealt == rank], **words))
    assert np.count_nonzero(alone.coefficients) > 0
    for fitted in found:
        assert not isinstance(fitted, Exception), fitted
        assert fitted.coefficients.tobytes() == alone.coefficients.tobytes()
        assert fitted.intercept == alone.intercept
        assert fitted.objective == alone.objective


def test_a_path_on_ranks():
    X, y = problem(True)
    words = {"loss": "logistic", "penalties": ["l1"], "n_lambdas": 8}
    alone = dcpn.path(X, y, sums="exact", **words)
    found = Threads(2).run(lambda ranks, rank: distributed.path(ranks, X[rank::2], y[rank::2], **words))
    for path in found:
        assert not isinstance(path, Exception), path
        assert path[0].lambdas.tobytes() == alone[0].lambdas.tobytes()


@pytest.mark.parametrize("folds", [3, np.arange(900) // 7 % 4])
def test_a_cross_validation_on_ranks(folds):
    X, y = problem(True)
    words = {"loss": "logistic", "penalty": "mcp", "n_lambdas": 6, "measure": "auc"}
    alone = dcpn.cv(X, y, folds=folds, sums="exact", **words)

    def work(ranks, rank):
        rows = slice(0, 20) if rank == 0 else slice(20, 900)
        return distributed.cv(ranks, X[rows], y[rows], folds=folds if np.ndim(folds) == 0 else folds[rows], **words)

    for found in Threads(2).run(work):
        assert not isinstance(found, Exception), found
        assert found.n_folds == alone.n_folds == (3 if np.ndim(folds) == 0 else 4)
        assert np.isfinite(found.mean()).any()
        assert found.mean().tobytes() == alone.mean().tobytes()
        assert found.folds().tobytes() == alone.folds().tobytes()
        assert np.array_equal(found.coefficients()[0], alone.coefficients()[0])
        assert found.coefficients()[1] == alone.coefficients()[1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("call", [2, 5, 9, 14, 20])
def test_a_link_that_is_cut_is_an_error_everywhere(call):
    X, y = problem(True)
    words = SETTINGS[1][1]
    found = Threads(3, failing=(1, call)).run(
        lambda ranks, rank: distributed.fit(ranks, X[rank::3], y[rank::3], **words)
    )
    assert all(isinstance(error, ConnectionError) for error in found), found


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_data_that_one_rank_cannot_take_hold_nobody_up():
    X, y = problem(True)
    labels = [y[0::3], y[1::3] + 0.5, y[2::3]]
    found = Threads(3).run(
        lambda ranks, rank: distributed.fit(ranks, X[rank::3], labels[rank], loss="logistic", penalty="l1")
    )
    assert isinstance(found[1], ValueError) and "whole numbers" in str(found[1])
    assert all(isinstance(found[rank], ConnectionError) for rank in (0, 2)), found


def test_what_one_rank_refuses_is_refused_by_all():
    X, y = problem(True)
    y = y.copy()
    y[1] = 2
    found = Threads(2).run(lambda ranks, rank: distributed.fit(ranks, X[rank::2], y[rank::2]))
    assert all(isinstance(error, ValueError) and "expected two classes" in str(error) for error in found), found


def test_mpi4py_alone():
    MPI = pytest.importorskip("mpi4py.MPI")
    X, y = problem(False)
    words = SETTINGS[0][1]
    fitted = distributed.fit(distributed.of_mpi(MPI.COMM_SELF), X, y, **words)
    assert fitted.coefficients.tobytes() == dcpn.fit(X, y, sums="exact", **words).coefficients.tobytes()
