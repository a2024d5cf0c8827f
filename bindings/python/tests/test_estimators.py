# SPDX-License-Identifier: BSD-3-Clause
"""Estimators have scikit-learn's habits: its own checks, for every penalty, none expected to fail."""

import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import dcpn
import problems

PENALTIES = [part for part in next(s for s in dcpn.settings() if s["name"] == "penalty")["choices"]]
NAMES = ["SparseRegressor", "SparseClassifier", "SparseRegressorCV", "SparseClassifierCV"]
OF_TIMES = ["SparseCox"]  # shares nearly all with those; SparseCoxCV may choose by the order of rows, which decides the folds
MATRICES = ["GraphicalModel", "NodewiseGraph", "MatrixCompletion", "SparseFactorization"]
TABLES = ["TableCoder"]


def checks_of(estimator):
    if hasattr(estimator_checks, "estimator_checks_generator"):
        return estimator_checks.estimator_checks_generator(estimator)
    return estimator_checks.check_estimator(estimator, generate_only=True)


def cases():
    for name in [*NAMES, *OF_TIMES, *MATRICES, *TABLES]:
        for penalty in PENALTIES if name in NAMES else ["mcp"]:
            given = {} if name in TABLES else {"penalty": penalty}
            for estimator, check in checks_of(getattr(dcpn, name)(**given)):
                words = getattr(check, "keywords", {})
                told = "".join(f"-{value}" for value in words.values() if isinstance(value, (str, int, bool)))
                yield pytest.param(estimator, check, id=f"{name}-{penalty}-{check.func.__name__}{told}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator, check", cases())
def test_scikit_learn(estimator, check):
    try:
        check(estimator)
    except Exception as error:
        if type(error).__name__ != "SkipTest":  # it wants a package that is not there
            raise


@pytest.mark.parametrize("name", [*NAMES, *OF_TIMES])
def test_parameters_are_the_settings(name):
    cls = getattr(dcpn, name)
    words = inspect.signature(cls).parameters
    for setting in dcpn.settings():
        if setting["name"] not in ("lam", "loss", "penalty"):
            assert words[setting["name"]].default == setting["default"], setting["name"]
            assert f"\n{setting['name']} :" in cls.__doc__


def test_pipelines_searches_and_copies():
    X, y, truth = problems.numbers()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), dcpn.SparseRegressor()),
        {"sparseregressor__penalty": ["l1", "mcp"], "sparseregressor__lam_ratio": [0.05, 0.5]},
        cv=3,
    ).fit(X, y)
    best = search.best_estimator_[-1]
    assert search.best_score_ > 0.9 and set(np.flatnonzero(truth)) <= set(np.flatnonzero(best.coef_))
    other = pickle.loads(pickle.dumps(best))
    np.testing.assert_array_equal(other.predict(X), best.predict(X))
    assert clone(best).get_params() == best.get_params()
    assert cross_val_score(dcpn.SparseRegressor(), X, y, cv=3).min() > 0.9


def test_cross_validated_estimators_choose():
    X, y, truth = problems.numbers()
    model = dcpn.SparseRegressorCV(penalties=["l1", "mcp"]).fit(X, y)
    assert set(np.flatnonzero(model.coef_)) == set(np.flatnonzero(truth))
    assert model.penalty_ in ("l1", "mcp") and model.cv_.n_folds == 10
    same = dcpn.SparseRegressorCV(penalties=["l1", "mcp"], cv=KFold(4)).fit(X, y)
    assert same.cv_.n_folds == 4
    with pytest.raises(ValueError, match="two test sets"):
        dcpn.SparseRegressorCV(cv=[([0], [1, 2]), ([1], [2, 3])]).fit(X, y)


def test_classes_are_told_one_from_all_others():
    X, _, _ = problems.numbers()
    y = np.array(["a", "b", "c"])[np.argmax(X[:, :3], axis=1)]
    model = dcpn.SparseClassifier(penalty="l1", lam_ratio=0.05).fit(X, y)
    assert model.coef_.shape == (3, X.shape[1]) and list(model.classes_) == ["a", "b", "c"]
    for k, label in enumerate(model.classes_):
        alone = dcpn.fit(X, y == label, penalty="l1", lam_ratio=0.05)
        np.testing.assert_array_equal(model.coef_[k], alone.coefficients)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.score(X, y) > 0.8


def test_probabilities_are_those_of_the_logistic_function():
    X, y, _ = problems.classes()
    model = dcpn.SparseClassifier(penalty="l1").fit(X, y)
    expected = 1 / (1 + np.exp(-(X @ model.coef_[0] + model.intercept_[0])))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, rtol=1e-12)
    far = dcpn.SparseClassifier(penalty="l1").fit(X, y)
    far.intercept_ = far.intercept_ - 500.0
    assert np.all(np.isfinite(far.predict_log_proba(X))) and far.predict_proba(X)[:, 1].max() < 1e-100
    assert not hasattr(dcpn.SparseClassifier(loss="squared-hinge"), "predict_proba")


def test_class_weights_are_weights():
    X, y, _ = problems.classes()
    few = np.flatnonzero(y == "yes")[:30]
    rows = np.concatenate([few, np.flatnonzero(y == "no")])
    X, y = X[rows], y[rows]
    balanced = dcpn.SparseClassifier(penalty="l1", class_weight="balanced").fit(X, y)
    counts = {label: np.sum(y == label) for label in ("yes", "no")}
    weights = np.array([len(y) / (2 * counts[label]) for label in y])
    by_hand = dcpn.SparseClassifier(penalty="l1").fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(balanced.coef_, by_hand.coef_, rtol=1e-9)
    named = dcpn.SparseClassifier(penalty="l1", class_weight={"yes": 2.0}).fit(X, y)
    by_hand = dcpn.SparseClassifier(penalty="l1").fit(X, y, sample_weight=np.where(y == "yes", 2.0, 1.0))
    np.testing.assert_allclose(named.coef_, by_hand.coef_, rtol=1e-9)


def test_offsets_shift_scores():
    X, y, _ = problems.numbers()
    offset = np.linspace(-5, 5, len(y))
    model = dcpn.SparseRegressor(lam=0.1, tol=1e-9).fit(X, y + offset, offset=offset)
    plain = dcpn.SparseRegressor(lam=0.1, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-7)
    np.testing.assert_allclose(model.predict(X, offset=offset), plain.predict(X) + offset, atol=1e-6)


def test_rows_without_a_label():
    X, y, _ = problems.classes(rows=300)
    marked = np.where(y == "yes", 1.0, 0.0)
    few, minus = marked.copy(), marked.copy()
    few[20:], minus[20:] = np.nan, -1
    model = dcpn.SparseClassifier(penalty="l1").fit(X, few)
    same = dcpn.SparseClassifier(penalty="l1", unlabelled=-1).fit(X, minus)
    np.testing.assert_array_equal(model.coef_, same.coef_)
    assert list(model.classes_) == [0.0, 1.0] and model.score(X, marked) > 0.7


def test_a_loss_of_the_wrong_kind_is_refused():
    X, y, _ = problems.numbers()
    with pytest.raises(ValueError, match="loss: found 'logistic', expected a loss for numbers"):
        dcpn.SparseRegressor(loss="logistic").fit(X, y)
    with pytest.raises(ValueError, match="loss: found 'squared', expected a loss for two classes"):
        dcpn.SparseClassifier(loss="squared").fit(X, y > 2)


def test_coefficients_can_be_sparse():
    X, y, _ = problems.classes()
    model = dcpn.SparseClassifier().fit(X, y)
    expected, dense = model.decision_function(X), model.coef_.copy()
    np.testing.assert_allclose(model.sparsify().decision_function(X), expected, rtol=1e-12)
    assert model.coef_.nnz < X.shape[1]
    np.testing.assert_array_equal(model.densify().coef_, dense)


def test_a_fit_that_is_cut_short_warns():
    from sklearn.exceptions import ConvergenceWarning

    X, y, _ = problems.numbers()
    with pytest.warns(ConvergenceWarning, match="max-iter"):
        dcpn.SparseRegressor(max_iter=1).fit(X, y)


def test_plain_models_of_scikit_learn_predict_the_same():
    X, y, _ = problems.classes()
    model = dcpn.SparseClassifier().fit(X, y)
    plain = model.to_sklearn()
    assert type(plain).__name__ == "LogisticRegression"
    np.testing.assert_allclose(plain.predict_proba(X), model.predict_proba(X), rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(plain.predict(X), model.predict(X))
    X, numbers, _ = problems.numbers()
    model = dcpn.SparseRegressor().fit(X, numbers)
    np.testing.assert_allclose(model.to_sklearn().predict(X), model.predict(X), rtol=1e-12)
    with pytest.raises(ValueError, match="found the loss 'squared-hinge'"):
        dcpn.SparseClassifier(loss="squared-hinge").fit(*problems.classes()[:2]).to_sklearn()
    with pytest.raises(ValueError, match="found 3 classes"):
        dcpn.SparseClassifier().fit(X, np.arange(len(X)) % 3).to_sklearn()


def test_weights_and_offsets_are_routed():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.model_selection import cross_validate

    if not hasattr(sklearn, "config_context") or "enable_metadata_routing" not in sklearn.get_config():
        pytest.skip("this scikit-learn has no metadata routing")
    X, y, _ = problems.numbers()
    weights = np.where(np.arange(len(y)) < 60, 1.0, 0.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = dcpn.SparseRegressor(lam=0.1).set_fit_request(sample_weight=True, offset=True)
        model.set_score_request(sample_weight=True)
        found = cross_validate(model, X, y, params={"sample_weight": weights, "offset": np.ones(len(y))}, cv=3,
                               return_estimator=True)
    assert all(abs(part.intercept_ - 1.0) < 0.5 for part in found["estimator"])  # 2, less the offset


def test_what_a_frame_lacks_is_said_by_name():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.standard_normal((30, 3)), columns=["age", "dose", "crp"])
    labels = np.where(frame["age"] > 0, "ill", "well")
    frame["site"] = ["Lyon", None] * 15
    with pytest.raises(ValueError, match="no numbers: site; leave them out, or code them"):
        dcpn.SparseClassifier().fit(frame, labels)
    frame["site"] = frame["site"] == "Lyon"
    frame.loc[3:5, "crp"] = np.nan
    with pytest.raises(ValueError, match=r"3 missing values \(NaN\) in 1 columns: crp; fill them"):
        dcpn.SparseClassifierCV().fit(frame, labels)
    model = dcpn.SparseClassifierCV(penalties=["l1"]).fit(frame.fillna(0), labels)
    assert list(model.cv_.paths[0].feature_names) == list(frame.columns)


def test_a_model_that_was_refitted_is_called_so():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((120, 20))
    y = 2 * X[:, 0] - X[:, 1] + rng.standard_normal(120) > 0
    model = dcpn.SparseClassifierCV(cv=4).fit(X, y)
    kinds = [path.kind for path in model.cv_.paths]
    assert kinds == [None, "local", "searched", "local", "searched", "by-size", "by-size", "by-size"]
    names = [path.name for path in model.cv_.paths]
    assert names[0] == "l1" and names[2] == "mcp gamma=3, searched" and names[5] == "refitted" and len(set(names)) == 8
    chosen = model.cv_.paths[model.cv_.chosen.path]
    assert model.penalty_ == (chosen.penalty if chosen.kind != "by-size" else "refitted")
    model._keep([_chosen_by_size(model.cv_)])
    assert model.penalty_ == "refitted" and repr(model.cv_).startswith("CrossValidation(refitted: ")


def _chosen_by_size(cv):
    cv.chosen.path, cv.chosen.point = len(cv.paths) - 3, 2
    return cv
