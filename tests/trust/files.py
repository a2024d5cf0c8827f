#!/usr/bin/env python3
"""No command opens a file that it was not given, nor anything of the network: its system calls are traced, for every command
and every format, and for files of HDF5 and MATLAB whose data lie elsewhere.

usage: files.py DCPN

A file is given by a word of the command line, or is what the command writes there. Beside these a run may look at the
system: shared libraries, the limits of its memory (as malloc does, when threads give it back), its processors, /dev/null, and random bytes.
"""

import os
import re
import shutil
import subprocess
import sys

from scene import HERE, Scene, skip

SYSTEM = re.compile(r"/usr/lib|/lib|/etc/ld\.so\.|/proc/self/|/proc/\d+/|/proc/sys/vm/overcommit_memory$|/sys/fs/cgroup/|/sys/devices/system/|/dev/null$|/dev/urandom$"
                    r"|/dev/(tty|ptmx)?$|/usr/share/locale|/etc/localtime")
OPENS = ("open", "openat", "openat2", "creat")
NETWORK = ("socket", "connect", "bind", "sendto", "socketpair")
EXECUTES = ("execve", "execveat")
FORMATS = os.path.join(os.path.dirname(HERE), "formats")


def calls(scene, words):
    """(name, path) of every call that was not refused, in all processes of the command."""
    done = subprocess.run(["strace", "-f", "-y", "-s", "400", "-o", "calls", "-e", "trace=%file,%network,execve", scene.dcpn, *words],
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    found = []
    with open("calls", encoding="utf-8", errors="replace") as file:
        for line in file:
            call = re.match(r"(?:\d+\s+)?(\w+)\((.*)", line)
            if call is None or re.search(r"= -1 E", line):
                continue
            path = re.search(r'"((?:[^"\\]|\\.)*)"', call.group(2))
            found.append((call.group(1), path.group(1) if path else ""))
    os.remove("calls")
    return done, found


def given(words, outputs):
    """The paths that the command may open: its words, the outputs with what stands beside them, and where these are made."""
    names = {part for word in words for part in (word, f"{word}.labels")} | set(outputs)
    return {os.path.realpath(name) for name in names} | {os.path.realpath(".")}


def is_allowed(path, allowed, outputs):
    if SYSTEM.match(path):
        return True
    real = os.path.realpath(path)
    if real in allowed or any(real.startswith(os.path.realpath(word) + "/") for word in ("figures",)):
        return True
    folder, name = os.path.split(real)   # what is written has a name of its own until it is whole
    return folder == os.path.realpath(".") and any(name.startswith(f".{os.path.basename(out)}.") for out in outputs)


def judge(scene, words, outputs, may_fail=False):
    done, found = calls(scene, words)
    assert may_fail or done.returncode == 0, (words, done)
    allowed, programs = given(words, outputs), {os.path.realpath(scene.dcpn), os.path.join(os.path.dirname(scene.dcpn), "dcpn-import")}
    assert any(name in OPENS for name, _ in found), (words, found)
    for name, path in found:
        assert name not in NETWORK, (words, name, path)
        if name in EXECUTES:
            assert os.path.realpath(path) in programs, (words, name, path)
        if name in OPENS:
            assert is_allowed(path, allowed, outputs), (words, name, path)
    scene.clean()
    return done


def elsewhere(scene):
    """The number of files whose data lie in another one, or in a pipe: refused, and neither is touched."""
    if not scene.foreign:
        return 0
    script = ("import sys; sys.path.insert(0, sys.argv[1])\n"
              "import os, hdf5_files\n"
              "for matlab in (0, 1):\n"
              " hdf5_files.write_target('other', matlab)\n"
              " os.path.exists('pipe') or os.mkfifo('pipe')\n"
              " for target in ('other', 'pipe'):\n"
              "  for k, (_, _, content) in enumerate(hdf5_files.leading_to(os.path.abspath(target), matlab)):\n"
              "   open(f'away-{matlab}-{target}-{k}.' + ('mat' if matlab else 'h5ad'), 'wb').write(content)\n")
    made = subprocess.run(["/usr/bin/python3", "-c", script, FORMATS], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    names = sorted(name for name in os.listdir(".") if name.startswith("away-"))
    scene.kept |= set(os.listdir("."))
    for name in names:
        for words in (["info", name], ["convert", name, "o.csv"]):
            done = judge(scene, words, ["o.csv"], may_fail=True)
            assert done.returncode == 4, (words, done)
    return len(names)


def main():
    if shutil.which("strace") is None:
        skip("strace is not installed")
    with Scene(sys.argv[1]) as scene:
        if subprocess.run(["strace", "-o", "calls", "true"], capture_output=True).returncode != 0:
            skip("strace may not trace here")
        os.remove("calls")
        count = 0
        for words, outputs in scene.commands():
            judge(scene, words, outputs)
            count += 1
        for data in scene.data():
            for command in (["info"], ["check"], ["fit", "-q", "-o", "o.json"]):
                judge(scene, [command[0], *data, *command[1:]], ["o.json"])
                count += 1
        print(count, "commands opened what they were given")
        print(elsewhere(scene), "files whose data lie elsewhere were refused, and nothing there opened")


if __name__ == "__main__":
    main()
