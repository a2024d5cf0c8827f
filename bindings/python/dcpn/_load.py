# SPDX-License-Identifier: BSD-3-Clause
"""Reads back what save or the command has written."""

import os

import numpy as np

from . import _core
from ._functions import call
from ._inputs import ORDERED, Labels
from ._results import CrossValidation, Fit, Path, doubles, integers
from ._settings import name_of


def _classes(found):
    """Texts where the file has names; else numbers, or None where labels are numbers of a regression."""
    numbers = doubles(found["classes"])
    if found["class_names"] is not None:
        return np.array(found["class_names"], object)
    return numbers if len(numbers) else None


def _settings(found):
    return {name_of(option): value for option, value in found["settings"].items()}


def _fit(found):
    features, scores = found["features"], found["scores"]
    coefficients = np.zeros(scores * features)
    indices, names = integers(found["indices"]), None
    coefficients[indices] = doubles(found["values"])
    intercepts = doubles(found["intercepts"])
    if found["names_in_use"] is not None:
        names = np.array([str(j) for j in range(features)], object)
        names[indices % features] = found["names_in_use"]
    several = scores > 1
    all_of_them = several or found["settings"]["loss"] in ORDERED
    return Fit(
        coefficients.reshape(scores, features) if several else coefficients, intercepts if all_of_them else float(intercepts[0]),
        found["lambda"], _settings(found), found["result"], Labels.of_numbers(None, _classes(found)), names,
    )


def load(path):
    """Reads a file that `save` or the command has written: of a model, of paths or of a cross-validation.

    Features that the model of a file does not use have their positions for names; predictions take rows of all of them.

    Returns
    -------
    Fit, Path (a list of them if the file has several) or CrossValidation
    """
    kept = call(_core.Kept.read, os.fspath(path))
    found = kept.contents()
    if "result" in found:
        loaded = _fit(found)
        loaded.kept, loaded._is_loaded = kept, True
        return loaded
    names = None if found["names"] is None else np.array(found["names"], object)
    classes, settings = _classes(found), _settings(found)
    if "cv" in found:
        loaded = CrossValidation(found["cv"], settings, classes, names)
        loaded.keep(kept)
        paths = loaded.paths
    else:
        all_of = found["paths"]
        paths = [Path(one, all_of["features"], settings, classes, names, all_of["scores"]) for one in all_of["paths"]]
        loaded = paths[0] if len(paths) == 1 else paths
    for one in paths:
        one.kept, one._is_loaded = kept, True
    if "cv" in found:
        loaded._is_loaded = True
    return loaded
