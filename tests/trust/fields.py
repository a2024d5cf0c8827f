#!/usr/bin/env python3
"""Files of results with one lie each under a checksum that is right: trust_forge_fields tells every lie about every field of
every kind of file, and this table says which of them are possible values, as docs/file-formats.md has it. All others are
refused; a line of the table that nothing needs is an error as well.

usage: fields.py DCPN FORGE_FIELDS
"""

import os
import random
import re
import subprocess
import sys
import tempfile

import lies

ANY = {"-1", "0", "0.5", "1", "3", "2^40", "1e308", "1e-320"}
EVERYTHING = ANY | {"gone", "null", "true", "text", "list", "object", "longer", "shorter", "reversed"}
MEANINGS = {
    "any": ANY, "from-0": ANY - {"-1"}, "positive": ANY - {"-1", "0"}, "count": {"0", "1", "3", "2^40"}, "share": {"0", "0.5", "1", "1e-320"},
    "whole": {"-1", "0", "1", "3", "2^40"}, "place": {"0", "1", "3"}, "free": EVERYTHING,
    "items": {"list", "longer", "shorter"}, "optional": {"gone", "null"},
}
# Kind (of any, if empty), place, and what the value may be: a word of MEANINGS or a lie. `free` is what readers derive from
# other fields, or what says how the file came to be.
TABLE = r"""
      | dcpn|timing.*|command.*|(paths\[\]\.)?points\[\]\.deviance_explained | free
      | (data\.file|label|fit\.lambda|unconverged|compares|shape(\.theta|\.gamma|\.a)?) | free
      | chosen\.\w+\.(kind|lambda|nnz|penalty|value|varying)|folds\.file | free
      | stability\.((lambdas|stable)\[\]|seed|stable|value|varying)|paths\[\]\.(value|points\[\]\.coef\.class) | free
      | params\..* | any gone true
      | shape\.unit|paths\[\]\.shape_unit | positive gone
      | (fit\.|paths\[\]\.points\[\]\.)?(objective|loss_value) | any null
      | (fit\.|paths\[\]\.points\[\]\.)?(penalty_value|stationarity|stationarity_goal|passes|violation|goal) | from-0 null
      | (fit\.|paths\[\]\.points\[\]\.)?(iterations|inner_iterations|line_search_trials|safeguards|untried) | count gone
      | (fit\.|paths\[\]\.points\[\]\.)escape | whole
      | (fit\.|paths\[\]\.)(algorithm|metric|subsolver) | text
      | fit\.n|data\.(n|entries)|gaps\[\]|folds\.sizes\[\]|.*\.cv\.nnz\[\] | count
      | data\.(weight|positives)|paths\[\]\.lambda_max | from-0 null
      | data\.null_deviance|paths\[\]\.points\[\]\.(convexity|deviance)|.*\.mean | any null
      | (paths\[\]\.points\[\]\.)?(coef|deviation)\.index\[\]|stability\.index\[\] | 1 3
      | (.*\.)?coef\.value\[\]|(.*\.)?intercept(\[\])?|(coef\.)?missing\[\] | any
      | .*(value|intercept|missing|names?|folds|nnz|sizes|gaps|frequency|mean|label|weight|classes|fold|min|1se|feature|size) | reversed
      | classes\[\] | any text
      | (coef\.)?name\[\]|\w*names\[\]|label|groups\.name\[\] | text
      | (coef\.)?(missing|name)|\w*names|groups|gaps|categories|deviation|label|index_base|stability|held_out | optional
      | categories.* | items gone text
      | index_base | 0
      | groups\.feature\[\] | 1 3
      | groups\.weight\[\] | from-0
      | paths|paths\[\]\.points|points | items reversed
      | (paths|paths\[\]\.points|points)\[\] | gone
      | paths\[\]\.(kind|varying)|paths\[\]\.points\[\]\.brier | optional
      | deviation\.value\[\]|paths\[\]\.points\[\]\.(brier|lambda) | from-0
      | paths\[\]\.points\[\]\.locally_convex | null true
cv    | chosen\.\w+|stability|paths\[\]\.(min|1se) | null
cv    | chosen\.\w+\.(path|point)|paths\[\]\.(min|1se) | place
cv    | .*\.se|stability\.(mean_selected|bound|sharper_bound) | from-0 null
cv    | .*\.folds\[\]|held_out\.(label|min|1se|ebic)\[\] | any null
cv    | folds\.seed|held_out\.fold\[\] | whole
cv    | folds\.done | 0 1 gone
cv    | held_out\.weight\[\] | from-0
cv    | measures | shorter reversed
cv    | measures\[\] | gone
cv    | stability\.(share|threshold|frequency\[\]) | share
cv    | stability\.(subsamples|pairs|unconverged) | count gone
cv    | stability\.lambdas | items reversed
cv    | held_out\.ebic | reversed
factors | (lambda|codes_goal|codes_violation|atoms_goal|atoms_violation|multiplier\[\]) | from-0
factors | (theta|a|gamma|p|eps) | positive
factors | (unexplained|atom\[\]\[\]|codes\.value\[\]) | any
factors | (nonnegative_atoms|nonnegative_codes|of_columns) | true
factors | codes\.(first|index)\[\] | place
factors | (atom|atom\[\]|codes\.index|multiplier) | reversed
factors | multiplier | gone
completion | (U|V|sigma) | reversed
completion | (U\[\]|V\[\]|offset) | any
completion | (lambda|lambda_max|sigma\[\]|sparse_value|held_out_error|trials\[\]\.(lambda|error)) | from-0 null
completion | trials\[\]\.rank | count
completion | trials | items reversed
completion | trials\[\] | gone
graph | (theta|a|gamma|p|eps|ridge|points\[\]\.ridge_value) | positive null
graph | rows|points\[\]\.(lambda|penalty_value|violation|goal|cv_se) | from-0 null
graph | points\[\]\.(likelihood|ebic|cv_mean)|mean\[\]|points\[\]\.value\[\] | any null
graph | scale\[\]|points\[\]\.diagonal\[\] | positive
graph | scale|points\[\]\.diagonal | reversed
graph | chosen|points\[\]\.second\[\] | 1
graph | points\[\]\.(components|iterations) | count
neighbours | fits|fits\[\]\.value | reversed
neighbours | fits\[\]\.(ebic|objective|intercept|low|high|mean|value\[\]) | any null
neighbours | fits\[\]\.(lambda|stationarity|stationarity_goal) | from-0 null
"""
ROWS = ["two.csv", "--id", "id", "--categorical", "colour", "--missing", "mean", "--label-column", "label", "--loss", "logistic"]
MADE = {
    "model": ["fit", *ROWS, "--lambda", "1", "--penalty", "mcp", "--intercept", "--standardize"],
    "shapes": ["path", *ROWS, "--penalty", "mcp", "--shapes", "3,9", "--nlambda", "2"],
    "cv": ["cv", *ROWS, "--penalty", "mcp", "--nlambda", "2", "--folds", "3", "--stability", "3", "--rule", "ebic"],
    "ising": ["graph", "signs.csv", "--model", "ising", "--nlambda", "3"],
    **{name: words for name, words in lies.MADE.items() if name != "cv"},
}


def write_data():
    rng = random.Random(4)
    lies.write_data(rng)
    with open("two.csv", "w", encoding="ascii") as file:
        file.write("id,colour,a_x,a_y,b_z,label\n")
        for i in range(40):
            x, y, z = (rng.gauss(0, 1) for _ in range(3))
            said = "yes" if x + rng.gauss(0, 1) > 0 else "no"
            file.write(f"r{i},{('red', 'blue', 'green')[i % 3]},{x!r},{'' if i % 9 == 4 else repr(y)},{z!r},{said}\n")
    with open("signs.csv", "w", encoding="ascii") as file:
        file.write("p,q,r\n")
        for _ in range(60):
            first = rng.random() < 0.5
            file.write(f"{int(first)},{int(first ^ (rng.random() < 0.2))},{int(rng.random() < 0.5)}\n")


def rules():
    for line in TABLE.strip("\n").splitlines():
        kind, place, words = (part.strip() for part in re.split(r"(?:^| )\| ", line))
        yield kind, re.compile(place), set().union(*(MEANINGS.get(word, {word}) for word in words.split()))


def main():
    dcpn, forge = (os.path.abspath(path) for path in sys.argv[1:3])
    table = list(rules())
    needed, wrong, told = set(), [], 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        os.chdir(folder)
        write_data()
        for name, words in MADE.items():
            subprocess.run([dcpn, *words, "-q", "-o", "out.json"], check=True)
            taken = subprocess.run([forge, "out.json"], capture_output=True, text=True)
            assert taken.returncode == 0, (name, taken.stderr)
            told += int(taken.stderr.split()[1])
            for line in taken.stdout.splitlines():
                kind, place, lie = line.split()
                may = [k for k, (of, pattern, values) in enumerate(table)
                       if of in ("", kind.removeprefix("dcpn-")) and lie in values and pattern.fullmatch(place)]
                needed.update(may)
                if not may:
                    wrong.append(line)
        os.chdir("/")
    assert not wrong, "taken, and no possible value:\n" + "\n".join(sorted(set(wrong)))
    assert len(needed) == len(table), [table[k] for k in range(len(table)) if k not in needed]
    print(f"{told} lies; those that are taken are possible values")


if __name__ == "__main__":
    sys.exit(main())
