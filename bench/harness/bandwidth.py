# SPDX-License-Identifier: BSD-3-Clause
"""How close a dense fit comes to reading its matrix at the speed of memory."""

import json
import pathlib
import subprocess
import tempfile

from harness import cases, datasets, fits, objective, peers, table

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "memory_bandwidth.c"


def measure(out):
    """GB/s that one thread reads."""
    program = out / "memory_bandwidth"
    subprocess.run(["cc", "-O3", "-o", str(program), str(SOURCE)], check=True)
    return float(subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout)


def row(set_name, result, entries, bytes_per_entry, speed):
    streamed = 2.0 * result["passes"] * entries * bytes_per_entry  # a pass reads A twice: A x and A' r
    ideal = streamed / speed * 1e-9
    return {"set": set_name, "time_s": result["time_s"], "passes": result["passes"], "streamed_gb": streamed * 1e-9,
            "ideal_s": ideal, "time_to_ideal": result["time_s"] / ideal, "stationarity": result["stationarity"],
            "F": result["F"], "peak_mb": result["peak_mb"], "matrix_mb": entries * bytes_per_entry / 2**20}


HEADER = ["data", "options", "s", "passes", "GB streamed", "s / (bytes / bandwidth)", "stationarity", "F", "peak / A"]


def cells(r):
    return [r["data"], r["set"], f"{r['time_s']:.3g}", f"{r['passes']:.1f}", f"{r['streamed_gb']:.3g}",
            f"{r['time_to_ideal']:.2f}", f"{r['stationarity']:.1e}", f"{r['F']:.9g}",
            f"{r['peak_mb'] / r['matrix_mb']:.2f}"]


def command(config, choice, out):
    speed = measure(out)
    print(f"one thread reads {speed:.1f} GB/s")
    rows = []
    for case, data in cases.chosen(config["bandwidth"], choice.case, False):
        folder = datasets.prepare(choice.data, data, config["data"][data])
        A, y = datasets.load(folder)
        problem = dict(cases.problem_of(case), **{"lambda": case["lambda"]})
        for name, options in case["sets"].items():
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    result = peers.run_dcpn(folder / "data.svm", A.shape[1], problem, options, scratch)
                except peers.Refused as refusal:
                    choice.say(f"{name} skipped: {refusal}")
                    continue
            result["F"] = objective.objective(A, y, result.pop("x"), problem)
            size = 4 if "--float32" in options else 8
            rows.append(dict(row(name, result, fits.facts_of(A)["entries"], size, speed), data=data))
    (out / "bandwidth.json").write_text(json.dumps({"read_gb_per_s": speed, "fits": rows}, indent=1))
    print(table.markdown(HEADER, [cells(r) for r in rows]))
