#!/usr/bin/env python3
"""Where the system has no more to give, each command ends with what it is for or with a sentence: a full disk for every
output, a file that may not grow, small stacks, little address space with threads, few descriptors.

usage: resources.py DCPN
"""

import os
import resource
import subprocess
import sys

from scene import Scene

ENDS = {0, 1, 6}   # done; a file cannot be read or written; not enough memory
LIMIT_S = 120
FEW = ["--nlambda", "4", "-q"]
FULL = "/dev/full"


def limited(scene, words, which=None, amount=0, **more):
    def limit():
        if which is not None:
            resource.setrlimit(which, (amount, amount))
    return subprocess.run([scene.dcpn, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=limit,
                          timeout=LIMIT_S, **{"stdout": subprocess.DEVNULL, **more})


def full_disks(scene):
    """Every output, figures and traces too; those to standard output as well."""
    outputs = [["fit", "data.svm", "-q", "-o"], ["fit", "data.svm", "-q", "--report"], ["fit", "data.svm", "-q", "--trace"],
               ["path", "data.svm", *FEW, "-o"], ["path", "data.svm", *FEW, "--report"], ["cv", "data.svm", *FEW, "-o"],
               ["cv", "data.svm", *FEW, "--model"], ["cv", "data.svm", *FEW, "--report"],
               ["predict", "model.json", "data.svm", "-o"], ["factor", "data.svm", "-q", "-o"],
               ["predict", "factors.json", "data.svm", "-o"], ["coef", "model.json", "-o"], ["report", "path.json", "-o"],
               ["generate", "toy", "-o", "o.svm", "--truth"], ["generate", "toy", "-o", "o.svm", "--test-rows", "5", "--test-output"],
               *(["convert", "data.svm", "--to", name, "-o"] for name in ("libsvm", "csv", "tsv", "npz", "binary"))]
    for words in outputs:
        done = limited(scene, [*words, FULL, *(["--to", "csv"] if words[-1] == "--test-output" else [])])
        assert done.returncode == 1 and "No space left" in done.stderr, (words, done)
    printed = [["fit", "data.svm"], ["fit", "data.svm", "--json"], ["info", "data.svm"], ["info", "model.json", "--json"],
               ["check", "data.csv"], ["predict", "model.json", "data.svm"], ["coef", "model.json"], ["list"], ["man"],
               ["completion", "bash"], ["help", "fit"], ["report", "path.json", "--terminal"], ["compare", "data.svm"]]
    for words in printed:
        with open(FULL, "w", encoding="ascii") as full:
            done = limited(scene, words, stdout=full)
        assert done.returncode == 1 and "No space left" in done.stderr, (words, done)
    return len(outputs) + len(printed)


def files_that_may_not_grow(scene):
    """All commands: nothing half-written is left, but for a trace, which grows line by line."""
    count = 0
    for words, outputs in scene.commands():
        if not outputs:
            continue
        done = limited(scene, words, resource.RLIMIT_FSIZE, 64)
        assert done.returncode in (1, 6) and done.stderr, (words, done)
        left = [name for name in scene.clean() if name not in ("o.jsonl", "figures")]
        assert not left, (words, left)
        count += 1
    return count


def little_of(scene, which, amounts, commands):
    """Each ends in one of the two ways; how many did what they are for."""
    count = good = 0
    for amount in amounts:
        for words, outputs in commands:
            done = limited(scene, words, which, amount)
            assert done.returncode in ENDS, (words, amount, done)
            assert done.returncode == 0 or done.stderr.startswith("dcpn"), (words, amount, done)
            if done.returncode == 0:
                missing = [name for name in outputs if not os.path.exists(name) and name != "o.state"]
                assert not missing, (words, amount, missing)
            scene.clean()
            count += 1
            good += done.returncode == 0
    return f"{count} runs, {good} of which had enough"


def main():
    with Scene(sys.argv[1]) as scene:
        print("full disks:", full_disks(scene), "outputs say so")
        scene.clean()
        print("files that may not grow:", files_that_may_not_grow(scene), "commands leave nothing half-written")
        commands = list(scene.commands())
        print("small stacks:", little_of(scene, resource.RLIMIT_STACK, (96 << 10, 256 << 10), commands))
        scene.must("generate", "toy", "-o", "large.npz", "--rows", "1500", "--features", "200", "-q")
        scene.kept.add("large.npz")
        threads = [(["cv", "large.npz", *FEW, "--folds", "3", "--threads", "8", "-o", "o.json"], ["o.json"]),
                   (["path", "large.npz", *FEW, "--threads", "8", "-o", "o.json"], ["o.json"]),
                   (["convert", "large.npz", "o.csv", "-q", "--threads", "8"], ["o.csv"])]
        print("address space:", little_of(scene, resource.RLIMIT_AS, [size << 20 for size in (8, 10, 12, 14, 20, 40, 160)], threads))
        print("descriptors:", little_of(scene, resource.RLIMIT_NOFILE, (4, 5, 6, 7), commands))


if __name__ == "__main__":
    main()
