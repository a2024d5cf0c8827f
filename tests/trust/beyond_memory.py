#!/usr/bin/env python3
"""Data that are larger than the memory allowed are fitted to the same bytes, are read in order, and signals are heard.

usage: beyond_memory.py DCPN

Memory is short for real in a cgroup, which takes the rights to make one; that part is left out else, and says so. The
kernel counts what was read from the disk, so that no clock decides.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time

from scene import Scene

BLOCK = 512  # bytes, of getrusage
LIMIT_S = 120
INTERRUPTED = 130
FITS = [["--penalty", "l1", "--lambda", "30"],
        ["--penalty", "mcp", "--lambda", "60", "--metric", "hessian", "--threads", "2"],
        ["--loss", "squared", "--penalty", "l1", "--lambda", "20"],
        ["--penalty", "l1", "--lambda", "30", "--metric", "lbfgs"]]
MOST_READINGS = 3  # of the bytes that the passes count, by what the kernel reads ahead


def fit(scene, *words):
    done = scene.run("fit", *words, "-o", "m.json", "--json")
    assert done.returncode == 0, (words, done)
    with open("m.json", encoding="utf-8") as file:
        model = json.load(file)
    return (model["coef"], model["intercept"], model["fit"]["objective"], model["fit"]["passes"]), done


def same_bytes(scene):
    """The data are mapped both times: the limit alone changes how they are read."""
    scene.must("generate", "toy", "-o", "dense.dcpn", "--rows", "16000", "--features", "100")
    scene.must("generate", "text", "-o", "sparse.dcpn", "--rows", "16000", "--features", "2000")
    for data, limit in (("dense.dcpn", "11M"), ("sparse.dcpn", "24M")):
        for words in FITS if data == "dense.dcpn" else FITS[:1]:
            words = words if data == "dense.dcpn" else [*words, "--no-gram"]  # which has no memory there
            near, done = fit(scene, data, *words)
            assert b"from the disk again" not in done.stderr, done
            far, done = fit(scene, data, *words, "--max-memory", limit)
            assert b"from the disk again" in done.stderr, (os.path.getsize(data), done)
            assert near == far, (data, words, near, far)
    return len(FITS) + 1


class Cgroup:
    """A group of processes with little memory, of the first version of cgroups."""

    def __init__(self, limit):
        self.folder = f"/sys/fs/cgroup/memory/dcpn-test-{os.getpid()}"
        os.mkdir(self.folder)
        self.write("memory.limit_in_bytes", limit)

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(str(value))

    def start(self, words):
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=lambda: self.write("cgroup.procs", os.getpid()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for _ in range(100):  # until the last process is gone from it
            try:
                return os.rmdir(self.folder)
            except OSError:
                time.sleep(0.05)


def forget(path):
    """Pages in the cache count for whoever brought them there."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def little_memory(scene, group):
    scene.must("generate", "toy", "-o", "large.dcpn", "--rows", "20000", "--features", "400")
    forget("large.dcpn")
    size, before = os.path.getsize("large.dcpn"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    child = group.start([scene.dcpn, "fit", "large.dcpn", "--json", "--penalty", "l1", "--lambda", "20", "--tol", "1"])
    try:
        out, said = child.communicate(timeout=LIMIT_S)
    finally:
        child.kill()
    assert child.returncode == 0, said
    passes = json.loads(out)["passes"]
    read = BLOCK * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before)
    assert read < MOST_READINGS * (2 * passes + 1) * size, (read, passes, size)


def heard(scene, group):
    """A run that would last for hours ends by a signal: with what there is, or within a pass without a model."""
    words = ["fit", "large.dcpn", "-q", "--penalty", "l1", "--lambda", "0.01", "--tol", "0", "--max-iter", "1000000",
             "--algorithm", "proximal-gradient", "--trace", "t.jsonl", "-o", "m.json"]
    forget("large.dcpn")
    child = group.start([scene.dcpn, *words])
    while child.poll() is None and not (os.path.exists("t.jsonl") and os.path.getsize("t.jsonl")):
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    try:
        _, said = child.communicate(timeout=LIMIT_S)
    finally:
        child.kill()
    assert child.returncode == INTERRUPTED or (child.returncode == -signal.SIGTERM and b"without a model" in said), said


def main():
    with Scene(sys.argv[1]) as scene:
        print(same_bytes(scene), "fits of data beyond the memory allowed: the same bytes")
        try:
            group = Cgroup("24M")
        except OSError as error:
            print("left out: real memory limits need a cgroup of memory:", error)
            return
        with group:
            little_memory(scene, group)
            heard(scene, group)
        print("data of 64 MB in a cgroup of 24 MB: read in order, and a signal is heard")


main()
