"""Fits are ended by signals, again and again, and resumed, until they converge: the model is that of a fit in one go, and
its JSON too but for the times. A job of the same words each time: --resume from the first."""
import json
import os
import signal
import subprocess
import sys
import time

dcpn = os.environ["DCPN"]
variants = {
    "walk": ["--metric", "identity", "--subsolver", "forward-backward", "--inner-max", "1", "--max-iter", "300"],
    "gist": ["--algorithm", "gist", "--max-iter", "300", "--active-set", "on"],
    "limit": ["--metric", "lbfgs", "--subsolver", "fista"],
}


def fit(name, *more, **how):
    command = [dcpn, "fit", "train.svm", "-q", "--json", "--penalty", "l1", "--lambda", "0.01", "--tol", "1e-10",
               *variants[name], "-o", f"{name}-{'parts' if more else 'whole'}.json", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **how)


def without_times(text):
    result = json.loads(text)
    return {key: result[key] for key in result if key not in ("time_s", "read_s")}


def model(path):
    return [line for line in open(path) if not line.startswith('  "command"')]


for name in variants:
    whole = without_times(fit(name).communicate()[0])
    options = ["--checkpoint", name + ".ckpt", "--resume", "--checkpoint-every", "0", "--trace", name + ".trace"]
    attempts, killed = 0, 0
    while True:
        attempts += 1
        if attempts > 200:
            sys.exit("no end")
        running = fit(name, *options)
        if attempts <= 6:
            time.sleep(0.02 * attempts)
            running.send_signal([signal.SIGTERM, signal.SIGKILL, signal.SIGINT][attempts % 3])
            killed += 1
        out = running.communicate()[0]
        if running.returncode == 0:
            break
    same = model(name + "-whole.json") == model(name + "-parts.json")
    print(name, same, without_times(out) == whole)
