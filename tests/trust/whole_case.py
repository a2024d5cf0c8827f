"""A case of the whole command: some data and the words of a command, drawn from a seed.

The settings and their ranges come from settings.def, so that a new setting is drawn without a word here. Values lie
between 1e-320 and 1e308; columns are constant, duplicated, separating or empty; labels are of one class, two, or numbers.
"""

import math
import os
import random
import re

import whole_matrices
import whole_survival

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REGISTRIES = {"loss": ("squared", "logistic", "squared-hinge", "huber", "welsch", "smooth-ramp"),
              "penalty": ("l1", "capped-l1", "scad", "mcp", "log", "lp")}
FORMATS = ("svm", "csv", "tsv", "mtx", "npy", "npz", "dcpn", "csv.gz", "svm.zst", "npy.xz")
MOST_ITERATIONS = (0, 1, 3, 30, 300, 300, 300, 3000)
NO_SETTING_OF_THE_PROBLEM = {"max-iter", "max-time", "dc-max", "inner-max", "tol", "loss", "penalty"}


def settings():
    """(kind, option, low, high or choices) of every line of settings.def."""
    with open(os.path.join(ROOT, "include", "dcpn", "settings.def"), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for kind, inside in re.findall(r'DCPN_(REAL|COUNT|FLAG|CHOICE)\((.*?)\)\n', text, flags=re.S):
        words = [word.strip().strip('"') for word in inside.split(",")]
        if kind == "FLAG":
            yield kind, words[1], None, None
        elif kind == "CHOICE":
            yield kind, words[1], words[3], None
        else:
            yield kind, words[1], number(words[3]), number(words[4])


def number(text):
    """A number of C, or the sum or difference of two."""
    return sum(float(part) for part in text.replace(" - ", " + -").split(" + "))


SETTINGS = list(settings())
assert len(SETTINGS) > 30, SETTINGS


# ---- data ------------------------------------------------------------------------------------------------------------

def size(rng):
    """How large the numbers of a column are. A draw that is tame stays where naive sums neither overflow nor vanish."""
    if rng.is_tame:
        return rng.choice((1.0, 1.0, 1.0, 10.0 ** rng.uniform(-4, 4)))
    return rng.choice((1.0, 1.0, 1.0, 1.0, 10.0 ** rng.uniform(-6, 6), 10.0 ** rng.uniform(-320, 308), 1e-310, 1e300))


def column(rng, labels, others):
    kind, rows = rng.randrange(12), len(labels)
    if kind == 0:
        return [rng.choice((0.0, 1.0, -3.5, size(rng)))] * rows
    if kind == 1 and others:
        return list(rng.choice(others))
    if kind == 2 and others:
        factor = rng.choice((-1.0, 2.0, 1e-5, -3.0 if rng.is_tame else 1e200))
        return [bounded(factor * value) for value in rng.choice(others)]
    if kind == 3:
        return [float(label) if is_number(label) and abs(float(label)) < 1e300 else float(label == "a") for label in labels]
    if kind == 4:
        return [rng.choice((0.0, 0.0, 0.0, 1.0)) for _ in labels]
    if kind == 5:
        one = rng.randrange(rows)
        return [size(rng) if row == one else 0.0 for row in range(rows)]
    if kind == 6:
        return [bounded(rng.choice((-1, 1)) * size(rng)) for _ in labels]
    if kind == 7:
        mean, spread = size(rng), 10.0 ** rng.uniform(-4 if rng.is_tame else -17, 0)
        return [bounded(mean * (1.0 + spread * rng.gauss(0.0, 1.0))) for _ in labels]
    factor = size(rng)
    return [bounded(factor * rng.gauss(0.0, 1.0)) for _ in labels]


def is_number(label):
    return label not in ("a", "b", "c", "d")


def bounded(value):
    return max(-1.7e308, min(1.7e308, value))


def counts_of(rng, loss, rows):
    """Labels of the losses of counts and positive numbers, and some that these refuse."""
    least = 1e-3 if loss == "gamma" else 0.0
    kind = rng.randrange(10)
    if kind == 0:
        return [repr(max(least, bounded(abs(size(rng)))))] * rows
    if kind == 1:
        return [repr(rng.choice((0.0, 0.0, 1.0, -1.0, 1e-300))) for _ in range(rows)]
    if kind == 2:
        return [repr(max(least, bounded(abs(size(rng) * rng.gauss(0.0, 1.0))))) for _ in range(rows)]
    if kind == 3:
        rare = rng.randrange(rows)
        return [repr(max(least, 5.0 if row == rare else 0.0)) for row in range(rows)]
    if loss == "gamma":
        return [repr(math.exp(rng.gauss(0.0, 1.0))) for _ in range(rows)]
    return [str(min(50, int(rng.expovariate(0.4)))) for _ in range(rows)]


def labels_of(rng, loss, rows):
    if loss in ("poisson", "negative-binomial", "gamma"):
        return counts_of(rng, loss, rows)
    if loss == "multinomial":
        return [rng.choice(("a", "b", "c", "d")[:rng.choice((2, 3, 4))]) for _ in range(rows)]
    if loss == "ordinal":
        return [rng.choice(("-1.5", "0", "2", "7")[:rng.choice((2, 3, 4))]) for _ in range(rows)]
    kind = rng.randrange(8)
    if loss in ("squared", "huber", "welsch", "quantile") and kind < 6:
        factor = size(rng)
        return [repr(bounded(factor * rng.gauss(0.0, 1.0))) for _ in range(rows)]
    if kind == 0:
        return ["1"] * rows
    if kind == 1:
        rare = rng.randrange(rows)
        return ["1" if row == rare else "0" for row in range(rows)]
    if kind == 2:
        return [str(rng.choice((1, 2, 3))) for _ in range(rows)]
    return [rng.choice(("-1", "1")) for _ in range(rows)]


def table(rng, loss):
    """Columns of numbers and a label for each row."""
    rows = rng.choice((1, 2, 3, 8, 12, 20, 30))
    labels = labels_of(rng, loss, rows)
    columns = []
    for _ in range(rng.choice((1, 2, 3, 5, 8, 14, 40))):
        columns.append(column(rng, labels, columns))
    return labels, columns


def name_of(feature):
    """What begins with the same up to the first _ is a group."""
    return f"c{feature % 3}_{feature}"


def is_feature(name):
    return re.fullmatch(r"c\d+(_\d+)?", name) is not None


def table_text(labels, columns):
    head = ",".join(["label", *(name_of(j) for j in range(len(columns)))])
    lines = [",".join([label, *(repr(values[row]) for values in columns)]) for row, label in enumerate(labels)]
    return "\n".join([head, *lines]) + "\n"


# ---- words -----------------------------------------------------------------------------------------------------------

def real(rng, low, high):
    """Anywhere in the range, its ends and what people use included."""
    if rng.random() < (0.02 if rng.is_tame else 0.15):
        return rng.choice((low, high))
    for _ in range(20):
        value = 10.0 ** (rng.uniform(-3, 2) if rng.is_tame or rng.random() < 0.5 else rng.uniform(-320, 308))
        if low <= value <= high:
            return value
    return rng.uniform(low, min(high, 1e300))


def setting_words(rng):
    words = []
    chosen = [line for line in SETTINGS if line[1] not in NO_SETTING_OF_THE_PROBLEM]
    for kind, option, low, high in rng.sample(chosen, rng.choice((0, 1, 2, 4, 8))):
        if kind == "FLAG":
            words.append(rng.choice(("--", "--no-")) + option)
        elif kind == "CHOICE" and not low.startswith("@"):
            words += [f"--{option}", rng.choice(low.split("|"))]
        elif kind == "CHOICE" and f"@{option}" == low and option in EVERY:
            words += [f"--{option}", rng.choice(EVERY[option])]
        elif kind == "COUNT":
            words += [f"--{option}", str(int(rng.choice((low, rng.randint(int(low), 40), high))))]
        elif kind == "REAL":
            words += [f"--{option}", repr(real(rng, low, high))]
    return words


EVERY = {}


def learn_choices(parts):
    """parts: what 'dcpn list --json' says; the names of each registry."""
    for option, key in (("algorithm", "algorithms"), ("metric", "metrics"), ("subsolver", "subsolvers"),
                        ("grouping", "groupings"), ("unlabelled-loss", "unlabelled-losses")):
        EVERY[option] = [part["name"] for part in parts.get(key, ()) if "name" in part]
    for option, key in (("loss", "losses"), ("penalty", "penalties")):
        EVERY[option] = [part["name"] for part in parts[key] if "name" in part]


def common_words(rng, loss):
    words = ["--loss", loss, "--penalty", rng.choice(EVERY["penalty"]), *setting_words(rng)]
    if "--lambda" not in words and rng.random() < 0.7:
        words += ["--lambda", repr(10.0 ** rng.uniform(-4, 2))]
    if rng.random() < 0.5:
        words.append("--standardize")
    if rng.random() < 0.5:
        words.append("--intercept")
    if rng.random() < 0.5:
        words += ["--tol", repr(10.0 ** rng.uniform(-12, 0))]
    return [*words, "--max-iter", str(rng.choice(MOST_ITERATIONS))]


def row_words(rng, rows, files):
    """Weights and offsets, in files."""
    words = []
    for option in ("weights", "offset"):
        if rng.random() < 0.12:
            low = 0.0 if option == "weights" else -1e308
            files[f"{option}.txt"] = "".join(f"{max(low, bounded(rng.choice((0, 1, size(rng)))))!r}\n" for _ in range(rows))
            words += [f"--{option}", f"{option}.txt"]
    return words


def group_file(rng, features, shared):
    """Lines of feature,group or feature,group,weight, some features in none; a feature is in several groups if shared."""
    lines = []
    for group in range(rng.choice((1, 2, 3, 6))):
        weight = f",{abs(size(rng))!r}" if rng.random() < 0.1 else ",0" if rng.random() < 0.05 else ""
        for feature in rng.sample(range(features), min(features, rng.choice((1, 2, 3, 5, 9)))):
            lines.append((feature, f"{name_of(feature)},g{group}{weight}"))
    lines = lines if shared else list(dict(reversed(lines)).items())
    rng.shuffle(lines)
    return "".join(f"{line}\n" for _, line in lines)


def nested_file(rng, features):
    """A group of all features, and halves of halves of it, some of them left out."""
    lines, parts = [], [list(range(features))]
    for number in range(rng.choice((1, 2, 4, 7))):
        part = parts[number % len(parts)]
        lines += [f"{name_of(feature)},g{number}" for feature in part]
        cut = rng.randint(0, len(part))
        parts += [half for half in (part[:cut], part[cut:]) if half]
        parts.remove(part)
        parts = parts or [part]
    rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


def group_words(rng, features, files):
    if rng.random() < 0.1:
        files["groups.txt"] = nested_file(rng, features)
        return ["--groups", "groups.txt", "--grouping", "tree"]
    shared = rng.random() < 0.3
    files["groups.txt"] = group_file(rng, features, shared)
    words = ["--groups", rng.choice(("groups.txt",) * 5 + ("prefix:_",))]
    if shared and rng.random() < 0.9:
        return [*words, "--grouping", rng.choice(("sum", "latent"))]
    return words + (["--grouping", rng.choice(EVERY["grouping"])] if rng.random() < 0.8 else [])


def feature_words(rng, features, files):
    """Groups, penalty factors and bounds, in files."""
    words = []
    if rng.random() < 0.3:
        words += group_words(rng, features, files)
    if rng.random() < 0.1:
        files["factors.txt"] = "".join(f"{rng.choice((0, 1, 1, 2, abs(size(rng))))!r}\n" for _ in range(features))
        words += ["--penalty-factor", "factors.txt"]
    if rng.random() < 0.1:
        files["lower.txt"] = "".join(f"{min(0.0, bounded(-size(rng) * rng.choice((0, 1))))!r}\n" for _ in range(features))
        words += rng.choice((["--lower", "lower.txt"], ["--nonnegative"], ["--lower", "-0.5", "--upper", "1"]))
    return words


class Draws(random.Random):
    """Of a seed; every other one is tame."""

    def __init__(self, seed):
        super().__init__(seed)
        self.is_tame = seed % 2


def factor_words(rng):
    words = ["factor", "data.csv", "-q", "-o", "out.json", "--label-column", "label", "--atoms", str(rng.choice((1, 1, 2, 3, 7)))]
    words += ["--kind", rng.choice(("dictionary", "nmf", "sparse-pca"))] if rng.random() < 0.8 else []
    words += ["--penalty", rng.choice(EVERY["penalty"]), "--lambda", repr(real(rng, 0.0, 1e308))]
    for option in ("theta", "a", "gamma", "p", "eps"):
        if rng.random() < 0.15:
            low, high = next(line[2:] for line in SETTINGS if line[1] == option)
            words += [f"--{option}", repr(real(rng, low, high))]
    if rng.random() < 0.2:
        words += ["--ridge", repr(10.0 ** rng.uniform(-6, 2))]
    if rng.random() < 0.2:
        words += ["--atom-lambda", repr(10.0 ** rng.uniform(-4, 2)), *rng.choice(([], ["--atom-penalty", "mcp"], ["--atom-penalty", "l1"]))]
    if rng.random() < 0.2 and "sparse-pca" not in words:
        words += ["--batch", str(rng.choice((1, 3, 1000)))]
    return [*words, *(rng.choice(([], ["--nonnegative-codes"], ["--nonnegative-atoms"]))), *rng.choice(([], ["--shape-units", "raw"])),
            "--max-iter", str(rng.choice(MOST_ITERATIONS))]


def matrix_case(rng, command, files, labels, columns):
    """Of dcpn graph and dcpn complete."""
    words = [command, "data.csv", "-q", "-o", "out.json", "--penalty", rng.choice(EVERY["penalty"])]
    words += [*whole_matrices.shape_words(rng, SETTINGS, real), *whole_matrices.lambda_words(rng, real)]
    if command == "graph":
        if rng.random() < 0.7:   # numbers that are all different
            factor = size(rng)
            columns = [[bounded(factor * rng.gauss(0.0, 1.0)) for _ in labels] for _ in columns]
            files["data.csv"] = table_text(labels, columns)
        words += ["--label-column", "label", *whole_matrices.graph_words(rng, len(labels), len(columns), files, size)]
    else:
        files["data.csv"] = whole_matrices.entries_of(rng, size)
        words += whole_matrices.complete_words(rng)
    if rng.random() < 0.5:
        words += ["--tol", repr(10.0 ** rng.uniform(-10, 0))]
    return {"files": files, "words": [*words, "--max-iter", str(rng.choice(MOST_ITERATIONS))]}


def add_texts(rng, files):
    """A column of texts behind the others, and the words that read it: names of rows, or categories, a rare one among them."""
    head, *lines = files["data.csv"].splitlines()
    kind = rng.randrange(3)
    texts = [f"row {k}" if kind == 0 else rng.choice(("red", "green", "blue, light", "Ünï", "")) for k in range(len(lines))]
    if kind == 2:
        texts[rng.randrange(len(texts))] = "rare"
    lines = [f'{line},"{text}"' for line, text in zip(lines, texts)]
    files["data.csv"] = "\n".join([f"{head},what", *lines]) + "\n"
    return ["--id", "what"] if kind == 0 else ["--categorical", rng.choice(("what", "auto"))]


def converted(rng, files):
    words = ["convert", "data.csv", f"out.{rng.choice(FORMATS)}", "-q"]
    words += ["--storage", "sparse"] if rng.random() < 0.5 else []
    return {"files": files, "words": words + (["--float32"] if rng.random() < 0.1 else [])}


def draw(seed):
    """{"files": {name: text}, "words": [...]}; the data are in data.csv and what is written goes to out.json."""
    rng = Draws(seed)
    command = rng.choice(("fit",) * 6 + ("path", "path", "cv", "cv", "convert", "factor", "graph", "complete"))
    loss = rng.choice(EVERY["loss"] if command in ("fit", "path", "cv") else ["squared", "logistic"])
    labels, columns = table(rng, loss)
    files = {"data.csv": table_text(labels, columns)}
    if command == "convert":
        return converted(rng, files)
    if command == "factor":
        return {"files": files, "words": factor_words(rng)}
    if command in ("graph", "complete"):
        return matrix_case(rng, command, files, labels, columns)
    words = [command, "data.csv", "-q", "-o", "out.json", *common_words(rng, loss), *row_words(rng, len(labels), files)]
    words += feature_words(rng, len(columns), files)
    if loss == "cox":
        times = whole_survival.draw(rng, len(labels))
        files["data.csv"] = whole_survival.with_columns(files["data.csv"], times)
        words += whole_survival.words(times)
    words += add_texts(rng, files) if rng.random() < 0.06 else []
    if command != "fit":
        words = [word for k, word in enumerate(words) if word != "--lambda" and (k == 0 or words[k - 1] != "--lambda")]
        words += ["--nlambda", str(rng.choice((1, 2, 4, 8)))]
        if rng.random() < 0.2:
            words += ["--lambdas", ",".join(repr(real(rng, 0.0, 1e308)) for _ in range(3))]
    if command == "cv":
        words += ["--model", "model.json", "--folds", str(rng.choice((2, 3, 5)))]
        if rng.random() < 0.5:
            words += ["--measure", rng.choice(("deviance", "error", "auc", "mse", "mae") if loss != "cox" else ("concordance",))]
        if rng.random() < 0.2:
            words += ["--stability", "3"]
    return {"files": files, "words": words}
