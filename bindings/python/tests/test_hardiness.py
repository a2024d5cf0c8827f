# SPDX-License-Identifier: BSD-3-Clause
"""Threads of Python, forks, many fits, a cold start: whatever the program around it does."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import dcpn
import problems

X, y, _ = problems.numbers()
WORDS = dict(loss="squared", penalty="mcp", lam=0.1)
EXPECTED = dcpn.fit(X, y, **WORDS).coefficients


def test_threads_of_python_each_get_their_own_fit():
    found = [None] * 8

    def work(k):
        found[k] = dcpn.fit(X, y, n_jobs=1 + k % 3, **WORDS).coefficients

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for coefficients in found:
        np.testing.assert_array_equal(coefficients, EXPECTED)


def test_data_are_of_one_call_at_a_time():
    data = dcpn._inputs.as_data(X)
    refused = []

    def call_again(*progress):
        try:
            dcpn.fit(data, y, **WORDS)
        except RuntimeError as error:
            refused.append(str(error))
        return False

    dcpn.fit(data, y, callback=call_again, **WORDS)
    assert refused and "in use by another thread" in refused[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_after_threads():
    data = dcpn._inputs.as_data(X, n_jobs=3)
    dcpn.cv(data, y, loss="squared", n_lambdas=5, folds=3)  # starts the threads
    child = os.fork()
    if child == 0:
        code = 1
        try:
            in_child = dcpn.fit(data, y, **WORDS).coefficients
            code = 0 if np.array_equal(in_child, EXPECTED) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    np.testing.assert_array_equal(dcpn.fit(data, y, **WORDS).coefficients, EXPECTED)


def _bytes_in_use():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="this system does not say what a process has")
def test_a_thousand_fits_leave_nothing_behind():
    small_X, small_y = X[:40, :8].copy(), y[:40].copy()

    def fit_many(count):
        for _ in range(count):
            dcpn.fit(small_X, small_y, **WORDS)
            with pytest.raises(ValueError):
                dcpn.fit(small_X, small_y[:3], **WORDS)
        gc.collect()

    fit_many(200)
    before = _bytes_in_use()
    fit_many(1000)
    assert _bytes_in_use() - before < 1 << 20  # 1000 fits of 40 x 8, 2.5 kB each, would be 2.5 MB


def test_references_are_given_back():
    """What a call borrows, raises or returns is not held when it is gone."""
    table, labels = X.copy(), y.copy()
    counts = [sys.getrefcount(table), sys.getrefcount(labels)]
    for _ in range(3):
        dcpn.fit(table, labels, **WORDS)
        dcpn.path(table, labels, loss="squared", n_lambdas=3)
        with pytest.raises(ZeroDivisionError):
            dcpn.fit(table, labels, callback=lambda *progress: 1 / 0, **WORDS)
        with pytest.raises(ValueError):
            dcpn.fit(table, labels[:3], **WORDS)
    gc.collect()
    assert [sys.getrefcount(table), sys.getrefcount(labels)] == counts


def test_importing_and_fitting_load_nothing_but_numpy():
    code = ("import numpy, sys; before = set(sys.modules); import dcpn; dcpn.fit(numpy.eye(3), numpy.arange(3.0), loss='squared'); "
            "print(*set(sys.modules) - before)")
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"sklearn", "scipy", "pandas", "polars", "matplotlib", "numpy.ma"} & set(found), found
