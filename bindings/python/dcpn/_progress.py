# SPDX-License-Identifier: BSD-3-Clause
"""A callback that shows how far the work is, on one line of a terminal or a notebook."""

import math
import sys
import time


class Progress:
    """callback=dcpn.Progress() for fit, path, cv and minimize; verbose=1 of the estimators does the same. It writes at most ten
    times a second, how much is done and, from the second second on, about how much time is left.

    Parameters
    ----------
    file : where to write; None: standard error, and in a notebook standard output

    Attributes
    ----------
    calls : how often it was called
    left_s : the seconds that are left of paths and cross-validations; NaN: not known
    """

    def __init__(self, file=None):
        self.file, self.calls, self.left_s = file, 0, math.nan
        self._begun_at, self._shown_at, self._width = None, float("-inf"), 0

    def __call__(self, *seen):
        self.calls += 1
        if len(seen) == 5:
            penalty, lam, fold, done, total = seen
            text = f"{done} of {total} fits ({100 * done / max(total, 1):.0f} %): {penalty}, lambda {lam:.4g}"
            text += f", fold {fold + 1}" if fold >= 0 else ""
        else:
            iteration, objective, stationarity, time_s = seen
            text = f"iteration {iteration}: F = {objective:.8g}, stationarity {stationarity:.2g}, {time_s:.1f} s"
        self._show(text)

    def close(self):
        """Clears the line; the functions and estimators do that when they are done."""
        if self._width:
            self._write("\r" + " " * self._width + "\r")
        self.left_s, self._begun_at, self._width, self._shown_at = math.nan, None, 0, float("-inf")

    def _left(self, now):
        """As words, but not in the first second and not if it is less than one."""
        if now - self._begun_at < 1.0 or not self.left_s >= 0.5:
            return ""
        return f", about {self.left_s:.0f} s left" if self.left_s < 120 else f", about {self.left_s / 60:.0f} min left"

    def _show(self, text):
        now = time.monotonic()
        if self._begun_at is None:
            self._begun_at = now
        if now - self._shown_at < 0.1:
            return
        self._shown_at = now
        text += self._left(now)
        self._write("\r" + text.ljust(self._width))
        self._width = max(self._width, len(text))

    def _write(self, text):
        file = self.file or (sys.stdout if "ipykernel" in sys.modules else sys.stderr)
        file.write(text)
        file.flush()


def finish(callback):
    """Lets a callback that has a line end it."""
    if hasattr(callback, "close"):
        callback.close()
