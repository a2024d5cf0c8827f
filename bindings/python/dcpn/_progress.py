# SPDX-License-Identifier: BSD-3-Clause
"""A callback that shows how far the work is, on one line of a terminal or a notebook."""

import sys
import time


class Progress:
    """callback=dcpn.Progress() for fit, path, cv and minimize; it writes at most ten times a second.

    Parameters
    ----------
    file : where to write; None: standard error
    """

    def __init__(self, file=None):
        self.file, self.calls, self._shown_at, self._width = file, 0, float("-inf"), 0

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

    def _show(self, text):
        now = time.monotonic()
        if now - self._shown_at < 0.1:
            return
        self._shown_at = now
        file = self.file or sys.stderr
        file.write("\r" + text.ljust(self._width))
        file.flush()
        self._width = len(text)
