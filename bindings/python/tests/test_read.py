# SPDX-License-Identifier: BSD-3-Clause
"""Files are read as the command reads them."""

import os
import subprocess

import numpy as np
import pytest

import dcpn

COMMAND = os.environ["DCPN_COMMAND"]


def test_a_file_of_the_command(tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "toy.svm"
    subprocess.run([COMMAND, "generate", "toy", "--features", "20", "--relevant", "4", "--rows", "100", "-o", path], check=True)
    data = dcpn.read(path)
    rows = [line.split() for line in path.read_text().splitlines()]
    expected = np.zeros((100, 20))
    for i, row in enumerate(rows):
        for entry in row[1:]:
            index, value = entry.split(":")
            expected[i, int(index) - 1] = float(value)
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    np.testing.assert_array_equal(X, expected)
    np.testing.assert_array_equal(data.y, [float(row[0]) for row in rows])
    assert data.format == "libsvm" and data.index_base == 1


def test_names_and_labels_of_a_table(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("age,dose,outcome\n51,2.5,well\n33,1.5,ill\n47,,well\n")
    data = dcpn.read(path, missing="mean")
    assert data.feature_names == ["age", "dose"] and data.label_name == "outcome"
    assert list(data.labels) == ["well", "ill", "well"]
    np.testing.assert_array_equal(data.X.toarray() if hasattr(data.X, "toarray") else data.X,
                                  [[51, 2.5], [33, 1.5], [47, 2.0]])


def test_refusals(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        dcpn.read(tmp_path / "nowhere")
    path = tmp_path / "bad.svm"
    path.write_text("1 1:2 x\n")
    with pytest.raises(ValueError, match="bad.svm: line 1, column 7"):
        dcpn.read(path)
    with pytest.raises(ValueError, match="storage: found 'tape'"):
        dcpn.read(path, storage="tape")


def test_a_table_with_texts(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("id,site,status,age,visit\np1,Lyon,case,51,x\np2,Graz,control,33,y\np3,Lyon,case,47,z\n")
    data = dcpn.read(path, id="id", categorical=["site"], ignore="visit")
    assert data.row_names == ["p1", "p2", "p3"] and data.feature_names == ["site=Lyon", "age"]
    np.testing.assert_array_equal(data.X.toarray() if hasattr(data.X, "toarray") else data.X, [[1, 51], [0, 33], [1, 47]])
    assert list(data.labels) == ["case", "control", "case"]
    with pytest.raises(ValueError, match="number of a column|column"):
        dcpn.read(path, id=9)
