#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Why one would choose dcpn: the picture and the table at the top of the README, from a run.

usage: reason.py DCPN [--draws N] [--features P] [--svg FILE] [--rule min|1se]

Each draw has 200 rows and P features, neighbours correlated 0.5, of which 10 matter, with coefficients of 0.5 to 1.5; the
signal has three times the variance of the noise. `dcpn cv` chooses among the models of the lasso and among those of MCP,
by the same folds and the same rule. What is counted: features kept that matter, features kept that do not, and the mean
square of the error on 1000 new rows, as a multiple of that of the noise, which nobody can predict.
"""
import argparse
import csv
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile

ROWS, NEW_ROWS, RELEVANT, RHO, SIGNAL_TO_NOISE = 200, 1000, 10, 0.5, 3.0
METHODS = [("l1", "lasso"), ("mcp", "MCP")]


def row_of_features(stream, features):
    row, last = [], stream.gauss(0, 1)
    for _ in range(features):
        row.append(last)
        last = RHO * last + (1 - RHO * RHO) ** 0.5 * stream.gauss(0, 1)
    return row


class Draw:
    """Data with a known truth."""

    def __init__(self, seed, features):
        stream = random.Random(seed)
        self.truth = {j: stream.choice([-1, 1]) * stream.uniform(0.5, 1.5)
                      for j in stream.sample(range(features), RELEVANT)}
        self.rows = [row_of_features(stream, features) for _ in range(ROWS)]
        self.new_rows = [row_of_features(stream, features) for _ in range(NEW_ROWS)]
        self.noise = statistics.pstdev(map(self.signal, self.new_rows)) / SIGNAL_TO_NOISE**0.5
        self.labels = [self.signal(row) + self.noise * stream.gauss(0, 1) for row in self.rows]
        self.new_labels = [self.signal(row) + self.noise * stream.gauss(0, 1) for row in self.new_rows]

    def signal(self, row):
        return sum(slope * row[j] for j, slope in self.truth.items())

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write(",".join(["y", *(str(j + 1) for j in range(len(self.rows[0])))]) + "\n")
            for label, row in zip(self.labels, self.rows):
                file.write(",".join(map(repr, [label, *row])) + "\n")


def coefficients(dcpn, model):
    """The intercept and the others by their number from 0."""
    text = subprocess.run([dcpn, "coef", model, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in list(csv.reader(io.StringIO(text)))[1:]:
        found[int(line[0]) - 1 if line[0] else None] = float(line[-1])
    return found.pop(None, 0.0), found


def choose(dcpn, draw, penalty, rule):
    """(features kept that matter, features kept that do not, error on new rows in units of the noise)."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = os.path.join(folder, "train.csv"), os.path.join(folder, "model.json")
        draw.write(data)
        subprocess.run([dcpn, "cv", data, "-q", "--label-column", "y", "--loss", "squared", "--penalty", penalty,
                        "--rule", rule, "--model", model, "--threads", "0"], check=True)
        intercept, x = coefficients(dcpn, model)
    right = len(x.keys() & draw.truth.keys())
    error = statistics.fmean((label - intercept - sum(value * row[j] for j, value in x.items())) ** 2
                             for row, label in zip(draw.new_rows, draw.new_labels))
    return right, len(x) - right, error / draw.noise**2


# ---- the picture ----

LEFT, RIGHT, TOP, BAR, GAP, WIDTH = 74, 20, 62, 11, 12, 640
STYLE = """<style>text{font:13px system-ui,sans-serif;fill:#24292f}.small{font-size:11px}.true{fill:#0b5fa5}
.false{fill:#f0a35e}.axis{stroke:#8c959f;stroke-width:1}.mark{stroke:#24292f;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.mark{stroke:#e6edf3}}</style>"""


def picture(results):
    """One pair of bars for each draw: what the lasso keeps and what MCP keeps."""
    most = max(right + wrong for draw in results for right, wrong, _ in draw)
    scale = (WIDTH - LEFT - RIGHT) / (most * 1.05)
    height = TOP + len(results) * (2 * BAR + GAP) + 34
    bottom = height - 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">',
             "<title>Features kept by the lasso and by MCP</title>", STYLE,
             f'<text x="{LEFT}" y="16">Features kept, of {RELEVANT} that matter: each pair of bars is one draw of data</text>',
             f'<rect class="true" x="{LEFT}" y="27" width="11" height="11"/><text x="{LEFT + 17}" y="37">matter</text>',
             f'<rect class="false" x="{LEFT + 80}" y="27" width="11" height="11"/>'
             f'<text x="{LEFT + 97}" y="37">do not matter</text>']
    for k, draw in enumerate(results):
        for m, (right, wrong, _) in enumerate(draw):
            y = TOP + k * (2 * BAR + GAP) + m * BAR
            parts.append(f'<text class="small" x="{LEFT - 8}" y="{y + 9}" text-anchor="end">{METHODS[m][1]}</text>')
            for kind, first, count in (("true", 0, right), ("false", right, wrong)):
                parts.append(f'<rect class="{kind}" x="{LEFT + first * scale:.1f}" y="{y}" '
                             f'width="{count * scale:.1f}" height="{BAR - 1}"/>')
    x = LEFT + RELEVANT * scale
    parts.append(f'<path class="mark" d="M{x:.1f} {TOP - 8}V{bottom}"/>')
    parts.append(f'<path class="axis" d="M{LEFT} {bottom}H{WIDTH - RIGHT}"/>')
    for tick in range(0, most + 1, 10 if most > 30 else 5):
        parts.append(f'<text class="small" x="{LEFT + tick * scale:.1f}" y="{bottom + 16}" text-anchor="middle">{tick}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(results):
    lines = ["| | features kept | of the 10 that matter | noise kept | error on new rows (noise alone: 1) |",
             "|---|---|---|---|---|"]
    for m, (_, name) in enumerate(METHODS):
        right, wrong, error = (statistics.fmean(draw[m][k] for draw in results) for k in range(3))
        lines.append(f"| {name} | {right + wrong:.1f} | {right:.1f} | {wrong:.1f} | {error:.2f} |")
    return "\n".join(lines)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("dcpn")
    words.add_argument("--draws", type=int, default=6)
    words.add_argument("--features", type=int, default=2000)
    words.add_argument("--rule", default="min", choices=("min", "1se"))
    words.add_argument("--svg")
    found = words.parse_args()
    results = []
    for seed in range(1, found.draws + 1):
        draw = Draw(seed, found.features)
        results.append([choose(os.path.abspath(found.dcpn), draw, penalty, found.rule) for penalty, _ in METHODS])
        print(f"draw {seed}:", *(f"{name} {right}+{wrong}, error {error:.3f};" for (_, name), (right, wrong, error)
                                 in zip(METHODS, results[-1])), file=sys.stderr)
    print(table(results))
    if found.svg:
        with open(found.svg, "w", encoding="ascii") as file:
            file.write(picture(results))


if __name__ == "__main__":
    main()
