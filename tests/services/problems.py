# SPDX-License-Identifier: BSD-3-Clause
"""The problems that services are tried on: small, but of every kind that the library tells apart."""
import math
import random


# The label of a row, made of its score.
LABELS = {
    "classes": lambda score: 1 if score > 0 else -1,
    "numbers": lambda score: round(score, 3),
    "counts": lambda score: min(40, round(math.exp(score))),
    "positive": lambda score: round(math.exp(max(-3, min(3, score))), 3),
    "times": lambda score: round(math.exp(-score), 2) + 0.25 if abs(score) < 2 else -1.0,
    "many": lambda score: 3 + (score > -1) + (score > 0) + (score > 1),
}


def draw(name, rows, columns, density=1.0, relevant=5, noise=0.5, digits=2, labels="classes", unlabelled=0, alike=0.0):
    """Rows of (label, values): a sparse linear model with noise. Values have so few digits that float32 holds them.

    A label is -1 or 1, a number, a count, a number above 0, one of the classes 3 to 6, a time (of an event, or
    below 0), or None. A column has the correlation `alike` with the next."""
    stream = random.Random(name)
    slopes = {stream.randrange(columns): stream.choice([-1, 1]) * stream.uniform(0.5, 2.0) for _ in range(relevant)}
    table = []
    for i in range(rows):
        values = [round(stream.gauss(0, 1) * 2**digits) / 2**digits if stream.random() < density else 0.0
                  for _ in range(columns)]
        for j in range(1, columns if alike else 0):
            values[j] = round((alike * values[j - 1] + math.sqrt(1 - alike**2) * values[j]) * 2**digits) / 2**digits
        score = sum(slope * values[j] for j, slope in slopes.items()) + noise * stream.gauss(0, 1)
        values[i % columns] = values[i % columns] or 1.0  # no feature is empty as far as rows go round
        table.append((LABELS[labels](score), values))
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


def write_groups(stream, columns, path, shared):
    """Lines of feature,group or feature,group,weight: groups of up to six features, not of neighbours; if shared, some
    features are in two. A feature that is not mentioned is a group of its own."""
    order = list(range(1, columns + 1))
    stream.shuffle(order)
    with open(path, "w", encoding="ascii") as file:
        while len(order) > 2:
            size = stream.randint(1, 6)
            members, order = order[:size], order[size - 1 if shared and size > 1 else size:]
            weight = stream.choice(["", ",0.5", ",2"])
            file.writelines(f"{j},g{len(order)}{weight if k == 0 else ''}\n" for k, j in enumerate(members))


def write_nested(columns, path):
    """Groups of four features, three of them within one of twelve."""
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{j},whole{(j - 1) // 12}\n{j},part{(j - 1) // 4}\n" for j in range(1, columns + 1))


def write_numbers(numbers, path):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{number!r}\n" for number in numbers)


# The data: what draw wants of each.
DATA = {
    "issue": {"rows": 60, "columns": 6000, "relevant": 6},
    "wide": {"rows": 40, "columns": 900},
    "wide-numbers": {"rows": 40, "columns": 1200, "labels": "numbers"},
    "wide-alike": {"rows": 60, "columns": 5000, "labels": "numbers", "relevant": 12, "alike": 0.8},
    "tall": {"rows": 600, "columns": 12},
    "tall-numbers": {"rows": 600, "columns": 12, "labels": "numbers"},
    "long-numbers": {"rows": 9000, "columns": 24, "labels": "numbers"},
    "square": {"rows": 80, "columns": 70},
    "square-numbers": {"rows": 80, "columns": 70, "labels": "numbers"},
    "sparse": {"rows": 150, "columns": 300, "density": 0.05},
    "sparse-wide": {"rows": 100, "columns": 3000, "density": 0.01, "relevant": 60},
    "sparse-numbers": {"rows": 150, "columns": 300, "density": 0.05, "labels": "numbers", "relevant": 20},
    "half-labelled": {"rows": 80, "columns": 30, "unlabelled": 40},
    "counts": {"rows": 120, "columns": 60, "labels": "counts", "relevant": 4},
    "counts-wide": {"rows": 60, "columns": 700, "density": 0.2, "labels": "counts", "relevant": 4},
    "positive": {"rows": 120, "columns": 60, "labels": "positive", "relevant": 4},
    "times": {"rows": 120, "columns": 50, "labels": "times", "relevant": 4},
    "times-sparse": {"rows": 120, "columns": 200, "density": 0.1, "labels": "times", "relevant": 20},
    "many": {"rows": 150, "columns": 40, "labels": "many", "relevant": 4},
    "many-sparse": {"rows": 150, "columns": 300, "density": 0.05, "labels": "many"},
}

# Data and options of each problem; WEIGHTS, OFFSET, FACTORS, GROUPS, SHARED and NESTED are files of the data.
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
    ("long-numbers", "--penalty mcp --loss squared --lambda 200 --intercept --weights WEIGHTS"),
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
    ("counts", "--penalty mcp --loss poisson --lambda 6 --intercept"),
    ("counts", "--penalty l1 --loss negative-binomial --dispersion .5 --lambda 4 --weights WEIGHTS"),
    ("counts-wide", "--penalty scad --loss poisson --lambda 4 --intercept --offset OFFSET"),
    ("positive", "--penalty capped-l1 --loss gamma --lambda 4 --intercept --standardize"),
    ("square-numbers", "--penalty mcp --loss quantile --quantile .3 --smoothing .2 --lambda 3 --intercept"),
    ("wide", "--penalty mcp --lambda 2 --groups GROUPS --intercept"),
    ("wide-numbers", "--penalty l1 --loss squared --lambda 12 --groups GROUPS --offset OFFSET"),
    ("wide-numbers", "--penalty scad --loss squared --lambda 8 --groups GROUPS --grouping sparse --mix .3 --standardize"),
    ("wide-numbers", "--penalty lp --loss squared --lambda 6 --groups SHARED --grouping sum --lower -1"),
    ("sparse", "--penalty mcp --lambda .5 --groups SHARED --grouping latent"),
    ("sparse-wide", "--penalty capped-l1 --lambda .6 --groups GROUPS"),
    ("sparse-numbers", "--penalty mcp --inner-penalty mcp --loss huber --lambda .6 --groups GROUPS --grouping sum"),
    ("tall", "--penalty log --theta .5 --lambda 5 --groups GROUPS --grouping sparse --intercept"),
    ("tall-numbers", "--penalty mcp --loss squared --lambda 20 --groups SHARED --grouping latent --standardize"),
    ("counts", "--penalty mcp --loss poisson --lambda 8 --groups GROUPS --intercept"),
    ("sparse", "--penalty mcp --lambda .3 --groups NESTED --grouping tree --intercept"),
    ("wide-numbers", "--penalty l1 --loss squared --lambda 6 --groups NESTED --grouping tree"),
    ("times", "--penalty l1 --loss cox --lambda 4 --ties efron"),
    ("times-sparse", "--penalty mcp --gamma 20 --loss cox --lambda 2 --weights WEIGHTS --standardize"),
    ("many", "--penalty l1 --loss multinomial --lambda 4 --intercept"),
    ("many", "--penalty mcp --loss multinomial --lambda 3 --class-grouping row --weights WEIGHTS"),
    ("many", "--penalty mcp --loss ordinal --lambda 3 --weights WEIGHTS"),
    ("many-sparse", "--penalty l1 --loss ordinal --lambda .6 --standardize"),
    ("many-sparse", "--penalty capped-l1 --loss multinomial --lambda .6 --intercept --standardize"),
    ("many-sparse", "--penalty scad --loss multinomial --lambda .6 --penalty-factor FACTORS"),
]

PATHS = [
    ("issue", "--penalty capped-l1,l1 --nlambda 8"),
    ("wide", "--penalty mcp,l1 --nlambda 12"),
    ("wide-numbers", "--penalty mcp,scad --loss squared --nlambda 15 --shapes 6,3"),
    ("wide-numbers", "--penalty l1 --loss huber --nlambda 15 --penalty-factor FACTORS"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 8 --global path+drop"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 12 --global off"),
    ("wide-alike", "--penalty capped-l1 --loss squared --nlambda 12"),
    ("tall", "--penalty l1,capped-l1 --nlambda 15 --weights WEIGHTS"),
    ("tall-numbers", "--penalty scad --loss squared --nlambda 15 --offset OFFSET"),
    ("long-numbers", "--penalty l1,mcp --loss squared --nlambda 12 --weights WEIGHTS --offset OFFSET"),
    ("square", "--penalty log --nlambda 10 --no-standardize --no-intercept"),
    ("square-numbers", "--penalty mcp --loss squared --nlambda 12"),
    ("sparse", "--penalty l1,mcp --nlambda 10"),
    ("sparse-wide", "--penalty capped-l1 --nlambda 8"),
    ("sparse-numbers", "--penalty scad --loss squared --nlambda 10 --lower -1"),
    ("half-labelled", "--penalty capped-l1 --nlambda 6"),
    ("counts", "--penalty l1,mcp --loss poisson --nlambda 10"),
    ("positive", "--penalty scad --loss gamma --nlambda 8"),
    ("square-numbers", "--penalty mcp --loss quantile --smoothing .5 --nlambda 8"),
    ("wide", "--penalty mcp --groups GROUPS --nlambda 8"),
    ("wide-numbers", "--penalty l1,mcp --loss squared --groups GROUPS --grouping sparse --nlambda 8"),
    ("sparse-numbers", "--penalty lp --loss squared --groups SHARED --grouping sum --nlambda 6"),
    ("square", "--penalty l1,scad --groups SHARED --grouping latent --nlambda 8"),
    ("sparse", "--penalty mcp --nlambda 6 --global path --groups GROUPS"),
    ("square", "--penalty l1,mcp --groups NESTED --grouping tree --nlambda 8"),
    ("times", "--penalty l1 --loss cox --nlambda 8 --groups GROUPS"),
    ("many", "--penalty l1,mcp --loss multinomial --nlambda 8"),
    ("many-sparse", "--penalty mcp --loss multinomial --class-grouping row --nlambda 6 --weights WEIGHTS"),
    ("many", "--penalty l1,mcp --loss ordinal --nlambda 6"),
]

CVS = [
    ("wide", "--penalty mcp --nlambda 6 --folds 3"),
    ("wide-numbers", "--penalty l1,scad --loss squared --nlambda 6 --folds 3"),
    ("wide-numbers", "--penalty mcp --loss squared --nlambda 6 --folds 3 --weights WEIGHTS --stability 6"),
    ("tall", "--penalty l1,mcp --nlambda 8 --folds 4 --stability 10"),
    ("tall", "--nlambda 8 --folds 3"),
    ("wide-numbers", "--loss squared --nlambda 8 --folds 3 --stability 4 --weights WEIGHTS"),
    ("long-numbers", "--penalty scad --loss squared --nlambda 8 --folds 3"),
    ("square-numbers", "--penalty capped-l1 --loss squared --nlambda 6 --folds 4 --shapes 2,.5"),
    ("sparse", "--penalty scad --nlambda 6 --folds 3"),
    ("sparse-numbers", "--penalty l1 --loss squared --nlambda 6 --folds 3 --offset OFFSET"),
    ("half-labelled", "--penalty capped-l1 --nlambda 4 --folds 3"),
    ("counts", "--penalty mcp --loss poisson --nlambda 6 --folds 3 --weights WEIGHTS"),
    ("square", "--penalty mcp --groups GROUPS --nlambda 6 --folds 3"),
    ("wide-numbers", "--penalty mcp --loss squared --groups GROUPS --grouping sparse --nlambda 6 --folds 3 --stability 4"),
    ("square-numbers", "--penalty l1 --loss squared --groups SHARED --grouping latent --nlambda 6 --folds 3"),
    ("times", "--penalty l1 --loss cox --nlambda 6 --folds 3 --measure concordance --stability 4"),
    ("many", "--penalty l1,mcp --loss multinomial --nlambda 5 --folds 3 --stability 4"),
    ("many-sparse", "--penalty l1 --loss multinomial --nlambda 6 --folds 3 --class-grouping row"),
    ("many", "--penalty mcp --loss ordinal --nlambda 5 --folds 3"),
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
        write_groups(stream, how["columns"], f"{directory}/{name}.GROUPS", shared=False)
        write_groups(stream, how["columns"], f"{directory}/{name}.SHARED", shared=True)
        write_nested(how["columns"], f"{directory}/{name}.NESTED")
