"""Sends signals to commands that are writing: a file without a name, or with a temporary one, is among their files."""
import os
import signal
import subprocess


def has_nameless_files():
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
        return True
    except OSError:
        return False


def is_writing(process):
    folder, here = f"/proc/{process.pid}/fd", os.getcwd() + "/"
    try:
        files = [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]
    except OSError:  # it has closed one meanwhile
        return False
    return any(file.startswith(here) and file != here + "data.svm" for file in files)


def stop_while_writing(command, number):
    for _ in range(20):
        with open("out.csv", "w") as old:
            old.write("old")
        process = subprocess.Popen(command)
        while process.poll() is None and not is_writing(process):
            pass
        process.send_signal(number)
        if process.wait() != 0:  # 0: it was faster
            return process.returncode
    return 0


DCPN = os.environ["DCPN"]
COMMANDS = ([DCPN, "convert", "data.svm", "out.csv", "-q"],
            [DCPN, "generate", "toy", "--rows", "2000", "--features", "500", "-q", "-o", "out.csv"])
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
    for command in COMMANDS:
        code = stop_while_writing(command, number)
        files = sorted(os.listdir()) if has_nameless_files() else ["data.svm", "out.csv", "send_signals.py"]
        print(code == -number, open("out.csv").read(), *files)
