"""Tests of what trainers of language models use: TRL's class, reward functions, and what OpenEnv, verifiers and NeMo Gym read."""

import asyncio
import contextlib
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import mineflow
from mineflow import rewards
from mineflow.gymnasium import Minesweeper as Game
from mineflow.trl import Minesweeper

VERIFIERS = os.environ.get("VERIFIERS", str(pathlib.Path(__file__).parents[1] / "verifiers"))
NEMO_GYM = os.environ.get("NEMO_GYM", str(pathlib.Path(__file__).parents[1] / "nemo-gym"))
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


def test_verifiers_loads_and_plays_the_environment(monkeypatch):
    vf = pytest.importorskip("verifiers.v1")
    monkeypatch.syspath_prepend(VERIFIERS)
    taskset = {"id": "mineflow-verifiers", "games": 2, "seed": 7, "board": "5x5/3", "first_click": "opening"}
    env = vf.load_environment(vf.resolve_env_config({"taskset": taskset}))
    tasks = list(env.taskset)
    assert [task.data.episode["seed"] for task in tasks] == [7, 8] and tasks[0].data.prompt.startswith("5x5x3")

    def played(answer):
        """Plays the first task with a model, a function from a text to its answer. Returns the rewards and metrics."""
        found = {}

        async def turn(message=tasks[0].data.prompt):
            return SimpleNamespace(terminated=False, last_reply=answer(message))

        trace = SimpleNamespace(record_reward=lambda name, reward: found.update({name: reward}), record_metrics=found.update)
        interaction = SimpleNamespace(turn=turn, trace=trace)
        player = SimpleNamespace(interaction=lambda _: contextlib.nullcontext(interaction))
        asyncio.run(env.run(tasks[0], SimpleNamespace(player=player)))
        return found

    def safest(text):
        view, mines = mineflow.parse(text)
        chances = mineflow.probabilities(view[None], mines)[0]
        row, column = np.unravel_index(np.nanargmin(chances), chances.shape)
        return f"I open ({row}, {column})."

    best = played(safest)
    assert best["game"] == 0.0 and best["invalid"] == 0.0 and best["steps"] > 1
    assert played(safest) == best
    assert played(lambda _: "no cell") == {"game": -1.0, "won": 0.0, "steps": 0.0, "invalid": 1.0}
    assert played(lambda _: "(0, 0)")["invalid"] == 1.0


def test_nemo_gym_plays_the_game_of_a_row(monkeypatch):
    pytest.importorskip("nemo_gym")
    from fastapi.testclient import TestClient
    from nemo_gym.server_utils import ServerClient

    monkeypatch.syspath_prepend(NEMO_GYM)
    import app

    config = app.MinesweeperConfig(host="127.0.0.1", port=1, entrypoint="app.py", name="minesweeper")
    web = app.MinesweeperServer(config=config, server_client=ServerClient.model_construct()).setup_webserver()
    row = app.row(7, board="5x5/3", first_click="opening")
    assert row["seed"] == 7 and "5x5x3\nHHHHH" in row["responses_create_params"]["input"][0]["content"]
    answer = {"id": "1", "created_at": 0, "model": "m", "object": "response", "output": [], "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}

    def played(choose):
        """Plays the game of the row in a session of its own. Returns the boards and the result."""
        session, boards = TestClient(web), []
        assert session.post("/seed_session", json=row).status_code == 200
        while True:
            cell = choose(boards[-1] if boards else row["responses_create_params"]["input"][0]["content"][len(app.PROMPT) :])
            if cell is None:
                break
            said = session.post("/open", json={"row": cell[0], "column": cell[1]}).json()
            boards.append(said.get("board", boards and boards[-1]))
            if said.get("done"):
                break
        return boards, session.post("/verify", json=row | {"response": answer}).json()

    def safest(text):
        view, mines = mineflow.parse(text)
        chances = mineflow.probabilities(view[None], mines)[0]
        return [int(at) for at in np.unravel_index(np.nanargmin(chances), chances.shape)]

    group = [played(safest) for _ in range(8)]
    assert all(boards == group[0][0] for boards, _ in group)
    assert group[0][1]["reward"] == 0.0 and group[0][1]["steps"] == len(group[0][0])
    assert played(lambda _: None)[1]["reward"] == -1.0
    session = TestClient(web)
    refused = session.post("/seed_session", json={"responses_create_params": row["responses_create_params"]})
    assert refused.status_code == 422 and "has no seed" in refused.text
    assert session.post("/open", json={"row": 0, "column": 0}).status_code == 409
    session.post("/seed_session", json=row)
    assert "off the board" in session.post("/open", json={"row": 9, "column": 0}).json()["error"]
