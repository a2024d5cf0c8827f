# SPDX-License-Identifier: BSD-3-Clause
"""What the curves say: times to a relative suboptimality, and who was first to an equal or lower F."""

import numpy as np

SUBOPTIMALITIES = (1e-4, 1e-6, 1e-8)
EQUAL = 1e-6  # F within this share counts as equal where minima differ


def scientific(power_of_ten):
    return f"1e{round(np.log10(power_of_ten))}"


def is_convex(problem):
    return problem["penalty"] == "l1"


def best_of(curves):
    """The least F of all, at each lambda of a path."""
    return np.min([np.atleast_1d(p["F"]) for points in curves.values() for p in points], axis=0)


def excess(point, reference):
    """How far F is above the reference, relatively: on a path the largest over the lambdas."""
    return float(np.max((np.atleast_1d(point["F"]) - reference) / np.abs(reference)))


def time_to(points, reference, suboptimality):
    """The shortest time of a point that is good enough, or None."""
    times = [p["time_s"] for p in points if excess(p, reference) <= suboptimality]
    return min(times) if times else None


def settled(points):
    """The values a curve ends with, at its tightest tolerance, and its shortest time to no higher ones."""
    own = np.atleast_1d(points[-1]["F"])
    return own, time_to(points, own, EQUAL)


def convex(result):
    """{who: times to the suboptimalities}"""
    best = best_of(result["curves"])
    return {name: {scientific(s): time_to(points, best, s) for s in SUBOPTIMALITIES}
            for name, points in result["curves"].items()}


def non_convex(result, us):
    """{who: where it ends above the best, when, and when we were no higher}"""
    best, rows = best_of(result["curves"]), {}
    for name, points in result["curves"].items():
        own, when = settled(points)
        ours = time_to(result["curves"].get(us, []), own, EQUAL)
        rows[name] = {"excess": float(np.max((own - best) / np.abs(best))), "time_s": when, "our_time_s": ours}
    return rows


def least_excess(result, name):
    best = best_of(result["curves"])
    return min(excess(p, best) for p in result["curves"][name])


def peak_mb(points):
    return max(p["peak_mb"] for p in points)
