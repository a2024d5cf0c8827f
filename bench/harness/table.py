# SPDX-License-Identifier: BSD-3-Clause
"""Results as Markdown: times, ratios to dcpn, and a plain sentence where a peer wins."""


def seconds(value):
    return "-" if value is None else f"{value:.3g}"


def ratio(peer, ours):
    return "" if peer is None or ours is None else f" ({peer / ours:.2g}x)"


def fit_rows(result, us):
    ours = result["judged"].get(us, {"time_to": {}})["time_to"]
    for name, row in result["judged"].items():
        times = [seconds(t) + ("" if name == us else ratio(t, ours.get(s))) for s, t in row["time_to"].items()]
        yield [result["case"], result["lambda"], name] + times + [f"{row['least_suboptimality']:.1e}", f"{row['peak_mb']:.0f}"]


def winners(result, us):
    """(suboptimality, peer, factor) wherever a peer is faster than us or gets where we do not."""
    ours = result["judged"].get(us)
    if not ours:
        return
    for s, mine in ours["time_to"].items():
        others = {n: r["time_to"][s] for n, r in result["judged"].items() if n != us and r["time_to"][s] is not None}
        if others:
            first = min(others, key=others.get)
            if mine is None or others[first] < mine:
                yield s, first, None if mine is None else mine / others[first]


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def fits(results, us="dcpn"):
    header = ["case", "lambda", "who", "s to 1e-4", "s to 1e-6", "s to 1e-8", "least suboptimality", "peak MB"]
    text = [markdown(header, [row for result in results for row in fit_rows(result, us)]), ""]
    lost = [(r, *w) for r in results for w in winners(r, us)]
    text.append("Where a peer wins:" if lost else f"No peer is faster than {us} at any of these suboptimalities.")
    for result, s, peer, factor in lost:
        how = f"{factor:.2g} times as fast" if factor else f"there, and {us} is not"
        text.append(f"- {result['case']}, lambda {result['lambda']}, to {s}: {peer} is {how}")
    return "\n".join(text)
