"""Interrupts a comparison in its second method, which would take hours; the first takes milliseconds."""
import json
import os
import signal
import subprocess
import time

command = [os.environ["DCPN"], "compare", "train.svm", "--json", "--penalty", "l1", "--lambda", "0.001", "--tol", "1e-5",
           "--max-iter", "1000000000", "--algorithms",
           "dcpn,dcpn:metric=identity:subsolver=forward-backward:inner-max=1,gist"]
running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
time.sleep(2)
running.send_signal(signal.SIGINT)
out = running.communicate()[0]
print(running.returncode, *(row["outcome"] for row in json.loads(out)["rows"]))
