# SPDX-License-Identifier: BSD-3-Clause
"""Progress: one line that says how far the work is and how much time is left, and that is gone when it is done."""

import io
import math

import numpy as np
import pytest

import dcpn


def problem(rows=60, columns=20):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((rows, columns))
    return X, X[:, 0] - X[:, 1] + 0.1 * rng.standard_normal(rows)


class Watching(dcpn.Progress):
    """Keeps what it was told."""

    def __init__(self, file):
        super().__init__(file)
        self.told = []

    def __call__(self, *seen):
        self.told.append(self.left_s)
        super().__call__(*seen)


@pytest.mark.parametrize("work", [dcpn.path, dcpn.cv])
def test_paths_tell_the_time_that_is_left(work):
    X, y = problem()
    watching = Watching(io.StringIO())
    work(X, y, loss="squared", callback=watching)
    known = [left for left in watching.told if not math.isnan(left)]
    assert known and all(left >= 0 for left in known)
    assert known[-1] <= max(known)


def test_the_line_is_cleared():
    X, y = problem()
    for work in (dcpn.fit, dcpn.path, dcpn.cv):
        file = io.StringIO()
        work(X, y, loss="squared", callback=dcpn.Progress(file))
        lines = file.getvalue().split("\r")
        assert lines[0] == "" and lines[-1] == "" and lines[-2].strip() == "" and len(lines) >= 4


def test_the_time_left_is_said_after_a_second(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("dcpn._progress.time.monotonic", lambda: clock[0])
    file = io.StringIO()
    progress = dcpn.Progress(file)
    for step, left in ((0.0, 500.0), (0.5, 40.0), (0.6, 30.0), (1.0, 0.2), (1.0, 600.0)):
        clock[0] += step
        progress.left_s = left
        progress("mcp", 0.5, -1, 3, 10)
    said = [line.split(", about ")[1].strip() if "about" in line else "" for line in file.getvalue().split("\r")[1:]]
    assert said == ["", "", "30 s left", "", "10 min left"]
    progress.close()
    assert math.isnan(progress.left_s) and progress.calls == 5


def test_a_callback_without_the_attribute_is_asked_as_ever():
    X, y = problem()
    seen = []
    dcpn.path(X, y, loss="squared", callback=lambda *words: seen.append(words) and False)
    assert seen and all(len(words) == 5 for words in seen)


def test_an_observer_that_takes_no_attribute_ends_the_work():
    class Stubborn:
        left_s = property(lambda self: 0.0)

        def __call__(self, *seen):
            return False

    X, y = problem()
    with pytest.raises(AttributeError):
        dcpn.path(X, y, loss="squared", callback=Stubborn())


def test_estimators_are_verbose_if_asked(capsys):
    pytest.importorskip("sklearn")
    X, y = problem()
    dcpn.SparseRegressorCV(cv=3).fit(X, y)
    assert capsys.readouterr().err == ""
    for estimator in (dcpn.SparseRegressorCV(cv=3, verbose=1), dcpn.SparseRegressor(verbose=1)):
        estimator.fit(X, y)
        said = capsys.readouterr().err
        assert said.startswith("\r") and said.endswith("\r")
