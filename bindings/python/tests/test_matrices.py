# SPDX-License-Identifier: BSD-3-Clause
"""Graphs, completions and factors: F and optima by NumPy and scikit-learn, planted truth, and what is refused."""

import os
import pickle
import subprocess

import numpy as np
import pytest

pytest.importorskip("sklearn")

import dcpn
from sklearn.base import clone
from sklearn.covariance import graphical_lasso


def chain(rows=300, p=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, p))
    for j in range(1, p):
        X[:, j] = 0.7 * X[:, j - 1] + 0.7 * X[:, j]
    return X


def test_each_variable_of_a_nodewise_graph_has_a_fit_of_its_own():
    X = chain()
    X[:, ::2] = X[:, ::2] > 0
    model = dcpn.NodewiseGraph(penalty="l1", lam=0.02, tol=1e-8).fit(X)
    for i in range(X.shape[1]):
        others = np.delete(X, i, axis=1)
        alone = dcpn.fit(others, X[:, i], loss="logistic" if i % 2 == 0 else "squared", penalty="l1", lam=0.02, tol=1e-8,
                         standardize=True, fit_intercept=True)
        assert model.objectives_[i] == pytest.approx(alone.objective, rel=1e-9)
        np.testing.assert_allclose(np.delete(model.coefficients_[i].toarray().ravel(), i), alone.coefficients, atol=1e-5)
    both = model.coefficients_.toarray() * model.coefficients_.toarray().T
    np.testing.assert_array_equal(model.edges_, np.argwhere(np.triu(both != 0)))
    np.testing.assert_allclose(np.abs(model.weights_), np.sqrt(both[tuple(model.edges_.T)]))
    chosen = dcpn.NodewiseGraph().fit(X)
    assert {(i, i + 1) for i in range(7)} <= {tuple(edge) for edge in chosen.edges_}
    with pytest.raises(ValueError, match="more than two values"):
        dcpn.NodewiseGraph(two_values=True).fit(X)
    with pytest.raises(ValueError, match="join"):
        dcpn.NodewiseGraph(join="both").fit(X)


def test_a_graph_is_that_of_scikit_learn():
    S = np.cov(chain(), rowvar=False, bias=True)
    model = dcpn.GraphicalModel(penalty="l1", lam=0.1, assume_covariance=True, standardize=False, tol=1e-8).fit(S)
    covariance, precision = graphical_lasso(S, 0.1, tol=1e-9, enet_tol=1e-9, max_iter=1000)
    np.testing.assert_allclose(model.precision_, precision, atol=1e-4)
    K = model.precision_
    F = -np.linalg.slogdet(K)[1] + np.trace(S @ K) + 0.1 * (np.abs(K).sum() - np.trace(K))
    assert model.objective_ == pytest.approx(F, abs=1e-9)
    assert model.violation_ <= model.goal_


@pytest.mark.parametrize("rule", ["ebic", "cv"])
def test_a_chain_is_found(rule):
    model = dcpn.GraphicalModel(rule=rule, stability=5, ebic_gamma=1.0).fit(chain())
    pairs = {tuple(pair) for pair in model.edges_}
    assert {(j, j + 1) for j in range(7)} <= pairs
    if rule == "ebic":
        assert len(pairs) == 7
    assert len(model.stability_) == len(pairs) and len(model.path_) > 3


def test_missing_values_are_conditional_means():
    X = chain()
    model = dcpn.GraphicalModel(lam=0.1).fit(X)
    row = X[:1].copy()
    row[0, 3] = np.nan
    C, m = model.covariance_, model.location_
    rest = [0, 1, 2, 4, 5, 6, 7]
    expected = m[3] + C[3, rest] @ np.linalg.solve(C[np.ix_(rest, rest)], (X[0] - m)[rest])
    assert model.impute(row)[0, 3] == pytest.approx(expected)


def test_no_minimiser_is_refused():
    with pytest.raises(ValueError, match="ridge"):
        dcpn.GraphicalModel(lam=0.1, ridge=0.0).fit(chain(rows=5))
    with pytest.warns(UserWarning, match="ridge=0.01 is taken"):
        default = dcpn.GraphicalModel(lam=0.1).fit(chain(rows=5))
    np.testing.assert_array_equal(default.precision_, dcpn.GraphicalModel(lam=0.1, ridge=0.01).fit(chain(rows=5)).precision_)
    assert dcpn.GraphicalModel(lam=0.1, ridge=0.1).fit(chain(rows=5)).violation_ < 1e-4


def low_rank(share=0.6, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 30))
    return truth, np.where(rng.random(truth.shape) < share, truth + 0.05 * rng.standard_normal(truth.shape), np.nan)


def test_a_matrix_is_completed():
    truth, Y = low_rank()
    model = dcpn.MatrixCompletion(seed=3).fit(Y)
    assert model.rank_ == 2
    assert np.sqrt(np.mean((model.complete() - truth) ** 2)) < 0.08
    assert model.entries([3, 4], [5, 6]) == pytest.approx(model.complete()[[3, 4], [5, 6]])
    filled = clone(model).fit_transform(Y)
    seen = ~np.isnan(Y)
    assert np.array_equal(filled[seen], Y[seen])


def test_the_objective_of_a_completion_is_that_of_numpy():
    truth, Y = low_rank()
    model = dcpn.MatrixCompletion(penalty="l1", lam=3.0, tol=1e-6).fit(Y)
    seen = ~np.isnan(Y)
    X = model.complete()
    F = 0.5 * np.sum((Y - X)[seen] ** 2) + 3.0 * np.linalg.svd(X, compute_uv=False).sum()
    assert model.objective_ == pytest.approx(F)
    R = np.where(seen, Y - X, 0.0)
    assert np.linalg.norm(R, 2) <= 3.0 + 1e-3


def test_spikes_are_the_sparse_part():
    truth, Y = low_rank(share=0.9)
    rng = np.random.default_rng(0)
    spikes = rng.choice(np.flatnonzero(~np.isnan(Y)), 10, replace=False)
    Y.flat[spikes] += 20.0
    model = dcpn.MatrixCompletion(lam=1.0, sparse_lam=1.0, sparse_penalty="mcp").fit(Y)
    assert set(np.flatnonzero(model.sparse_.toarray())) == set(spikes)


@pytest.mark.parametrize("words", [{}, {"nonnegative": True}, {"of_columns": True}, {"penalty": "mcp"}])
def test_factors_explain(words):
    rng = np.random.default_rng(2)
    atoms = np.abs(rng.standard_normal((3, 12)))
    X = rng.random((50, 3)) @ atoms
    model = dcpn.SparseFactorization(3, lam=0.01, **words)
    codes = model.fit_transform(X)
    assert np.linalg.norm(X - codes @ model.components_) < 0.1 * np.linalg.norm(X)
    assert model.inverse_transform(codes).shape == X.shape
    assert np.linalg.norm(X - model.transform(X) @ model.components_) < 0.1 * np.linalg.norm(X)
    if words.get("nonnegative"):
        assert codes.min() >= 0 and model.components_.min() >= 0


def test_parameters_are_those_of_the_signature():
    for estimator in (dcpn.GraphicalModel, dcpn.MatrixCompletion, dcpn.SparseFactorization):
        words = estimator().get_params()
        assert clone(estimator(**words)).get_params() == words
    with pytest.raises(ValueError, match="penalty"):
        dcpn.GraphicalModel(penalty="mpc", lam=0.1).fit(chain())


# ---- factors by naive code: F, and how far both blocks are from where they cannot be improved -----------------------

def naive_penalty(name, t, lam, gamma):
    if name == "mcp":
        return np.where(t <= gamma * lam, lam * t - t * t / (2 * gamma), gamma * lam * lam / 2)
    return lam * t


def naive_slope(name, t, lam, gamma):
    return np.maximum(lam - t / gamma, 0.0) if name == "mcp" else np.full_like(t, lam)


def naive_violation(A, slope, threshold, gradient):
    """Of entries with the penalty of that slope where they are not 0, and of that threshold where they are."""
    return np.where(A != 0, np.abs(gradient + slope * np.sign(A)), np.maximum(np.abs(gradient) - threshold, 0.0))


def check_factors(X, model):
    C, D = model.codes_, model.components_
    seen, gamma = ~np.isnan(X), model.gamma or 3.0
    R = np.where(seen, X - C @ D, 0.0)
    of_atoms = model.atom_penalty or model.penalty
    F = 0.5 * np.sum(R * R) + 0.5 * model.ridge * np.sum(C * C)
    F += naive_penalty(model.penalty, np.abs(C), model.lam, gamma).sum() + naive_penalty(of_atoms, np.abs(D), model.atom_lam, gamma).sum()
    assert model.objective_ == pytest.approx(F, rel=1e-10)
    codes = naive_violation(C, naive_slope(model.penalty, np.abs(C), model.lam, gamma), model.lam, model.ridge * C - R @ D.T)
    assert codes.max() <= 1.01 * model.codes_goal_ + 1e-12
    gradient = -C.T @ R
    for d, g, used in zip(D, gradient, np.sum(C * C, axis=0)):
        slope = naive_slope(of_atoms, np.abs(d), model.atom_lam, gamma)
        multiplier = max(0.0, -(g + slope * np.sign(d)) @ d) if np.linalg.norm(d) > 1 - 1e-9 else 0.0
        assert np.linalg.norm(d) <= 1 + 1e-12
        assert naive_violation(d, slope, model.atom_lam, g + multiplier * d).max() <= 1e-4 * used


def sparse_codes(gaps=0.0, seed=3):
    rng = np.random.default_rng(seed)
    D = rng.standard_normal((5, 12))
    D /= np.linalg.norm(D, axis=1)[:, None]
    X = np.where(rng.random((80, 5)) < 0.3, 2 * rng.standard_normal((80, 5)), 0) @ D + 0.05 * rng.standard_normal((80, 12))
    whole = X.copy()
    X[rng.random(X.shape) < gaps] = np.nan
    return X, whole


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("words", [{}, {"penalty": "mcp"}, {"atom_lam": 0.4}, {"atom_lam": 0.4, "atom_penalty": "mcp", "ridge": 0.2},
                                   {"batch": 7}, {"batch": 100, "penalty": "mcp"}])
def test_factors_are_those_of_numpy(gaps, words):
    X, _ = sparse_codes(gaps)
    if gaps and "batch" in words:
        with pytest.raises(ValueError, match="missing"):
            dcpn.SparseFactorization(5, lam=0.2, **words).fit(X)
        return
    check_factors(X, dcpn.SparseFactorization(5, lam=0.2, gamma=3.0, shape_units="raw", tol=1e-6, max_iter=20000, **words).fit(X))


def test_what_is_missing_is_explained():
    X, whole = sparse_codes(gaps=0.25)
    model = dcpn.SparseFactorization(5, lam=0.02, tol=1e-6, max_iter=5000).fit(X)
    assert np.allclose(model.transform(X), model.codes_, atol=1e-4)
    gaps = np.isnan(X)
    left = (model.inverse_transform(model.codes_) - whole)[gaps]
    assert np.sqrt(np.mean(left ** 2)) < 0.6 * np.std(whole[gaps])


def test_scores_of_components_come_out_again():
    X, _ = sparse_codes()
    model = dcpn.SparseFactorization(3, lam=1.0, of_columns=True, tol=1e-7, max_iter=5000).fit(X)
    assert np.any(model.components_ == 0) and np.allclose(model.transform(X), model.codes_, atol=1e-5)


def fitted():
    """One of each kind, and how the library calls its file."""
    rng = np.random.default_rng(4)
    entries = rng.standard_normal((20, 2)) @ rng.standard_normal((2, 15))
    entries[rng.random(entries.shape) < 0.4] = np.nan
    yield dcpn.GraphicalModel(penalty="l1", lam=0.1).fit(chain()), "graph"
    yield dcpn.NodewiseGraph(lam=0.05).fit(chain(p=5)), "neighbours"
    yield dcpn.MatrixCompletion(lam=1.0, penalty="l1").fit(entries), "completion"
    yield dcpn.SparseFactorization(6, lam=0.5).fit(rng.standard_normal((40, 12))), "factors"


def test_files_and_pages_are_written(tmp_path):
    for model, kind in fitted():
        file, page = tmp_path / f"{kind}.json", tmp_path / f"{kind}.html"
        model.save(file)
        model.report(page, title="Die <Seite>")
        model.report(page, **({"image_shape": (3, 4)} if kind == "factors" else {}))
        command = tmp_path / f"{kind}-command.html"
        if os.environ.get("DCPN_COMMAND"):
            subprocess.run([os.environ["DCPN_COMMAND"], "report", file, "-o", command, "-q"], check=True)
            assert command.read_text().count("<section") == page.read_text().count("<section")
        again = tmp_path / "again.json"
        pickle.loads(pickle.dumps(model)).save(again)
        assert again.read_bytes() == file.read_bytes()
        with pytest.raises(OSError):
            model.save(tmp_path / "no" / "folder.json")
    with pytest.raises(ValueError, match="image_shape"):
        model.report(page, image_shape=(5, 5))


def test_a_nodewise_graph_fills_in_what_its_fits_expect():
    X = chain()
    X[:, ::2] = X[:, ::2] > 0
    model = dcpn.NodewiseGraph(lam=0.02, penalty="l1").fit(X)
    rows = X[:6].copy()
    for i in range(6):
        rows[i, i] = np.nan
    found = model.impute(rows)
    for i in range(6):
        u = model.intercepts_[i] + (model.coefficients_[i] @ np.where(np.isnan(rows[i]), 0.0, rows[i]))[0]
        expected = 1 / (1 + np.exp(-u)) if i % 2 == 0 else np.clip(u, X[:, i].min(), X[:, i].max())
        assert found[i, i] == pytest.approx(expected, rel=1e-9)
        np.testing.assert_array_equal(np.delete(found[i], i), np.delete(X[i], i))
    assert np.isnan(rows[0, 0])
    whole = model.impute(np.full(8, np.nan))
    assert whole.shape == (1, 8) and np.isfinite(whole).all()
    with pytest.raises(ValueError, match="rows of 8 variables"):
        model.impute(rows[:, :5])


@pytest.mark.parametrize("words", [{}, {"of_columns": True}, {"penalty": "mcp"}])
def test_a_start_goes_on(words):
    X = np.random.default_rng(5).standard_normal((60, 16))
    first = dcpn.SparseFactorization(5, lam=0.6, **words).fit(X)
    atoms = first.codes_.T if words.get("of_columns") else first.components_
    again = dcpn.SparseFactorization(5, lam=0.6, start=atoms, **words).fit(X)
    assert again.objective_ <= first.objective_ * (1 + 1e-12) and again.n_iter_ <= max(first.n_iter_, 5)
    for start in (atoms[:3], atoms[:, :-1], np.full_like(atoms, np.nan)):
        with pytest.raises(ValueError, match="start"):
            dcpn.SparseFactorization(5, lam=0.6, start=start, **words).fit(X)
