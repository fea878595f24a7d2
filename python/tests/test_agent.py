"""Tests of the agent's environment, used directly and over the client of OpenEnv."""

import asyncio
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

import numpy as np
import pytest

import mineflow

pytestmark = pytest.mark.skipif(importlib.util.find_spec("openenv") is None, reason="not installed: openenv")
EXAMPLES = pathlib.Path(os.environ.get("EXAMPLES", pathlib.Path(__file__).parents[2] / "examples" / "python"))


@pytest.fixture
def environment():
    from mineflow.agent import MinesweeperEnvironment

    return MinesweeperEnvironment()


def open_cell(environment, row, column):
    from mineflow.agent import MinesweeperAction

    return environment.step(MinesweeperAction(row=row, column=column))


def test_an_episode_is_the_game_of_its_seed(environment):
    from mineflow.gymnasium import Minesweeper

    game = Minesweeper(board="9x9/10")
    game.reset(seed=7)
    view, *_ = game.step(0)
    environment.reset(seed=7)
    seen = open_cell(environment, 0, 0)
    assert seen.text == mineflow.render(view, 10)
    assert seen.constraints == mineflow.constraints(view, 10)
    assert seen.legal_moves == [tuple(cell) for cell in np.argwhere(view < 0).tolist()]
    environment.reset(seed=7, split="held-out")
    boards = {seen.text, open_cell(environment, 0, 0).text}
    game.reset(seed=7 + 2**32)
    assert mineflow.render(game.step(0)[0], 10) in boards


def test_rewards_are_what_they_say(environment):
    for reward, first in (("win", 0.0), ("safe", 1.0), ("regret", 0.0)):
        environment.reset(seed=3, board="30x16/99", reward=reward)
        assert open_cell(environment, 0, 0).reward == first
    # The riskiest cell that may be safe is opened; the regret is its mine probability minus the minimum.
    environment.reset(seed=1, reward="regret")
    seen = open_cell(environment, 0, 0)
    view, mines = mineflow.parse(seen.text)
    chances = mineflow.probabilities(view[None], mines)[0]
    row, column = np.unravel_index(np.nanargmax(np.where(chances < 1, chances, np.nan)), chances.shape)
    regret = chances[row, column] - np.nanmin(chances)
    seen = open_cell(environment, int(row), int(column))
    assert seen.reward == -seen.regret == pytest.approx(-regret)
    assert seen.done == seen.mine


def test_wrong_moves_and_settings_change_nothing(environment):
    with pytest.raises(ValueError, match="reset first"):
        open_cell(environment, 0, 0)
    environment.reset(seed=7, max_steps=1)
    with pytest.raises(ValueError, match="off the board of 9 rows"):
        open_cell(environment, 9, 0)
    for wrong, why in (
        ({"reward": "fame"}, "reward: 'fame' is none of win, safe, regret"),
        ({"split": "test"}, "split"),
        ({"seed": 2**32}, "seed"),
        ({"board": "100x100/10"}, "10000 cells, more than 2500"),
        ({"board": "3x3"}, "board"),
        ({"max_steps": 82}, "max_steps: 82 is not from 1 to 81"),
        ({"first_click": "lucky"}, "lucky"),
        ({"seed": True}, "seed: True is not an integer"),
        ({"seed": "x"}, "seed: 'x' is not an integer"),
        ({"episode_id": 5}, "episode_id: 5 is not a string"),
        ({"split": ["train"]}, "is not a string"),
        ({"certain_moves": "false"}, "certain_moves: 'false' is not true or false"),
        ({"bord": "9x9/10"}, "reset has no setting bord"),
    ):
        with pytest.raises(ValueError, match=why):
            environment.reset(**wrong)
    assert environment.state.step_count == 0 and environment.state.seed == 7
    seen = open_cell(environment, 0, 0)
    assert seen.done and not seen.won and not seen.mine
    with pytest.raises(ValueError, match="the episode is over"):
        open_cell(environment, 1, 1)


def test_a_connection_has_an_episode_of_its_own():
    spec = importlib.util.spec_from_file_location("play_as_agent", EXAMPLES / "play_as_agent.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    from openenv.cli._validation import validate_running_environment

    with example.server() as url:
        report = validate_running_environment(url)
        assert report["passed"], report
        body, headers = json.dumps({"bord": "9x9/10"}).encode(), {"content-type": "application/json"}
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"{url}/reset", body, headers))
        assert refused.value.code == 422 and b"reset has no setting bord" in refused.value.read()

        async def both():
            return await asyncio.gather(*(example.episode(url, seed, "beginner") for seed in range(8)))

        at_once = asyncio.run(both())
        alone = [asyncio.run(example.episode(url, seed, "beginner")) for seed in range(8)]
        assert at_once == alone
        command = [sys.executable, EXAMPLES / "play_as_agent.py", "--episodes", "8", "--url", url]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    won = sum(game[0] for game in alone)
    assert f"{won} of 8 episodes won" in text and "0.000 of needless risk" in text
