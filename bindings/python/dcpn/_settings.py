# SPDX-License-Identifier: BSD-3-Clause
"""The settings by their names in Python: defaults, texts and checks come from the library's own table."""

import functools
import re

from . import _core

# An option of the command whose name Python or scikit-learn has other uses for.
RENAMED = {"lambda": "lam", "global": "global_search", "intercept": "fit_intercept"}


class Setting:
    """One row of the library's table."""

    def __init__(self, row):
        self.option = row["option"]
        self.name = RENAMED.get(self.option, self.option.replace("-", "_"))
        self.group, self.kind, self.default, self.help = row["group"], row["kind"], row["default"], row["help"]
        self.low, self.high = row["low"], row["high"]
        self._choices = row["choices"]

    @functools.cached_property
    def choices(self):
        """The words that may be chosen; None for other kinds."""
        if self._choices is None:
            return None
        if not self._choices.startswith("@"):
            return tuple(self._choices.split("|"))
        names = [part["name"] for part in _core.parts(self._choices[1:])]
        return tuple(names if self.default in names else [self.default, *names])


SETTINGS = {setting.name: setting for setting in map(Setting, _core.settings())}
_BY_OPTION = {setting.option: setting for setting in SETTINGS.values()}
_OPTION = re.compile(r"--([a-z][a-z0-9-]*)")


def name_of(option):
    """The name in Python of an option of the command."""
    setting = _BY_OPTION.get(option)
    return setting.name if setting else option.replace("-", "_")


def in_words_of_python(message):
    """The library's sentence with the names that the settings have here: --max-iter becomes max_iter."""

    def name(match):
        return name_of(match.group(1))

    return _OPTION.sub(name, message)


def as_options(words):
    """The settings that are not left at the library's choice, by the option of the command that they are."""
    options = {}
    for name, value in words.items():
        setting = SETTINGS.get(name)
        if setting is None:
            raise TypeError(_stranger(name))
        if value is not None:
            _check_choice(setting, value)
            options[setting.option] = value
    for name in ("fit_intercept", "standardize", "scale"):  # differ from those of the command fit
        options.setdefault(SETTINGS[name].option, SETTINGS[name].default)
    return options


# What others call it, and what it is here.
ELSEWHERE = {
    "alpha": "the weight of the penalty is lam, and the other part of an elastic net is ridge",
    "C": "the weight of the penalty is lam, 1 / (C rows)",
    "l1_ratio": "an elastic net is the penalty 'l1' with ridge",
    "lasso": "did you mean 'l1'?",
    "elasticnet": "that is 'l1' with ridge",
    "family": "did you mean loss?",
    "binomial": "did you mean 'logistic'?",
    "gaussian": "did you mean 'squared'?",
    "mse": "did you mean 'squared'?",
    "verbose": "callback=dcpn.Progress() shows how far the work is",
    "random_state": "did you mean seed?",
    "n_alphas": "did you mean n_lambdas?",
    "nfolds": "did you mean folds?",
    "penalty_factor": "did you mean penalty_factors?",
    "weights": "did you mean sample_weight?",
}


def _hint(word, known):
    import difflib

    if word in ELSEWHERE or word.lower() in ELSEWHERE:
        return f"; {ELSEWHERE.get(word) or ELSEWHERE[word.lower()]}"
    near = difflib.get_close_matches(word.lower(), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _stranger(name):
    return f"there is no setting called {name!r}{_hint(name, SETTINGS) or '; dcpn.settings() lists them'}"


def _check_choice(setting, value):
    choices = setting.choices
    if choices and isinstance(value, str) and "\0" not in value and value not in choices:
        raise ValueError(f"{setting.name}: found {value!r}, expected one of {', '.join(choices)}{_hint(value, choices)}")


def documentation(names=None, indent="    "):
    """The settings as the Parameters section of a docstring."""
    lines = []
    for setting in SETTINGS.values():
        if names is not None and setting.name not in names:
            continue
        kind = {"real": "float", "count": "int", "flag": "bool"}.get(setting.kind)
        kind = kind or "{" + ", ".join(map(repr, setting.choices)) + "}"
        lines.append(f"{indent}{setting.name} : {kind}, default={setting.default!r}")
        lines.append(f"{indent}    {in_words_of_python(setting.help)}")
    return "\n".join(lines)
