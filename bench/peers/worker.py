# SPDX-License-Identifier: BSD-3-Clause
"""What the peers in Python share: the job they read, the clock, the memory, the lines they print.

A peer's file defines prepare(A, y, problem), which returns a function from a tolerance to the coefficients, for a path
a row of them per lambda; only the calls of that function are timed. One JSON object a line goes to standard output for
each tolerance.
"""

import json
import sys
import time

import numpy as np

from harness import datasets

REPEAT_BELOW_S = 1.0  # a shorter solve is repeated, and the shortest counts
MOST_REPEATS = 5
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def memory_mb(field):
    with open("/proc/self/status", encoding="ascii") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024.0
    return None


def reset_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as out:
        out.write("5")


def timed(solve, tolerance, clock):
    times = []
    while len(times) < MOST_REPEATS and sum(times) < REPEAT_BELOW_S:
        start = clock()
        x = solve(tolerance)
        times.append(clock() - start)
    return np.asarray(x, dtype=float), min(times), len(times)


def main(prepare):
    with open(sys.argv[1], encoding="utf-8") as lines:
        job = json.load(lines)
    A, y = datasets.load(job["data"])
    solve = prepare(A, y, job["problem"])
    before = memory_mb("VmRSS")
    reset_peak()
    for number, tolerance in enumerate(job["tolerances"]):
        x, seconds, repeats = timed(solve, tolerance, CLOCKS[job["clock"]])
        path = f"{job['output']}.{number}.npy"
        np.save(path, x)
        print(json.dumps({"tolerance": tolerance, "time_s": seconds, "repeats": repeats, "coef": path,
                          "peak_mb": memory_mb("VmHWM"), "before_mb": before}), flush=True)
        if seconds > job["limit_s"]:
            break
