# SPDX-License-Identifier: BSD-3-Clause
"""Pictures and tables show the numbers of the results."""

import io
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import dcpn
import problems

X, y, truth = problems.numbers()
CV = dcpn.cv(X, y, loss="squared", penalties=["l1", "mcp"], n_lambdas=20, folds=4, stability=8)


@pytest.fixture
def ax():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def test_a_path_has_a_line_for_each_feature_in_use(ax):
    path = CV.paths[1]
    assert path.plot(ax, chosen=3) is ax
    lines = [line for line in ax.lines if len(line.get_xdata()) == len(path)]
    used = np.flatnonzero(np.any(path.coefficients.toarray() != 0, axis=1))
    assert len(lines) == len(used)
    drawn = np.array([line.get_ydata() for line in lines])
    expected = path.coefficients.toarray()[used]
    np.testing.assert_array_equal(drawn[np.lexsort(drawn.T)], expected[np.lexsort(expected.T)])
    heights = sorted(text.get_position()[1] for text in ax.texts)
    low, high = ax.get_ylim()
    assert len(heights) == min(8, len(used)) and np.all(np.diff(heights) >= 0.045 * (high - low))
    assert ax.get_xlim() == (path.lambdas[0], path.lambdas[-1]) and "mcp" in ax.get_title()


def test_a_cross_validation_has_a_curve_for_each_path(ax):
    CV.plot(ax)
    curves = [line for line in ax.lines if line.get_marker() == "."]
    assert len(curves) == 2 and len(ax.collections) == 1
    np.testing.assert_array_equal(curves[1].get_ydata(), CV.mean(1))
    assert ax.get_ylabel() == CV.measure


def test_coefficients_and_stability_are_bars(ax):
    found = dcpn.fit(X, y, loss="squared", lam_ratio=0.3)
    found.plot(ax)
    assert sorted(bar.get_width() for bar in ax.patches) == sorted(found.coefficients[found.support])
    ax.clear()
    CV.stability.plot(ax)
    assert max(bar.get_width() for bar in ax.patches) == CV.stability.frequency.max()


def test_pictures_make_axes_of_their_own():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    axes = CV.paths[0].plot()
    assert axes.figure is pyplot.gcf()
    pyplot.close("all")


@pytest.mark.parametrize("result", [dcpn.fit(X, y, loss="squared"), CV.paths[0], CV])
def test_notebooks_show_tables(result):
    table = ElementTree.fromstring(result._repr_html_())
    assert table.tag == "table" and len(table.findall("tr")) > 2
    assert table.find("caption").text == repr(result)


def test_names_are_escaped():
    found = dcpn.fit(X, y, loss="squared", lam_ratio=0.5)
    found.feature_names = np.array([f"<b>{j}" for j in range(X.shape[1])], dtype=object)
    assert "<b>" not in found._repr_html_() and "&lt;b&gt;0" in found._repr_html_()


def test_progress_is_one_line():
    file = io.StringIO()
    progress = dcpn.Progress(file)
    dcpn.path(X, y, loss="squared", n_lambdas=10, callback=progress)
    assert progress.calls > 1 and "fits" in file.getvalue() and "\n" not in file.getvalue()
    dcpn.fit(X, y, loss="squared", callback=dcpn.Progress(file))
    assert "iteration" in file.getvalue()
