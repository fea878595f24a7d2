"""Tests that the usual readers can read, filter, take and sort the Parquet files of `pipeline generate`.

As a script, `python test_parquet.py PATH...` prints what pyarrow reads from each path. A test runs this script in a separate process with
an older pyarrow.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

PIPELINE = os.environ.get("PIPELINE")
PYARROW_14 = os.environ.get("PYARROW_14")
PLAYER = "4.0"
TAKEN = [3, 0, 2]

pytestmark = pytest.mark.skipif(not PIPELINE, reason="PIPELINE names no program")


def with_pyarrow(path):
    from pyarrow import compute, dataset, parquet

    table = parquet.read_table(path)
    assert dataset.dataset(path, format="parquet").to_table().equals(table)
    wanted = (compute.field("turn") > 0) & (compute.field("player") == PLAYER)
    assert parquet.read_table(path, filters=wanted).equals(table.filter(wanted))
    ordered = table.sort_by([("turn", "descending"), ("game", "ascending")])
    return [part.to_pylist() for part in (table, table.filter(wanted), table.take(TAKEN), ordered)]


def with_pandas(path, **backend):
    import pandas

    frame = pandas.read_parquet(path, **backend)
    wanted = frame[(frame["turn"] > 0) & (frame["player"] == PLAYER)]
    read = pandas.read_parquet(path, filters=[("turn", ">", 0), ("player", "==", PLAYER)], **backend)
    pandas.testing.assert_frame_equal(read, wanted.reset_index(drop=True))
    ordered = frame.sort_values(["turn", "game"], ascending=[False, True])
    return [part.to_dict("records") for part in (frame, wanted, frame.take(TAKEN), ordered)]


def with_polars(path):
    import polars

    frame = polars.read_parquet(path)
    wanted = (polars.col("turn") > 0) & (polars.col("player") == PLAYER)
    assert polars.scan_parquet(path).filter(wanted).collect().equals(frame.filter(wanted))
    ordered = frame.sort(["turn", "game"], descending=[True, False])
    return [part.to_dicts() for part in (frame, frame.filter(wanted), frame[TAKEN], ordered)]


def with_duckdb(path):
    import duckdb

    files = f"{path}/*.parquet" if os.path.isdir(path) else path
    conditions = ["", f"WHERE turn > 0 AND player = '{PLAYER}'", "ORDER BY turn DESC, game"]
    found = []
    for condition in conditions:
        answer = duckdb.sql(f"SELECT * FROM read_parquet('{files}') {condition}")
        found.append([dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()])
    everything, wanted, ordered = found
    return [everything, wanted, [everything[at] for at in TAKEN], ordered]


READERS = {
    "pyarrow": (with_pyarrow, {}),
    "pandas": (with_pandas, {}),
    "pandas-numpy": (with_pandas, {"dtype_backend": "numpy_nullable"}),
    "pandas-pyarrow": (with_pandas, {"dtype_backend": "pyarrow"}),
    "polars": (with_polars, {}),
    "duckdb": (with_duckdb, {}),
}


def plain(parts):
    """Converts the rows of the parts to texts, which are equal if the values are equal."""
    write = lambda value: value.hex() if isinstance(value, bytes) else value.item()  # noqa: E731
    return [[json.dumps(row, default=write, sort_keys=True) for row in part] for part in parts]


@pytest.fixture(scope="module", params=["classifier", "q"])
def folder(request, tmp_path_factory):
    """A data folder with several files of rows and of decisions."""
    folder = tmp_path_factory.mktemp("generated") / request.param
    options = ["--kind", request.param, "--player", PLAYER, "--boards", "8x8/10,9x9/10", "--games", "12"]
    command = [PIPELINE, "generate", *options, "--games-per-shard", "8", "--out", str(folder), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def paths(folder):
    """Yields the paths to read: each folder as a data set, and one of its files."""
    for name in ("rows", "decisions"):
        files = sorted((folder / name).iterdir())
        assert len(files) == 3 and all(file.suffix == ".parquet" for file in files), files
        yield from (str(folder / name), str(files[1]))


def check(parts):
    """Asserts that the parts are the results of filtering, taking and sorting the rows."""
    rows, wanted, taken, ordered = ([json.loads(row) for row in part] for part in parts)
    expected = [row for row in rows if row["turn"] > 0 and row["player"] == PLAYER]
    assert wanted == expected and 0 < len(expected) < len(rows)
    assert taken == [rows[at] for at in TAKEN]
    keys = [(-row["turn"], row["game"]) for row in ordered]
    assert keys == sorted((-row["turn"], row["game"]) for row in rows)


@pytest.mark.parametrize("reader", READERS)
def test_readers_read_filter_take_and_sort(folder, reader):
    for module in ("pyarrow", reader.split("-")[0]):
        pytest.importorskip(module, reason=f"not installed: {module}")
    read, backend = READERS[reader]
    for path in paths(folder):
        parts = plain(read(path, **backend))
        check(parts)
        assert parts[0] == plain(with_pyarrow(path))[0]


@pytest.mark.skipif(not PYARROW_14, reason="PYARROW_14 names no folder with pyarrow 14")
def test_pyarrow_14_reads_the_same(folder):
    pytest.importorskip("pyarrow", reason="not installed: pyarrow")
    every = list(paths(folder))
    program = [sys.executable, str(pathlib.Path(__file__)), *every]
    environment = {**os.environ, "PYTHONPATH": PYARROW_14}
    answer = subprocess.run(program, check=True, capture_output=True, text=True, env=environment)
    version, *lines = answer.stdout.splitlines()
    assert version.startswith("14.")
    for path, line in zip(every, lines, strict=True):
        parts = json.loads(line)
        check(parts)
        assert parts[0] == plain(with_pyarrow(path))[0]


if __name__ == "__main__":
    import pyarrow

    print(pyarrow.__version__)
    for each in sys.argv[1:]:
        print(json.dumps(plain(with_pyarrow(each))))
