#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_abi.py sees what breaks compiled programs, and nothing else.

usage: test_check_abi.py CC SOURCE
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

# File, what is changed, into what, and what must be said; None: nothing is wrong.
CHANGES = [
    ("base.h", "", "", None),
    ("solver.h", "double objective;    /* F(x_k)", "double more, objective; /* F(x_k)",
     "recorded, but not so any more: dcpn_progress.objective at"),
    ("path.h", "double lambda;", "float lambda;", "dcpn_path_progress.lambda at"),
    ("path.h", "double lambda;", "double lambda, another;", "not recorded yet: dcpn_path_progress.another at"),
    ("layout/path.h", "double deviance;", "double more, deviance;", None),
    ("handles.h", "const char *field, dcpn_value *value);", "const char *field, int more, dcpn_value *value);", "function int dcpn_"),
    ("collective.h", "int32_t rank", "int64_t rank", "dcpn_collective.rank at"),
    ("solver.h", "DCPN_KIND_REAL, DCPN_KIND_COUNT", "DCPN_KIND_COUNT, DCPN_KIND_REAL", "number DCPN_KIND_REAL"),
    ("settings.def", 'DCPN_REAL(lambda, "lambda"', 'DCPN_REAL(nu, "nu", 0.0, 0.0, 1.0, "x")\nDCPN_REAL(lambda, "lambda"', None),
    ("model.h", "/* ", "/* Another comment. */ /* ", None),
]


def check(compiler, root):
    done = subprocess.run([sys.executable, root / "tools/check_abi.py", "--cc", compiler, root], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    compiler, source = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for part in ("include", "tools", "tests/abi", "cmake"):
            shutil.copytree(source / part, root / part)
        subprocess.run([sys.executable, root / "tools/check_abi.py", "--cc", compiler, "--update", root], check=True)
        for name, old, new, expected in CHANGES:
            path = root / "include/dcpn" / name
            text = path.read_text()
            if old not in text:
                print(f"{name}: found no '{old}' to change; correct this test")
                return 1
            path.write_text(text.replace(old, new, 1))
            code, said = check(compiler, root)
            path.write_text(text)
            if code == 77:
                print(said, end="")
                return 77
            if (code == 0) != (expected is None) or (expected or "") not in said:
                print(f"{name}: {old!r} -> {new!r}: expected {expected!r}, found exit {code}:\n{said}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
