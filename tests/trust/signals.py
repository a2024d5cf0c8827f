#!/usr/bin/env python3
"""A signal at any call of the system, and while a command waits for somebody, ends it and leaves whole files or none.

usage: signals.py DCPN

The calls are interrupted by strace, which sends the signal at the k-th: no clock decides. Waiting is seen in /proc.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from scene import Scene, skip

POINTS = 16
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")
LIMIT_S = 60
INTERRUPTED = 130
NOT_READ_TO_THE_END = 1
F_SETPIPE_SZ = 1031
SLOW_FIT = ["fit", "data.svm", "-q", "--algorithm", "proximal-gradient", "--penalty", "l1", "--lambda", "0.01", "--tol", "0",
            "--max-iter", "3000"]


def strace(scene, words, *options):
    return subprocess.run(["strace", "-o", "calls", *options, scene.dcpn, *words], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=LIMIT_S)


def calls_of(scene, words):
    """The calls of the command, the loader's left out: the name of each, and how often it was called by then."""
    done = strace(scene, words)
    assert done.returncode == 0, (words, done)
    with open("calls", encoding="utf-8") as file:
        names = [line[: line.index("(")] for line in file if re.match(r"\w+\(", line)]
        file.seek(0)
        begin = max(k for k, line in enumerate(file) if "SIGBUS" in line)
    scene.clean()
    return [(name, names[: k + 1].count(name)) for k, name in enumerate(names)][begin + 1:]


def judge(scene, words, outputs, name, done):
    """Ended by the signal, in time with what there is so far, or not disturbed."""
    number = getattr(signal, name)
    allowed = {0} if name == "SIGPIPE" else {0, INTERRUPTED, -number, 128 + number}
    assert done.returncode in allowed, (words, name, done.returncode, done.stderr)
    for path in outputs:
        assert not os.path.exists(path) or path == "o.jsonl" or scene.whole(path), (words, name, path)
    if done.returncode == 0:
        missing = [path for path in outputs if not os.path.exists(path) and path != "o.state"]
        assert not missing, (words, name, missing)
    left = [path for path in scene.clean() if path not in (*outputs, "calls", "figures")]
    assert not left, (words, name, left)


def at_every_call(scene):
    """The number of signals, and of those that ended the command."""
    count = ended = 0
    for number, (words, outputs) in enumerate(scene.commands()):
        calls = [call for call in calls_of(scene, words) if call[0] != "exit_group"]
        for k in range(POINTS):
            name = SIGNALS[(k + number) % len(SIGNALS)]
            call, nth = calls[(len(calls) - 1) * k // (POINTS - 1)]
            done = strace(scene, words, "-e", f"inject={call}:signal={name}:when={nth}")
            judge(scene, words, outputs, name, done)
            count += 1
            ended += done.returncode != 0
    assert ended > count // 3, (ended, count)
    return f"{count} signals, {ended} of which ended the command,"


# ---- Waiting ---------------------------------------------------------------------------------------------------------

def state_of(process):
    """The number of the system call in which it sleeps; None: it does not sleep."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            if not re.search(r"\) S ", file.read()):
                return None
        with open(f"/proc/{process.pid}/syscall", encoding="utf-8") as file:
            return file.read().split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def wait_until_it_waits(process):
    """In the same call a few times in a row: what sleeps between two blocks of a disk is soon elsewhere."""
    before, same = None, 0
    while same < 10:
        assert process.poll() is None, process.args
        state = state_of(process)
        same = same + 1 if state is not None and state == before else 0
        before = state
        time.sleep(0.02)


def waiting_commands():
    """Those that wait for ever: for a writer, for its bytes, for a reader, and for room in a pipe."""
    model = ["model.json", "data.svm"]
    for words in (["info", "PIPE"], ["check", "PIPE", "--format", "csv"], ["convert", "PIPE", "o.csv"],
                  ["fit", "PIPE"], ["fit", "data.svm", "--weights", "PIPE"], ["fit", "data.svm", "--start", "PIPE"],
                  ["predict", "PIPE", "data.svm"], ["predict", "model.json", "PIPE"], ["report", "PIPE", "-o", "o.html"],
                  ["coef", "PIPE"], ["path", "PIPE"], ["cv", "data.svm", "--folds", "PIPE"],
                  ["fit", "data.svm", "--groups", "PIPE"], ["factor", "PIPE"], ["predict", "factors.json", "PIPE"]):
        yield words, "writer"
        yield words, "bytes"
    for words in (["fit", "data.svm", "-q", "-o", "PIPE"], ["fit", "data.svm", "-q", "--report", "PIPE"],
                  ["fit", "data.svm", "-q", "--trace", "PIPE"], ["path", "data.svm", "-q", "--nlambda", "3", "-o", "PIPE"],
                  ["cv", "data.svm", "-q", "--nlambda", "3", "--folds", "3", "-o", "PIPE"],
                  ["convert", "data.svm", "PIPE", "--to", "csv"], ["predict", *model, "-o", "PIPE"],
                  ["coef", "model.json", "-o", "PIPE"], ["report", "path.json", "-o", "PIPE"],
                  ["generate", "toy", "-o", "PIPE", "--to", "csv"], ["factor", "data.svm", "-q", "-o", "PIPE"]):
        yield words, "reader"
    for words in (["path", "data.svm", "-q", "-o", "PIPE"], ["report", "path.json", "-o", "PIPE"],
                  ["fit", "data.svm", "-q", "--report", "PIPE"], ["convert", "data.svm", "PIPE", "--to", "csv"],
                  [*SLOW_FIT, "--trace", "PIPE"]):
        yield words, "room"


def start(scene, words, what, pipe):
    """Starts it; of the pipe somebody holds the other end if it waits for more than that."""
    os.mkfifo(pipe)
    other = None
    if what == "bytes":
        other = os.open(pipe, os.O_RDWR)
    if what == "room":
        other = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(other, F_SETPIPE_SZ, 4096)
    words = [pipe if word == "PIPE" else word for word in words]
    return subprocess.Popen([scene.dcpn, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE), other


def while_it_waits(scene):
    """All at once: most of it is waiting."""
    started = []
    try:
        return wait_and_signal(scene, started)
    finally:
        for _, _, _, process, _ in started:
            process.kill()
            process.wait()


def wait_and_signal(scene, started):
    for k, (words, what) in enumerate(waiting_commands()):
        for name in ("SIGTERM", SIGNALS[k % 3]) if what == "reader" else (SIGNALS[k % 3],):
            started.append((words, what, name, *start(scene, words, what, f"pipe{len(started)}")))
    for words, what, name, process, _ in started:
        wait_until_it_waits(process)
        process.send_signal(getattr(signal, name))
    for words, what, name, process, other in started:
        try:
            code = process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{words}: {name} is swallowed while it waits for {what}") from None
        assert code == -getattr(signal, name), (words, what, name, code, process.stderr.read())
        process.stderr.close()
        if other is not None:
            os.close(other)
    left = [path for path in scene.clean() if not path.startswith("pipe") and path != "calls"]
    assert not left, left
    return len(started)


def when_the_reader_goes(scene):
    """A pipe whose reader has gone is an error of writing, said or not, and no death by a signal."""
    count = 0
    for words, what in waiting_commands():
        if what != "room":
            continue
        process, other = start(scene, words, what, "pipe")
        wait_until_it_waits(process)
        os.close(other)
        assert process.wait(LIMIT_S) == NOT_READ_TO_THE_END, (words, process.returncode, process.stderr.read())
        process.stderr.close()
        scene.clean()
        count += 1
    return count


def a_search_ends_at_the_next_iteration(scene):
    """Counted in lines of the trace, which say where it is: the signal comes with the third of them."""
    done = strace(scene, [*SLOW_FIT, "--trace", "o.jsonl", "-o", "o.json"], "-e", "trace=write", "-e", "inject=write:signal=SIGINT:when=3")
    with open("o.jsonl", encoding="utf-8") as file:
        lines = file.read().count("\n")
    assert done.returncode == INTERRUPTED and lines <= 5 and scene.whole("o.json"), (done, lines)
    scene.clean()


if shutil.which("strace") is None:
    skip("strace is not installed")
with Scene(sys.argv[1]) as scene_:
    if strace(scene_, ["--version"]).returncode != 0:
        skip("strace may not trace here")
    print("waiting:", while_it_waits(scene_), "signals as expected")
    print("readers that go:", when_the_reader_goes(scene_), "as expected")
    a_search_ends_at_the_next_iteration(scene_)
    print("a search ends at the next iteration")
    print("at calls of the system:", at_every_call(scene_), "as expected")
