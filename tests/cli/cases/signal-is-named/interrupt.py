"""Ctrl-C in a running fit that writes its trace, much larger than a pipe can hold, to a reader that has stopped."""
import os
import signal
import subprocess

os.mkfifo("trace")
command = [os.environ["DCPN"], "fit", "train.svm", "--trace", "trace", "-o", "m.json", "--penalty", "l1", "--lambda",
           "0.01", "--metric", "identity", "--subsolver", "forward-backward", "--tol", "1e-12"]
running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
with open("trace") as trace:
    trace.readline()
    running.send_signal(signal.SIGINT)
    trace.readlines()
out, err = running.communicate()
print(*(line for line in out.splitlines() if line.startswith("outcome")), err.split(";")[0], sep="\n")
