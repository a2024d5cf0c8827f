# SPDX-License-Identifier: BSD-3-Clause
"""How close a dense fit comes to reading its matrix at the speed of memory."""

import json
import os
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
    streamed = result["passes"] * entries * bytes_per_entry  # at least: A x and A' r in one sweep
    ideal = streamed / speed * 1e-9
    return {"set": set_name, "time_s": result["time_s"], "passes": result["passes"], "streamed_gb": streamed * 1e-9,
            "ideal_s": ideal, "time_to_ideal": result["time_s"] / ideal, "stationarity": result["stationarity"],
            "F": result["F"], "peak_mb": result["peak_mb"], "matrix_mb": entries * bytes_per_entry / 2**20}


HEADER = ["data", "options", "s", "passes", "GB streamed", "s / (bytes / bandwidth)", "stationarity", "F", "peak / A"]


def cells(r):
    return [r["data"], r["set"], f"{r['time_s']:.3g}", f"{r['passes']:.1f}", f"{r['streamed_gb']:.3g}",
            f"{r['time_to_ideal']:.2f}", f"{r['stationarity']:.1e}", f"{r['F']:.9g}",
            f"{r['peak_mb'] / r['matrix_mb']:.2f}"]


def binary(folder, float32):
    """The data set in the form that is mapped, not parsed: what is measured is the fit."""
    path = folder / ("data32.dcpn" if float32 else "data.dcpn")
    if not path.exists() or path.stat().st_mtime < (folder / "data.svm").stat().st_mtime:
        options = ["--float32"] if float32 else []
        subprocess.run([os.environ["DCPN"], "convert", str(folder / "data.svm"), str(path), *options], check=True)
    return path


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
                    result = peers.run_dcpn(binary(folder, "--float32" in options), A.shape[1], problem, options, scratch)
                except peers.Refused as refusal:
                    choice.say(f"{name} skipped: {refusal}")
                    continue
            result["F"] = objective.objective(A, y, result.pop("x"), problem)
            size = 4 if "--float32" in options else 8
            rows.append(dict(row(name, result, fits.facts_of(A)["entries"], size, speed), data=data))
    (out / "bandwidth.json").write_text(json.dumps({"read_gb_per_s": speed, "fits": rows}, indent=1))
    print(table.markdown(HEADER, [cells(r) for r in rows]))
