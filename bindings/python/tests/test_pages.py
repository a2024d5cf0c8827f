# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of the pages run, in the order of each page."""

import os
import pathlib
import re
import warnings

import pytest

SOURCE = pathlib.Path(os.environ["DCPN_SOURCE"])
PAGES = [*sorted(SOURCE.glob("docs/python/*.md")), SOURCE / "bindings/python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_the_blocks_of_a_page(page, tmp_path, monkeypatch):
    for package in ("sklearn", "pandas", "matplotlib"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert blocks, "a page without a block that runs"
    space = {"__name__": "page"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        for block in blocks:
            line = text[: block.start()].count("\n") + 1
            exec(compile("\n" * line + block.group(1), str(page), "exec"), space)
    from matplotlib import pyplot

    pyplot.close("all")
