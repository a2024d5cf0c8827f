"""The same words with the services that never change a result: threads, screening, a mapped file, a checkpoint after each
step, and an end by --max-iter that is resumed. What is written is the same, number by number, or refused in the same words.
"""

import json
import os

from whole_finding import expect

SAID_BESIDES = {"command", "timing", "passes", "checksum", "file", "feature_names", "name", "label", "threads",
                "max-iter", "max-time", "screening"}
MANY = "3"
OF_MATRICES = ("factor", "graph", "complete")   # threads are what they share


def leaves(value, place=""):
    if isinstance(value, dict):
        for key in sorted(value.keys() - SAID_BESIDES):
            yield from leaves(value[key], f"{place}/{key}")
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from leaves(item, f"{place}/{k}")
    else:
        yield place, value


def result(path):
    with open(path, encoding="utf-8") as file:
        return dict(leaves(json.load(file, parse_float=str)))


def services(words):
    """(name, words) of each that the words allow."""
    yield "threads", [*words, "--threads", MANY]
    if words[0] in OF_MATRICES:
        return
    if "--screening" not in words and "--no-screening" not in words:
        yield "no screening", [*words, "--no-screening"]
    yield "messages", [*(word for word in words if word != "-q"), "-v"]
    yield "checkpoints", [*words, "--checkpoint", "state", "--checkpoint-every", "0"]
    yield "resumed at its end", [*words, "--checkpoint", "state", "--checkpoint-every", "0", "--resume"]


def judge(whole, case, done):
    words = case["words"]
    if words[0] == "convert":
        return
    plain = result("out.json") if done.returncode == 0 else None
    for name, more in services(words):
        compare(whole, name, more, done, plain)
    if words[0] in OF_MATRICES:
        return
    os.path.exists("state") and os.remove("state")
    resumed(whole, words, done, plain)


def resumed(whole, words, done, plain):
    at = words.index("--max-iter") + 1
    for k in (1, 4):
        if int(words[at]) <= k:
            continue
        saved = [*words, "--checkpoint", "state", "--checkpoint-every", "0"]
        whole.run(*saved[:at], str(k), *saved[at + 1:])
        if os.path.exists("state"):
            compare(whole, f"resumed after {k} iterations", [*saved, "--resume"], done, plain)
            os.remove("state")


def compare(whole, name, words, done, plain):
    if os.path.exists("out.json"):
        os.remove("out.json")
    again = whole.run(*words)
    expect(again.returncode == done.returncode,
           f"with {name}: ends with {again.returncode} and not {done.returncode}: {again.stderr} {done.stderr}")
    if plain is None:
        ours, theirs = (run.stderr.splitlines()[-1:] for run in (again, done))
        expect(ours == theirs, f"with {name}: {ours} and not {theirs}")
        return
    found = result("out.json")
    if found != plain:
        place = min(place for place in found | plain if found.get(place) != plain.get(place))
        expect(False, f"with {name}: {place} is {found.get(place)} and not {plain.get(place)}")
