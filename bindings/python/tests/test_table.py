# SPDX-License-Identifier: BSD-3-Clause
"""Tables become numbers as the command makes them, and in any order of columns."""

import pickle

import numpy as np
import pytest

import dcpn

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")

RNG = np.random.default_rng(12)
FRAME = pandas.DataFrame({
    "id": [f"p{k}" for k in range(60)], "age": RNG.normal(60, 10, 60).round(1), "smokes": RNG.random(60) < 0.5,
    "site": RNG.choice(["Rome", "Lyon", "Oslo"], 60), "grade": pandas.array(RNG.integers(1, 4, 60), dtype="Int64"),
    "dose": pandas.Categorical(RNG.choice(["low", "mid", "high"], 60), categories=["low", "mid", "high", "never"]),
})
FRAME.loc[[3, 5], "age"] = np.nan
FRAME.loc[7, "grade"] = pandas.NA
FRAME.loc[[2, 9], "site"] = None
Y = FRAME["age"].fillna(60) / 10 + RNG.standard_normal(60)


def test_levels_and_gaps():
    coder = dcpn.TableCoder(ignore=["id"])
    table = coder.fit_transform(FRAME)
    assert list(table.columns) == list(coder.get_feature_names_out())
    assert list(table.columns) == ["age", "smokes", "site=Oslo", "site=Rome", "grade", "dose=mid", "dose=high"]
    assert coder.gaps_ == {"age": 2, "site": 2, "grade": 1} and table.index.equals(FRAME.index)
    assert all(table.dtypes == np.float64) and not table.isna().any().any()
    assert table.loc[3, "age"] == pytest.approx(FRAME["age"].mean())
    assert table.loc[2, "site=Rome"] == pytest.approx((FRAME["site"] == "Rome").sum() / 58)
    np.testing.assert_array_equal(table["dose=high"], FRAME["dose"] == "high")
    np.testing.assert_array_equal(coder.transform(FRAME.iloc[:, ::-1]), table)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(coder)).transform(FRAME.head(4)), table.head(4))
    again = dcpn.TableCoder(ignore=["id"], categorical=["smokes"]).fit(FRAME).get_feature_names_out()
    assert "smokes=True" in again and "smokes" not in again


def test_the_numbers_are_those_of_the_command(tmp_path):
    part = FRAME.drop(columns=["smokes", "dose"])
    part.assign(y=Y).to_csv(tmp_path / "t.csv", index=False)
    read = dcpn.read(tmp_path / "t.csv", label_column="y", id="id", categorical="auto", missing="mean")
    table = dcpn.TableCoder(ignore=["id"]).fit_transform(part)
    assert read.feature_names == list(table.columns)
    dense = read.X.toarray() if hasattr(read.X, "toarray") else read.X
    np.testing.assert_allclose(dense, table, rtol=1e-12)


def test_pipelines_keep_names_and_levels_together():
    from sklearn.pipeline import make_pipeline

    y = np.where((FRAME["site"] == "Oslo") | (RNG.random(60) < 0.1), "case", "control")
    model = make_pipeline(dcpn.TableCoder(ignore=["id"]), dcpn.SparseClassifierCV(groups="prefix:=", cv=4)).fit(FRAME, y)
    named = model[-1].named_coefficients()
    assert {"site=Oslo", "site=Rome"} <= set(named) and list(named)[0] == "site=Oslo"
    assert list(np.abs(list(named.values()))) == sorted(np.abs(list(named.values())), reverse=True)
    assert {path.penalty for path in model[-1].cv_.paths} == {"l1", "mcp"}
    assert np.mean(model.predict(FRAME) == y) > 0.8


@pytest.mark.parametrize("change, why", [
    (lambda f: f, "'id' has 60 different texts in 60 rows, and is left out"),
    (lambda f: f.assign(id=[f"2020-01-{k % 31 + 1:02}" for k in range(60)]), "'id' has 31 different texts in 60 rows"),
    (lambda f: f.assign(id=pandas.Timestamp("2020-01-01")), "'id' has dates")])
def test_names_and_dates_are_left_out_and_said(change, why):
    coder = dcpn.TableCoder()
    with pytest.warns(UserWarning, match=why):
        table = coder.fit_transform(change(FRAME))
    assert coder.left_out_ == ["id"] and not any(name.startswith("id") for name in table.columns)
    np.testing.assert_array_equal(table, dcpn.TableCoder(ignore=["id"]).fit_transform(FRAME))
    if "31" in why:
        assert any(name.startswith("id=") for name in dcpn.TableCoder(categorical=["id"]).fit(change(FRAME)).get_feature_names_out())


def test_a_file_is_read_as_it_looks(tmp_path):
    part = FRAME.drop(columns=["smokes", "dose"])
    part.assign(y=Y, seen=[f"2020-{k % 12 + 1:02}-{k % 28 + 1:02}" for k in range(60)]).to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(UserWarning, match="read as it looks .*id='id', categorical='site', ignore='seen', missing='mean'"):
        read = dcpn.read(tmp_path / "t.csv")
    told = dcpn.read(tmp_path / "t.csv", id="id", categorical=["site"], ignore=["seen"], missing="mean", label_column="y")
    assert read.feature_names == told.feature_names and read.row_names == told.row_names == list(part["id"])
    np.testing.assert_array_equal(read.X, told.X)
    with pytest.raises(ValueError, match="as it looks"):
        dcpn.read(tmp_path / "t.csv", missing="refuse")


def test_arrays_are_as_frames():
    part = FRAME[["age", "site", "grade"]]
    values = part.astype(object).where(part.notna(), None).to_numpy()
    coder = dcpn.TableCoder()
    table = coder.fit_transform(values)
    assert list(coder.get_feature_names_out()) == ["x0", "x1=Oslo", "x1=Rome", "x2"] and coder.gaps_ == {"x0": 2, "x1": 2, "x2": 1}
    np.testing.assert_array_equal(table, dcpn.TableCoder().fit_transform(part))
    with pytest.raises(ValueError, match="features"):
        coder.transform(values[:, :2])


def test_polars_is_as_pandas():
    polars = pytest.importorskip("polars")
    part = FRAME[["age", "site", "smokes"]]
    frame = polars.DataFrame({name: [None if pandas.isna(v) else v for v in part[name]] for name in part})
    table = dcpn.TableCoder().fit_transform(frame)
    assert isinstance(table, polars.DataFrame)
    np.testing.assert_array_equal(table.to_numpy(), dcpn.TableCoder().fit_transform(part))


@pytest.mark.parametrize("change, found", [
    (lambda f: f.assign(site="Wien"), "'site' has 'Wien', expected one of Lyon, Oslo, Rome"),
    (lambda f: f.drop(columns="age"), "no column 'age'"),
    (lambda f: f.assign(age="old"), "'age' has 'old', expected numbers"),
    (lambda f: f.to_numpy(), "no column 'age'")])
def test_what_the_fit_has_not_seen(change, found):
    coder = dcpn.TableCoder(ignore=["id"]).fit(FRAME)
    with pytest.raises(ValueError, match=found):
        coder.transform(change(FRAME))


@pytest.mark.parametrize("words, change, found", [
    (dict(ignore=["nope"]), lambda f: f, "ignore: found 'nope'"),
    (dict(ignore=["id"]), lambda f: f.assign(age=np.nan), "'age' has no numbers"),
    (dict(ignore=list(FRAME.columns)), lambda f: f, "found no columns")])
def test_what_is_no_feature(words, change, found):
    with pytest.raises(ValueError, match=found):
        dcpn.TableCoder(**words).fit(change(FRAME))
