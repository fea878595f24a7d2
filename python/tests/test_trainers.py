"""Tests of what trainers of language models use: TRL's class, reward functions, and the package of the Space."""

import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import mineflow
from mineflow import rewards
from mineflow.gymnasium import Minesweeper as Game
from mineflow.trl import Minesweeper

SPACE = pathlib.Path(os.environ.get("SPACE", pathlib.Path(__file__).parents[1] / "space"))


def test_a_group_of_eight_plays_the_board_of_its_row():
    row = {"prompt": [{"role": "user", "content": "Play."}], "seed": 7, "board": "9x9/10", "answer": None}
    group = [Minesweeper() for _ in range(8)]
    boards = {one.reset(**row) for one in group} | {"".join(one.open(0, 0) for one in group[:1])}
    assert len(boards) == 2 and {one.open(0, 0) for one in group[1:]} < boards
    game = Game(board="9x9/10", regret=True)
    game.reset(seed=7)
    view, *_ = game.step(0)
    assert mineflow.render(view, 10) in boards
    # Each opens another covered cell, and is rewarded by its mine probability alone.
    chances = mineflow.probabilities(view[None], 10)[0]
    for one, (row, column) in zip(group, np.argwhere(view < 0).tolist(), strict=False):
        one.open(row, column)
        assert one.get_reward() == pytest.approx(np.nanmin(chances) - chances[row, column])


def test_a_row_without_a_seed_and_wrong_moves_are_refused():
    one = Minesweeper()
    with pytest.raises(ValueError, match="reset first"):
        one.open(0, 0)
    with pytest.raises(ValueError, match="the row has no seed"):
        one.reset(prompt="Play.")
    with pytest.raises(ValueError, match="board"):
        one.reset(seed=1, board="3x3")
    one.reset(seed=1)
    with pytest.raises(ValueError, match="off the board of 9 rows"):
        one.open(9, 0)
    with pytest.raises(ValueError, match="row: '0' is not an integer"):
        one.open("0", 0)
    assert one.get_reward() == 0.0


def test_the_tools_have_what_trl_reads():
    """TRL takes the public functions of the class but `reset` and `get_reward`, and builds their schemas as transformers does."""
    names = [name for name, _ in inspect.getmembers(Minesweeper, inspect.isfunction) if not name.startswith("_")]
    assert sorted(names) == ["get_reward", "open", "reset"]
    utils = pytest.importorskip("transformers.utils")
    schema = utils.get_json_schema(Minesweeper().open)["function"]
    assert schema["name"] == "open" and schema["parameters"]["required"] == ["row", "column"]
    assert schema["parameters"]["properties"]["row"]["type"] == "integer"


def test_rewards_are_exact_for_positions_worked_out_by_hand():
    # One mine in three cells; then a mine is at (0, 1), and the 1 beside the covered cell (0, 3) is content.
    third, proved = "2x2x1\n1H\nHH\n", "4x1x1\n1H1H\n"
    answers = ["(0, 1)", [{"role": "assistant", "content": '{"row": 1, "column": 1}'}], "(0, 0)", "(7, 7)", "no cell"]
    assert rewards.regret(answers, position=[third] * 5) == [0.0, 0.0, -1.0, -1.0, -1.0]
    assert rewards.certain(answers, position=[third] * 5, prompts=[""] * 5) == [None] * 5
    moves = ["I open (0, 3), not (0, 1)? No: (0, 3).", "(0, 1)", ""]
    assert rewards.regret(moves, position=[proved] * 3) == [0.0, -1.0, -1.0]
    assert rewards.certain(moves, position=[proved] * 3) == [1.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="contradicts itself"):
        rewards.regret(["(0, 1)"], position=["2x1x1\n8H\n"])


@pytest.mark.skipif(importlib.util.find_spec("openenv") is None, reason="not installed: openenv")
def test_the_package_of_the_space_is_valid():
    command = [pathlib.Path(sys.executable).parent / "openenv", "validate", SPACE, "--level", "static"]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    assert "Verdict: PASS" in text, text
    front = (SPACE / "README.md").read_text().split("---")[1]
    assert "sdk: docker" in front and "app_port: 8000" in front
