"""Standard output is a pipe that nobody reads: no word, no death by signal, but not a success either. What belongs to a
file is written all the same."""
import os
import subprocess

data = os.environ["DATA"] + "/tiny.svm"
calls = [["list"], ["--help"], ["man"], ["fit", data, "--json", "-o", "m.json"], ["fit", data, "-q", "-o", "-"],
         ["fit", data, "-q", "--trace", "-", "-o", "n.json"], ["predict", "m.json", data, "-q"], ["info", "m.json"],
         ["generate", "toy"]]
for arguments in calls:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([os.environ["DCPN"], *arguments], stdout=write_end, stderr=subprocess.PIPE, text=True)
    os.close(write_end)
    if done.returncode != 1 or done.stderr:
        print(arguments, done.returncode, done.stderr)
print(sorted(os.listdir(".")))
