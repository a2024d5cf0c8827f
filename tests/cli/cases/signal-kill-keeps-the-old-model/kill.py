"""Kills a fit at many moments, the writing of the model among them: the model is always the old one or the new one."""
import os
import signal
import subprocess
import time

command = [os.environ["DCPN"], "fit", "train.svm", "-q", "-o", "m.json", "--penalty", "l1", "--lambda"]
models = {}
for lam in ("1", "2"):
    subprocess.run([*command, lam], check=True)
    models[open("m.json").read()] = lam
started = time.monotonic()
subprocess.run([*command, "1"], check=True)
usual = time.monotonic() - started
for k in range(40):
    running = subprocess.Popen([*command, "12"[k % 2]])
    time.sleep(usual * (0.3 + k / 40))
    running.send_signal(signal.SIGKILL)
    running.wait()
    if open("m.json").read() not in models:
        print("after", k, open("m.json").read())
print(len(models))
