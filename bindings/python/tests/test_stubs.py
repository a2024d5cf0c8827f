# SPDX-License-Identifier: BSD-3-Clause
"""The type stubs are those of the package as it is; script/test-python-peers looks at their settings as well."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

import dcpn

FOLDER = pathlib.Path(os.environ["DCPN_SOURCE"], "bindings/python")
STUBS = FOLDER / "dcpn/__init__.pyi"


def test_the_stubs_are_up_to_date():
    pytest.importorskip("sklearn")
    writer = [sys.executable, FOLDER / "tools/write_stubs.py", "--check", "--but-settings", STUBS]
    found = subprocess.run(writer, capture_output=True, text=True)
    assert found.returncode == 0, (
        f"{found.stdout}{found.stderr}\nexpected stubs as the package is now; write them by\n"
        "PYTHONPATH=build/release/python python3 bindings/python/tools/write_stubs.py bindings/python/dcpn/__init__.pyi"
    )


def test_every_public_name_has_a_stub():
    tree = ast.parse(STUBS.read_text())
    named = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert named == set(dcpn.__all__)
