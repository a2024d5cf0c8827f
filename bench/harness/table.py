# SPDX-License-Identifier: BSD-3-Clause
"""Results as Markdown: times, ratios to dcpn, and a plain sentence where a peer wins."""

from harness import judge

US = "dcpn"


def seconds(value):
    return "-" if value is None else f"{value:.3g}"


def ratio(theirs, ours):
    return "" if theirs is None or ours is None else f" ({theirs / ours:.2g}x)"


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def convex_rows(result):
    judged = judge.convex(result)
    ours = judged.get(US, {})
    for name, times in judged.items():
        cells = [seconds(t) + ("" if name == US else ratio(t, ours.get(s))) for s, t in times.items()]
        yield [result["case"], result["data"], result["lambda"], name] + cells + [
            f"{judge.least_excess(result, name):.0e}", f"{judge.peak_mb(result['curves'][name]):.0f}"]


def non_convex_rows(result):
    for name, row in judge.non_convex(result, US).items():
        yield [result["case"], result["data"], result["lambda"], name, f"{row['excess']:.1e}", seconds(row["time_s"]),
               "" if name == US else seconds(row["our_time_s"]) + ratio(row["time_s"], row["our_time_s"]),
               f"{judge.peak_mb(result['curves'][name]):.0f}"]


def short_rows(results, names, cell_of, ours_of):
    for result in results:
        yield [result["case"], result["data"], result["lambda"], ours_of(result)] + [cell_of(result, n) for n in names]


def short(results, cell_of, ours_of):
    """A row for each problem, a column for each peer."""
    names = list(dict.fromkeys(n for result in results for n in result["curves"] if n != US))
    return markdown(["case", "data", "lambda", US] + names, short_rows(results, names, cell_of, ours_of))


def convex_ratio(result, name):
    times = {n: t[judge.scientific(judge.SUBOPTIMALITIES[-1])] for n, t in judge.convex(result).items()}
    if name not in times:
        return ""
    return "not reached" if times[name] is None else ratio(times[name], times.get(US)).strip(" ()")


def non_convex_ratio(result, name):
    row = judge.non_convex(result, US).get(name)
    if not row:
        return ""
    who_is_first = "lower" if row["our_time_s"] is None else ratio(row["time_s"], row["our_time_s"]).strip(" ()")
    return f"{who_is_first}, {row['excess']:.0e}"


def short_tables(results):
    """The ratios alone: above 1 dcpn is faster."""
    kinds = ((True, convex_ratio, lambda r: seconds(list(judge.convex(r).get(US, {"": None}).values())[-1]) + " s"),
             (False, non_convex_ratio, lambda r: "{time_s:.3g} s, {excess:.0e}".format(**judge.non_convex(r, US)[US])))
    for is_convex, cell_of, ours_of in kinds:
        chosen = [r for r in results if judge.is_convex(r["problem"]) == is_convex and US in r["curves"]]
        if chosen:
            yield short(chosen, cell_of, ours_of)


def lost_sentences(result):
    """A line for each comparison that a peer wins."""
    own = result["sets"]  # option sets of dcpn are no peers
    where = f"- {result['case']} on {result['data']}, lambda {result['lambda']}"
    if US not in result["curves"]:
        return
    if judge.is_convex(result["problem"]):
        judged = judge.convex(result)
        for s, mine in judged[US].items():
            others = {n: t[s] for n, t in judged.items() if n not in own and t[s] is not None}
            first = min(others, key=others.get, default=None)
            if first and mine is None:
                yield f"{where}, to {s}: {first} gets there, {US} does not"
            elif first and others[first] < mine:
                yield f"{where}, to {s}: {first} is {mine / others[first]:.2g} times as fast"
        return
    for name, row in judge.non_convex(result, US).items():
        if name in own:
            continue
        if row["our_time_s"] is None:
            yield f"{where}: {name} ends lower than {US} ever does"
        elif row["time_s"] < row["our_time_s"]:
            yield f"{where}: {name} is {row['our_time_s'] / row['time_s']:.2g} times as fast to its F"


def report(results):
    """The tables of fits or paths."""
    convex = [r for r in results if judge.is_convex(r["problem"]) and r["curves"]]
    others = [r for r in results if not judge.is_convex(r["problem"]) and r["curves"]]
    parts = [part for text in short_tables(results) for part in (text, "")]
    if convex:
        header = ["case", "data", "lambda", "who"] + [f"s to {judge.scientific(s)}" for s in judge.SUBOPTIMALITIES]
        rows = [row for result in convex for row in convex_rows(result)]
        parts += [markdown(header + ["least suboptimality", "peak MB"], rows), ""]
    if others:
        header = ["case", "data", "lambda", "who", "F above the best", "s to its F", f"s of {US} to no higher",
                  "peak MB"]
        parts += [markdown(header, [row for result in others for row in non_convex_rows(result)]), ""]
    lost = [line for result in convex + others for line in lost_sentences(result)]
    parts += ["Where a peer wins:"] + lost if lost else [f"No peer wins against {US} here."]
    return "\n".join(parts)
