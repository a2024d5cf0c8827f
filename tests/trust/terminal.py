#!/usr/bin/env python3
"""What a terminal would take for a command, or what turns the direction of text, does not reach it out of names in the data:
every command that prints to a terminal is run on one. A file gets the bytes as they are.

usage: terminal.py DCPN
"""

import os
import pty
import subprocess
import sys
import tempfile

ESCAPE, OVERRIDE, BELL = "\033[31m", "\u202e", "\007"
NASTY = [f"red{ESCAPE}", f"blue{OVERRIDE}x"]
TABLE = "id,y,a{bell},b{esc}\nr{bell}1,{n[0]},1,2\nr2{esc},{n[1]},0,1\nr3,{n[0]},2,2\nr4,{n[1]},0,0\n"
HARMFUL = [b"\033[31m", b"\007", OVERRIDE.encode(), "\u009b".encode()]
COLOURS = {"NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def on_terminal(words):
    """What the command prints on a terminal, messages included."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower,
                               env=dict(os.environ, **COLOURS))
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    return process.wait(), shown


def main():
    dcpn = os.path.abspath(sys.argv[1])
    data = ["--label-column", "y", "--id", "id", "--format", "csv"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("data.csv", "w", encoding="utf-8") as file:
            file.write(TABLE.format(n=NASTY, bell=BELL, esc=ESCAPE))
        subprocess.run([dcpn, "fit", "data.csv", "-q", "-o", "model.json", "--lambda", "0.1", *data], check=True)
        with open("bad.csv", "w", encoding="utf-8") as file:
            file.write(TABLE.format(n=NASTY, bell=BELL, esc=ESCAPE) + f"r5,{ESCAPE},x{BELL},1\n")
        commands = [["fit", "data.csv", "--lambda", "0.1", *data], ["fit", "data.csv", "-v", "--lambda", "0.1", *data],
                    ["fit", "bad.csv", *data], ["check", "bad.csv", *data], ["info", "data.csv", *data],
                    ["info", "model.json"], ["coef", "model.json"], ["coef", "model.json", "--format", "csv"],
                    ["report", "model.json", "--terminal"], ["path", "data.csv", "--nlambda", "3", *data],
                    ["predict", "model.json", "data.csv", *data], ["predict", "model.json", "data.csv", "--type", "labels", *data],
                    ["predict", "model.json", "bad.csv", *data]]
        for words in commands:
            code, shown = on_terminal([dcpn, *words])
            assert shown and code in (0, 4), (words, code, shown)
            for harm in HARMFUL:
                assert harm not in shown, (words, harm, shown)
        done = subprocess.run([dcpn, "predict", "model.json", "data.csv", "-q", "--type", "labels", *data], capture_output=True)
        assert done.stdout.decode().splitlines()[0] == NASTY[0], done
        os.chdir("/")
    print(len(commands), "commands on a terminal, nothing harmful on it")


if __name__ == "__main__":
    main()
