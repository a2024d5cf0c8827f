# SPDX-License-Identifier: BSD-3-Clause
"""Pictures on matplotlib, which is loaded when one is drawn: paths, curves of cross-validations, coefficients, stability."""

import numpy as np

MOST_NAMES = 20  # of bars in a picture
MOST_LINES = 8  # of a path that have names and colours


def axes_of(ax):
    """The axes that were given, or new ones."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib (pip install matplotlib)") from error
    return plt.subplots()[1]


def _name(names, j):
    return str(j) if names is None else str(names[j])


def draw_path(path, ax=None, *, names=True, chosen=None):
    """The coefficients against lambda, which falls to the right; chosen: position of a point to mark."""
    ax = axes_of(ax)
    table = path.coefficients.toarray() if len(path) else np.zeros((path.features, 0))
    used = np.flatnonzero(np.any(table != 0, axis=1))
    at = -1 if chosen is None else chosen
    named = used[np.lexsort((-np.abs(table[used, -1]), -np.abs(table[used, at])))][:MOST_LINES] if len(path) else used
    for j in np.setdiff1d(used, named):
        ax.plot(path.lambdas, table[j], linewidth=0.8, color="lightgrey")
    lines = [ax.plot(path.lambdas, table[j], linewidth=1.4)[0] for j in named]
    if names and len(named):
        _name_lines(ax, path, table[named, -1], [_name(path.feature_names, j) for j in named], lines)
    if chosen is not None:
        ax.axvline(path.lambdas[chosen], color="grey", linestyle="--", linewidth=1)
    _scale_by_lambda(ax, path)
    ax.set(ylabel="coefficient", title=path.name)
    return ax


def _name_lines(ax, path, ends, texts, lines):
    """Names beside the ends of lines, moved apart where they would lie on one another."""
    low, high = ax.get_ylim()
    apart, places = 0.05 * (high - low), {}
    for k in np.argsort(-ends, kind="stable"):
        places[k] = min(ends[k], min(places.values(), default=np.inf) - apart)
    for k, place in places.items():
        ax.annotate(texts[k], (path.lambdas[-1], ends[k]), xytext=(1.02, place), textcoords=("axes fraction", "data"),
                    va="center", fontsize="small", color=lines[k].get_color(), annotation_clip=False,
                    arrowprops=dict(arrowstyle="-", linewidth=0.5, color=lines[k].get_color(), shrinkA=0, shrinkB=0))


def _scale_by_lambda(ax, path, count=None):
    """The first `count` lambdas of the path; None: all."""
    ax.set_xscale("log")
    ax.set_xlabel("lambda")
    last = len(path) if count is None else count
    if last > 1:
        ax.set_xlim(path.lambdas[0], path.lambdas[last - 1])


def draw_cv(cv, ax=None, *, measure=None):
    """The measure against lambda for every path, with the standard error of the chosen one, and what was chosen."""
    ax = axes_of(ax)
    for p, path in enumerate(cv.paths):
        mean, se = cv.mean(p, measure), cv.se(p, measure)
        line, = ax.plot(path.lambdas, mean, marker=".", markersize=3, label=path.name)
        if p == cv.chosen.path:
            ax.fill_between(path.lambdas, mean - se, mean + se, color=line.get_color(), alpha=0.2, linewidth=0)
    if cv.chosen.path >= 0:
        path = cv.paths[cv.chosen.path]
        at = path.lambdas[cv.chosen.point]
        ax.axvline(at, color="grey", linestyle="--", linewidth=1)
        ax.annotate(f"{path.nonzeros[cv.chosen.point]} features", (at, 1), xycoords=("data", "axes fraction"),
                    xytext=(4, -12), textcoords="offset points", fontsize="small")
    measured = [np.flatnonzero(np.isfinite(cv.mean(p, measure))) for p in range(len(cv.paths))]
    longest = max(range(len(cv.paths)), key=lambda p: len(measured[p]))
    _scale_by_lambda(ax, cv.paths[longest], measured[longest][-1] + 1 if len(measured[longest]) else None)
    ax.set(ylabel=measure or cv.measure, title=f"cross-validation, {cv.n_folds} folds")
    if len(cv.paths) > 1:
        ax.legend(fontsize="small")
    return ax


def draw_coefficients(coefficients, names=None, ax=None, *, most=MOST_NAMES):
    """The largest coefficients as bars, by the names of their features."""
    ax = axes_of(ax)
    coefficients = np.asarray(coefficients)
    order = np.argsort(-np.abs(coefficients), kind="stable")[: min(most, np.count_nonzero(coefficients))][::-1]
    values = coefficients[order]
    ax.barh(range(len(order)), values, color=np.where(values > 0, "tab:blue", "tab:red"))
    ax.set_yticks(range(len(order)), [_name(names, j) for j in order])
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlabel="coefficient", title=f"{np.count_nonzero(coefficients)} of {len(coefficients)} features")
    return ax


def draw_stability(stability, names=None, ax=None, *, most=MOST_NAMES):
    """How often each feature is selected, the most stable at the top, and the threshold."""
    ax = axes_of(ax)
    order = np.argsort(-stability.frequency, kind="stable")[:most][::-1]
    frequency = stability.frequency[order]
    ax.barh(range(len(order)), frequency, color=np.where(frequency >= stability.threshold, "tab:blue", "lightgrey"))
    ax.set_yticks(range(len(order)), [_name(names, stability.indices[k]) for k in order])
    ax.axvline(stability.threshold, color="grey", linestyle="--", linewidth=1)
    ax.set(xlim=(0, 1), xlabel="share of the subsamples", title=f"{len(stability.stable)} stable features")
    return ax
