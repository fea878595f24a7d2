"""Tests that scores on guess sets equal those of `pipeline score`."""

import json
import os
import subprocess

import pytest

import mineflow

PIPELINE = os.environ.get("PIPELINE")
pytestmark = pytest.mark.skipif(not PIPELINE, reason="PIPELINE names no program")


def run(*command):
    return subprocess.run([PIPELINE, "--quiet", *command], check=True, capture_output=True, text=True).stdout


def test_a_score_is_that_of_the_program(tmp_path):
    made, kinds = tmp_path / "set", "5x5/5:safe=12,6x6/8:opening=8"
    run("guess-set", "--kinds", kinds, "--games", "60", "--layouts", "40", "--looking-layouts", "16", "--out", made)
    file = made / "report.parquet"
    printed = run("score", "--players", "7.0", "--set", file, "--json")
    expected = [json.loads(line) for line in printed.splitlines()]
    score = mineflow.score("7.0", file)
    found = [json.loads(line) for line in score.json_lines().splitlines()]
    assert found == expected
    player = mineflow.Player("7.0")

    def same_choices(views):
        mines = {(5, 5): 5, (6, 6): 8}[views.shape[1:]]
        return player.act(views, mines)

    assert mineflow.score(same_choices, file).rows == score.rows
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(file)
    assert mineflow.score("7.0", frame).rows == score.rows
    with pytest.raises(ValueError, match="block_8 are missing"):
        mineflow.score("7.0", frame.drop("lines", "block_8"))
    with pytest.raises(ValueError, match="guess .*: 99 is not a covered cell of"):
        mineflow.score(lambda views: [99] * len(views), frame)
