# SPDX-License-Identifier: BSD-3-Clause
"""Where paths of non-convex penalties end, at every lambda, beside the peers: bench/ends.toml."""

import json
import pathlib

from harness import cases, fits, judge, table

CASES = pathlib.Path(__file__).resolve().parent.parent / "ends.toml"
US = "dcpn"


def compare(result, name):
    """(lambdas, dcpn higher where F is not known to be locally convex, higher where it is, lower, the most higher)"""
    ours, theirs = result["curves"][US][-1], result["curves"][name][-1]
    counts, most = {"lambdas": 0, "higher": 0, "higher, convex": 0, "lower": 0}, 0.0
    for our_value, their_value, is_convex in zip(ours["F"], theirs["F"], ours["convex"]):
        difference = (our_value - their_value) / abs(their_value)
        counts["lambdas"] += 1
        counts["lower"] += difference < -judge.EQUAL
        if difference > judge.EQUAL:
            counts["higher, convex" if is_convex else "higher"] += 1
            most = max(most, difference)
    return counts, most


def rows(results):
    """A row per peer and kind of case."""
    pairs = sorted({(r["case"], name) for r in results for name in r["curves"] if name != US and US in r["curves"]})
    for case, name in pairs:
        found = [compare(r, name) for r in results if r["case"] == case and name in r["curves"]]
        total = {key: sum(counts[key] for counts, _ in found) for key in found[0][0]}
        yield [case, name, str(len(found)), *(str(value) for value in total.values()),
               f"{max(most for _, most in found):.0e}"]


def report(results):
    header = ["case", "beside", "paths", "lambdas", "dcpn higher", "higher, locally convex", "lower", "most higher"]
    return table.markdown(header, list(rows(results)))


def command(_, choice, out):
    config, results, numbers = cases.read(choice.cases or CASES), [], out / "ends.json"
    earlier = json.loads(numbers.read_text()) if choice.reuse and numbers.exists() else []
    chosen = cases.chosen(config["path"], choice.case, choice.quick)
    for result in fits.run(config, chosen, choice, earlier, choice.say):
        results.append(result)
        numbers.write_text(json.dumps(results, indent=1))
        (out / "ends.md").write_text(report(results) + "\n")
    print(report(results))
