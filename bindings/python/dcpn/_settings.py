# SPDX-License-Identifier: BSD-3-Clause
"""The settings by their names in Python: defaults, texts and checks come from the library's own table."""

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

    @property
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


def in_words_of_python(message):
    """The library's sentence with the names that the settings have here: --max-iter becomes max_iter."""

    def name(match):
        setting = _BY_OPTION.get(match.group(1))
        return setting.name if setting else match.group(1).replace("-", "_")

    return _OPTION.sub(name, message)


def as_options(words):
    """The settings that are not left at the library's choice, by the option of the command that they are."""
    options = {}
    for name, value in words.items():
        setting = SETTINGS.get(name)
        if setting is None:
            raise TypeError(_stranger(name))
        if value is not None:
            options[setting.option] = value
    for name in ("fit_intercept", "standardize", "scale"):  # differ from those of the command fit
        options.setdefault(SETTINGS[name].option, SETTINGS[name].default)
    return options


def _stranger(name):
    import difflib

    near = difflib.get_close_matches(name, SETTINGS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "; dcpn.settings() lists them"
    return f"there is no setting called {name!r}{hint}"


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
