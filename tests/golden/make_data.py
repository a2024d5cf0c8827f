#!/usr/bin/env python3
"""Writes the data files of the golden cases into tests/golden/data, the same bytes on every machine.

Only random.Random(seed).random(), sums and products are used: no function of the C mathematics library, whose
last digit may differ between systems.
"""

import os
import random

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def normal(rng):
    """Nearly normal with mean 0 and variance 1: a sum of twelve uniform numbers."""
    return sum(rng.random() for _ in range(12)) - 6


def sparse_row(rng, features, entries):
    """Positive values; features with a small index are more frequent, as words in a text are."""
    indices = {1 + int(features * rng.random() * rng.random()) for _ in range(entries)}
    return {j: round(0.05 + 1.5 * rng.random(), 2) for j in sorted(indices)}


def dense_row(rng, features):
    """Correlated features; every tenth is larger by a factor 5."""
    common = normal(rng)
    values = {}
    for j in range(1, features + 1):
        value = 0.6 * common + 0.8 * normal(rng)
        values[j] = round(value * (5 if j % 10 == 0 else 1), 2)
    return values


def true_coefficients(rng, features, nonzeros):
    return {1 + int(features * rng.random() * rng.random()): 4 * rng.random() - 2 for _ in range(nonzeros)}


def score(row, coef):
    return sum(value * coef.get(j, 0.0) for j, value in row.items())


def format_line(label, row):
    return " ".join([label] + [f"{j}:{value:g}" for j, value in row.items() if value != 0])


def write_lines(name, lines):
    with open(os.path.join(FOLDER, name), "w", encoding="ascii", newline="\n") as out:
        out.writelines(line + "\n" for line in lines)


def with_last_feature(rows, features):
    """Makes sure the highest index occurs, so that the number of features is the intended one."""
    rows[0][features] = rows[0].get(features) or 0.5
    return rows


def classification(name, seed, rows, coef, threshold):
    rng = random.Random(seed)
    labels = ["+1" if score(row, coef) + normal(rng) > threshold else "-1" for row in rows]
    write_lines(name, map(format_line, labels, rows))


def regression(name, seed, rows, coef, shift):
    rng = random.Random(seed)
    labels = [f"{score(row, coef) + shift + normal(rng):.2f}" for row in rows]
    write_lines(name, map(format_line, labels, rows))


def squares(name, seed, rows, coef, least):
    """Labels that are no less than `least`; with 0 they are counts."""
    rng = random.Random(seed)
    values = [(0.3 * score(row, coef) + 0.5 * normal(rng) + 0.5) ** 2 for row in rows]
    labels = [f"{least + value:.2f}" if least > 0 else str(int(value)) for value in values]
    write_lines(name, map(format_line, labels, rows))


def sparse_rows(seed, n, features, entries):
    rng = random.Random(seed)
    return with_last_feature([sparse_row(rng, features, entries) for _ in range(n)], features)


def dense_rows(seed, n, features):
    rng = random.Random(seed)
    return with_last_feature([dense_row(rng, features) for _ in range(n)], features)


def number_lines(seed, count, choices):
    rng = random.Random(seed)
    return [f"{choices[int(len(choices) * rng.random())]:g}" for _ in range(count)]


def main():
    os.makedirs(FOLDER, exist_ok=True)
    coef = true_coefficients(random.Random(11), 400, 40)
    classification("sparse-class.svm", 12, sparse_rows(13, 200, 400, 11), coef, 1.2)
    coef = true_coefficients(random.Random(21), 30, 6)
    classification("dense-class.svm", 22, dense_rows(23, 100, 30), coef, 0.3)
    coef = true_coefficients(random.Random(31), 200, 10)
    classification("wide-class.svm", 32, dense_rows(33, 40, 200), coef, 0.0)
    coef = true_coefficients(random.Random(41), 300, 30)
    regression("sparse-reg.svm", 42, sparse_rows(43, 150, 300, 11), coef, 1.5)
    coef = true_coefficients(random.Random(51), 20, 6)
    regression("dense-reg.svm", 52, dense_rows(53, 120, 20), coef, -2.0)
    coef = {1: 1.5, 4: -1.0, 7: 0.8, 10: 0.2}
    squares("dense-count.svm", 72, dense_rows(73, 120, 20), coef, 0)
    squares("dense-positive.svm", 74, dense_rows(75, 120, 20), coef, 0.1)
    write_lines("dense-class.weights", number_lines(61, 100, [0.5, 1, 1.5, 2, 4]))
    write_lines("dense-reg.weights", number_lines(62, 120, [0.5, 1, 1.5, 2, 4]))
    write_lines("dense-class.offset", number_lines(63, 100, [-1, -0.5, 0, 0.25, 0.75]))
    write_lines("dense-reg.factor", number_lines(64, 20, [0, 0.5, 1, 2]))
    write_lines("dense-class.factor", number_lines(65, 30, [0, 0.5, 1, 2]))
    write_lines("dense-reg.offset", number_lines(66, 120, [-1, -0.5, 0, 0.25, 0.75]))
    write_lines("dense-reg.multiplier", number_lines(67, 20, [0.5, 1, 2]))


if __name__ == "__main__":
    main()
