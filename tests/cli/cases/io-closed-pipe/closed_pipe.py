"""Standard output is a pipe that nobody reads: an error, not a silent success and not a death by signal."""
import os
import subprocess
import sys

read_end, write_end = os.pipe()
os.close(read_end)
done = subprocess.run([os.environ["DCPN"], "list"], stdout=write_end, stderr=subprocess.PIPE, text=True)
if done.returncode != 1 or "Broken pipe" not in done.stderr:
    sys.exit(f"exit code {done.returncode}: {done.stderr}")
