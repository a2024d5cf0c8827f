# SPDX-License-Identifier: BSD-3-Clause
"""The problems that services are tried on: small, but of every kind that the library tells apart."""
import random


def draw(name, rows, columns, density=1.0, relevant=5, noise=0.5, digits=2, labels="classes", unlabelled=0):
    """Rows of (label, values): a sparse linear model with noise. Values have so few digits that float32 holds them.

    A label is -1 or 1, a number, or None."""
    stream = random.Random(name)
    slopes = {stream.randrange(columns): stream.choice([-1, 1]) * stream.uniform(0.5, 2.0) for _ in range(relevant)}
    table = []
    for i in range(rows):
        values = [round(stream.gauss(0, 1) * 2**digits) / 2**digits if stream.random() < density else 0.0
                  for _ in range(columns)]
        score = sum(slope * values[j] for j, slope in slopes.items()) + noise * stream.gauss(0, 1)
        values[i % columns] = values[i % columns] or 1.0  # no feature is empty as far as rows go round
        table.append(((1 if score > 0 else -1) if labels == "classes" else round(score, 3), values))
    last = table[-1][1]
    last[-1] = last[-1] or 1.0  # so that a file that lists entries alone tells how many features there are
    for i in range(unlabelled):
        table[len(table) - 1 - i] = (None, table[len(table) - 1 - i][1])
    return table


def write_libsvm(table, path):
    with open(path, "w", encoding="ascii") as file:
        for label, values in table:
            entries = " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(values) if value)
            file.write(f"{'?' if label is None else repr(label)} {entries}\n")


def write_csv(table, path):
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(["label", *(f"x{j}" for j in range(len(table[0][1])))]) + "\n")
        for label, values in table:
            file.write(",".join(["" if label is None else repr(label), *map(repr, values)]) + "\n")


def write_numbers(numbers, path):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{number!r}\n" for number in numbers)


# The data: what draw wants of each.
DATA = {
    "issue": {"rows": 60, "columns": 6000, "relevant": 6},
    "wide": {"rows": 40, "columns": 900},
    "wide-numbers": {"rows": 40, "columns": 1200, "labels": "numbers"},
    "tall": {"rows": 600, "columns": 12},
    "tall-numbers": {"rows": 600, "columns": 12, "labels": "numbers"},
    "square": {"rows": 80, "columns": 70},
    "square-numbers": {"rows": 80, "columns": 70, "labels": "numbers"},
    "sparse": {"rows": 150, "columns": 300, "density": 0.05},
    "sparse-wide": {"rows": 100, "columns": 3000, "density": 0.01, "relevant": 60},
    "sparse-numbers": {"rows": 150, "columns": 300, "density": 0.05, "labels": "numbers", "relevant": 20},
    "half-labelled": {"rows": 80, "columns": 30, "unlabelled": 40},
}

# Data and options of each problem; WEIGHTS, OFFSET, FACTORS and BOUNDS are files that go with the data.
FITS = [
    ("issue", "--penalty capped-l1 --lambda 1 --theta .2"),
    ("issue", "--penalty mcp --loss logistic --lambda 2"),
    ("wide", "--penalty capped-l1 --lambda 1 --theta .2"),
    ("wide", "--penalty l1 --lambda 2"),
    ("wide", "--penalty log --theta .1 --loss squared-hinge --lambda .5 --standardize"),
    ("wide", "--penalty mcp --lambda 1.5 --intercept --weights WEIGHTS"),
    ("wide", "--penalty scad --loss smooth-ramp --lambda .6"),
    ("wide-numbers", "--penalty mcp --loss squared --lambda 8"),
    ("wide-numbers", "--penalty scad --loss squared --lambda 6 --standardize --intercept"),
    ("wide-numbers", "--penalty lp --loss huber --lambda 5 --ridge .5"),
    ("wide-numbers", "--penalty l1 --loss squared --lambda 10 --penalty-factor FACTORS"),
    ("wide-numbers", "--penalty capped-l1 --loss squared --lambda 4 --theta .3 --lower -.5 --upper 1"),
    ("wide-numbers", "--penalty mcp --loss squared --lambda 8 --global path+drop"),
    ("tall", "--penalty l1 --lambda 3 --intercept"),
    ("tall", "--penalty scad --lambda 10 --intercept --standardize"),
    ("tall", "--penalty mcp --loss squared-hinge --lambda 5 --offset OFFSET"),
    ("tall", "--penalty log --loss smooth-ramp --lambda 2 --intercept"),
    ("tall-numbers", "--penalty mcp --loss squared --lambda 20 --intercept"),
    ("tall-numbers", "--penalty l1 --loss welsch --lambda 5"),
    ("square", "--penalty capped-l1 --lambda .7 --theta .3"),
    ("square", "--penalty mcp --lambda .5 --metric lbfgs --intercept"),
    ("square", "--penalty l1 --lambda .5 --algorithm fista"),
    ("square", "--penalty capped-l1 --lambda .5 --algorithm gist"),
    ("square-numbers", "--penalty scad --loss squared --lambda 3 --algorithm dca"),
    ("square-numbers", "--penalty lp --loss squared --lambda 3 --global off --weights WEIGHTS"),
    ("sparse", "--penalty capped-l1 --lambda .5 --theta .5 --intercept"),
    ("sparse", "--penalty l1 --lambda .3"),
    ("sparse-wide", "--penalty mcp --lambda .3 --ridge .01"),
    ("sparse-wide", "--penalty l1 --lambda .2 --standardize --penalty-factor FACTORS"),
    ("sparse-numbers", "--penalty scad --loss huber --lambda .6 --intercept"),
    ("half-labelled", "--penalty capped-l1 --lambda .5"),
    ("half-labelled", "--penalty l1 --lambda .5 --unlabelled-loss symmetric-squared-hinge --balance 1 --intercept"),
]

PATHS = [
    ("issue", "--penalty capped-l1,l1 --nlambda 8"),
    ("wide", "--penalty mcp,l1 --nlambda 12"),
    ("wide-numbers", "--penalty mcp,scad --loss squared --nlambda 15 --shapes 6,3"),
    ("wide-numbers", "--penalty l1 --loss huber --nlambda 15 --penalty-factor FACTORS"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 8 --global path+drop"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 12 --global off"),
    ("tall", "--penalty l1,capped-l1 --nlambda 15 --weights WEIGHTS"),
    ("tall-numbers", "--penalty scad --loss squared --nlambda 15 --offset OFFSET"),
    ("square", "--penalty log --nlambda 10 --no-standardize --no-intercept"),
    ("square-numbers", "--penalty mcp --loss squared --nlambda 12"),
    ("sparse", "--penalty l1,mcp --nlambda 10"),
    ("sparse-wide", "--penalty capped-l1 --nlambda 8"),
    ("sparse-numbers", "--penalty scad --loss squared --nlambda 10 --lower -1"),
    ("half-labelled", "--penalty capped-l1 --nlambda 6"),
]

CVS = [
    ("wide", "--penalty mcp --nlambda 6 --folds 3"),
    ("wide-numbers", "--penalty l1,scad --loss squared --nlambda 6 --folds 3"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 6 --folds 3 --weights WEIGHTS --stability 6"),
    ("tall", "--penalty l1,mcp --nlambda 8 --folds 4 --stability 10"),
    ("square-numbers", "--penalty capped-l1 --loss squared --nlambda 6 --folds 4 --shapes 2,.5"),
    ("sparse", "--penalty scad --nlambda 6 --folds 3"),
    ("sparse-numbers", "--penalty l1 --loss squared --nlambda 6 --folds 3 --offset OFFSET"),
    ("half-labelled", "--penalty capped-l1 --nlambda 4 --folds 3"),
]


def write_all(directory):
    """NAME.svm, NAME.csv and what goes with them, for each of the data."""
    for name, how in DATA.items():
        table = draw(name, **how)
        stream = random.Random(name + " besides")
        write_libsvm(table, f"{directory}/{name}.svm")
        write_csv(table, f"{directory}/{name}.csv")
        write_numbers([round(stream.uniform(0.5, 2.0), 3) for _ in table], f"{directory}/{name}.WEIGHTS")
        write_numbers([round(stream.gauss(0, 0.2), 3) for _ in table], f"{directory}/{name}.OFFSET")
        write_numbers([stream.choice([0.5, 1.0, 1.0, 2.0]) for _ in range(how["columns"])],
                      f"{directory}/{name}.FACTORS")
