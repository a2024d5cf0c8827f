# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command and writes its rusage as JSON: python3 launch.py OUT COMMAND...

A small process between the runner and the command: Linux counts the memory of the process that starts another into the
other's peak, and the runner holds the data.
"""

import json
import os
import sys
import time

start = time.perf_counter()
environment = dict(os.environ)
if "DCPN_BENCH_PRELOAD" in environment:
    environment["LD_PRELOAD"] = environment["DCPN_BENCH_PRELOAD"]
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], environment)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w", encoding="ascii") as out:
    json.dump({"peak_mb": usage.ru_maxrss / 1024.0, "cpu_s": usage.ru_utime + usage.ru_stime,
               "wall_s": time.perf_counter() - start}, out)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
