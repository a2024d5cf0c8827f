#!/usr/bin/env python3
"""Files of results that were edited by hand, without the checksum that would tell: models of one and of many classes, with
groups, paths, cross-validations, factors, graphs of both sorts and completed matrices. Every command that takes one reads it,
or refuses it in one sentence.

usage: lies.py DCPN [--cases N] [--first SEED]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

ENDS = {0, 1, 2, 4, 5}
MOST_PROCESSOR_S = 20
LIES = [0, -1, 1, 2, 3, 7, 1e308, -1e308, 1e-320, 2**31, 2**53, 2**63, -2**63, 0.5, -0.0, None, True, "x", "", [], {}, [None],
        "\u202e", "a" * 5000]
ROWS = ["words.csv", "--id", "id", "--categorical", "colour"]
MADE = {
    "many": ["fit", *ROWS, "--loss", "multinomial", "--lambda", "1", "--class-grouping", "row"],
    "groups": ["fit", *ROWS, "--loss", "poisson", "--groups", "prefix:_", "--penalty", "mcp", "--lambda", "1"],
    "cv": ["cv", *ROWS, "--loss", "multinomial", "--nlambda", "3", "--folds", "3"],
    "path": ["path", *ROWS, "--loss", "poisson", "--groups", "prefix:_", "--nlambda", "3"],
    "factors": ["factor", "numbers.csv", "--atoms", "2"],
    "completion": ["complete", "entries.csv", "--nlambda", "3"],
    "graph": ["graph", "numbers.csv", "--nlambda", "3"],
    "mixed": ["graph", "gaps.csv", "--model", "mixed", "--missing", "zero", "--nlambda", "3"],
    "components": ["factor", "gaps.csv", "--missing", "keep", "--kind", "sparse-pca", "--atoms", "2"],
    "sparse part": ["complete", "entries.csv", "--lambda", "1", "--penalty", "log", "--sparse-lambda", "1", "--center"],
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_S, MOST_PROCESSOR_S + 1))


def write_data(rng):
    with open("words.csv", "w", encoding="ascii") as file:
        file.write("id,colour,a_x,a_y,b_z,label\n")
        for i in range(40):
            file.write(",".join([f"r{i}", "red blue green".split()[i % 3], *(repr(rng.gauss(0, 1)) for _ in range(3)), str(i % 3)]) + "\n")
    with open("numbers.csv", "w", encoding="ascii") as file:
        file.write("a_x,a_y,b_z\n")
        file.writelines(",".join(repr(rng.gauss(0, 1)) for _ in range(3)) + "\n" for _ in range(40))
    with open("gaps.csv", "w", encoding="ascii") as file:
        file.write("a_x,a_y,b_z\n")
        file.writelines(",".join("" if rng.random() < 0.2 else str(rng.randrange(2)) if j else repr(rng.gauss(0, 1)) for j in range(3)) + "\n"
                        for _ in range(40))
    with open("entries.csv", "w", encoding="ascii") as file:
        file.write("row,column,value\n")
        file.writelines(f"{i},{j},{i * j + rng.gauss(0, 1)!r}\n" for i in range(1, 9) for j in range(1, 7) if (i + j) % 3)


def places(value, place=()):
    if place:
        yield place
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*place, key))


def lie(rng, tree):
    """One change: something is gone, added, in another order, there again, or something else."""
    every = [place for place in places(tree) if place[0] != "params" or rng.random() < 0.1]
    *way, key = rng.choice(every)
    inside, kind = tree, rng.randrange(6)
    for step in way:
        inside = inside[step]
    if kind == 0:
        del inside[key]
    elif kind == 1 and isinstance(inside, list):
        inside.insert(key, rng.choice(LIES))
    elif kind == 2 and isinstance(inside[key], list):
        rng.shuffle(inside[key])
    elif kind == 3 and isinstance(inside[key], list):
        inside[key] = inside[key] * rng.choice((2, 3))
    elif kind == 4 and isinstance(inside, list):
        inside[key] = rng.choice(inside)
    else:
        inside[key] = rng.choice(LIES)


def judge(dcpn, name):
    """How many commands took the file."""
    data, taken = ROWS[:3] if name in ("many", "groups", "cv", "path") else MADE[name][1:2], 0
    data = [*data, "--missing", "keep"] if data == ["gaps.csv"] else data
    for words in (["info", "lie.json"], ["info", "lie.json", "--json"], ["coef", "lie.json", "--all"], ["predict", "lie.json", *data],
                  ["report", "lie.json", "-o", "page.html"],
                  ["fit", *ROWS, "--loss", "squared", "--lambda", "1", "--start", "lie.json", "-q"]):
        done = subprocess.run([dcpn, *words], capture_output=True, preexec_fn=limit)
        assert done.returncode in ENDS, (name, words, done)
        assert done.returncode == 0 or done.stderr.startswith(b"dcpn "), (name, words, done)
        taken += done.returncode == 0
    return taken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dcpn", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    trees, taken = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_data(random.Random(2))
        for name, words in MADE.items():
            subprocess.run([arguments.dcpn, *words, "-q", "-o", "out.json"], check=True)
            with open("out.json", encoding="utf-8") as file:
                trees[name] = file.read()
        for seed in range(arguments.first, arguments.first + arguments.cases):
            rng = random.Random(seed)
            name = rng.choice(sorted(trees))
            tree = json.loads(trees[name])
            del tree["checksum"]
            for _ in range(rng.choice((1, 1, 2, 3))):
                lie(rng, tree)
            with open("lie.json", "w", encoding="utf-8") as file:
                json.dump(tree, file)
            taken += judge(arguments.dcpn, name)
        os.chdir("/")
    assert 0 < taken < 6 * arguments.cases, taken
    print(f"{arguments.cases} files, taken by {taken} of {6 * arguments.cases} commands; the others refused them")


if __name__ == "__main__":
    sys.exit(main())
