#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well `dcpn cv` chooses as it comes: the table of docs/choosing.md, from simulated data with a known truth.

usage: choosing.py DCPN [--first SEED] [--draws N] [--settings described|other]

Needs NumPy and the package abess. Columns are normal, neighbours correlated rho; k of them matter, with coefficients of
0.5 to 1.5 and random signs. The signal has snr times the variance of the noise or, of classes, the variance snr. What is
counted: F1 of the features found, the error on 2000 new rows (mean square over that of the noise, or the share of wrong
classes), and processor time, of one thread each: that of the command, reading and all, and that of the fit of abess.
"""
import argparse
import csv
import io
import os
import resource
import subprocess
import sys
import tempfile
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import numpy as np  # noqa: E402: the number of its threads is set before

NEW_ROWS = 2000
# loss, rows, features, rho, snr, features that matter
SETTINGS = {
    "described": [("squared", 200, 2000, .5, 3, 10), ("squared", 200, 2000, .5, 1, 10), ("squared", 200, 2000, .9, 3, 10),
                  ("squared", 100, 500, .7, 2, 5), ("squared", 500, 1000, .3, .5, 20), ("squared", 400, 100, .8, 2, 10),
                  ("logistic", 200, 2000, .5, 10, 10), ("logistic", 200, 2000, .9, 10, 10),
                  ("logistic", 400, 1000, .5, 3, 20), ("logistic", 600, 200, .3, 2, 10), ("logistic", 150, 500, .7, 20, 5)],
    "other": [("squared", 300, 1000, .6, 2, 8), ("squared", 150, 3000, .3, 4, 8), ("squared", 250, 500, .85, 1.5, 12),
              ("squared", 800, 200, .5, .7, 15), ("squared", 500, 80, .9, 3, 10), ("squared", 120, 120, .5, 2, 6),
              ("logistic", 300, 1000, .6, 6, 8), ("logistic", 250, 3000, .3, 15, 6), ("logistic", 500, 300, .8, 4, 12),
              ("logistic", 1000, 100, .5, 1.5, 10), ("logistic", 120, 800, .5, 20, 5), ("logistic", 350, 2000, .85, 10, 10)],
}


class Draw:
    """Data with a known truth."""

    def __init__(self, setting, seed):
        self.loss, self.rows, self.features, rho, snr, relevant = setting
        stream = np.random.RandomState(seed * 7 + 1)
        self.truth = np.zeros(self.features)
        places = np.sort(stream.permutation(self.features)[:relevant])
        self.truth[places] = stream.choice([-1, 1], relevant) * stream.uniform(.5, 1.5, relevant)
        self.A, old = self.columns(seed * 7 + 2, self.rows, rho)
        self.new_A, new = self.columns(seed * 7 + 3, NEW_ROWS, rho)
        signal = (self.new_A @ self.truth).var()
        if self.loss == "logistic":
            self.truth *= np.sqrt(snr / signal)
        self.noise = np.sqrt(signal / snr)
        self.y, self.new_y = self.labels(self.A, old), self.labels(self.new_A, new)

    def columns(self, seed, rows, rho):
        stream = np.random.RandomState(seed)
        A = np.empty((rows, self.features))
        A[:, 0] = stream.randn(rows)
        for j in range(1, self.features):
            A[:, j] = rho * A[:, j - 1] + np.sqrt(1 - rho * rho) * stream.randn(rows)
        return A, stream

    def labels(self, A, stream):
        u = A @ self.truth
        if self.loss == "squared":
            return u + self.noise * stream.randn(len(u))
        return np.where(stream.rand(len(u)) < 1 / (1 + np.exp(-u)), 1., -1.)

    def judge(self, x, intercept):
        """F1 and the error on new rows."""
        true, kept, u = self.truth != 0, x != 0, self.new_A @ x + intercept
        if self.loss == "squared":
            error = ((self.new_y - u) ** 2).mean() / self.noise ** 2
        else:
            error = 100 * (np.where(u > 0, 1, -1) != self.new_y).mean()
        return 2 * (true & kept).sum() / (true.sum() + kept.sum()), error


def by_dcpn(dcpn, draw, options=()):
    with tempfile.TemporaryDirectory() as folder:
        data, model = os.path.join(folder, "train.npz"), os.path.join(folder, "model.json")
        np.savez(data, X=draw.A, y=draw.y)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([dcpn, "cv", data, "-q", "--loss", draw.loss, "--threads", "1", "--model", model, *options],
                       check=True, stderr=subprocess.DEVNULL)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        text = subprocess.run([dcpn, "coef", model, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    x, intercept = np.zeros(draw.features), 0.
    for number, *_, value in list(csv.reader(io.StringIO(text)))[1:]:
        if number:
            x[int(number) - 1] = float(value)
        else:
            intercept = float(value)
    return *draw.judge(x, intercept), took


def by_abess(draw):
    from abess import LinearRegression, LogisticRegression
    fit = (LinearRegression if draw.loss == "squared" else LogisticRegression)(cv=10, thread=1)
    began = time.process_time()
    fit.fit(draw.A, draw.y if draw.loss == "squared" else (draw.y > 0) * 1)
    took = time.process_time() - began
    return *draw.judge(fit.coef_.ravel(), float(np.ravel(fit.intercept_)[0])), took


def measure(dcpn, setting, seeds):
    """F1, error and time of abess, dcpn and l1 at its best mean: means over the draws, 3 x 3."""
    found = []
    for seed in seeds:
        draw = Draw(setting, seed)
        found.append((by_abess(draw), by_dcpn(dcpn, draw), by_dcpn(dcpn, draw, ["--penalty", "l1", "--rule", "min"])))
    return np.mean(found, axis=0)


def row_of(setting, means):
    digits = 2 if setting[0] == "squared" else 1
    errors = " | ".join(f"{error:.{digits}f}" for error in means[:, 1])
    return (f"| {setting[0]} | {setting[1]} x {setting[2]} | {setting[3]} | {setting[4]} | "
            + " | ".join(f"{F1:.2f}" for F1 in means[:, 0]) + f" | {errors} | {means[1, 2] / means[0, 2]:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dcpn")
    parser.add_argument("--first", type=int, default=31)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--settings", choices=list(SETTINGS), default="described")
    asked = parser.parse_args()
    print("| loss | rows x features | rho | snr | F1 abess | dcpn | l1 | error abess | dcpn | l1 | time / abess |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    all_means = []
    for setting in SETTINGS[asked.settings]:
        all_means.append(measure(asked.dcpn, setting, range(asked.first, asked.first + asked.draws)))
        print(row_of(setting, all_means[-1]), flush=True)
    F1, error = np.array(all_means)[:, :, 0], np.array(all_means)[:, :, 1]
    beside = error[:, 1] / np.minimum(error[:, 0], error[:, 2])
    print("\nmean F1", *np.round(F1.mean(axis=0), 3), "; below abess on", (F1[:, 1] < F1[:, 0]).sum(), "; error / the best",
          np.round(beside.mean(), 3), "at most", np.round(beside.max(), 3))


if __name__ == "__main__":
    sys.exit(main())
