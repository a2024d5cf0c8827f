#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes dcpn/__init__.pyi from the package itself: names and kinds of settings come from the library's table.

usage: PYTHONPATH=build/release/python write_stubs.py [--check] FILE
"""

import argparse
import difflib
import inspect
import pathlib
import re
import sys

import dcpn
from dcpn._settings import SETTINGS

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Written by bindings/python/tools/write_stubs.py; a test looks whether it is up to date.
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
'''
KINDS = {"real": "float", "count": "int", "flag": "bool"}
# Of parameters that are no settings; those that are not here may be anything.
TYPES = {
    "n_jobs": "int | None", "verbose": "int", "lam": "float | None", "lam_ratio": "float", "rule": "Literal['min', '1se', 'paired', 'earned', 'aic', 'bic', 'ebic', 'gic'] | None",
    "fdr": "float", "kind": "Literal['gaussian', 'fixed']", "statistic": "Literal['coefficient', 'entry']",
    "distance": "Literal['mvr', 'equal']", "copies": "int | None", "draws": "int | None", "lenient": "bool", "level": "float",
    "method": "Literal['full', 'debiased', 'double'] | None", "features": "Sequence[int | str] | int | str | None",
    "repeats": "int", "relax": "bool", "features_kept": "int | None",
    "measure": "str | None", "n_lambdas": "int | None", "min_ratio": "float | None", "seed": "int", "stability": "int", "patience": "int | None",
    "sample_weight": "ArrayLike | None", "offset": "ArrayLike | None", "penalty_factors": "ArrayLike | float | None",
    "lower": "ArrayLike | float | None", "upper": "ArrayLike | float | None", "lambdas": "ArrayLike | None",
    "values": "ArrayLike | None", "penalties": "str | Sequence[str] | None", "start_intercept": "float", "y": "ArrayLike | None",
    "groups": "Mapping[Any, Iterable[int | str]] | Sequence[Any] | str | None", "group_weights": "Mapping[Any, float] | None",
    "callback": "Callable[..., Any] | None", "class_weight": "Mapping[Any, float] | Literal['balanced'] | None",
    "stratified": "bool", "folds": "int | ArrayLike | None", "start": "ArrayLike | None", "path": "str | PathLike[str]",
    "value": "Callable[[NDArray[np.float64]], float]", "gradient": "Callable[[NDArray[np.float64]], ArrayLike]",
    "value2": "Callable[[NDArray[np.float64]], float] | None", "h": "Regularizer | None", "lipschitz": "float",
    "gradient2": "Callable[[NDArray[np.float64]], ArrayLike] | None",
    "subgradient2": "Callable[[NDArray[np.float64]], ArrayLike] | None",
    "hessian_product": "Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike] | None",
    "prox": "Callable[[NDArray[np.float64], float], ArrayLike]", "saturation": "float | None", "entry": "ArrayLike | None", "strata": "ArrayLike | None",
}
RETURNS = {"fit": "Fit", "path": "Path | list[Path]", "cv": "CrossValidation", "read": "Dataset", "load": "Fit | Path | list[Path] | CrossValidation", "minimize": "Fit",
           "knockoffs": "Knockoffs", "intervals": "Intervals",
           "settings": "list[dict[str, Any]]"}
ARRAYS = "NDArray[np.float64]"
ATTRIBUTES = {
    "TableCoder": {"feature_names_in_": "NDArray[Any]", "n_features_in_": "int", "gaps_": "dict[str, int]",
                   "left_out_": "list[str]"},
    "NodewiseGraph": {"edges_": "NDArray[np.int64]", "weights_": ARRAYS, "intercepts_": ARRAYS, "lams_": ARRAYS, "objectives_": ARRAYS,
                      "violations_": ARRAYS, "goals_": ARRAYS, "coefficients_": "Any"},
    "GraphicalModel": {"precision_": ARRAYS, "covariance_": ARRAYS, "location_": ARRAYS, "partial_correlation_": ARRAYS,
                       "edges_": "NDArray[np.int64]", "stability_": "NDArray[np.float64] | None", "path_": "list[dict[str, Any]]",
                       "lam_": "float", "objective_": "float", "violation_": "float", "goal_": "float", "n_iter_": "int"},
    "MatrixCompletion": {"U_": ARRAYS, "singular_values_": ARRAYS, "V_": ARRAYS, "offset_": "float", "sparse_": "Any", "rank_": "int",
                         "lam_": "float", "lam_max_": "float", "held_out_error_": "float", "objective_": "float",
                         "violation_": "float", "goal_": "float", "n_iter_": "int"},
    "SparseFactorization": {"components_": ARRAYS, "codes_": ARRAYS, "objective_": "float", "unexplained_": "float",
                            "codes_violation_": "float", "codes_goal_": "float", "atoms_violation_": "float",
                            "atoms_goal_": "float", "n_iter_": "int"},
    "Fit": {"coefficients": ARRAYS, "intercept": "float", "lam": "float", "support": "NDArray[np.intp]",
            "classes": "NDArray[Any] | None", "feature_names": "NDArray[Any] | None", "objective": "float",
            "loss_value": "float", "penalty_value": "float", "stationarity": "float", "stationarity_goal": "float",
            "outcome": "str", "converged": "bool", "iterations": "int", "passes": "float", "time_s": "float",
            "settings": "dict[str, Any]"},
    "Path": {"penalty": "str", "varying": "str | None", "value": "float", "lambdas": ARRAYS, "intercepts": ARRAYS,
             "objective": ARRAYS, "deviance": ARRAYS, "stationarity": ARRAYS, "nonzeros": "NDArray[np.int64]",
             "iterations": "NDArray[np.int64]", "converged": "NDArray[np.bool_]", "lambda_max": "float",
             "end": "Literal['all', 'saturated', 'crowded', 'noise', 'interrupted']", "kind": "str | None", "name": "str", "mfdr": ARRAYS, "scores": "int", "coefficients": "Any"},
    "CrossValidation": {"paths": "list[Path]", "measures": "list[str]", "measure": "str", "min": "Choice",
                        "one_se": "Choice", "chosen": "Choice", "stability": "Stability | None", "n_folds": "int", "rule": "str",
                        "compares": "bool", "is_complete": "bool", "time_s": "float"},
    "Knockoffs": {"selected": "NDArray[np.int64]", "win": ARRAYS, "frequency": ARRAYS, "evidence": ARRAYS, "threshold": "float",
                  "fdr": "float", "copies": "int", "draws": "int", "shrinkage": "float", "extra_rows": "int",
                  "correlation": "float", "lam": "float", "feature_names": "NDArray[Any] | None"},
    "Intervals": {"features": "NDArray[np.int64]", "estimate": ARRAYS, "error": ARRAYS, "low": ARRAYS, "high": ARRAYS,
                  "statistic": ARRAYS, "p_value": ARRAYS, "beside": "NDArray[np.int64]", "method": "str", "deviation": "float",
                  "level": "float", "feature_names": "NDArray[Any] | None"},
    "Choice": {"path": "int", "point": "int", "mean": "float", "se": "float"},
    "Stability": {"indices": "NDArray[np.int64]", "frequency": ARRAYS, "stable": "NDArray[np.int64]", "threshold": "float"},
    "Dataset": {"X": "Any", "y": ARRAYS, "labels": "NDArray[Any]", "feature_names": "list[str] | None",
                "label_names": "list[str] | None", "label_name": "str | None", "format": "str", "index_base": "int",
                "row_names": "list[str] | None"},
    "Progress": {"calls": "int", "left_s": "float"},
    "Regularizer": {},
    "ConvergenceWarning": {},
}
LEARNED = {"coef_": "Any", "n_iter_": "int", "certificate_": "float", "converged_": "bool", "n_features_in_": "int",
           "feature_names_in_": "NDArray[Any]"}


def type_of(name):
    setting = SETTINGS.get(name)
    if name in TYPES or setting is None:
        return TYPES.get(name, "Any")
    if setting.choices:
        return "Literal[" + ", ".join(map(repr, setting.choices)) + "]"
    return KINDS[setting.kind]


def stub_of(name, function, returns, indent="", settings=False):
    """The signature with types; `**settings` becomes the settings by name."""
    parts, has_star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.VAR_KEYWORD:
            if settings:
                parts += [f"{n}: {type_of(n)} | None = ..." for n in SETTINGS if n != "lam"]
            else:
                parts.append(f"**{p.name}: Any")
            continue
        if p.kind is p.KEYWORD_ONLY and not has_star:
            parts.append("*")
            has_star = True
        default = "" if p.default is p.empty or p.name == "self" else " = ..."
        text = p.name if p.name == "self" else f"{p.name}: {type_of(p.name)}{default}"
        parts.append(f"*{p.name}: Any" if p.kind is p.VAR_POSITIONAL else text)
    inner = "".join(f"\n{indent}    {part}," for part in parts)
    arguments = f"{inner}\n{indent}" if len(parts) > 1 else "".join(parts)
    return f"{indent}def {name}({arguments}) -> {returns}: ...\n"


def returns_of(cls, name):
    if name in ("fit", "sparsify", "densify"):
        return cls.__name__
    return {"__init__": "None", "__len__": "int", "score": "float", "nearest": "int", "named_coefficients": "dict[Any, float]", "save": "None", "report": "None", "close": "None"}.get(name, "Any")


def methods_of(cls):
    for base in reversed([b for b in cls.__mro__ if b.__module__.startswith("dcpn")]):
        for name, member in vars(base).items():
            if not name.startswith("_") or name in ("__init__", "__len__", "__call__"):
                yield name, getattr(member, "fn", member)  # fn: of available_if


def stub_of_class(cls, bases=""):
    lines = [f"class {cls.__name__}{bases}:\n"]
    is_estimator = cls.__name__ in dcpn._ESTIMATORS
    attributes = dict(LEARNED) if is_estimator else ATTRIBUTES[cls.__name__]
    if is_estimator:
        attributes["intercept_"] = ARRAYS if "Classifier" in cls.__name__ else "float"
        attributes.update({"classes_": "NDArray[Any]"} if "Classifier" in cls.__name__ else {})
    lines += [f"    {name}: {kind}\n" for name, kind in attributes.items()]
    methods = dict(methods_of(cls))
    for name, function in methods.items():
        if inspect.isfunction(function):
            lines.append(stub_of(name, function, returns_of(cls, name), "    "))
    return "".join(lines) if len(lines) > 1 else lines[0] + "    ...\n"


def text():
    parts = [HEAD]
    for name, returns in RETURNS.items():
        parts.append(stub_of(name, getattr(dcpn, name), returns, settings=name in ("fit", "path", "cv", "knockoffs", "intervals", "minimize")))
    for name in (name for name in ATTRIBUTES if name not in (*dcpn._MATRICES, *dcpn._TABLES)):
        parts.append(stub_of_class(getattr(dcpn, name), "(UserWarning)" if name == "ConvergenceWarning" else ""))
    parts += [stub_of_class(getattr(dcpn, name)) for name in (*dcpn._ESTIMATORS, *dcpn._MATRICES, *dcpn._TABLES)]
    return "\n".join(parts)


def without_settings(stubs):
    """The lines that are no parameter: settings come and go with the library, whose developers need no Python for that."""
    return "".join(line for line in stubs.splitlines(True) if not re.match(r" +\w+: .* = \.\.\.,$", line))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is not up to date, and write nothing")
    parser.add_argument("--but-settings", action="store_true", help="--check: lines of settings may differ")
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    new = text()
    if not arguments.check:
        arguments.file.write_text(new)
        return 0
    old = arguments.file.read_text()
    if arguments.but_settings:
        old, new = without_settings(old), without_settings(new)
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(arguments.file), "now"))
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
