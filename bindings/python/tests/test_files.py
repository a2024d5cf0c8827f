# SPDX-License-Identifier: BSD-3-Clause
"""Files and pages from Python: what is written is what the command reads, and comes back as it was."""

import copy
import os
import pickle
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

import dcpn

COMMAND = os.environ.get("DCPN_COMMAND", "dcpn")
NAMES = ["age", "dose", "a,b", 'quo"ted', "Grüße"]


def table(rows=80, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, len(NAMES)))
    return X, 2.0 * X[:, 1] - X[:, 2] + 0.3 * rng.standard_normal(rows)


class Texts(HTMLParser):
    """The texts of a page, and whether its elements are closed in order."""

    VOID = {"meta", "link", "br", "img", "input", "hr", "col", "wbr"}

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.is_tidy = [], [], True

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        self.is_tidy &= bool(self.open) and self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def read_page(path):
    page = Texts()
    page.feed(path.read_text(encoding="utf-8"))
    assert page.is_tidy and not page.open
    return " ".join(page.texts)




def test_a_fit_comes_back_and_the_command_reads_it(tmp_path):
    X, y = table()
    fitted = dcpn.fit(X, y, loss="squared", penalty="mcp", lam=0.05)
    fitted.save(tmp_path / "model.json")
    found = dcpn.load(tmp_path / "model.json")
    assert isinstance(found, dcpn.Fit) and found.outcome == fitted.outcome and found.lam == fitted.lam
    assert np.array_equal(found.coefficients, fitted.coefficients) and found.intercept == fitted.intercept
    assert found.objective == fitted.objective and found.stationarity == fitted.stationarity
    done = subprocess.run([COMMAND, "coef", tmp_path / "model.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(np.count_nonzero(fitted.coefficients)) and f"{fitted.coefficients[1]:.6g}"[:6] in done.stdout


def test_names_of_features_and_classes_are_in_the_file(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = table()
    frame = pandas.DataFrame(X, columns=NAMES)
    classes = np.where(y > 0, "sick", "well")
    fitted = dcpn.fit(frame, classes, loss="logistic", lam_ratio=0.05)
    fitted.save(tmp_path / "model.json")
    found = dcpn.load(tmp_path / "model.json")
    assert found.named_coefficients() == fitted.named_coefficients()
    assert list(found.classes) == ["sick", "well"] and np.array_equal(found.predict(X), fitted.predict(X))


@pytest.mark.parametrize("again", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_a_copy_writes_the_same_file(tmp_path, again):
    pandas = pytest.importorskip("pandas")
    X, y = table()
    frame = pandas.DataFrame(X, columns=NAMES)
    for made in (dcpn.fit(frame, y, loss="squared"), dcpn.path(frame, y, loss="squared"), dcpn.cv(frame, y, loss="squared", folds=3),
                 dcpn.fit(frame, np.where(y > 0, "b", "a"), loss="logistic")):
        made.save(tmp_path / "one.json")
        again(made).save(tmp_path / "two.json")
        assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_paths_and_cross_validations_come_back(tmp_path):
    X, y = table()
    path = dcpn.path(X, y, loss="squared", penalty="l1")
    path.save(tmp_path / "path.json")
    found = dcpn.load(tmp_path / "path.json")
    assert np.array_equal(found.lambdas, path.lambdas) and np.array_equal(found.deviance, path.deviance)
    assert (found.coefficients != path.coefficients).nnz == 0
    cv = dcpn.cv(X, y, loss="squared", folds=4, penalties=["l1", "mcp"])
    cv.save(tmp_path / "cv.json")
    again = dcpn.load(tmp_path / "cv.json")
    assert len(again.paths) == 2 and repr(again) == repr(cv)
    assert np.array_equal(again.coefficients()[0], cv.coefficients()[0]) and np.array_equal(again.mean(1), cv.mean(1), equal_nan=True)
    several = dcpn.path(X, y, loss="squared", penalties=["l1", "scad"])
    several[0].save(tmp_path / "several.json")
    assert [one.penalty for one in dcpn.load(tmp_path / "several.json")] == ["l1", "scad"]


def test_what_the_command_has_written_is_read(tmp_path):
    X, y = table()
    with open(tmp_path / "table.csv", "w", encoding="utf-8") as file:
        print("dose,age,status", file=file)
        for row, label in zip(X, y):
            print(f"{row[1]!r},{row[0]!r},{'case' if label > 0 else 'control'}", file=file)
    done = subprocess.run([COMMAND, "fit", tmp_path / "table.csv", "--lambda", "0.5", "-o", tmp_path / "model.json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = dcpn.load(tmp_path / "model.json")
    assert list(found.classes) == ["control", "case"] and "dose" in found.named_coefficients()
    right = found.predict(X[:, [1, 0]]) == np.where(y > 0, "case", "control")
    assert right.mean() > 0.7


@pytest.mark.parametrize("kind", ["fit", "path", "cv"])
def test_a_page_says_what_is_in_the_model(tmp_path, kind):
    X, y = table()
    words = {"folds": 4} if kind == "cv" else {}
    made = getattr(dcpn, kind)(X, y, loss="squared", penalty="mcp", **words)
    made.report(tmp_path / "page.html", title="Doses & ages")
    text = read_page(tmp_path / "page.html")
    assert "Doses & ages" in text
    assert {"fit": "model", "path": "regularisation path", "cv": "cross-validation"}[kind] in text
    used = {"fit": lambda: made.support, "path": lambda: made.support(len(made) - 1),
            "cv": lambda: np.flatnonzero(made.coefficients()[0])}[kind]()
    assert f"{len(used)} of 5 features" in text


def test_estimators_write_and_draw(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    X, y = table()
    frame = pandas.DataFrame(X, columns=NAMES)
    classes = np.where(y > 0, "sick", "well")
    for estimator, labels in ((dcpn.SparseRegressor(), y), (dcpn.SparseClassifier(), classes),
                              (dcpn.SparseRegressorCV(cv=3, penalty="mcp"), y), (dcpn.SparseClassifierCV(cv=3, penalty="l1"), classes),
                              (dcpn.SparseClassifier(loss="multinomial", penalty="l1"), classes)):
        estimator.fit(frame, labels).save(tmp_path / "file.json")
        estimator.report(tmp_path / "page.html")
        text = read_page(tmp_path / "page.html")
        assert type(estimator).__name__ in text
        largest = next(iter(estimator.named_coefficients()))
        assert largest in text, f"{largest} is not on the page of {estimator}"
        found = dcpn.load(tmp_path / "file.json")
        if isinstance(found, dcpn.Fit):
            assert np.array_equal(found.predict(X), estimator.predict(frame))


def test_what_cannot_be_written_is_refused(tmp_path):
    pytest.importorskip("sklearn")
    from sklearn.exceptions import NotFittedError

    X, y = table()
    with pytest.raises(NotFittedError):
        dcpn.SparseRegressor().save(tmp_path / "none.json")
    three = np.digitize(y, [-1.0, 1.0])
    with pytest.raises(ValueError, match="3 models"):
        dcpn.SparseClassifier().fit(X, three).report(tmp_path / "none.html")
    fitted = dcpn.fit(X, y, loss="squared")
    with pytest.raises(OSError, match="nowhere"):
        fitted.save(tmp_path / "nowhere" / "model.json")
    with pytest.raises(OSError, match="nowhere"):
        fitted.report(tmp_path / "nowhere" / "page.html")
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(OSError):
        dcpn.load(tmp_path / "none.json")
    for content in ("", "{", "[1, 2]", '{"format": "dcpn-model"}', "solver_type L2R_LR\n"):
        (tmp_path / "broken.json").write_text(content)
        with pytest.raises(ValueError, match="broken.json"):
            dcpn.load(tmp_path / "broken.json")


def test_results_outlive_their_data(tmp_path):
    """Memory of the data is freed before the file is written."""
    import gc

    X, y = table()
    kept = [dcpn.fit(X.copy(), y + k, loss="squared") for k in range(20)]
    del X
    gc.collect()
    kept[7].save(tmp_path / "model.json")
    assert dcpn.load(tmp_path / "model.json").intercept == kept[7].intercept
