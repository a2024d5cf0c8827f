# SPDX-License-Identifier: BSD-3-Clause
"""The command line of bench/run."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from harness import bandwidth, cases, ends, figure, fits, gist, instructions, page, peers, reading, table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def parse(commands):
    parser = argparse.ArgumentParser(prog="bench/run", description="Measures dcpn beside its peers; bench/README.md.")
    parser.add_argument("command", nargs="?", default="fits", choices=commands)
    parser.add_argument("--case", action="append", default=[],
                        help="only CASE, or CASE/DATA (may be cut short); may be repeated")
    parser.add_argument("--peer", action="append", default=[], help="only this peer or option set; may be repeated")
    parser.add_argument("--quick", action="store_true", help="the cases marked quick, one lambda each")
    parser.add_argument("--cases", help="another case file [bench/cases.toml]")
    parser.add_argument("--data", default=str(ROOT / "build/bench/data"), help="where data sets are kept")
    parser.add_argument("--venv", default=str(ROOT / "build/bench/venv"), help="the environment of the PyPI peers")
    parser.add_argument("--out", default=str(ROOT / "build/bench"), help="where results go")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                        help="cpu: processor time, for a busy machine [wall]")
    parser.add_argument("--reuse", action="store_true", help="take the peers', or GIST's, numbers of the last run")
    parser.add_argument("--record", action="store_true", help="instructions: write bench/instructions.txt")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def curves(kind, config, choice, out):
    """Fits or paths: JSON and tables as they come, and a figure each."""
    numbers, results = out / f"{kind}s.json", []
    earlier = json.loads(numbers.read_text()) if choice.reuse and numbers.exists() else []
    for result in fits.run(config, cases.chosen(config[kind], choice.case, choice.quick), choice, earlier, say):
        results.append(result)
        numbers.write_text(json.dumps(results, indent=1))
        (out / f"{kind}s.md").write_text(table.report(results) + "\n")
        if result["curves"]:
            name = f"{kind}-{result['case']}-{result['data']}-{result['lambda']}".replace(" ", "-")
            (out / f"{name}.svg").write_text(figure.draw(result))
    print(table.report(results))


def fit_command(config, choice, out):
    curves("fit", config, choice, out)


def path_command(config, choice, out):
    if subprocess.run([os.environ["DCPN"], "path", "--help"], capture_output=True, check=False).returncode:
        say("paths skipped: this dcpn has no command path")
        return
    curves("path", config, choice, out)


COMMANDS = {
    "fits": fit_command,
    "paths": path_command,
    "ends": ends.command,
    "gist": gist.command,
    "reading": reading.command,
    "bandwidth": bandwidth.command,
    "instructions": instructions.command,
    "page": page.command,
}


def main():
    choice = parse(list(COMMANDS))
    choice.say = say
    out = pathlib.Path(choice.out)
    out.mkdir(parents=True, exist_ok=True)
    if choice.clock == "cpu":
        peers.use_processor_clock(out)
    COMMANDS[choice.command](cases.read(choice.cases), choice, out)


main()
