# SPDX-License-Identifier: BSD-3-Clause
"""A page of what is kept in the folder of results: a row for each problem, a cell for each peer, every loss in red.

A cell says how many times as long the peer takes as dcpn: for l1 to the tightest suboptimality, else to the F at which
the peer ends. "higher" and "not reached" are peers that never get there; in red is where a peer is first, or ends lower."""

import html
import json

from harness import judge

US = "dcpn"
STYLE = """body { font: 15px/1.4 sans-serif; margin: 2em; max-width: 75em }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .15em .7em; text-align: right }
td:first-child, td:nth-child(2), th:first-child, th:nth-child(2) { text-align: left }
tr { border-bottom: 1px solid #ddd }
.loss { color: #c00; font-weight: bold } .none { color: #999 }"""


def compare_convex(result, name):
    """(text, is it a loss?) for the least F to the tightest suboptimality."""
    level = judge.scientific(judge.SUBOPTIMALITIES[-1])
    times = judge.convex(result)
    theirs, ours = times[name][level], times[US][level]
    if theirs is None:
        return "not reached", False
    if ours is None:
        return "only it gets there", True
    return f"{theirs / ours:.2g}", theirs < ours


def compare_non_convex(result, name):
    row = judge.non_convex(result, US)[name]
    if row["our_time_s"] is None:
        return "ends lower", True
    return f"{row['time_s'] / row['our_time_s']:.2g}", row["time_s"] < row["our_time_s"]


def compare(result, name):
    return (compare_convex if judge.is_convex(result["problem"]) else compare_non_convex)(result, name)


def our_time(result):
    points = result["curves"][US]
    return judge.settled(points)[1]


def cell(result, name):
    if name not in result["curves"]:
        return '<td class="none">-</td>'
    text, is_loss = compare(result, name)
    return f'<td class="loss">{html.escape(text)}</td>' if is_loss else f"<td>{html.escape(text)}</td>"


def row(result, names):
    words = [f"{result['case']}", f"{result['data']}, {result['lambda']}"]
    head = "".join(f"<td>{html.escape(word)}</td>" for word in words) + f"<td>{our_time(result):.3g} s</td>"
    return f"<tr>{head}{''.join(cell(result, name) for name in names)}</tr>"


def losses(results):
    """(comparisons with peers, those that dcpn loses)"""
    found = [compare(r, n)[1] for r in results for n in r["curves"] if n not in r["sets"]]
    return len(found), sum(found)


def section(title, results):
    names = list(dict.fromkeys(n for r in results for n in r["curves"] if n not in r["sets"]))
    count, lost = losses(results)
    header = "".join(f"<th>{html.escape(word)}</th>" for word in ["case", "data", US] + names)
    rows = "\n".join(row(r, names) for r in results)
    said = f'<span class="loss">{lost} lost</span>' if lost else "none lost"
    said = f"{count} comparisons, {said}"
    return f"<h2>{title}</h2>\n<p>{said}</p>\n<table><tr>{header}</tr>\n{rows}</table>"


def page(kept):
    """kept: {title: results}"""
    parts = [section(title, [r for r in results if US in r["curves"]]) for title, results in kept.items() if results]
    return ("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>dcpn beside its peers</title>\n"
            f"<style>{STYLE}</style>\n<h1>dcpn beside its peers</h1>\n"
            "<p>Times of the peers as multiples of dcpn's, to the same F; below 1, in red, the peer is faster.</p>\n"
            + "\n".join(parts) + "\n</html>\n")


def command(_config, choice, out):
    files = {"Single fits": out / "fits.json", "Paths": out / "paths.json"}
    kept = {title: json.loads(path.read_text()) if path.exists() else [] for title, path in files.items()}
    if not any(kept.values()):
        choice.say(f"page: there are no results in {out}; run bench/run fits or bench/run paths first")
        return
    (out / "index.html").write_text(page(kept))
    print(out / "index.html")
