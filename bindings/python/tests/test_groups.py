# SPDX-License-Identifier: BSD-3-Clause
"""Groups of features by positions, labels, names and prefixes are the same groups, and hold together."""

import json
import pickle

import numpy as np
import pytest

import dcpn
import problems

X, y, _ = problems.numbers(columns=12)
WORDS = dict(loss="squared", penalty="mcp", lam=0.15, tol=1e-9)
LABELS = ["a", "a", "b", None, "b", "a", "c", "c", "c", "d", "d", np.nan]
BY_LABEL = {"a": [0, 1, 5], "b": [2, 4], "c": [6, 7, 8], "d": [9, 10]}


def test_groups_hold_together():
    found = dcpn.fit(X, y, groups=BY_LABEL, **WORDS)
    for members in BY_LABEL.values():
        assert len(set((found.coefficients[members] != 0).tolist())) == 1
    assert np.all(found.coefficients[BY_LABEL["a"]] != 0) and not np.any(found.coefficients[BY_LABEL["c"]])


def test_the_same_groups_in_other_words():
    expected = dcpn.fit(X, y, groups=BY_LABEL, **WORDS).coefficients
    np.testing.assert_array_equal(dcpn.fit(X, y, groups=LABELS, **WORDS).coefficients, expected)
    pandas = pytest.importorskip("pandas")
    names = [f"{label}_{j}" if isinstance(label, str) else f"x{j}" for j, label in enumerate(LABELS)]
    frame = pandas.DataFrame(X, columns=names)
    by_name = {label: [names[j] for j in members] for label, members in BY_LABEL.items()}
    for groups in (by_name, "prefix:_"):  # columns of a DataFrame may lie the other way round: the last bits differ
        np.testing.assert_allclose(dcpn.fit(frame, y, groups=groups, **WORDS).coefficients, expected, rtol=1e-10)
    pytest.importorskip("sklearn")
    model = dcpn.SparseRegressor(penalty="mcp", lam=0.15, tol=1e-9, groups="prefix:_").fit(frame, y)
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-10)


def test_weights_of_groups_are_counted():
    """A group whose penalty weighs much is left out, one of weight 0 is not penalised."""
    found = dcpn.fit(X, y, groups=BY_LABEL, group_weights={"a": 1e4, "d": 0.0}, **WORDS)
    assert not np.any(found.coefficients[BY_LABEL["a"]]) and np.all(found.coefficients[BY_LABEL["d"]])


def test_orthonormal_groups_do_not_hang_on_their_coding():
    """Other features that span the same give the same predictions; the norm is the deviation of what a group adds."""
    words = dict(WORDS, orthonormal=True, global_search="off", shape_units="raw")
    one = dcpn.fit(X, y, groups=BY_LABEL, **words)
    other = X.copy()
    for members in BY_LABEL.values():
        mixed = np.triu(np.full((len(members), len(members)), 0.5)) + 3.0 * np.eye(len(members))
        other[:, members] = X[:, members] @ mixed
    two = dcpn.fit(other, y, groups=BY_LABEL, **words)
    np.testing.assert_allclose(one.objective, two.objective, rtol=1e-9)
    np.testing.assert_allclose(one.predict(X), two.predict(other), atol=1e-5)
    groups = list(BY_LABEL.values()) + [[3], [11]]
    sizes = [np.std(X[:, g] @ one.coefficients[g]) for g in groups]
    terms = sum(float(problems.penalty("mcp", 0.15 * np.sqrt(len(g)), r)) for g, r in zip(groups, sizes))
    residual = X @ one.coefficients + one.intercept - y
    np.testing.assert_allclose(one.objective, 0.5 * np.mean(residual**2) + terms, rtol=1e-10)


def test_groups_within_groups():
    tree = {"all": range(12), "left": [0, 1, 2, 3, 5], "leaf": [0, 1], "right": [6, 7, 8]}
    found = dcpn.fit(X, y, groups=tree, **dict(WORDS, penalty="l1", grouping="tree", lam=0.05, standardize=False, fit_intercept=False))

    def F(b):
        norms = sum(np.sqrt(len(members)) * np.linalg.norm(b[list(members)]) for members in tree.values())
        return 0.5 * np.mean((y - X @ b) ** 2) + 0.05 * norms

    least = F(found.coefficients)
    assert abs(least - found.objective) < 1e-10 * least
    rng = np.random.default_rng(3)
    for length in (1e-4, 1e-2, 1.0):  # F is convex: no point beside the end is lower
        for _ in range(50):
            assert F(found.coefficients + length * rng.standard_normal(12)) > least
    with pytest.raises(ValueError, match="one within the other"):
        dcpn.fit(X, y, groups={"a": [0, 1], "b": [1, 2]}, **dict(WORDS, grouping="tree"))


def test_the_group_exponential_lasso():
    """Of the sum of the sizes of a group."""
    found = dcpn.fit(X, y, groups=BY_LABEL, **dict(WORDS, penalty="exponential", grouping="sum", shape_units="raw", standardize=False))
    groups = list(BY_LABEL.values()) + [[3], [11]]
    terms = sum(float(problems.penalty("exponential", 0.15, np.abs(found.coefficients[g]).sum())) for g in groups)
    residual = X @ found.coefficients + found.intercept - y
    np.testing.assert_allclose(found.objective, 0.5 * np.mean(residual**2) + terms, rtol=1e-10)
    assert found.converged


def test_paths_and_folds_take_groups():
    path = dcpn.path(X, y, loss="squared", penalty="l1", groups=LABELS, n_lambdas=6)
    for k in range(len(path)):
        for members in BY_LABEL.values():
            assert len(set((path.coefficients_at(k)[members] != 0).tolist())) == 1
    found = dcpn.cv(X, y, loss="squared", groups=LABELS, n_lambdas=6, folds=3)
    assert [path.penalty for path in found.paths] == ["l1", "mcp"] and found.chosen.path >= 0


def test_files_have_the_groups(tmp_path):
    groups, weights = {"first": [0, 1], "zweite": [2, 3, 5]}, {"first": 2.0}
    expected = {"name": ["first", "zweite"], "size": [2, 3], "weight": [2.0, None], "feature": [0, 1, 2, 3, 5]}
    given = dict(groups=groups, group_weights=weights)
    chosen = dcpn.SparseRegressorCV(**given, n_lambdas=5, cv=3).fit(X, y)
    for made in (dcpn.fit(X, y, **given, **WORDS), dcpn.path(X, y, loss="squared", n_lambdas=4, **given), chosen.cv_):
        for one in (made, pickle.loads(pickle.dumps(made))):
            one.save(tmp_path / "made.json")
            assert json.loads((tmp_path / "made.json").read_text())["groups"] == expected
    made.report(tmp_path / "page.html")
    assert "first" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    "groups, weights, sentence",
    [
        (LABELS[:5], None, "found 5 labels, expected 12"),
        ({"a": [0, 12]}, None, "12"),
        ({"a": [0, 1], "b": [1, 2]}, None, "feature 2"),
        ({"a": ["x"]}, None, "'x': found 0 columns"),
        ("prefix:_", None, "needs a DataFrame"),
        ("suffix:_", None, "expected 'prefix:SEP'"),
        (LABELS, {"z": 1.0}, "'z', which is no group"),
        (LABELS, {"a": -1.0}, "weight"),
        (None, {"a": 1.0}, "expected groups"),
    ],
)
def test_what_is_no_group_is_refused(groups, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        dcpn.fit(X, y, groups=groups, group_weights=weights, **WORDS)


def naive_violation(A, y, fit, groups, weights, lam, is_mcp):
    """How far 0 is from the slopes of F, by groups of which no two share a feature, to lambda."""
    b = fit.coefficients
    residual = A @ b + fit.intercept - y
    gradient, worst = A.T @ residual / len(y), abs(residual.mean())
    for members, weight in zip(groups, weights):
        c, t = lam * weight, np.linalg.norm(b[members])
        if t > 0:
            slope = max(c - t / 3.0, 0.0) if is_mcp else c
            worst = max(worst, np.linalg.norm(gradient[members] + slope * b[members] / t))
        else:
            worst = max(worst, np.linalg.norm(gradient[members]) - c)
    return worst / lam


def odd_groups(kind):
    """Data whose groups are no usual ones: rows, labels, groups, and weights by name."""
    rng = np.random.default_rng(2)
    A = rng.standard_normal((80, 5020 if kind == "large" else 20))
    if kind in ("dummies", "empty", "free"):  # all levels of a factor, beside an intercept
        A[:, :6] = np.eye(6)[rng.integers(0, 6, len(A))]
    y = A[:, :6] @ rng.standard_normal(6) + 2.0 * A[:, 8] + 0.5 * rng.standard_normal(len(A))
    groups = [list(range(6)), *([6 + 2 * i, 7 + 2 * i] for i in range(7))]
    if kind == "singular":
        A[:, 3], A[:, 9] = A[:, 2], -2.0 * A[:, 8]
    if kind == "ones":
        groups = [[j] for j in range(20)]
    if kind == "large":
        groups = [list(range(5000)), *([j] for j in range(5000, 5020))]
        y = A[:, 1] + 3.0 * A[:, 5003]
    if kind == "empty":
        groups.append([])
    return A, y, groups, {"g0": 0.0, "g3": 0.0} if kind == "free" else None


@pytest.mark.parametrize("penalty", ["l1", "mcp"])
@pytest.mark.parametrize("kind", ["dummies", "singular", "ones", "large", "empty", "free"])
def test_odd_groups_are_solved(kind, penalty):
    A, y, groups, free = odd_groups(kind)
    lam = 0.05
    fit = dcpn.fit(A, y, loss="squared", penalty=penalty, lam=lam, scale="mean", standardize=False, gamma=3.0, shape_units="raw", tol=1e-7,
                   groups={f"g{i}": members for i, members in enumerate(groups)}, group_weights=free, ridge=0.0)
    weights = [(free or {}).get(f"g{i}", np.sqrt(len(members))) for i, members in enumerate(groups)]
    assert fit.converged and np.any(fit.coefficients)
    assert naive_violation(A, y, fit, groups, weights, lam, penalty == "mcp") < 1e-6


def test_a_feature_may_be_in_fifty_groups():
    rng = np.random.default_rng(3)
    A = rng.standard_normal((120, 60))
    y = A[:, 0] + A[:, 3]
    groups = {f"g{i}": [0, 1 + i] for i in range(50)}
    for grouping in ("sum", "latent"):
        for penalty in ("l1", "mcp"):
            fit = dcpn.fit(A, y, loss="squared", penalty=penalty, lam=0.1, scale="mean", groups=groups, grouping=grouping)
            assert fit.converged and fit.coefficients[3] > 0.1
    for grouping, words in (("norm", "overlap"), ("sparse", "overlap"), ("tree", "one within the other")):
        with pytest.raises(ValueError, match=words):
            dcpn.fit(A, y, loss="squared", penalty="l1", lam=0.1, groups=groups, grouping=grouping)
