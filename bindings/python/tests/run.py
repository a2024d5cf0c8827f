#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one file of tests; 77, which ctest counts as skipped, where NumPy or pytest is missing.

usage: run.py TEST [PYTEST OPTION]...
"""

import importlib.util
import sys


def main():
    missing = [name for name in ("numpy", "pytest") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: this Python has no {' and no '.join(missing)}")
        return 77
    import pytest

    status = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
    return 77 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main())
