"""Sends a signal, three times at once, to a running fit at a moment when it cannot have ended: it writes its trace, which is much larger than
a pipe can hold, to a reader that has stopped reading."""
import json
import os
import signal
import subprocess
import sys

os.mkfifo("trace")
command = [os.environ["DCPN"], "fit", "train.svm", "--trace", "trace", "-o", "m.json", "--json", "--penalty", "l1",
           "--lambda", "0.01", "--metric", "identity", "--subsolver", "forward-backward", "--tol", "1e-12"]
running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
with open("trace") as trace:
    lines = [trace.readline()]
    for _ in range(3):  # timeout(1) sends two at once: one wish
        running.send_signal(getattr(signal, sys.argv[1]))
    lines += trace.readlines()
out, err = running.communicate()
fit, model = json.loads(out), json.load(open("m.json"))
print(running.returncode, fit["outcome"], "interrupted" in err, fit["iterations"] < 10000)
print(model["fit"]["outcome"], fit["iterations"] == len(lines) - 1, model["fit"]["objective"] == fit["objective"])
os.remove("trace")
os.remove("m.json")
