"""NumPy, SciPy, and the program that reads and writes data for the tests of formats.

Without NumPy and SciPy there is nothing to compare with: then the test is skipped, and says so.
"""

import os
import subprocess
import sys
import tempfile

SKIPPED = 77

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError:
    system = "/usr/bin/python3"
    if sys.executable != system and os.path.exists(system) and "DCPN_PEERS_AGAIN" not in os.environ:
        os.environ["DCPN_PEERS_AGAIN"] = "1"
        os.execv(system, [system, *sys.argv])
    print("skipped: NumPy and SciPy (python3-scipy) are not installed")
    sys.exit(SKIPPED)

__all__ = ["Converter", "SKIPPED", "np", "scipy", "sp"]


class Converter:
    """tests/formats/convert.c, running in a folder of its own, which becomes the current one."""

    def __init__(self, program):
        self.program = os.path.abspath(program)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        # The libraries for MATLAB and HDF5 ask for whatever memory a damaged file tells them to.
        environment = dict(os.environ, ASAN_OPTIONS="allocator_may_return_null=1")
        self.worker = subprocess.Popen([self.program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       text=True)
        return self

    def run(self, *job):
        """The answer to FORMAT IN FORMAT OUT [LABEL-COLUMN]: "done" or a refusal."""
        self.worker.stdin.write("\t".join(job) + "\n")
        self.worker.stdin.flush()
        return self.worker.stdout.readline().strip()

    def __exit__(self, kind, *_):
        self.worker.stdin.close()
        code = self.worker.wait()
        os.chdir("/")
        self.folder.cleanup()
        assert kind or code == 0, code
